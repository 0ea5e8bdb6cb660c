"""How the parts of a score are mixed.

    relevance = BM25 / the best BM25 + NAMED · named, then divided by the best one;
                with an embedding model, the ranks by it and by nearness of meaning fused by RRF
    score = (α · relevance + (1 - α) · links) · (1 + centrality · ln(1 + inbound)) · layer

α, the damping of the walk, the centrality and the factors of the layers are those of `vault.yaml`.

`docs/search.md` shows what each part is worth, measured.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reme_cli.search.words import Evidence

NAMED: Final = 1.0
"""What a note gains, at most, one of whose names stands in the query: as much as from the best words."""
RRF_K: Final = 60
"""Cormack, Clarke, Büttcher (2009), "Reciprocal rank fusion outperforms Condorcet": how little the first ranks stand out."""
DIGITS: Final = 12
"""Decimal places to which scores are compared: beyond them is the order in which sums were taken."""


class Mix(NamedTuple):
    """How much each part counts."""

    layers: Mapping[str, float]
    alpha: float
    damping: float
    centrality: float
    named: float = NAMED

    def layer(self, name: str | None) -> float:
        """The factor of a layer; a note in none is not weighed."""
        return self.layers.get(name, 1.0) if name else 1.0


class Parts(NamedTuple):
    """Everything a score consists of."""

    bm25: float
    named: float
    similarity: float
    """Of the nearest passage by the embedding model; 0 without one."""
    relevance: float
    """How well the note itself answers, the best one being 1; 0 for a note that only links to those that do."""
    links: float
    """How much of the walk along the links stays at the note, at most 1."""
    alpha: float
    """The share of relevance; 1 where no link is near any hit, so that links do not count."""
    inbound: int
    """How many notes link to it."""
    centrality: float
    """The factor that this gives."""
    layer: float
    """The factor of its layer."""

    @property
    def score(self) -> float:
        """The score."""
        base = self.alpha * self.relevance + (1 - self.alpha) * self.links
        return round(base * self.centrality * self.layer, DIGITS)


def relevance(found: Mapping[int, Evidence], mix: Mix) -> dict[int, float]:
    """How well each note's words answer, the best one being 1. In a query without words, all are 0."""
    most = max((evidence.bm25 for evidence in found.values()), default=0.0)
    if not most:
        return dict.fromkeys(found, 0.0)
    scores = {note: one.bm25 / most + mix.named * one.named for note, one in found.items()}
    best = max(scores.values())
    return {note: score / best for note, score in scores.items()}


def fused(rankings: Iterable[Sequence[int]]) -> dict[int, float]:
    """Several rankings in one by reciprocal rank fusion, the best score being 1."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, note in enumerate(ranking, 1):
            scores[note] = scores.get(note, 0.0) + 1 / (RRF_K + rank)
    best = max(scores.values(), default=1.0)
    return {note: score / best for note, score in scores.items()}


def mixed(
    evidence: Evidence,
    similarity: float,
    relevance: float,
    links: float | None,
    inbound: int,
    layer: str | None,
    mix: Mix,
) -> Parts:
    """The parts of a note's score. `links` of `None`: no link is near any hit, and links do not count."""
    alpha = 1.0 if links is None else mix.alpha
    centrality = 1 + mix.centrality * math.log1p(inbound)
    return Parts(
        round(evidence.bm25, DIGITS),
        round(evidence.named, DIGITS),
        similarity,
        round(relevance, DIGITS),
        round(links or 0.0, DIGITS),
        alpha,
        inbound,
        centrality,
        mix.layer(layer),
    )


def explained(score: float, parts: Mapping[str, float]) -> Iterator[str]:
    """Lines that show how a score comes about; `parts` are `Parts` by name."""
    alpha = parts["alpha"]
    base = f"{parts['relevance']:.3f} relevance"
    if alpha < 1:
        base = f"({alpha:g} · {base} + {1 - alpha:.3g} · {parts['links']:.3f} links)"
    inbound = f"{parts['centrality']:.3f} centrality ({parts['inbound']:.0f} inbound)"
    yield f"score {score:.3f} = {base} · {inbound} · {parts['layer']:g} layer"
    meaning = f", meaning {parts['similarity']:.3f}" if parts["similarity"] else ""
    yield f"relevance: BM25 {parts['bm25']:.3f}, named {parts['named']:.3f}{meaning}"
