"""What a run of L2 found, and what it linked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.linking.asking import spent_json

if TYPE_CHECKING:
    from reme_cli.linking.asking import Asking


class TopicPair(NamedTuple):
    """Two notes that belong together and have no link between them. The link goes into the first."""

    first: str
    second: str
    score: float
    sources: int
    """Sources that both are drawn from;"""
    neighbours: float
    """what they link to in common, and what links to both: Adamic–Adar;"""
    same_bucket: bool
    alike: float
    """and how much of their words they have in common, by weight, from 0 to 1."""
    why: str = ""
    """The model's words."""
    near: float = 0.0
    """How near they are in meaning, by their vectors, from 0 to 1."""

    @property
    def evidence(self) -> str:
        """What speaks for it, in words."""
        told = []
        if self.sources:
            told.append(f"{self.sources} shared source{'s' if self.sources > 1 else ''}")
        if self.neighbours:
            told.append(f"common neighbours {self.neighbours:.2f}")
        if self.same_bucket:
            told.append("same bucket")
        if self.near:
            told.append(f"{self.near:.0%} near in meaning")
        return ", ".join((*told, f"{self.alike:.0%} of their words in common"))


@dataclass(slots=True)
class L2Report:
    """What a run came to."""

    run: str = ""
    dry_run: bool = False
    looked_at: int = 0
    """How many notes were looked at."""
    pairs: list[TopicPair] = field(default_factory=list)
    """The most relevant first; with a model, those that it confirmed or did not judge."""
    linked: list[TopicPair] = field(default_factory=list)
    """Those that got a link, or would."""
    diff: str = ""
    """Of a dry run."""
    asking: Asking | None = None
    """The model's part."""


def as_json(report: L2Report) -> dict[str, object]:
    """What `--json` tells, keys in a stable order."""
    linked = {(pair.first, pair.second) for pair in report.linked}
    return {
        "schema": 1,
        "level": "l2",
        "run": report.run or None,
        "dry_run": report.dry_run,
        "notes": report.looked_at,
        "changed": sorted({pair.first for pair in report.linked}),
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "score": round(pair.score, 3),
                "sources": pair.sources,
                "neighbours": round(pair.neighbours, 3),
                "same_bucket": pair.same_bucket,
                "words": round(pair.alike, 3),
                "meaning": round(pair.near, 3),
                "linked": (pair.first, pair.second) in linked,
                "why": pair.why or None,
            }
            for pair in report.pairs
        ],
        "model": spent_json(report.asking),
    }
