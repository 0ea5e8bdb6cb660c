"""Figures about a whole graph: what is linked to most, what hangs together, what stands alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.graph.pagerank import pagerank
from reme_cli.graph.weights import weight_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reme_cli.graph.row import PlacedEdge

HUBS_SHOWN: Final = 5


class NumberedLinks(NamedTuple):
    """Notes and the links between them by numbers: what counting needs. A note's number is its place in `paths`."""

    paths: tuple[str, ...]
    """Sorted."""
    links: tuple[tuple[int, int, str | None], ...]
    """Source, target and predicate of each edge to a note that exists, self links included; each once, sorted."""


class Statistics(NamedTuple):
    """A graph in numbers. Edges are distinct and lead to notes that exist; mappings are ordered by count, then by name."""

    notes: int
    edges: int
    typed: int
    implied: int
    """Edges that sentences state; in none of the other numbers."""
    predicates: Mapping[str, int]
    orphans: int
    broken: int
    """Links, each time they occur, whose note does not exist."""
    components: int
    largest: int
    """Notes of the largest component."""
    density: float
    """Linked ordered pairs of different notes among all such pairs; from 0 to 1."""
    hubs: tuple[tuple[str, int], ...]
    """The notes that most notes link to, and how many do."""


def numbered(paths: Sequence[str], edges: Iterable[PlacedEdge]) -> NumberedLinks:
    """The graph of these notes, sorted, and of those edges that lead to one."""
    places = {path: place for place, path in enumerate(paths)}
    links = {(places[edge.source], places[edge.target], edge.predicate) for edge in edges if edge.resolved}
    return NumberedLinks(
        tuple(paths), tuple(sorted(links, key=lambda link: (link[0], link[1], link[2] or "")))
    )


def inbound(graph: NumberedLinks) -> list[int]:
    """For each note, how many other notes link to it."""
    counts = [0] * len(graph.paths)
    for _, target in _pairs(graph):
        counts[target] += 1
    return counts


def ranks(graph: NumberedLinks) -> list[float]:
    """For each note its PageRank: a note hands its rank on along its links, by the weights of their predicates."""
    edges = (
        (source, target, weight_of(predicate).out.weight)
        for source, target, predicate in graph.links
        if source != target
    )
    return pagerank(len(graph.paths), edges)


def top(scores: Sequence[float]) -> list[int]:
    """The notes with a score above 0, the highest first, equal ones by path."""
    return sorted(
        (note for note, score in enumerate(scores) if score > 0), key=lambda note: (-scores[note], note)
    )


def components(graph: NumberedLinks) -> tuple[tuple[int, ...], ...]:
    """The notes that hang together whichever way links point; the largest first, then by their first note."""
    parent = list(range(len(graph.paths)))

    def root(note: int) -> int:
        while parent[note] != note:
            parent[note] = note = parent[parent[note]]
        return note

    for source, target, _ in graph.links:
        one, other = root(source), root(target)
        if one != other:
            parent[max(one, other)] = min(one, other)
    members: dict[int, list[int]] = {}
    for note in range(len(parent)):
        members.setdefault(root(note), []).append(note)
    return tuple(
        tuple(found) for found in sorted(members.values(), key=lambda found: (-len(found), found[0]))
    )


def orphans(graph: NumberedLinks) -> tuple[int, ...]:
    """The notes that link to no other note and that no other note links to. Links to oneself or to nothing do not count."""
    linked = {note for pair in _pairs(graph) for note in pair}
    return tuple(note for note in range(len(graph.paths)) if note not in linked)


def statistics(graph: NumberedLinks, *, implied: int, broken: int) -> Statistics:
    """The graph in numbers; what it does not hold itself is given."""
    notes = len(graph.paths)
    together = components(graph)
    counts = inbound(graph)
    by_predicate = Counter(predicate for _, _, predicate in graph.links if predicate is not None)
    return Statistics(
        notes=notes,
        edges=len(graph.links),
        typed=by_predicate.total(),
        implied=implied,
        predicates=dict(sorted(by_predicate.items(), key=lambda item: (-item[1], item[0]))),
        orphans=len(orphans(graph)),
        broken=broken,
        components=len(together),
        largest=len(together[0]) if together else 0,
        density=len(_pairs(graph)) / (notes * (notes - 1)) if notes > 1 else 0.0,
        hubs=tuple((graph.paths[note], counts[note]) for note in top(counts)[:HUBS_SHOWN]),
    )


def _pairs(graph: NumberedLinks) -> set[tuple[int, int]]:
    """The ordered pairs of different notes that are linked."""
    return {(source, target) for source, target, _ in graph.links if source != target}
