"""The derived index of a vault: everything that several commands want to know without reading every note again."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING, Any, Self, TypeVar

from reme_cli.index.database import busy_error, in_memory, is_busy, is_damage, open_database, rebuilt
from reme_cli.index.fulltext import candidates
from reme_cli.index.refresh import refresh, suppose, update
from reme_cli.index.resolution import all_names
from reme_cli.index.rows import IndexedLink, IndexedNote, Passage, Refreshed
from reme_cli.vault.keys import path_key
from reme_cli.vault.link import Link
from reme_cli.vault.paths import check_note_path, fold, nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from reme_cli.graph.link_graph import LinkGraph
    from reme_cli.index.fulltext import Query
    from reme_cli.index.rows import Candidate, Progress
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Layer, Vault

T = TypeVar("T")

_NOTES = "SELECT path, stamp, name, description, layer, bucket, kind, date, frontmatter, problem FROM notes"
_LINK_COLUMNS = (
    "links.kind, links.target, links.anchor, links.alias, links.predicate, links.spelling,"
    ' links.start, links."end", links.target_start, links.target_end, links.line, links.col'
)
_LINKS = (
    f"SELECT source.path, target.path, links.file, {_LINK_COLUMNS}"  # noqa: S608  constants only
    " FROM links JOIN notes AS source ON source.id = links.note LEFT JOIN notes AS target ON target.id = links.resolved"
)


class Index:
    """An open index, up to date as of `open`, the last `refresh` or the last `update`.

    It may be shared by threads and its file by processes. Answers come in order of path, then of place.
    """

    def __init__(self, vault: Vault, connection: sqlite3.Connection, warn: Callable[[str], None]) -> None:
        self.vault = vault
        self._connection = connection
        self._warn = warn
        self._lock = threading.RLock()
        self._names: Names | None = None
        self.refreshed = Refreshed(0)
        """What the last refresh found."""

    @classmethod
    def open(
        cls,
        vault: Vault,
        *,
        progress: Progress | None = None,
        warn: Callable[[str], None] = lambda _: None,
    ) -> Self:
        """The vault's index, refreshed. `warn` gets a line where it had to be built again or in memory. Raises `Busy`."""
        index = cls(vault, open_database(vault, warn), warn)
        try:
            index.refresh(progress=progress)
        except BaseException:
            index.close()
            raise
        return index

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; nothing can be asked any more."""
        with self._lock:
            self._connection.close()

    def refresh(self, *, progress: Progress | None = None) -> Refreshed:
        """Takes in what changed on disk since the last refresh."""
        self.refreshed = self._write(lambda connection: refresh(connection, self.vault, progress))
        return self.refreshed

    def update(self, paths: Iterable[str]) -> Refreshed:
        """Takes in the present content of just these notes: what a flow calls after it wrote them. Raises `PathRefused`."""
        wanted = [check_note_path(path) for path in paths]
        return self._write(lambda connection: update(connection, self.vault, wanted))

    def imagined(self) -> Self:
        """A copy in memory, for `suppose`."""
        memory = in_memory()
        self.read(lambda connection: connection.backup(memory))
        return type(self)(self.vault, memory, self._warn)

    def suppose(self, note: Note) -> None:
        """Takes in a note as if it were on disk like this: only in an `imagined` index."""
        self._write(lambda connection: suppose(connection, self.vault, note))

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` makes of the connection, alone with it; an index that proves damaged is built again first."""
        with self._lock:
            try:
                return work(self._connection)
            except sqlite3.Error as error:
                if is_busy(error):
                    raise busy_error() from error
                if not is_damage(error):
                    raise
                self._replace(rebuilt_after=error)
                return work(self._connection)

    def notes(self, layer: Layer | None = None) -> tuple[IndexedNote, ...]:
        """All notes, or those of one layer."""
        where, values = ("WHERE layer = ?", (layer,)) if layer else ("", ())
        rows = self._rows(f"{_NOTES} {where} ORDER BY path", values)
        return tuple(IndexedNote(*row) for row in rows)

    def note(self, path: str) -> IndexedNote | None:
        """The note at a path, if the index has one."""
        rows = self._rows(f"{_NOTES} WHERE path = ?", (nfc(path),))
        return IndexedNote(*rows[0]) if rows else None

    def find_notes(self, text: str) -> tuple[str, ...]:
        """The notes that a person may mean by a path, short name or alias; see `graph.query.find_notes`."""
        from reme_cli.graph.query import find_notes  # here, since the graph brings the scanner along

        wanted = nfc(text.strip())
        # only notes of the same file name, and those of the same title, can be meant
        paths = self._rows(
            "SELECT path FROM notes WHERE key IN (?, ?)", (path_key(wanted), path_key(f"{wanted}.md"))
        )
        titled = self._rows(
            "SELECT names.text, path FROM names JOIN notes ON notes.id = names.note"
            " WHERE names.key = ? AND names.kind IN ('name', 'alias')",
            (fold(wanted),),
        )
        return find_notes(text, [path for (path,) in paths], titled)

    def names(self) -> Names:
        """All paths, in which links resolve."""
        with self._lock:
            if self._names is None:
                resolution = self.vault.config.links.resolution
                self._names = self.read(lambda connection: all_names(connection, resolution))
            return self._names

    def aliases(self, path: str) -> tuple[str, ...]:
        """The aliases of a note, in its order."""
        rows = self._rows(
            "SELECT names.text FROM names JOIN notes ON notes.id = names.note"
            " WHERE path = ? AND names.kind = 'alias' ORDER BY ordinal",
            (nfc(path),),
        )
        return tuple(text for (text,) in rows)

    def tags(self, path: str) -> tuple[str, ...]:
        """The tags of a note, sorted."""
        rows = self._rows(
            "SELECT tag FROM tags JOIN notes ON notes.id = tags.note WHERE path = ? ORDER BY tag",
            (nfc(path),),
        )
        return tuple(tag for (tag,) in rows)

    def passages(self, path: str) -> tuple[Passage, ...]:
        """The passages of a note, in order."""
        rows = self._rows(
            'SELECT level, heading, line, last_line, start, "end" FROM passages JOIN notes ON notes.id = passages.note'
            " WHERE path = ? ORDER BY ordinal",
            (nfc(path),),
        )
        return tuple(Passage(*row) for row in rows)

    def candidates(self, query: Query, weights: Sequence[float], limit: int) -> tuple[Candidate, ...]:
        """The notes that match a query best, best first, equal ones by path. `weights` are those of `schema.FIELDS`."""
        return self.read(lambda connection: candidates(connection, query, weights, limit))

    def links_from(self, path: str) -> tuple[IndexedLink, ...]:
        """The links in a note, in order."""
        return self._links("WHERE source.path = ? ORDER BY links.ordinal", nfc(path))

    def links_to(self, path: str) -> tuple[IndexedLink, ...]:
        """The links that lead to a note, or to a file."""
        wanted = nfc(path)
        return self._links(
            "WHERE links.resolved = (SELECT id FROM notes WHERE path = ?) OR (links.key = ? AND links.file = ?)"
            " ORDER BY source.path, links.ordinal",
            wanted,
            path_key(wanted),
            wanted,
        )

    def inbound(self, path: str) -> tuple[tuple[str, Link], ...]:
        """Source and link of every link whose target's last part is the path's name: all that a new note there can capture."""
        found = self._links("WHERE links.key = ? ORDER BY source.path, links.ordinal", path_key(nfc(path)))
        return tuple((link.source, link.link) for link in found)

    def graph(self) -> LinkGraph:
        """The note graph, as reading every note now would give it."""
        # here, since they bring the scanner along, which a search does without
        from reme_cli.graph.edge import Edge, Occurrence, literal_target
        from reme_cli.graph.link_graph import link_graph

        def occurrence(found: IndexedLink) -> Occurrence:
            target = found.note if found.note is not None else literal_target(found.link)
            edge = Edge(found.source, target, found.link.predicate, resolved=found.note is not None)
            return Occurrence(edge, found.link)

        rows = self._rows(f"{_LINKS} WHERE links.is_note ORDER BY source.path, links.ordinal")
        paths = self._rows("SELECT path FROM notes")
        return link_graph((path for (path,) in paths), (occurrence(_indexed_link(row)) for row in rows))

    def _links(self, where: str, *values: str) -> tuple[IndexedLink, ...]:
        rows = self._rows(f"{_LINKS} {where}", values)
        return tuple(map(_indexed_link, rows))

    def _rows(self, statement: str, values: Sequence[str | None] = ()) -> list[tuple[Any, ...]]:
        return self.read(lambda connection: connection.execute(statement, values).fetchall())

    def _write(self, work: Callable[[sqlite3.Connection], Refreshed]) -> Refreshed:
        with self._lock:
            self._names = None
            try:
                return work(self._connection)
            except sqlite3.Error as error:
                if is_busy(error):
                    raise busy_error() from error
                self._replace(rebuilt_after=error, refreshing=False)
            try:
                return work(self._connection)
            except sqlite3.Error as error:  # a full disk, most likely: the file will not do, memory may
                self._warn(f"index: the file cannot be written ({error}); indexing in memory")
                self._connection.close()
                self._connection = in_memory()
                return refresh(self._connection, self.vault)

    def _replace(self, *, rebuilt_after: sqlite3.Error, refreshing: bool = True) -> None:
        self._connection.close()
        if is_damage(rebuilt_after):
            self._connection = rebuilt(self.vault, rebuilt_after, self._warn)
        else:
            self._warn(f"index: the file cannot be written ({rebuilt_after}); indexing in memory")
            self._connection = in_memory()
        if refreshing:
            refresh(self._connection, self.vault)


def _indexed_link(row: tuple[Any, ...]) -> IndexedLink:
    source, note, file, *link = row
    return IndexedLink(source, Link(*link), note, file)
