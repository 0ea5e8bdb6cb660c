"""The derived index of a vault: everything that several commands want to know without reading every note again."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from typing import TYPE_CHECKING, Any, Self, TypeVar

from reme_cli.index.database import (
    FILE,
    SYMPTOMS,
    busy_error,
    connected,
    in_memory,
    is_busy,
    is_damage,
    open_database,
    rebuilt,
)
from reme_cli.index.fulltext import matches
from reme_cli.index.refresh import refresh, suppose, update
from reme_cli.index.resolution import all_names
from reme_cli.index.rows import ImpliedEdge, IndexedLink, IndexedNote, Passage, Refreshed
from reme_cli.vault.keys import path_key
from reme_cli.vault.link import Link
from reme_cli.vault.paths import check_note_path, fold, nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType

    from reme_cli.index.fulltext import Matches, Query
    from reme_cli.index.look import Look
    from reme_cli.index.rows import Progress
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.stamp import Stamp
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

_IMPLIED = (
    "WITH wanted AS (SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(nullif(?1, ''))))"
    " SELECT source.path, implied.predicate, target.path, place.path, links.line, links.col, implied.tense"
    " FROM implied JOIN notes AS place ON place.id = implied.note"
    " JOIN links ON links.note = implied.note AND links.ordinal = implied.place"
    " LEFT JOIN links AS subject ON subject.note = implied.note AND subject.ordinal = implied.subject"
    " LEFT JOIN links AS object ON object.note = implied.note AND object.ordinal = implied.object"
    " JOIN notes AS source ON source.id = iif(implied.subject IS NULL, implied.note, subject.resolved)"
    " JOIN notes AS target ON target.id = iif(implied.object IS NULL, implied.note, object.resolved)"
)
_IN_PLACE = "ORDER BY place.path, links.line, links.col, 2, 1, 3"


class Index:
    """An open index, up to date as of `open`, the last `refresh` or the last `update`.

    It may be shared by threads and its file by processes. Answers come in order of path, then of place.
    """

    def __init__(
        self,
        vault: Vault,
        connection: sqlite3.Connection,
        warn: Callable[[str], None],
        *,
        mends: bool = True,
    ) -> None:
        self.vault = vault
        self._connection = connection
        self._warn = warn
        self._lock = threading.RLock()
        self._names: Names | None = None
        self._asker: int | None = None
        """The thread whose question is being answered."""
        self._mends = mends
        """Whether an index that proves damaged is built again: not one that stands in for another."""
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

    def warn(self, text: str) -> None:
        """Tells a person a line that does not concern the answers themselves."""
        self._warn(text)

    def refresh(self, *, progress: Progress | None = None, look: Look | None = None) -> Refreshed:
        """Takes in what changed on disk since the last refresh, at which `look` has looked already."""
        self.refreshed = self._write(lambda connection: refresh(connection, self.vault, progress, look))
        return self.refreshed

    def update(self, paths: Iterable[str]) -> Refreshed:
        """Takes in the present content of just these notes: what a flow calls after it wrote them. Raises `PathRefused`."""
        wanted = [check_note_path(path) for path in paths]
        return self._write(lambda connection: update(connection, self.vault, wanted))

    @classmethod
    def beside(cls, vault: Vault) -> Self:
        """The index as the process that started this one refreshed it: only to be asked, whatever happens to the file.

        Raises `sqlite3.Error` and `PathRefused`; so does what is asked where the file is no index.
        """
        return cls(vault, connected(os.fspath(vault.metadata("cache", FILE))), lambda _: None, mends=False)

    @property
    def has_file(self) -> bool:
        """Whether another process can open it, too."""
        (row,) = self.read(lambda connection: connection.execute("PRAGMA database_list").fetchall())[:1]
        return bool(row[2])

    def imagined(self) -> Self:
        """A copy in memory, for `suppose`."""
        memory = in_memory()
        self.read(lambda connection: connection.backup(memory))
        return type(self)(self.vault, memory, self._warn, mends=False)

    def suppose(self, note: Note) -> None:
        """Takes in a note as if it were on disk like this: only in an `imagined` index."""
        self._write(lambda connection: suppose(connection, self.vault, note))

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` makes of the connection, alone with it; an index that proves damaged is built again first."""
        with self._lock:
            return self.answer(lambda _: work(self._connection))

    def answer(self, question: Callable[[Self], T]) -> T:
        """What a question to the index gives; where the index proves damaged, it is built again, and the question asked once more.

        Within a question that is the outermost one, since the numbers that it knows its notes by are those of the old rows. It
        is also asked once more where rows that are sound do not go together: another process may have refreshed them meanwhile.
        """
        if self._asker == threading.get_ident() or not self._mends:
            return question(self)
        self._asker = threading.get_ident()
        try:
            return question(self)
        except sqlite3.Error as error:
            if not (is_busy(error) or is_damage(error)):
                raise
            self._replace(rebuilt_after=error)
        except SYMPTOMS as error:
            if damage := self._contradiction(error):
                self._replace(rebuilt_after=damage)
        finally:
            self._asker = None
        return question(self)

    def notes(self, layer: Layer | None = None) -> tuple[IndexedNote, ...]:
        """All notes, or those of one layer."""
        where, values = ("WHERE layer = ?", (layer,)) if layer else ("", ())
        rows = self._rows(f"{_NOTES} {where} ORDER BY path", values)
        return tuple(IndexedNote(*row) for row in rows)

    def stamps(self) -> dict[str, Stamp]:
        """The stamp of every note that can be read, by path, in order."""
        return dict(self._rows("SELECT path, stamp FROM notes WHERE stamp != '' ORDER BY path"))

    def note(self, path: str) -> IndexedNote | None:
        """The note at a path, if the index has one."""
        rows = self._rows(f"{_NOTES} WHERE path = ?", (nfc(path),))
        return IndexedNote(*rows[0]) if rows else None

    def find_notes(self, text: str) -> tuple[str, ...]:
        """The notes that a person may mean by a path, short name or alias; see `graph.query.find_notes`."""
        from reme_cli.graph.query import find_notes  # a search names no note

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

    def named(self, texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Name as it is compared (`paths.fold`) and path of every note that has one of these names, of whatever kind."""
        return tuple(
            self._rows(
                "SELECT DISTINCT names.key, path FROM names JOIN notes ON notes.id = names.note"
                " WHERE names.key IN (SELECT value FROM json_each(?)) ORDER BY names.key, path",
                (json.dumps([fold(text) for text in texts]),),
            )
        )

    def names_beginning(self, text: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Name as it is compared and path of the first notes that have a name beginning so."""
        start = fold(text)
        return tuple(
            self._rows(
                "SELECT DISTINCT names.key, path FROM names JOIN notes ON notes.id = names.note"
                " WHERE names.key >= ? AND names.key < ? ORDER BY names.key, path LIMIT ?",
                (start, f"{start}\U0010ffff", limit),
            )
        )

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

    def matches(self, query: Query, weights: Sequence[float], limit: int) -> Matches:
        """The notes that match a query best, and how often its words occur. `weights` are those of `schema.FIELDS`."""
        return self.read(lambda connection: matches(connection, query, weights, limit))

    def links_where(self, condition: str, *values: str) -> tuple[IndexedLink, ...]:
        """The links that meet an SQL condition on the rows `links`, `source` (their note) and `target` (the note they mean)."""
        return self._links(f"WHERE {condition} ORDER BY source.path, links.ordinal", *values)

    def links_from(self, path: str) -> tuple[IndexedLink, ...]:
        """The links in a note, in order."""
        return self._links("WHERE source.path = ? ORDER BY links.ordinal", nfc(path))

    def links_typed(self, path: str, predicates: Iterable[str]) -> tuple[IndexedLink, ...]:
        """The links from or to a note that have one of these predicates."""
        return self._links(
            "WHERE (links.note = (SELECT id FROM notes WHERE path = ?1) OR links.resolved = (SELECT id FROM notes WHERE path = ?1))"
            " AND links.predicate IN (SELECT value FROM json_each(?2)) ORDER BY source.path, links.ordinal",
            nfc(path),
            json.dumps(list(predicates)),
        )

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

    def implied_between(self, paths: Iterable[str], predicates: Iterable[str]) -> tuple[ImpliedEdge, ...]:
        """The relations with one of these predicates that sentences state of two of these notes; by path, then by place."""
        rows = self._rows(
            f"{_IMPLIED} WHERE implied.predicate IN (SELECT value FROM json_each(?2))"  # noqa: S608  constants only
            " AND source.id IN (SELECT id FROM wanted) AND target.id IN (SELECT id FROM wanted)"
            f" {_IN_PLACE}",
            (json.dumps([nfc(path) for path in paths]), json.dumps(list(predicates))),
        )
        return _implied_edges(rows)

    def implied(self, paths: Iterable[str] | None = None) -> tuple[ImpliedEdge, ...]:
        """The relations that sentences state: all, or those whose source or target is one of `paths`; by path, then by place."""
        where, values = "", ""
        if paths is not None:
            # the notes that speak of one of them, which are few, before the rows of these
            where = (
                " WHERE implied.note IN (SELECT note FROM links WHERE resolved IN (SELECT id FROM wanted)"
                " UNION SELECT id FROM wanted)"
                " AND (source.id IN (SELECT id FROM wanted) OR target.id IN (SELECT id FROM wanted))"
            )
            values = json.dumps([nfc(path) for path in paths])
        return _implied_edges(self._rows(f"{_IMPLIED}{where} {_IN_PLACE}", (values,)))

    def _links(self, where: str, *values: str) -> tuple[IndexedLink, ...]:
        rows = self._rows(f"{_LINKS} {where}", values)
        return tuple(map(_indexed_link, rows))

    def _rows(self, statement: str, values: Sequence[str | int | None] = ()) -> list[tuple[Any, ...]]:
        try:
            return self.read(lambda connection: connection.execute(statement, values).fetchall())
        except UnicodeEncodeError:  # bytes of the command line that are no Unicode: nothing is called so
            return []

    def _contradiction(self, error: Exception) -> sqlite3.Error | None:
        """What is wrong with the rows, where they are to blame for an error; an error that only a text is to blame for is raised."""
        if isinstance(error, UnicodeError):
            raise error
        from reme_cli.index.soundness import contradiction  # sound rows have no use for it

        return contradiction(self._connection)

    def _write(self, work: Callable[[sqlite3.Connection], Refreshed]) -> Refreshed:
        with self._lock:
            self._names = None
            if not self._mends:
                return work(self._connection)
            try:
                return work(self._connection)
            except sqlite3.Error as error:
                self._replace(rebuilt_after=error, refreshing=False)
            except SYMPTOMS as error:
                damage = self._contradiction(error)
                if damage is None:
                    raise
                self._replace(rebuilt_after=damage, refreshing=False)
            try:
                return work(self._connection)
            except sqlite3.Error as error:  # a full disk, most likely: the file will not do, memory may
                self._warn(f"index: the file cannot be written ({error}); indexing in memory")
                self._connection.close()
                self._connection = in_memory()
                return refresh(self._connection, self.vault)

    def _replace(self, *, rebuilt_after: sqlite3.Error, refreshing: bool = True) -> None:
        """Puts an empty index, or one that is built again, in the place of one that will not do. Raises `Busy`."""
        if is_busy(rebuilt_after):
            raise busy_error() from rebuilt_after
        self._connection.close()
        self._names = None
        if is_damage(rebuilt_after):
            self._connection = rebuilt(self.vault, rebuilt_after, self._warn)
        else:
            self._warn(f"index: the file cannot be written ({rebuilt_after}); indexing in memory")
            self._connection = in_memory()
        if refreshing:
            refresh(self._connection, self.vault)


def _implied_edges(rows: Iterable[tuple[Any, ...]]) -> tuple[ImpliedEdge, ...]:
    return tuple(dict.fromkeys(ImpliedEdge(*row) for row in rows))


def _indexed_link(row: tuple[Any, ...]) -> IndexedLink:
    source, note, file, *link = row
    return IndexedLink(source, Link(*link), note, file)
