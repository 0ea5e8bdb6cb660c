"""A file of what was paid for: opened whatever state it is in, and begun anew where it proves damaged."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from reme_cli.errors import PathRefused, VaultUnwritable
from reme_cli.index.database import (
    busy_error,
    check_ordinary,
    connected,
    is_busy,
    is_damage,
    primary_code,
    remove_database,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from reme_cli.vault.vault import Vault

T = TypeVar("T")


class Layout(NamedTuple):
    """What such a file is."""

    file: str
    """Its name in the folder of what is derived."""
    application_id: int
    """By which a file is known for one of this kind."""
    schema: int
    """Of another number all is made again, at a price: the tables are meant to last."""
    tables: str
    what: str
    """What is kept there, in the plural."""


class LastingDatabase:
    """An open database. Its file may be shared by processes, and the object by threads."""

    def __init__(
        self,
        layout: Layout,
        place: Path | None,
        connection: sqlite3.Connection,
        warn: Callable[[str], None],
    ) -> None:
        self._layout = layout
        self._place = place
        """Of its file; `None` where it lives in memory."""
        self._connection = connection
        self._warn = warn
        self._lock = threading.RLock()

    @classmethod
    def open(cls, vault: Vault, layout: Layout, warn: Callable[[str], None]) -> Self:
        """The vault's file of this layout: of a vault that cannot be written a copy, in the place of a damaged file an empty one.

        `warn` gets a line where something was lost. Raises `Busy`.
        """
        try:
            place = vault.metadata("cache", layout.file)
        except PathRefused:
            return cls(layout, None, _in_memory(layout), warn)
        if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
            return cls(layout, None, _copy_in_memory(place, layout), warn)
        try:
            return cls(layout, place, _opened(place, layout), warn)
        except (sqlite3.Error, ValueError) as error:
            if isinstance(error, sqlite3.Error):
                if is_busy(error):
                    raise busy_error() from error
                if not _is_lost(error):
                    return cls(layout, None, _copy_in_memory(place, layout), warn)
            return cls(layout, *_opened_anew(place, layout, error, warn), warn)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._connection.close()

    @property
    def is_kept(self) -> bool:
        """Whether what is put here is there for the next command."""
        return self._place is not None

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """What a statement that changes nothing gives."""
        return self.read(lambda connection: connection.execute(statement, values).fetchall())

    def write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` makes of the connection, in a transaction of its own."""

        def in_transaction(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN IMMEDIATE")
            try:
                made = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            return made

        return self.read(in_transaction)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What `work` makes of the connection; a file that proves damaged is begun anew first."""
        with self._lock:
            try:
                return work(self._connection)
            except sqlite3.Error as error:
                if is_busy(error):
                    raise busy_error() from error
                if not _is_lost(error) or self._place is None:
                    raise VaultUnwritable(
                        f"the {self._layout.what} cannot be used: {error}",
                        where=self._layout.file,
                        hint="Is the disk full? What was made before is still there.",
                    ) from error
                self._connection.close()
                self._place, self._connection = _opened_anew(self._place, self._layout, error, self._warn)
                return work(self._connection)


def _is_lost(error: sqlite3.Error) -> bool:
    """Whether the file is of no use any more. One that just cannot be read or written now holds what was paid for."""
    return is_damage(error) and primary_code(error) != sqlite3.SQLITE_IOERR


def _opened(place: Path, layout: Layout) -> sqlite3.Connection:
    """A connection to the file at `place`. Raises `sqlite3.Error`, or `ValueError` where it is no file of ours to open."""
    check_ordinary(place)
    connection = connected(os.fspath(place))
    try:
        if not _is_current(connection, layout):
            connection.execute("BEGIN IMMEDIATE")
            if not _is_current(connection, layout):  # another process may just have made them
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
                    raise ValueError("made by another version of reme")
                _create(connection, layout)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _opened_anew(
    place: Path, layout: Layout, error: Exception, warn: Callable[[str], None]
) -> tuple[Path | None, sqlite3.Connection]:
    """An empty database in the place of a file that will not do, or in memory."""
    warn(f"{layout.what}: {place.name} is damaged ({error}); its {layout.what} have to be made again")
    try:
        remove_database(place)
        return place, _opened(place, layout)
    except (sqlite3.Error, OSError, ValueError) as again:
        warn(f"{layout.what}: {place.name} cannot be replaced ({again}); working in memory")
        return None, _in_memory(layout)


def _in_memory(layout: Layout) -> sqlite3.Connection:
    connection = connected(":memory:")
    _create(connection, layout)
    return connection


def _copy_in_memory(place: Path, layout: Layout) -> sqlite3.Connection:
    """What is in a file that cannot be written, where it is a good one at rest."""
    memory = _in_memory(layout)
    if not place.is_file() or place.is_symlink() or Path(f"{place}-wal").exists():
        return memory
    try:
        with closing(sqlite3.connect(f"{place.as_uri()}?immutable=1", uri=True)) as file:
            if _is_current(file, layout):
                file.backup(memory)
    except sqlite3.Error:
        memory.close()
        return _in_memory(layout)
    return memory


def _create(connection: sqlite3.Connection, layout: Layout) -> None:
    for statement in layout.tables.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {layout.application_id}")
    connection.execute(f"PRAGMA user_version = {layout.schema}")


def _is_current(connection: sqlite3.Connection, layout: Layout) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == layout.application_id and version == layout.schema)
