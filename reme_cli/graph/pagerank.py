"""PageRank of a weighted graph, plain or personalised, by power iteration.

After Page, Brin, Motwani and Winograd (1999), "The PageRank citation ranking"; personalised as in Haveliwala (2002),
"Topic-sensitive PageRank": a walk goes on along an edge with probability `damping` and else starts anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DAMPING: Final = 0.85
ROUNDS: Final = 100
TOLERANCE: Final = 1e-8
"""Iteration ends when all ranks together move by less."""


def pagerank(
    count: int,
    edges: Iterable[tuple[int, int, float]],
    *,
    restart: Mapping[int, float] | None = None,
    damping: float = DAMPING,
    rounds: int = ROUNDS,
    tolerance: float = TOLERANCE,
) -> list[float]:
    """The rank of each of `count` notes, numbered from 0; together they are 1.

    `edges` are (from, to, weight above 0); a walk chooses among a note's edges by their weights, which need not sum to
    anything. `restart` says where walks begin, in any proportion; `None`: anywhere. A walk that meets a note without
    edges begins anew. Raises `ValueError` where `restart` has no weight above 0.
    """
    if not count:
        return []
    begin = _shares(count, restart)
    rows = list(edges)
    leaving = [0.0] * count
    for source, _, weight in rows:
        leaving[source] += weight
    steps = [(source, target, damping * weight / leaving[source]) for source, target, weight in rows]
    ends = [note for note in range(count) if not leaving[note]]
    rank = list(begin)
    for _ in range(rounds):
        anew = 1.0 - damping + damping * sum([rank[note] for note in ends])
        moved = [anew * share for share in begin]
        for source, target, share in steps:
            moved[target] += rank[source] * share
        change = sum([abs(now - before) for now, before in zip(moved, rank, strict=True)])
        rank = moved
        if change < tolerance:
            break
    return rank


def _shares(count: int, restart: Mapping[int, float] | None) -> list[float]:
    """Where walks begin, as probabilities."""
    if restart is None:
        return [1.0 / count] * count
    total = sum(restart.values())
    if not total > 0:
        raise ValueError("no walk can begin: `restart` has no weight above 0")
    return [restart.get(note, 0.0) / total for note in range(count)]
