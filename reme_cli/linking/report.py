"""What a run of L1 made, and what it left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.linking.asking import spent_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.linking.asking import Asking

Reason = Literal["ambiguous", "weak", "declined", "forbidden", "conflict", "today", "unreadable"]

REASONS: Final[Mapping[Reason, str]] = {
    "ambiguous": "several notes are called so",
    "weak": "not sure enough to be meant",
    "declined": "the model says that it is not meant",
    "forbidden": "a link there would change how the note is read",
    "conflict": "the note kept changing while it was to be written",
    "today": "the day of this note is not over",
    "unreadable": "the note cannot be read",
}


class Linked(NamedTuple):
    """A mention that became a link."""

    path: str
    line: int
    col: int
    mention: str
    target: str
    score: float
    """From 0 to 1."""
    by: Literal["name", "spelling", "model"]
    """What decided: the score of a name, that of a near-identical spelling, or the model."""


class Left(NamedTuple):
    """A mention that was not made a link, or a note that was left out, with no line then."""

    path: str
    line: int
    col: int
    mention: str
    targets: tuple[str, ...]
    score: float
    reason: Reason


@dataclass(slots=True)
class L1Report:
    """What a run came to."""

    run: str = ""
    dry_run: bool = False
    looked_at: int = 0
    """How many notes were looked at."""
    linked: list[Linked] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """The notes that were written; in a dry run those that would be."""
    diffs: list[str] = field(default_factory=list)
    """What a dry run would change, note by note."""
    asking: Asking | None = None
    """The model's part."""

    @property
    def diff(self) -> str:
        """What a dry run would change."""
        return "".join(self.diffs)

    def settle(self) -> None:
        """Puts everything in order of place."""
        self.linked.sort()
        self.left.sort()
        self.changed.sort()


def as_json(report: L1Report) -> dict[str, object]:
    """What `--json` tells, keys in a stable order."""
    return {
        "schema": 1,
        "level": "l1",
        "run": report.run or None,
        "dry_run": report.dry_run,
        "notes": report.looked_at,
        "changed": report.changed,
        "linked": [
            {
                "path": each.path,
                "line": each.line,
                "col": each.col,
                "mention": each.mention,
                "target": each.target,
                "score": round(each.score, 3),
                "by": each.by,
            }
            for each in report.linked
        ],
        "not_linked": [
            {
                "path": each.path,
                "line": each.line or None,
                "col": each.col or None,
                "mention": each.mention or None,
                "targets": list(each.targets),
                "score": round(each.score, 3),
                "reason": each.reason,
            }
            for each in report.left
        ],
        "model": spent_json(report.asking),
    }
