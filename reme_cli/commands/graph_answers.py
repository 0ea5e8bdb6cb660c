"""The answers of `reme graph-query`, one function for each question: ask the index, print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.output import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reme_cli.graph.figures import NumberedLinks
    from reme_cli.graph.kinds import Kinds
    from reme_cli.graph.row import Row
    from reme_cli.graph.view import GraphView, ViewNote
    from reme_cli.graph.walk import Direction
    from reme_cli.index.index import Index
    from reme_cli.output import Terminal

COLUMNS: Final = ("depth", "source", "predicate", "target", "at")
ROUTES_SHOWN: Final = 10
FEW: Final = 100
"""Notes that are asked for one by one; where there are more, all are read at once."""
SAMPLE: Final = 5
"""Notes that the table shows of each component."""


class Asked(NamedTuple):
    """What the options say."""

    start: str | None
    kinds: Kinds | None
    direction: Direction
    depth: int | None
    implied: bool
    limit: int | None
    form: str


def neighbours(index: Index, terminal: Terminal, asked: Asked) -> None:
    """The links within so many steps of a note."""
    from reme_cli.graph.walk import walk
    from reme_cli.index.edges import IndexedEdges

    assert asked.start is not None
    found = walk(
        IndexedEdges(index),
        asked.start,
        kinds=asked.kinds,
        direction=asked.direction,
        depth=asked.depth or 1,
        implied=asked.implied,
    )
    rows = found[: asked.limit]
    _show(index, terminal, asked, rows, total=_total(rows, found))
    if not rows:
        way = {"out": "no links out of it", "in": "no links to it", "both": "no links"}[asked.direction]
        terminal.remark(f"{asked.start}: {way}{' with this predicate' if asked.kinds else ''}")
    _tell_cut(terminal, len(rows), len(found), "link")


def whole(index: Index, terminal: Terminal, asked: Asked) -> None:
    """All notes and links."""
    from reme_cli.graph.row import Row
    from reme_cli.graph.walk import with_implied
    from reme_cli.index.edges import IndexedEdges

    edges = IndexedEdges(index)
    found = edges.everything()
    if asked.implied:
        found = with_implied(found, edges.implied())
    if asked.kinds:
        found = asked.kinds.of(found)
    every = [Row(1, *edge) for edge in found]
    rows = every[: asked.limit]
    _show(index, terminal, asked, rows, total=_total(rows, every))
    _tell_cut(terminal, len(rows), len(every), "link")


def routes(index: Index, terminal: Terminal, asked: Asked, goal: str) -> None:
    """The shortest ways from a note to another."""
    from reme_cli.graph.route import shortest_routes
    from reme_cli.index.edges import IndexedEdges

    assert asked.start is not None
    found = shortest_routes(
        IndexedEdges(index),
        asked.start,
        goal,
        kinds=asked.kinds,
        direction=asked.direction,
        depth=asked.depth,
        implied=asked.implied,
        limit=asked.limit or ROUTES_SHOWN,
    )
    rows = list(dict.fromkeys(row for way in found.ways for row in way))
    rows.sort(key=lambda row: row.depth)
    places = {row: number for number, row in enumerate(rows)}
    ways = [[places[row] for row in way] for way in found.ways]
    if asked.form == "table":
        for number, way in enumerate(found.ways):
            if number:
                terminal.line()
            _table(terminal, way)
    else:
        total = found.total if len(ways) < found.total else None
        _show(index, terminal, asked, rows, total=total, paths=ways)
    if asked.start == goal:
        terminal.remark(f"{goal}: start and goal are the same note")
    elif not found.ways:
        hint = "" if asked.direction == "both" else "; direction=both also goes against links"
        terminal.remark(f"no way from {asked.start} to {goal}{hint}")
    _tell_cut(terminal, len(found.ways), found.total, "way")


def top(index: Index, terminal: Terminal, asked: Asked, by: str, number: int) -> None:
    """The notes that rank highest."""
    from reme_cli.graph import figures

    graph = _numbered(index, asked.kinds)
    scores: Sequence[float] = figures.inbound(graph) if by == "central" else figures.ranks(graph)
    ranked = figures.top(scores)
    best = ranked[: min(number, asked.limit or number)]
    if asked.form == "json":
        notes = [
            {**record, "score": scores[note] if by == "central" else round(scores[note], 8)}
            for note, record in zip(best, _notes(index, [graph.paths[note] for note in best]), strict=True)
        ]
        _print_json(terminal, notes, [])
        return
    shown = [
        (f"{scores[note]}" if by == "central" else f"{scores[note]:.5f}", graph.paths[note]) for note in best
    ]
    if shown:
        terminal.table(shown, ("linked by" if by == "central" else "pagerank", "note"), right=frozenset({0}))


def orphans(index: Index, terminal: Terminal, asked: Asked) -> None:
    """The notes that are linked with no other."""
    from reme_cli.graph import figures
    from reme_cli.index.edges import numbered_links

    graph = numbered_links(index)
    alone = [graph.paths[note] for note in figures.orphans(graph)]
    shown = alone[: asked.limit]
    if asked.form == "json":
        _print_json(terminal, _notes(index, shown), [], total=_total(shown, alone))
        return
    for path in shown:
        terminal.line(path)
    if not alone:
        terminal.remark("no orphans")
    _tell_cut(terminal, len(shown), len(alone), "orphan")


def broken(index: Index, terminal: Terminal, asked: Asked) -> None:
    """The links whose note does not exist, and which note each may mean."""
    from reme_cli.graph.nearest import Nearest
    from reme_cli.graph.row import Row
    from reme_cli.index.edges import broken_links, note_titles

    edges = broken_links(index)
    every = [Row(1, *edge) for edge in (asked.kinds.of(edges) if asked.kinds else edges)]
    rows = every[: asked.limit]
    nearest = Nearest(*note_titles(index)) if rows else None
    meant = [nearest.to(row.target, row.source) if nearest else None for row in rows]
    if asked.form == "json":
        records = [{**row._asdict(), "suggestion": path} for row, path in zip(rows, meant, strict=True)]
        notes = _notes(index, list(dict.fromkeys(row.source for row in rows)))
        _print_json(terminal, notes, records, total=_total(rows, every))
        return
    for row, path in zip(rows, meant, strict=True):
        predicate = f"{row.predicate}:: " if row.predicate else ""
        terminal.line(f"{row.place}: {predicate}{row.target}" + (f" (did you mean {path}?)" if path else ""))
    if not every:
        terminal.remark("no broken links")
    _tell_cut(terminal, len(rows), len(every), "broken link")


def components(index: Index, terminal: Terminal, asked: Asked) -> None:
    """The groups of notes that hang together."""
    from reme_cli.graph import figures
    from reme_cli.index.edges import numbered_links

    graph = numbered_links(index)
    every = figures.components(graph)
    shown = every[: asked.limit]
    if asked.form == "json":
        records = [{"size": len(found), "notes": [graph.paths[note] for note in found]} for found in shown]
        _print_json(terminal, [], [], total=_total(shown, every), components=records)
        return
    rows = []
    for found in shown:
        sample = ", ".join(graph.paths[note] for note in found[:SAMPLE])
        rows.append((str(len(found)), sample + (", …" if len(found) > SAMPLE else "")))
    if rows:
        terminal.table(rows, ("notes", "such as"), right=frozenset({0}))
    _tell_cut(terminal, len(shown), len(every), "component")


def stats(index: Index, terminal: Terminal, asked: Asked) -> None:
    """The graph in numbers."""
    from collections import Counter

    from reme_cli.graph import figures
    from reme_cli.index.edges import IndexedEdges, broken_links, numbered_links

    seen = figures.statistics(
        numbered_links(index),
        implied=sum(1 for _ in IndexedEdges(index).implied()),
        broken=len(broken_links(index)),
    )
    notes = index.notes()
    layers = Counter(note.layer or "other" for note in notes)
    buckets = Counter(note.bucket for note in notes if note.bucket)
    by_layer = {layer: layers[layer] for layer in ("digest", "daily", "resource", "other")}
    by_bucket = dict(sorted(buckets.items()))
    if asked.form == "json":
        numbers = {
            **{name: getattr(seen, name) for name in ("notes", "edges", "typed")},
            "untyped": seen.edges - seen.typed,
            "implied": seen.implied,
            "predicates": dict(seen.predicates),
            "layers": by_layer,
            "buckets": by_bucket,
            **{name: getattr(seen, name) for name in ("orphans", "broken", "components", "largest")},
            "density": round(seen.density, 8),
            "hubs": [{"path": path, "inbound": count} for path, count in seen.hubs],
        }
        _print_json(terminal, [], [], stats=numbers)
        return
    rows = [
        ("notes", f"{seen.notes}: {_listed(by_layer)}" if notes else "0"),
        *([("buckets", _listed(by_bucket))] if by_bucket else []),
        (
            "edges",
            f"{seen.edges}: {seen.typed} typed, {seen.edges - seen.typed} untyped; {seen.implied} more implied",
        ),
        *([("predicates", _listed(seen.predicates))] if seen.predicates else []),
        ("broken links", str(seen.broken)),
        ("orphans", str(seen.orphans)),
        ("components", f"{seen.components}, the largest of {counted(seen.largest, 'note')}"),
        ("density", f"{seen.density:.5f}"),
        *(("hub", f"{path}, linked by {counted(count, 'note')}") for path, count in seen.hubs),
    ]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        terminal.line(f"{name:<{width}}  {value}")


ANSWERS: Final[Mapping[str, Callable[[Index, Terminal, Asked], None]]] = {
    "NOTE": neighbours,
    "graph": whole,
    "orphans": orphans,
    "broken": broken,
    "components": components,
    "stats": stats,
}
"""The questions that need no more than `Asked` says."""


def _show(
    index: Index,
    terminal: Terminal,
    asked: Asked,
    rows: Sequence[Row],
    *,
    total: int | None = None,
    **more: object,
) -> None:
    """Rows in the format that is asked for; `total` and `more` go into JSON only."""
    if asked.form == "table":
        _table(terminal, rows)
        return
    view = _view(index, asked.start, rows)
    if asked.form == "json":
        from reme_cli.graph.formats.records import edge_records, note_records

        _print_json(terminal, note_records(view.notes), edge_records(rows), total=total, **more)
    elif asked.form == "html":
        from reme_cli.graph.formats import html
        from reme_cli.index.edges import note_details

        terminal.text(
            html.render(view, note_details(index, (note.path for note in view.notes)), index.vault.root.name)
        )
    else:
        from reme_cli.graph.formats import mermaid, renderer

        terminal.document(renderer(asked.form)(view))
        if asked.form == "mermaid" and len(rows) > mermaid.MAX_EDGES:
            terminal.remark(
                f"{len(rows)} links: Mermaid draws {mermaid.MAX_EDGES} unless `maxEdges` allows more; limit= cuts"
            )


def _view(index: Index, start: str | None, rows: Sequence[Row]) -> GraphView:
    """The rows with what is shown of their notes; with all notes where no start is given."""
    from reme_cli.graph.view import GraphView, met, view_of

    if start is None:
        return GraphView(tuple(_shown(index).values()), tuple(rows))
    return view_of(rows, _shown(index, met(rows, start)), start)


def _shown(index: Index, paths: Sequence[str] | None = None) -> dict[str, ViewNote]:
    """What is shown of these notes, in their order, or of all; by path."""
    from reme_cli.graph.view import ViewNote

    found = index.notes() if paths is None or len(paths) > FEW else filter(None, map(index.note, paths))
    known = {
        note.path: ViewNote(note.path, note.name, note.description, note.layer, note.bucket) for note in found
    }
    return known if paths is None else {path: known[path] for path in paths}


def _notes(index: Index, paths: Sequence[str]) -> list[dict[str, object]]:
    """The records of these notes."""
    from reme_cli.graph.formats.records import note_records

    return note_records(_shown(index, paths).values())


def _print_json(
    terminal: Terminal,
    notes: Sequence[object],
    edges: Sequence[object],
    *,
    total: int | None = None,
    **more: object,
) -> None:
    """The contract's object; `total` only where a limit has cut what is listed."""
    cut = {} if total is None else {"total": total}
    terminal.json({"schema": 1, "notes": notes, "edges": edges, **more, **cut}, by_line=True)


