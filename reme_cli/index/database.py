"""Opening the index file, whatever state it is in.

A file that is damaged, cut off, foreign or of another version is built again; a vault that cannot be written, or whose cache
folder leads elsewhere, is indexed in memory. None of this is an error to the user, only one line of warning.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reme_cli.errors import Busy, PathRefused, VaultUnwritable
from reme_cli.index import schema
from reme_cli.vault.paths import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reme_cli.vault.vault import Vault

FILE: Final = "index.db"
FOLDED: Final = "folded"
"""SQLite's name for `paths.fold`."""
_BUSY_SECONDS: Final = 300.0
"""How long to wait for another process: as long as it may take to build the index of a very large vault."""

_BUSY_STEP_SECONDS: Final = 0.01

_DAMAGE: Final = frozenset(
    {
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
    }
)
"""SQLITE_ERROR and what follows SQLITE_IOERR are among them: our statements are right, so a table or column that is missing was
lost, and a row that bars another is none of ours."""
_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


SYMPTOMS: Final = (LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What reading rows that contradict each other may raise."""


class Contradiction(sqlite3.DatabaseError):
    """Rows say what cannot be true at once."""


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 0 where the error is the Python module's own."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the error says that the file is no usable index."""
    code = primary_code(error)
    # the module's own operational error is that of a text that is not UTF-8, which none is that was written
    return code in _DAMAGE or (code == 0 and isinstance(error, sqlite3.OperationalError | Contradiction))


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error says that another process holds the index."""
    return primary_code(error) in _BUSY


def busy_error() -> Busy:
    """The error for an index that another process holds for too long."""
    return Busy(
        "another reme process has been refreshing the index for several minutes",
        hint="Try again; a process that hangs can be ended without harm.",
    )


def open_database(vault: Vault, warn: Callable[[str], None]) -> sqlite3.Connection:
    """A connection to the vault's index with all tables there; its rows may be old. Raises `Busy`."""
    try:
        folder = _cache_folder(vault, warn)
    except PathRefused:
        warn(f"index: {vault.config.folders.metadata}/cache leads out of the vault; indexing in memory")
        return in_memory()
    except OSError as error:
        warn(f"index: the vault cannot be written ({error.strerror}); indexing in memory")
        return in_memory()
    place = folder / FILE
    try:
        return _opened(place, warn)
    except (sqlite3.Error, ValueError) as error:
        return _reopened(place, error, warn)


def _cache_folder(vault: Vault, warn: Callable[[str], None]) -> Path:
    """The folder of what is derived, made where it is missing. Raises `PathRefused`, `OSError`."""
    folder = vault.metadata("cache")
    place, ignored = folder / FILE, folder / ".gitignore"
    # asked in this order, for another process may make them just now, and makes the file first
    was_there = ignored.exists() or vault.metadata("audit").is_dir()
    if os.path.lexists(place):
        return folder
    if was_there:
        warn(f"index: there is no {FILE}; building it")
    folder.mkdir(parents=True, exist_ok=True)
    place.touch()
    if not ignored.exists():
        # the vault may be a repository that knows nothing of reme
        ignored.write_text("*\n")
    return folder


def in_memory() -> sqlite3.Connection:
    """An index that lives as long as its connection."""
    connection = connected(":memory:")
    _ensure_tables(connection)
    return connection


def _copy_in_memory(place: Path) -> sqlite3.Connection:
    """An index in memory that begins with the rows of a file that cannot be written, where it is a good one at rest."""
    # left by a process that was killed: the file alone may be half of the truth
    if any(Path(f"{place}{suffix}").exists() for suffix in ("-wal", "-journal")):
        return in_memory()
    memory = in_memory()
    try:
        with closing(sqlite3.connect(f"{place.as_uri()}?immutable=1", uri=True)) as file:
            if schema.is_current(file):
                file.backup(memory)
    except sqlite3.Error:
        memory.close()
        return in_memory()
    return memory


def rebuilt(vault: Vault, error: sqlite3.Error, warn: Callable[[str], None]) -> sqlite3.Connection:
    """A connection to an empty index in the place of one whose reading failed with `error`."""
    try:
        place = vault.metadata("cache", FILE)
    except PathRefused:
        return in_memory()
    return _reopened(place, error, warn)


def forget(vault: Vault) -> None:
    """Empties the index file; the next `open_database` begins anew. Raises `VaultUnwritable`."""
    try:
        place = vault.metadata("cache", FILE)
        remove_database(place)
        if place.parent.is_dir():
            place.touch()  # empty, not gone, which would be worth a warning
    except PathRefused:  # such a vault has no index file
        return
    except OSError as error:
        raise VaultUnwritable(
            f"the index cannot be removed: {error.strerror}",
            where=f"{vault.config.folders.metadata}/cache/{FILE}",
            hint="Delete it by hand; it is derived from the notes.",
        ) from error


def _reopened(place: Path, error: Exception, warn: Callable[[str], None]) -> sqlite3.Connection:
    if isinstance(error, sqlite3.Error):
        if is_busy(error):
            raise busy_error() from error
        if not is_damage(error):
            warn(f"index: {place.name} cannot be written ({error}); indexing in memory")
            return _copy_in_memory(place)
    warn(f"index: {place.name} is damaged ({error}); building it again")
    try:
        remove_database(place)
        return _opened(place, warn)
    except (sqlite3.Error, OSError, ValueError) as again:
        warn(f"index: {place.name} cannot be replaced ({again}); indexing in memory")
        return in_memory()


def remove_database(place: Path) -> None:
    """Removes a database file with what SQLite keeps beside it. Raises `OSError`."""
    # The write-ahead log first: beside a new file, an old log would be taken for its own.
    for suffix in ("-wal", "-shm", "-journal", ""):
        with suppress(FileNotFoundError):
            Path(f"{place}{suffix}").unlink()


def check_ordinary(place: Path) -> None:
    """Raise `ValueError` for what is there and is no file of ours to open."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        if Path(f"{place}{suffix}").is_symlink():
            raise ValueError("a symlink")  # SQLite would follow it and write wherever it leads
    if place.is_dir():
        raise ValueError("a folder")


def _opened(place: Path, warn: Callable[[str], None]) -> sqlite3.Connection:
    """A connection to the file at `place`. Raises `sqlite3.Error`, or `ValueError` where it is no file of ours to open."""
    check_ordinary(place)
    connection = connected(os.fspath(place))
    try:
        if _ensure_tables(connection):
            warn(f"index: {place.name} was made by another version of reme; building it again")
    except BaseException:
        connection.close()
        raise
    return connection


def opened_to_read(place: Path) -> sqlite3.Connection:
    """A connection that can only read the index file at `place`. Raises `sqlite3.Error`, or `ValueError` where it is none of this version."""
    check_ordinary(place)
    connection = sqlite3.connect(f"{place.as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        if not schema.is_current(connection):
            raise ValueError("another version")
    except BaseException:
        connection.close()
        raise
    return connection


def connected(place: str) -> sqlite3.Connection:
    """A connection to a database, set up as all of reme's are. Raises `sqlite3.Error`."""
    # One connection serves all threads; `Index` lets one at a time use it. Transactions are begun explicitly.
    connection = sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        _use_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.create_function(FOLDED, 1, _fold, deterministic=True)
    except BaseException:
        connection.close()
        raise
    return connection


def _fold(text: str | None) -> str | None:
    return None if text is None else fold(text)


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Turns the log on, which needs the file alone: here SQLite does not wait for another process, so this does."""
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(_BUSY_STEP_SECONDS)
        else:
            return


@contextmanager
def written_once(connection: sqlite3.Connection) -> Iterator[None]:
    """Has a transaction that adds much write it into the file itself, not into the log first and from there into the file.

    The journal instead of the log holds only what pages of the file were before, so that a first build has next to none, and a
    process that is killed leaves the file as it was all the same. Where another process has the file open, the log stays.
    """
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = DELETE")
    yield
    # where something was raised, whoever opens the file next turns the log on
    _use_write_ahead_log(connection)


def _ensure_tables(connection: sqlite3.Connection) -> bool:
    """Makes the tables unless they are there; gives whether others had to make place."""
    if schema.is_current(connection):
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        replaced = False
        if not schema.is_current(connection):  # another process may just have made them
            replaced = schema.create(connection)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return replaced
