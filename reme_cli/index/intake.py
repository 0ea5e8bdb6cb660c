"""Taking in what changed: inside one transaction, the rows of new, changed and vanished notes, and the links that these touch."""

from __future__ import annotations

import time
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import NoteNotFound
from reme_cli.index.differences import differences
from reme_cli.index.document import document_of, read_document
from reme_cli.index.facts import CONFIGURATION, LISTING, fact, set_fact
from reme_cli.index.fingerprint import configuration_of, fingerprint_of
from reme_cli.index.reading import read_documents
from reme_cli.index.resolution import resolve_touched
from reme_cli.index.rows import Refreshed
from reme_cli.index.store import in_bulk, put_note, remove_everything, remove_note
from reme_cli.vault.keys import path_key
from reme_cli.vault.resolve import Names
from reme_cli.vault.walk import NoteFile

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from reme_cli.index.differences import Differences
    from reme_cli.index.document import Document
    from reme_cli.index.rows import Progress
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing

RACY_NS: Final = 2_000_000_000
"""A file that changed so shortly before it was read may change again within the same tick of its file system's clock. Its time
is not believed, and it is read again next time. FAT keeps times to two seconds; no file system in use is coarser."""
_NOT_BELIEVED: Final = -1
MANY_NOTES: Final = 500
"""From so many notes on, links are resolved as the notes are read, which takes a table of all names."""


class _Known(NamedTuple):
    """A note's row, as far as comparing needs it; a tuple, because every note has one."""

    path: str
    id: int
    size: int
    mtime_ns: int
    stamp: str


