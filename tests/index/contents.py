"""Everything an index holds, without the numbers of its notes: two indexes of the same files hold the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reme_cli.graph.edge import Edge, Occurrence, literal_target
from reme_cli.index.schema import FIELDS
from tests.graph.link_graph import LinkGraph, link_graph

if TYPE_CHECKING:
    import sqlite3

    from reme_cli.index.index import Index
    from reme_cli.index.rows import IndexedLink

_QUERIES = {
    "notes": "SELECT path, key, size, stamp, name, description, layer, bucket, kind, date, frontmatter, problem FROM notes",
    "files": "SELECT path, key FROM files",
    "names": "SELECT path, ordinal, names.kind, text, names.key FROM names JOIN notes ON id = note",
    "tags": "SELECT path, tag FROM tags JOIN notes ON id = note",
    "passages": 'SELECT path, ordinal, level, heading, line, last_line, start, "end" FROM passages JOIN notes ON id = note',
    "links": 'SELECT s.path, ordinal, l.kind, target, l.key, anchor, alias, predicate, spelling, start, "end", target_start,'
    " target_end, line, col, t.path, l.file, l.is_note FROM links AS l JOIN notes AS s ON s.id = l.note"
    " LEFT JOIN notes AS t ON t.id = l.resolved",
    "implied": "SELECT path, i.ordinal, i.predicate, subject, object, place, tense FROM implied AS i JOIN notes ON id = note",
    "fulltext": f"SELECT path, {', '.join(f'fulltext.{field}' for field in FIELDS)} FROM fulltext JOIN notes ON id = fulltext.rowid",
}


def graph_of(index: Index) -> LinkGraph:
    """The note graph, as reading every note now would give it."""

    def occurrence(found: IndexedLink) -> Occurrence:
        target = found.note if found.note is not None else literal_target(found.link)
        edge = Edge(found.source, target, found.link.predicate, resolved=found.note is not None)
        return Occurrence(edge, found.link)

    return link_graph(
        (note.path for note in index.notes()), map(occurrence, index.links_where("links.is_note"))
    )


def contents(index: Index) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of every table, sorted; the full text also as its inverted index gives it."""

    def read(connection: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
        connection.execute("INSERT INTO fulltext (fulltext) VALUES ('integrity-check')")
        connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, fulltext, instance)"
        )
        tables = {name: connection.execute(query).fetchall() for name, query in _QUERIES.items()}
        tables["words"] = connection.execute(
            "SELECT term, path, col, offset FROM words JOIN notes ON id = doc"
        ).fetchall()
        for name in ("notes", "fulltext"):
            assert len(tables[name]) >= connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0], name
        for name in ("names", "tags", "passages", "links", "implied"):
            assert len(tables[name]) == connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0], name
        return {name: sorted(rows, key=repr) for name, rows in tables.items()}

    return index.read(read)
