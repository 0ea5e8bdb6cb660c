"""What a link is worth to a walk over the graph, by its predicate: how much passes along it, and for how many steps.

The table of the contract. An edge is walked from its source (`out`) and from its target (`into`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Reach(NamedTuple):
    """How far one way along an edge goes: its share of what passes (0 to 1), and the steps after which it ends."""

    weight: float
    depth: int


class Weight(NamedTuple):
    """Both ways along an edge."""

    out: Reach
    into: Reach


WEIGHTS: Final[Mapping[str, Weight]] = {
    "contradicts": Weight(Reach(0.8, 1), Reach(0.8, 1)),
    "belongs_to": Weight(Reach(0.7, 3), Reach(0.7, 3)),
    "caused_by": Weight(Reach(0.5, 2), Reach(0.3, 1)),
    "derived_from": Weight(Reach(0.2, 1), Reach(0.6, 1)),
    "evolved_from": Weight(Reach(0.3, 1), Reach(0.9, 5)),
}
ORDINARY: Final = Weight(Reach(0.4, 1), Reach(0.4, 1))
"""Of `related_to`, of links without a predicate, and of every predicate that the table does not name."""


def weight_of(predicate: str | None) -> Weight:
    """The weight of an edge by its canonical predicate; `None` is a link that says nothing."""
    return WEIGHTS.get(predicate, ORDINARY) if predicate else ORDINARY
