"""Writing the rows of one note, and of many at once."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from reme_cli.index.schema import FIELDS, OF_A_NOTE, create_indexes, drop_indexes
from reme_cli.vault.keys import path_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping

    from reme_cli.index.document import Document
    from reme_cli.vault.walk import NoteFile

_BULK_HASH_BYTES: Final = 32 << 20
"""Full text that a first build gathers in memory before it writes a segment: fewer segments need no merging."""
_ORDINARY_HASH_BYTES: Final = 1 << 20
_BULK_CACHE_KIB: Final = 64 << 10
"""Pages that a first build keeps in memory, so that they are written once."""
_ORDINARY_CACHE_KIB: Final = 2 << 10

_LINK_COLUMNS: Final = (
    "note, ordinal, kind, target, key, anchor, alias, predicate, spelling,"
    ' start, "end", target_start, target_end, line, col, resolved, file, is_note'
)


def put_note(
    connection: sqlite3.Connection, number: int, file: NoteFile, document: Document, ids: Mapping[str, int]
) -> None:
    """Writes the rows of a note that has none. `ids` has the numbers of the notes that its links resolve to."""
    connection.execute(
        "INSERT INTO notes (id, path, key, size, mtime_ns, stamp, name, description, layer, bucket, kind, date,"
        " frontmatter, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (number, file.path, path_key(file.path), file.size, file.mtime_ns, document.stamp, *document.note),
    )
    many = connection.executemany
    many("INSERT INTO names VALUES (?, ?, ?, ?, ?)", _numbered(number, document.names))
    if document.tags:
        many("INSERT INTO tags VALUES (?, ?)", ((number, tag) for tag in document.tags))
    if document.passages:
        many("INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?)", _numbered(number, document.passages))
    if document.links:
        many(
            f"INSERT INTO links ({_LINK_COLUMNS}) VALUES ({', '.join('?' * 18)})",  # noqa: S608  constants only
            (
                (number, ordinal, *rest, ids[str(note)] if note else None, other, is_note)
                for ordinal, (*rest, note, other, is_note) in enumerate(document.links)
            ),
        )
    if document.implied:
        many("INSERT INTO implied VALUES (?, ?, ?, ?, ?, ?, ?)", _numbered(number, document.implied))
    if document.fulltext:
        connection.execute(
            f"INSERT INTO fulltext (rowid, {', '.join(FIELDS)}) VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608  as above
            (number, *document.fulltext),
        )


def remove_note(connection: sqlite3.Connection, number: int) -> None:
    """Takes the rows of a note away."""
    for table in OF_A_NOTE:
        connection.execute(f"DELETE FROM {table} WHERE note = ?", (number,))  # noqa: S608  constants only
    connection.execute("DELETE FROM fulltext WHERE rowid = ?", (number,))
    connection.execute("DELETE FROM notes WHERE id = ?", (number,))


def remove_everything(connection: sqlite3.Connection) -> None:
    """Takes the rows of all notes and files away."""
    for table in ("notes", "files", *OF_A_NOTE, "fulltext"):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608  constants only


@contextmanager
def in_bulk(connection: sqlite3.Connection) -> Iterator[None]:
    """Makes writing the rows of very many notes fast, at the cost of memory and of lookups meanwhile."""
    connection.execute(f"PRAGMA cache_size = -{_BULK_CACHE_KIB}")
    _set_hash_bytes(connection, _BULK_HASH_BYTES)
    drop_indexes(connection)
    collecting = gc.isenabled()
    gc.disable()  # rows hold no cycles, and there are millions of them
    try:
        yield  # where this fails, the caller's transaction takes back what was done above
    finally:
        if collecting:
            gc.enable()
    create_indexes(connection)
    _set_hash_bytes(connection, _ORDINARY_HASH_BYTES)
    connection.execute(f"PRAGMA cache_size = -{_ORDINARY_CACHE_KIB}")


def _set_hash_bytes(connection: sqlite3.Connection, size: int) -> None:
    connection.execute("INSERT INTO fulltext (fulltext, rank) VALUES ('hashsize', ?)", (size,))


def _numbered(number: int, rows: Iterable[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    return ((number, ordinal, *row) for ordinal, row in enumerate(rows))
