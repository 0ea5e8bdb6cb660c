"""The links of the index as edges: those at some notes, those of the whole vault, those that lead nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reme_cli.errors import NoteError, PathRefused
from reme_cli.graph.row import PlacedEdge
from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator

    from reme_cli.graph.figures import NumberedLinks
    from reme_cli.graph.view import NoteDetail
    from reme_cli.index.index import Index

_COLUMNS: Final = "links.note, links.resolved, links.predicate, links.target, links.line, links.col"
_OUT: Final = (
    f"SELECT {_COLUMNS} FROM links WHERE note IN (SELECT note FROM walked) AND is_note ORDER BY note, ordinal"  # noqa: S608  constants only
)
_INTO: Final = (
    f"SELECT {_COLUMNS} FROM walked CROSS JOIN links ON links.resolved = walked.note"  # noqa: S608  as above
    " WHERE links.is_note"
)
_INTO_FROM_OTHERS: Final = f"{_INTO} AND links.note NOT IN (SELECT note FROM walked)"  # noqa: S608  as above
_BY_PLACE: Final = " ORDER BY links.note, links.ordinal"
_EVERYTHING: Final = f"SELECT {_COLUMNS} FROM links WHERE is_note{_BY_PLACE}"  # noqa: S608  as above


class IndexedEdges:
    """Where a walk over the index gets its edges from (`graph.row.EdgeSource`)."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._paths: dict[int, str] = {}

    def written(self, notes: Collection[str], *, out: bool, into: bool) -> Iterable[PlacedEdge]:
        """The distinct edges that links out of these notes, or into them, make; each at its first occurrence."""

        def rows(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            if not self._paths:
                self._paths = dict(connection.execute("SELECT id, path FROM notes"))
            connection.execute("CREATE TEMP TABLE IF NOT EXISTS walked (note INTEGER PRIMARY KEY)")
            connection.execute("DELETE FROM walked")
            connection.executemany(
                "INSERT INTO walked SELECT id FROM notes WHERE path = ?", ((path,) for path in notes)
            )
            found = connection.execute(_OUT).fetchall() if out else []
            if into:
                found += connection.execute((_INTO_FROM_OTHERS if out else _INTO) + _BY_PLACE).fetchall()
            return found

        return _distinct(self._index.read(rows), self._paths)

    def implied(self, notes: Collection[str] | None = None) -> Iterable[PlacedEdge]:
        """The edges that sentences state: all, or those whose source or target is among these notes."""
        for edge in self._index.implied(notes):
            yield PlacedEdge(
                edge.source, edge.predicate, edge.target, True, True, edge.path, edge.line, edge.col
            )

    def everything(self) -> Iterable[PlacedEdge]:
        """Every distinct edge that a link makes, at its first occurrence, by source, then by place."""

        def rows(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
            self._paths = dict(connection.execute("SELECT id, path FROM notes ORDER BY path"))
            return connection.execute(_EVERYTHING).fetchall()

        found = self._index.read(rows)
        ranks = {note: rank for rank, note in enumerate(self._paths)}
        found.sort(key=lambda row: ranks[row[0]])
        return _distinct(found, self._paths)


def broken_links(index: Index) -> tuple[PlacedEdge, ...]:
    """Every occurrence of a link whose note does not exist, by source, then by place."""
    rows = index.read(
        lambda connection: connection.execute(
            "SELECT notes.path, predicate, target, line, col FROM links JOIN notes ON notes.id = links.note"
            " WHERE resolved IS NULL AND is_note ORDER BY notes.path, ordinal"
        ).fetchall()
    )
    return tuple(
        PlacedEdge(path, predicate, target, False, False, path, line, col)
        for path, predicate, target, line, col in rows
    )


def numbered_links(index: Index) -> NumberedLinks:
    """The graph of the resolved links."""
    from reme_cli.graph.figures import NumberedLinks  # brings PageRank along, which a walk does without

    def work(
        connection: sqlite3.Connection,
    ) -> tuple[list[tuple[int, str]], set[tuple[int, int, str | None]]]:
        notes = connection.execute("SELECT id, path FROM notes ORDER BY path").fetchall()
        # a set takes two thirds of the time of DISTINCT
        links = set(
            connection.execute("SELECT note, resolved, predicate FROM links WHERE resolved IS NOT NULL")
        )
        return notes, links

    notes, links = index.read(work)
    places = {note: place for place, (note, _) in enumerate(notes)}
    numbered = [(places[source], places[target], predicate) for source, target, predicate in links]
    numbered.sort(key=lambda link: (link[0], link[1], link[2] or ""))
    return NumberedLinks(tuple(path for _, path in notes), tuple(numbered))


def note_titles(index: Index) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """All paths, sorted, and each name and alias with its note's path, by path, then in the note's order."""

    def work(connection: sqlite3.Connection) -> tuple[list[tuple[str]], list[tuple[str, str]]]:
        paths = connection.execute("SELECT path FROM notes ORDER BY path").fetchall()
        titles = connection.execute(
            "SELECT names.text, path FROM names JOIN notes ON notes.id = names.note"
            " WHERE names.kind IN ('name', 'alias') ORDER BY path, names.ordinal"
        ).fetchall()
        return paths, titles

    paths, titles = index.read(work)
    return tuple(path for (path,) in paths), tuple(titles)


def note_details(index: Index, paths: Iterable[str]) -> dict[str, NoteDetail]:
    """Tags and the beginning of the text of these notes; of one that cannot be read any more, no text."""
    from reme_cli.graph.view import NoteDetail, excerpt  # only pages show them

    tags: dict[str, list[str]] = {}
    for path, tag in index.read(
        lambda connection: connection.execute(
            "SELECT path, tag FROM tags JOIN notes ON notes.id = tags.note ORDER BY path, tag"
        ).fetchall()
    ):
        tags.setdefault(path, []).append(tag)
    details = {}
    for path in paths:
        try:
            beginning = excerpt(index.vault.read(path).body)
        except (NoteError, PathRefused):  # changed since the index was refreshed, or never text
            beginning = ""
        details[path] = NoteDetail(tuple(tags.get(path, ())), beginning)
    return details


def _distinct(rows: Iterable[tuple[Any, ...]], paths: dict[int, str]) -> Iterator[PlacedEdge]:
    """The first occurrence of each edge. Rows of one source come together and in order of place."""
    seen: set[tuple[int, int | str, str | None]] = set()
    for note, resolved, predicate, target, line, col in rows:
        key = (note, resolved or nfc(target).removesuffix(".md"), predicate)
        if key not in seen:
            seen.add(key)
            source = paths[note]
            yield PlacedEdge(
                source,
                predicate,
                paths[resolved] if resolved else target,
                bool(resolved),
                False,
                source,
                line,
                col,
            )
