"""What is reached from a note along its edges, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from reme_cli.graph.row import Row
from reme_cli.predicates.inverse import oriented
from reme_cli.vault.paths import NOTE_SUFFIX, nfc

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from reme_cli.graph.kinds import Kinds
    from reme_cli.graph.row import EdgeSource, PlacedEdge

Direction = Literal["out", "in", "both"]


def walk(
    edges: EdgeSource,
    start: str,
    *,
    kinds: Kinds | None = None,
    direction: Direction = "out",
    depth: int = 1,
    implied: bool = False,
) -> tuple[Row, ...]:
    """The edges within `depth` steps of a note, each once, at the depth at which it is first met.

    Breadth first; the edges of one depth by source, then by place. `kinds` of `None` takes all edges, the untyped ones
    included. `implied` adds what sentences state and no link spells out. Hubs, cycles and self links are walked once.
    """
    return tuple(
        row for level in levels(edges, start, kinds, direction, depth, implied=implied) for row in level
    )


def levels(
    edges: EdgeSource, start: str, kinds: Kinds | None, direction: Direction, depth: int, *, implied: bool
) -> Iterator[list[Row]]:
    """The rows of each depth in turn, as `walk` gives them; ends where nothing new is met."""
    seen_edges: set[tuple[str, str, str | None]] = set()
    seen_notes = {start}
    frontier: Collection[str] = [start]
    level = 0
    while frontier and level < depth:
        level += 1
        rows: list[Row] = []
        reached: set[str] = set()
        for edge in _incident(edges, frontier, kinds, direction, implied=implied):
            key = edge_key(edge)
            if key in seen_edges:
                continue
            seen_edges.add(key)
            rows.append(Row(level, *edge))
            reached.add(edge.source)
            if edge.resolved:
                reached.add(edge.target)
        # an edge comes at its first occurrence, so that no two rows are equal but for their depth
        rows.sort(key=lambda row: (row.source, row.path, row.line, row.col, row.target, row.predicate or ""))
        yield rows
        frontier = sorted(reached - seen_notes)
        seen_notes |= reached


def edge_key(edge: PlacedEdge | Row) -> tuple[str, str, str | None]:
    """What makes two occurrences one edge. Spellings of a missing target that differ in form or `.md` are the same."""
    target = edge.target if edge.resolved else nfc(edge.target).removesuffix(NOTE_SUFFIX)
    return edge.source, target, edge.predicate


def with_implied(written: Iterable[PlacedEdge], implied: Iterable[PlacedEdge]) -> Iterator[PlacedEdge]:
    """The written edges, then those implied ones that none of them spells out, from either end."""
    said = set()
    for edge in written:
        said.add(_relation(edge))
        yield edge
    for edge in implied:
        if _relation(edge) not in said:
            yield edge


def _incident(
    edges: EdgeSource, notes: Collection[str], kinds: Kinds | None, direction: Direction, *, implied: bool
) -> Iterable[PlacedEdge]:
    """The edges at these notes that the direction allows; one that is turned round by the way it points then."""
    # what a kind takes from the other end stands in the links of the other direction
    both = direction == "both" or kinds is not None
    written = edges.written(notes, out=both or direction == "out", into=both or direction == "in")
    inside = frozenset(notes)

    def allowed(found: Iterable[PlacedEdge]) -> Iterable[PlacedEdge]:
        if kinds is not None:
            found = kinds.of(found)
        if direction == "out":
            return (edge for edge in found if edge.source in inside)
        if direction == "in":
            return (edge for edge in found if edge.resolved and edge.target in inside)
        return found

    return with_implied(allowed(written), allowed(edges.implied(notes))) if implied else allowed(written)


def _relation(edge: PlacedEdge) -> tuple[str, str, str | None]:
    """What an edge states, the same from whichever end it is told."""
    if edge.predicate is None:
        return edge.source, edge.target, None
    predicate, against = oriented(edge.predicate)
    return (edge.target, edge.source, predicate) if against else (edge.source, edge.target, predicate)
