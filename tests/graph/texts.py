"""Notes that are only text, as a walk's source of edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.graph.edge import occurrences_of
from reme_cli.graph.row import PlacedEdge
from reme_cli.vault.resolve import Names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


class Texts:
    """The edges of notes that are only text (`graph.row.EdgeSource`); implied ones are given."""

    def __init__(self, notes: Mapping[str, str], implied: Iterable[tuple[str, str, str]] = ()) -> None:
        names = Names(notes)
        self.edges: list[PlacedEdge] = []
        known = set()
        for path, text in notes.items():
            for occurrence in occurrences_of(path, text, names):
                edge, link = occurrence.edge, occurrence.link
                if edge not in known:
                    known.add(edge)
                    target = edge.target if edge.resolved else link.target
                    self.edges.append(
                        PlacedEdge(
                            path, edge.predicate, target, edge.resolved, False, path, link.line, link.col
                        )
                    )
        self._implied = [PlacedEdge(*edge, True, True, edge[0], 1, 1) for edge in implied]

    def written(self, notes: Collection[str], *, out: bool, into: bool) -> Iterable[PlacedEdge]:
        """The edges out of these notes, or into them."""
        return [
            edge
            for edge in self.edges
            if (out and edge.source in notes) or (into and edge.resolved and edge.target in notes)
        ]

    def implied(self, notes: Collection[str]) -> Iterable[PlacedEdge]:
        """The given edges at these notes."""
        return [edge for edge in self._implied if edge.source in notes or edge.target in notes]
