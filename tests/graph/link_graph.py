"""The note graph: every edge with its occurrences, in both directions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reme_cli.errors import NoteError, PathRefused
from reme_cli.graph.edge import edges_of, occurrences_of
from reme_cli.vault.resolve import Names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.errors import RemeError
    from reme_cli.graph.edge import Edge, Occurrence
    from reme_cli.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Notes and the occurrences of their edges. Make one with `link_graph` or `read_graph`."""

    notes: tuple[str, ...]
    """Every note's path, sorted; also of notes without a link."""
    outgoing: Mapping[str, tuple[Occurrence, ...]]
    """By source, in source order; only sources that have any."""
    incoming: Mapping[str, tuple[Occurrence, ...]]
    """By target note, in the order of the sources' paths, then in source order; only resolved edges."""

    def occurrences(self) -> Iterable[Occurrence]:
        """Every occurrence, in the order of the sources' paths, then in source order."""
        return (occurrence for source in sorted(self.outgoing) for occurrence in self.outgoing[source])

    def edges(self) -> tuple[Edge, ...]:
        """The distinct edges, in the order of their first occurrence."""
        return edges_of(self.occurrences())

    def broken(self) -> tuple[Occurrence, ...]:
        """The links whose target does not exist."""
        return tuple(occurrence for occurrence in self.occurrences() if not occurrence.edge.resolved)


@dataclass(frozen=True, slots=True)
class GraphReading:
    """A graph read from the notes on disk, and what could not be read."""

    graph: LinkGraph
    names: Names
    unreadable: tuple[RemeError, ...]


def link_graph(notes: Iterable[str], occurrences: Iterable[Occurrence]) -> LinkGraph:
    """The graph of these notes and occurrences, which may come in any order."""
    ordered = sorted(occurrences, key=lambda occurrence: (occurrence.edge.source, occurrence.link.start))
    outgoing: dict[str, list[Occurrence]] = {}
    incoming: dict[str, list[Occurrence]] = {}
    for occurrence in ordered:
        outgoing.setdefault(occurrence.edge.source, []).append(occurrence)
        if occurrence.edge.resolved:
            incoming.setdefault(occurrence.edge.target, []).append(occurrence)
    return LinkGraph(
        tuple(sorted(notes)),
        {path: tuple(found) for path, found in outgoing.items()},
        {path: tuple(found) for path, found in incoming.items()},
    )


def read_graph(vault: Vault) -> GraphReading:
    """The graph of all notes as they are on disk now. A note that cannot be read has no edges, and is reported."""
    listing = vault.listing()
    paths = tuple(note.path for note in listing.notes)
    names = Names(paths, listing.files, resolution=vault.config.links.resolution)
    occurrences: list[Occurrence] = []
    unreadable: list[RemeError] = []
    for path in paths:
        try:
            text = vault.read(path).text
        except (NoteError, PathRefused) as error:
            unreadable.append(error)
        else:
            occurrences.extend(occurrences_of(path, text, names))
    return GraphReading(link_graph(paths, occurrences), names, tuple(unreadable))