def _table(terminal: Terminal, rows: Sequence[Row]) -> None:
    """The links as a table; on a screen that is too narrow for whole paths, as two lines for each."""
    if not rows:
        return
    cells = [
        (
            str(row.depth),
            row.source,
            (row.predicate or "") + (" (implied)" if row.implied else ""),
            row.target if row.resolved else f"{row.target} ?",
            row.place,
        )
        for row in rows
    ]
    if terminal.fits(cells, COLUMNS):
        terminal.table(cells, COLUMNS, right=frozenset({0}))
        return
    for (depth, source, predicate, target, place), row in zip(cells, rows, strict=True):
        terminal.line(f"{depth:>2}  {place}")
        subject = "" if row.source == row.path else f"{source} "  # most links stand in their source
        terminal.line(f"      {subject}{predicate or 'links to'} → {target}")


def _numbered(index: Index, kinds: Kinds | None) -> NumberedLinks:
    """The links between notes, or those of these kinds."""
    from reme_cli.graph.figures import numbered
    from reme_cli.index.edges import IndexedEdges, numbered_links

    graph = numbered_links(index)
    return graph if kinds is None else numbered(graph.paths, kinds.of(IndexedEdges(index).everything()))


def _total(shown: Sequence[object], every: Sequence[object]) -> int | None:
    return len(every) if len(shown) < len(every) else None


def _tell_cut(terminal: Terminal, shown: int, total: int, noun: str) -> None:
    if shown < total:
        terminal.remark(f"{shown} of {counted(total, noun)} shown; limit= shows more")


def _listed(counts: Mapping[str, int]) -> str:
    """`digest 3, daily 12`, without those that are 0."""
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count)
