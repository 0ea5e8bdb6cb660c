"""Questions to the graph: which note is meant, and what is reached from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reme_cli.vault.paths import NOTE_SUFFIX, fold, nfc

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from reme_cli.graph.edge import Occurrence
    from reme_cli.graph.link_graph import LinkGraph

Direction = Literal["out", "in", "both"]


@dataclass(frozen=True, slots=True)
class Row:
    """An edge that a traversal came along, at its first occurrence: `path:line:col` is where the link stands."""

    depth: int
    source: str
    predicate: str | None
    target: str
    """The path of a note; where nothing resolves, the target as the link spells it."""
    resolved: bool
    path: str
    line: int
    col: int


def find_notes(text: str, notes: Collection[str], titles: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The notes that a person may mean by this text, sorted; one if it is a note's path, with or without `.md`.

    Else those whose path ends in it at a folder boundary, and those with such a title. `titles` are pairs of a name or
    alias and the note's path, looked at only when needed. Case and Unicode form make no difference, but a path
    as it is spelled wins over one in another case.
    """
    wanted = nfc(text.strip()).removeprefix("/").removeprefix("./")
    folded = fold(wanted)
    spellings = {folded, folded + NOTE_SUFFIX}
    exact = sorted(path for path in notes if fold(path) in spellings)
    if exact:
        spelled = [path for path in exact if path in {wanted, wanted + NOTE_SUFFIX}]
        return tuple(spelled[:1] or exact)
    tails = tuple("/" + spelling for spelling in spellings)
    short = {path for path in notes if fold(path).endswith(tails)}
    titled = {path for title, path in titles if fold(title.strip()) == folded}
    return tuple(sorted(short | titled))


def traverse(
    graph: LinkGraph,
    start: str,
    *,
    predicates: Collection[str] | None = None,
    direction: Direction = "out",
    depth: int = 1,
) -> tuple[Row, ...]:
    """The edges within `depth` steps of a note, each once, at the depth at which it is first met.

    Breadth first; the edges of one depth by their source's path, then by place in the source. `predicates` are
    canonical, and `None` takes all edges, the untyped ones included. Hubs, cycles and self links are walked once.
    """
    rows: list[Row] = []
    seen_edges: set[tuple[str, str, str | None]] = set()
    seen_notes = {start}
    frontier = [start]
    for level in range(1, depth + 1):
        met = [
            occurrence
            for note in frontier
            for occurrence in _incident(graph, note, direction)
            if predicates is None or occurrence.edge.predicate in predicates
        ]
        met.sort(key=lambda occurrence: (occurrence.edge.source, occurrence.link.start))
        reached: set[str] = set()
        for occurrence in met:
            edge = occurrence.edge
            key = (edge.source, edge.target, edge.predicate)
            if key in seen_edges:
                continue
            seen_edges.add(key)
            link = occurrence.link
            rows.append(
                Row(
                    level,
                    edge.source,
                    edge.predicate,
                    edge.target if edge.resolved else link.target,
                    edge.resolved,
                    edge.source,
                    link.line,
                    link.col,
                )
            )
            reached.add(edge.source)
            if edge.resolved:
                reached.add(edge.target)
        frontier = sorted(reached - seen_notes)
        seen_notes |= reached
        if not frontier:
            break
    return tuple(rows)


def _incident(graph: LinkGraph, note: str, direction: Direction) -> tuple[Occurrence, ...]:
    out = graph.out_of(note) if direction in {"out", "both"} else ()
    into = graph.into(note) if direction in {"in", "both"} else ()
    return out + into