class Intake:
    """One refresh, inside the caller's transaction: gathers what it touches, and resolves the links of that."""

    def __init__(self, connection: sqlite3.Connection, vault: Vault) -> None:
        self._connection = connection
        self._vault = vault
        self._began_ns = time.time_ns()
        self._touched_keys: set[str] = set()
        self._unresolved: set[int] = set()
        self._added = self._changed = self._removed = self._files = 0

    def take_all(self, listing: Listing, *, progress: Progress | None) -> Refreshed:
        """Compares all notes and files with the rows, and takes in what differs."""
        configuration = configuration_of(self._vault)
        if fact(self._connection, CONFIGURATION) not in {None, configuration}:
            remove_everything(self._connection)
        set_fact(self._connection, CONFIGURATION, configuration)
        found = differences(self._connection, listing)
        taken = self.take(
            found, listing, fingerprint=lambda: fingerprint_of(self._vault, listing), progress=progress
        )
        return taken._replace(listing=listing)

    def take(
        self,
        found: Differences,
        listing: Listing | None = None,
        *,
        fingerprint: Callable[[], str],
        progress: Progress | None,
    ) -> Refreshed:
        """Takes in what differs. Very many notes are read faster where all that is on disk is given.

        `fingerprint` is that of all that was seen, asked for where it may be believed next time.
        """
        known = {path: row for path in (*found.known, *found.gone) if (row := self._row(path))}
        self._take_files(found)
        for path in found.gone:
            self._remove(known.pop(path))
        suspects = found.suspects
        names: Names | None = None
        if listing and len(suspects) >= MANY_NOTES:
            resolution = self._vault.config.links.resolution
            names = Names((file.path for file in listing.notes), listing.files, resolution=resolution)
        if not names or self._next_number() > 1:
            believed = self._read(suspects, known, names, progress)
        else:
            # every link is resolved as it is read: only paths that prove wrong are touched
            self._touched_keys.clear()
            with in_bulk(self._connection):
                believed = self._read(suspects, known, names, progress, touching=False)
        self._resolve()
        set_fact(self._connection, LISTING, fingerprint() if believed else "")
        return self._refreshed(found.notes)

    def take_notes(self, paths: Iterable[str]) -> Refreshed:
        """Takes in the present content of these notes, whatever size and time say."""
        for path in paths:
            row = self._row(path)
            try:
                document = read_document(self._vault, path, row.stamp if row else None)
            except NoteNotFound:
                if row:
                    self._remove(row)
                continue
            if document:
                self._put_unbelieved(document, row)
        return self._taken()

    def suppose(self, note: Note) -> Refreshed:
        """Takes in a note as if it were on disk like this."""
        self._put_unbelieved(document_of(self._vault, note), self._row(note.path))
        return self._taken()

    def _put_unbelieved(self, document: Document, row: _Known | None) -> None:
        """Writes the rows of a note whose size and time are not known."""
        number = row.id if row else self._next_number()
        self._put(NoteFile(document.path, 0, _NOT_BELIEVED, document.path), document, row, number, {})
        self._unresolved.add(number)

    def _taken(self) -> Refreshed:
        set_fact(self._connection, LISTING, "")
        self._resolve()
        (notes,) = self._connection.execute("SELECT count(*) FROM notes").fetchone()
        return self._refreshed(notes)

    def _row(self, path: str) -> _Known | None:
        return next(iter(self._known("WHERE path = ?", path)), None)

    def _read(
        self,
        suspects: Sequence[NoteFile],
        known: Mapping[str, _Known],
        names: Names | None,
        progress: Progress | None,
        *,
        touching: bool = True,
    ) -> bool:
        """Reads the notes and writes their rows; gives whether what was seen may be believed next time.

        Links are resolved as they are read where all `names` are given.
        """
        if not suspects:
            return True
        ids = {path: row.id for path, row in known.items()}
        if names:
            ids = dict(self._connection.execute("SELECT path, id FROM notes"))
        new = (file.path for file in suspects if file.path not in known)
        ids.update(zip(new, count(self._next_number()), strict=False))
        waiting = {file.path: file for file in suspects}
        questions = [(path, known[path].stamp if path in known else None) for path in waiting]
        size = sum(file.size for file in suspects)
        believed = True
        for done, (path, document) in enumerate(read_documents(self._vault, names, questions, size), start=1):
            file = waiting.pop(path)
            racy = self._began_ns - RACY_NS < file.mtime_ns < time.time_ns() + RACY_NS
            if racy or (document and not document.is_lasting):
                believed = False
                file = file._replace(mtime_ns=_NOT_BELIEVED)
            if document:
                self._put(file, document, known.get(path), ids[path], ids, touching=touching)
                if names is None:
                    self._unresolved.add(ids[path])
            else:
                self._put_place(file, known[path])
            if progress:
                progress(done, len(suspects))
        for path in sorted(waiting):  # gone since the walk, but other notes' links were resolved to it
            self._touched_keys.add(path_key(path))
            if path in known:
                self._remove(known[path])
        return believed and not waiting

    def _put(
        self,
        file: NoteFile,
        document: Document,
        row: _Known | None,
        number: int,
        ids: Mapping[str, int],
        *,
        touching: bool = True,
    ) -> None:
        if row:
            remove_note(self._connection, row.id)
            self._changed += 1
        else:
            self._added += 1
            if touching:
                self._touched_keys.add(path_key(file.path))
        put_note(self._connection, number, file, document, ids)

    def _put_place(self, file: NoteFile, row: _Known) -> None:
        """Notes the size and time of a note whose content is the same."""
        self._connection.execute(
            "UPDATE notes SET size = ?, mtime_ns = ? WHERE id = ?", (file.size, file.mtime_ns, row.id)
        )

    def _remove(self, row: _Known) -> None:
        remove_note(self._connection, row.id)
        self._touched_keys.add(path_key(row.path))
        self._removed += 1

    def _take_files(self, found: Differences) -> None:
        came, went = found.files_came, found.files_went
        self._files += len(came) + len(went)
        self._connection.executemany("DELETE FROM files WHERE path = ?", ((path,) for path in went))
        self._connection.executemany(
            "INSERT INTO files (path, key) VALUES (?, ?)", ((path, path_key(path)) for path in came)
        )
        self._touched_keys.update(map(path_key, (*came, *went)))

    def _resolve(self) -> None:
        if self._touched_keys or self._unresolved:
            resolution = self._vault.config.links.resolution
            resolve_touched(self._connection, resolution, self._touched_keys, self._unresolved)

    def _known(self, where: str, *values: str) -> Iterator[_Known]:
        rows = self._connection.execute(
            f"SELECT path, id, size, mtime_ns, stamp FROM notes {where}",  # noqa: S608  constants only
            values,
        )
        return map(_Known._make, rows)

    def _next_number(self) -> int:
        (number,) = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM notes").fetchone()
        return int(number)

    def _refreshed(self, notes: int) -> Refreshed:
        return Refreshed(notes, self._added, self._changed, self._removed, files=self._files)
