"""The file of the vectors: opened whatever state it is in, and begun anew where it proves damaged."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

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

FILE: Final = "vectors.db"
APPLICATION_ID: Final = 0x72656D76
"""`remv` in ASCII."""
SCHEMA: Final = 1
"""Of another number the vectors are made again, at a price: the tables were meant to last."""

TABLES: Final = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE spaces (
    id     INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    asked  INTEGER NOT NULL,              -- dimensions; 0: as many as the model gives
    size   INTEGER NOT NULL,              -- dimensions that it gives
    used   INTEGER NOT NULL,              -- the larger, the later it answered like this
    UNIQUE (model, asked, size)
);

CREATE TABLE vectors (
    id     INTEGER PRIMARY KEY,
    space  INTEGER NOT NULL,
    digest BLOB NOT NULL,
    signs  BLOB NOT NULL,                 -- a bit for each number, set where it is positive
    UNIQUE (space, digest)
);

CREATE TABLE numbers (
    id     INTEGER PRIMARY KEY,           -- of the vector; apart from it, since a search reads few of them
    halves BLOB NOT NULL                  -- its numbers in 16 bits each
);

CREATE TABLE queries (
    id INTEGER PRIMARY KEY, space INTEGER NOT NULL, digest BLOB NOT NULL, halves BLOB NOT NULL, UNIQUE (space, digest)
);

CREATE TABLE cut (id INTEGER PRIMARY KEY, stamp TEXT NOT NULL UNIQUE);

CREATE TABLE pieces (
    cut INTEGER NOT NULL, ordinal INTEGER NOT NULL, passage INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (cut, ordinal)
) WITHOUT ROWID;

CREATE INDEX pieces_by_digest ON pieces (digest);

CREATE TABLE refused (model TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (model, digest)) WITHOUT ROWID;
"""


class VectorDatabase:
    """An open database. Its file may be shared by processes, and the object by threads."""

    def __init__(
        self, place: Path | None, connection: sqlite3.Connection, warn: Callable[[str], None]
    ) -> None:
        self._place = place
        """Of its file; `None` where it lives in memory."""
        self._connection = connection
        self._warn = warn
        self._lock = threading.RLock()

    @classmethod
    def open(cls, vault: Vault, warn: Callable[[str], None]) -> Self:
        """The vault's vectors: of a vault that cannot be written a copy, in the place of a damaged file an empty one.

        `warn` gets a line where vectors were lost. Raises `Busy`.
        """
        try:
            place = vault.metadata("cache", FILE)
        except PathRefused:
            return cls(None, _in_memory(), warn)
        if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
            return cls(None, _copy_in_memory(place), warn)
        try:
            return cls(place, _opened(place), warn)
        except (sqlite3.Error, ValueError) as error:
            if isinstance(error, sqlite3.Error):
                if is_busy(error):
                    raise busy_error() from error
                if not _is_lost(error):
                    return cls(None, _copy_in_memory(place), warn)
            return cls(*_opened_anew(place, error, warn), warn)

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
                        f"the vectors cannot be used: {error}",
                        where=FILE,
                        hint="Is the disk full? What was made before is still there.",
                    ) from error
                self._connection.close()
                self._place, self._connection = _opened_anew(self._place, error, self._warn)
                return work(self._connection)


def _is_lost(error: sqlite3.Error) -> bool:
    """Whether the file is of no use any more. One that just cannot be read or written now holds what was paid for."""
    return is_damage(error) and primary_code(error) != sqlite3.SQLITE_IOERR


def _opened(place: Path) -> sqlite3.Connection:
    """A connection to the file at `place`. Raises `sqlite3.Error`, or `ValueError` where it is no file of ours to open."""
    check_ordinary(place)
    connection = connected(os.fspath(place))
    try:
        if not _is_current(connection):
            connection.execute("BEGIN IMMEDIATE")
            if not _is_current(connection):  # another process may just have made them
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() != (0,):
                    raise ValueError("made by another version of reme")
                _create(connection)
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _opened_anew(
    place: Path, error: Exception, warn: Callable[[str], None]
) -> tuple[Path | None, sqlite3.Connection]:
    """An empty database in the place of a file that will not do, or in memory."""
    warn(f"vectors: {place.name} is damaged ({error}); its vectors have to be made again")
    try:
        remove_database(place)
        return place, _opened(place)
    except (sqlite3.Error, OSError, ValueError) as again:
        warn(f"vectors: {place.name} cannot be replaced ({again}); working in memory")
        return None, _in_memory()


def _in_memory() -> sqlite3.Connection:
    connection = connected(":memory:")
    _create(connection)
    return connection


def _copy_in_memory(place: Path) -> sqlite3.Connection:
    """The vectors of a file that cannot be written, where it is a good one at rest."""
    memory = _in_memory()
    if not place.is_file() or place.is_symlink() or Path(f"{place}-wal").exists():
        return memory
    try:
        with closing(sqlite3.connect(f"{place.as_uri()}?immutable=1", uri=True)) as file:
            if _is_current(file):
                file.backup(memory)
    except sqlite3.Error:
        memory.close()
        return _in_memory()
    return memory


def _create(connection: sqlite3.Connection) -> None:
    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _is_current(connection: sqlite3.Connection) -> bool:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return bool(application == APPLICATION_ID and version == SCHEMA)
