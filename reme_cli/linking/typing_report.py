"""What a run of L3 typed, and what it left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.linking.asking import spent_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.linking.asking import Asking
    from reme_cli.linking.l3_predicates import Step

By = Literal["sentence", "model"]
"""What says so: the table of phrasings, or the model."""
Kept = Literal["ended", "no-inverse", "forbidden", "conflict", "today", "unreadable"]

KEPT: Final[Mapping[Kept, str]] = {
    "ended": "the sentence says that it holds no more",
    "no-inverse": "the relation runs against the link, and this predicate has no name for that",
    "forbidden": "a predicate there would change how the note is read",
    "conflict": "the note kept changing while it was to be written",
    "today": "the day of this note is not over",
    "unreadable": "the note cannot be read",
}


class Typed(NamedTuple):
    """A link that got a predicate."""

    path: str
    line: int
    col: int
    target: str
    predicate: str
    by: By


class Untyped(NamedTuple):
    """A link that got none although its sentence states a relation; or a note that was left out, with no line then."""

    path: str
    line: int
    col: int
    target: str
    predicate: str
    reason: Kept


@dataclass(slots=True)
class L3Report:
    """What a run came to."""

    run: str = ""
    dry_run: bool = False
    applied: bool = False
    """Whether it was written."""
    looked_at: int = 0
    """How many notes were looked at."""
    typed: list[Typed] = field(default_factory=list)
    left: list[Untyped] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """The notes that were written, or would be."""
    edges: int = 0
    """How many edges were upgraded, each with a line in the audit."""
    diff: str = ""
    """Of what would be written."""
    asking: Asking | None = None
    """The model's part."""

    def take(self, path: str, steps: Iterable[Step], left: Iterable[Untyped]) -> None:
        """Adds what became of one note."""
        steps = tuple(steps)
        self.edges += len(steps)
        for step in steps:
            self.typed += step.typed
        self.left += left
        if steps:
            self.changed.append(path)

    def settle(self) -> None:
        """Puts everything in order of place."""
        self.typed.sort()
        self.left.sort()
        self.changed = sorted(set(self.changed))


def as_json(report: L3Report) -> dict[str, object]:
    """What `--json` tells, keys in a stable order."""
    return {
        "schema": 1,
        "level": "l3",
        "run": report.run or None,
        "dry_run": report.dry_run,
        "applied": report.applied,
        "notes": report.looked_at,
        "changed": report.changed,
        "typed": [each._asdict() for each in report.typed],
        "not_typed": [
            {
                "path": each.path,
                "line": each.line or None,
                "col": each.col or None,
                "target": each.target or None,
                "predicate": each.predicate or None,
                "reason": each.reason,
            }
            for each in report.left
        ],
        "model": spent_json(report.asking),
    }
