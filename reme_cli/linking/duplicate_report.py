"""The list of duplicates that a run of L4 makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.asking import spent_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking


class DuplicatePair(NamedTuple):
    """Two notes that describe the same thing. Shares are from 0 to 1."""

    first: str
    second: str
    alike: float
    """How much of both is the same, by the weight of the words;"""
    held: float
    """how much of the smaller one the other has."""
    shingles: float
    """How many pairs of neighbouring words both have."""
    named: float
    """How alike their names are."""
    is_sure: bool
    """Whether this alone makes them duplicates; else they may be."""
    why: str = ""
    """What the model says."""
    near: float = 0.0
    """How near they are in meaning, by their vectors."""
    called: float = 0.0
    """How much of their names is the same, by the weight of the words."""

    @property
    def score(self) -> float:
        """How strong the evidence is, from 0 to 1. A name says less where the texts have little in common: two things may be called so."""
        named = self.called * (1 + self.held) / 2
        return max(0.5 * self.alike + 0.2 * self.held + 0.3 * named, 0.75 * self.near)

    @property
    def sureness(self) -> str:
        """How sure it is, in a word."""
        return "likely" if self.is_sure or self.why else "possible"

    @property
    def evidence(self) -> str:
        """What speaks for it, in words."""
        told = [
            f"{self.alike:.0%} of their words in common",
            f"{self.held:.0%} of the shorter one in the other",
            f"{self.shingles:.0%} of the word pairs the same",
        ]
        if self.named >= 0.5:
            told.append(f"names {self.named:.0%} alike")
        if self.near:
            told.append(f"{self.near:.0%} near in meaning")
        return ", ".join(told)


@dataclass(slots=True)
class L4Report:
    """What a run found."""

    dry_run: bool = False
    looked_at: int = 0
    """How many notes were compared."""
    pairs: list[DuplicatePair] = field(default_factory=list)
    text: str = ""
    """The list as Markdown."""
    file: str = ""
    """Where it was written, relative to the vault."""
    asking: Asking | None = None
    """The model's part."""


_HOW: Final = """\
Pairs of notes that seem to describe the same thing: first those that are likely to, then those that may, the strongest first.
Nothing was changed. For each: read both, bring what only the second says into the first, then remove the second; its links will lead
to the first. Two notes that are meant to be two: leave them."""


def as_markdown(index: Index, pairs: Sequence[DuplicatePair]) -> str:
    """The pairs with their evidence and how to resolve each. Paths stand in code, so that no text becomes a link."""
    if not pairs:
        return "# Duplicates\n\nNone found.\n"
    lines = ["# Duplicates", "", _HOW]
    for number, pair in enumerate(pairs, 1):
        kept, other = _by_rank(index, pair)
        lines += [
            "",
            f"## {number}. {_code(kept)} and {_code(other)}",
            "",
            f"- {pair.sureness}, {pair.score:.2f}: {pair.evidence}",
        ]
        if pair.why:
            lines.append(f"- the model: {pair.why}")
        lines += [
            f"- keep: {_code(kept)}",
            f"- then: {_code(f'reme maintain rm {_quoted(other)} --retarget {_quoted(kept)}')}",
        ]
    return "\n".join((*lines, ""))


def _by_rank(index: Index, pair: DuplicatePair) -> tuple[str, str]:
    """The note to keep and the one to merge into it: what more notes link to, then what says more, is kept."""

    def rank(path: str) -> tuple[int, int, str]:
        size = max((passage.end for passage in index.passages(path)), default=0)
        return -len({link.source for link in index.links_to(path)}), -size, path

    kept, other = sorted((pair.first, pair.second), key=rank)
    return kept, other


def _code(text: str) -> str:
    mark = "``" if "`" in text else "`"
    return f"{mark}{text}{mark}"


def _quoted(path: str) -> str:
    from shlex import quote  # only where there is something to list

    return quote(path)


def as_json(report: L4Report) -> dict[str, object]:
    """What `--json` tells, keys in a stable order."""
    return {
        "schema": 1,
        "level": "l4",
        "dry_run": report.dry_run,
        "notes": report.looked_at,
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "likely": pair.sureness == "likely",
                "score": round(pair.score, 3),
                "words": round(pair.alike, 3),
                "held": round(pair.held, 3),
                "shingles": round(pair.shingles, 3),
                "names": round(pair.named, 3),
                "meaning": round(pair.near, 3),
                "why": pair.why or None,
            }
            for pair in report.pairs
        ],
        "file": report.file or None,
        "model": spent_json(report.asking),
    }
