"""Which predicates a query asks for, whichever end of the relation a note tells it from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.predicates.inverse import oriented
from reme_cli.vault.predicate import canonical_predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reme_cli.graph.row import PlacedEdge


class Kinds:
    """The predicates that are wanted: `founded` also takes a link that says `founded_by`, turned round."""

    def __init__(self, predicates: Iterable[str]) -> None:
        self._wanted = frozenset(filter(None, map(canonical_predicate, predicates)))
        self._by_relation: dict[tuple[str, bool], str] = {}
        for predicate in sorted(self._wanted):
            self._by_relation.setdefault(oriented(predicate), predicate)

    def of(self, edges: Iterable[PlacedEdge]) -> Iterator[PlacedEdge]:
        """The edges of these kinds: as they are written, or turned round and under the wanted name.

        A link to a missing note cannot be turned round: nothing is where it would start.
        """
        for edge in edges:
            predicate = edge.predicate
            if predicate is None:
                continue
            if predicate in self._wanted:
                yield edge
                continue
            name, against = oriented(predicate)
            if (name, against) in self._by_relation:
                yield edge
            elif edge.resolved and (turned := self._by_relation.get((name, not against))) is not None:
                yield edge._replace(source=edge.target, predicate=turned, target=edge.source)
