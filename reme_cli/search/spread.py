"""What the links around the best hits say: a walk that begins at them, and where it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.graph.pagerank import pagerank
from reme_cli.graph.weights import ORDINARY, weight_of
from reme_cli.predicates.inverse import oriented

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.graph.weights import Weight
    from reme_cli.index.nearby import Surroundings, Tie

MOST_NOTES: Final = 1000
"""Notes around the hits at which the walk goes no further: there are too many to tell them apart."""
_FARTHEST: Final = 5
"""Steps from a hit: the greatest depth in `graph.weights`."""
_TOLERANCE: Final = 1e-5


def spread(around: Surroundings, starts: Mapping[int, float], damping: float) -> dict[int, float]:
    """For notes around `starts`, which are numbers with the weight of each: how much of a random walk stays there, at most 1.

    Personalised PageRank on the links within reach. A link of a predicate of depth n is walked up to the n-th step from a start;
    each way along it has its own weight (`graph.weights`). Empty where the starts have no links.
    """
    numbers = {note: number for number, note in enumerate(starts)}
    edges: list[tuple[int, int, float]] = []
    frontier = set(starts)
    for step in range(_FARTHEST):
        if not frontier or len(numbers) > MOST_NOTES:
            break
        known = len(numbers)
        for tie in around.ties(frontier, only_typed=step > 0):
            for origin, end, weight in _ways(tie, frontier, step):
                edges.append((numbers[origin], numbers.setdefault(end, len(numbers)), weight))
        frontier = {note for note, number in numbers.items() if number >= known}
    if not edges:
        return {}
    restart = {numbers[note]: weight for note, weight in starts.items()}
    ranks = pagerank(len(numbers), edges, restart=restart, damping=damping, tolerance=_TOLERANCE)
    most = max(ranks)
    return {note: ranks[number] / most for note, number in numbers.items()}


def _ways(tie: Tie, frontier: set[int], step: int) -> Iterator[tuple[int, int, float]]:
    """The ways from a note of the frontier along a link that may be taken at this step: from, to, weight."""
    weight, against = _weight(tie.predicate)
    out, into = (weight.into, weight.out) if against else (weight.out, weight.into)
    if tie.source in frontier and out.depth > step:
        yield tie.source, tie.target, out.weight
    if tie.target in frontier and into.depth > step:
        yield tie.target, tie.source, into.weight


def _weight(predicate: str | None) -> tuple[Weight, bool]:
    if predicate is None:
        return ORDINARY, False
    name, against = oriented(predicate)
    return weight_of(name), against
