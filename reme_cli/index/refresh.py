"""Bringing the rows up to date with the files.

Size and time of change of all files are looked at first, as one fingerprint; only where that moved are notes compared, and only
notes whose size or time moved are read. Then the content's stamp decides.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from reme_cli.errors import NoteNotFound, PathRefused, UnreadableNote
from reme_cli.index.database import written_once
from reme_cli.index.facts import GENERATION, LISTING, begin_generation, fact
from reme_cli.index.fingerprint import fingerprint_of
from reme_cli.index.rows import Refreshed
from reme_cli.vault.stamp import stamp_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    from reme_cli.index.intake import Intake
    from reme_cli.index.look import Look
    from reme_cli.index.rows import Progress
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

_EXPECTED_NOTES: Final = 16
"""Of the notes that must be read again, how many are looked at to tell whether one has changed."""
_PREPARED_BYTES: Final = 65_536
"""The longest note that is read only to bring in what reading takes."""


def refresh(
    connection: sqlite3.Connection, vault: Vault, progress: Progress | None = None, look: Look | None = None
) -> Refreshed:
    """Makes the rows those of the files on disk, at which `look` has looked already.

    Raises `sqlite3.Error`; the rows are then as they were.
    """
    generation = fact(connection, GENERATION)
    found = look.found() if look else None
    listing = None
    if look and found and found.generation == generation:
        if found.is_known:
            look.held_for = generation
            return Refreshed(found.differences.notes)
    else:
        found, listing = None, vault.listing()
        if fact(connection, LISTING) == fingerprint_of(vault, listing):
            return Refreshed(len(listing.notes), listing=listing)

    def take(intake: Intake) -> Refreshed:
        is_latest = fact(connection, GENERATION) == generation
        if look and found and is_latest:
            look.held_for = generation
            return intake.take(found.differences, fingerprint=look.fingerprint, progress=progress)
        # when another process refreshed meanwhile, it may have looked at the files later than this one
        seen = listing if listing and is_latest else vault.listing()
        return intake.take_all(seen, progress=progress)

    return _in_transaction(connection, vault, take, reading=len(listing.notes) if listing else 0)


def expect(connection: sqlite3.Connection, vault: Vault) -> bool:
    """Whether a note has changed among those that must be read again anyway; what reading takes is brought in then, by reading it.

    Changes no row.
    """
    if fact(connection, LISTING):
        return False
    again = connection.execute(
        "SELECT path, stamp, size FROM notes WHERE mtime_ns < 0 LIMIT ?", (_EXPECTED_NOTES,)
    )
    for path, stamp, size in again.fetchall():
        if _has_changed(vault, path, stamp):
            if size <= _PREPARED_BYTES:
                from reme_cli.index.document import read_document  # here, since most refreshes do without

                read_document(vault, path)
            return True
    return False


def _has_changed(vault: Vault, path: str, stamp: str) -> bool:
    try:
        return stamp_of(vault.read_bytes(path)) != stamp
    except (NoteNotFound, PathRefused, UnreadableNote):
        return bool(stamp)


def update(connection: sqlite3.Connection, vault: Vault, paths: Iterable[str]) -> Refreshed:
    """Makes the rows of just these notes those of their files, whatever size and time say."""
    wanted = sorted(set(paths))
    return _in_transaction(connection, vault, lambda intake: intake.take_notes(wanted))


def suppose(connection: sqlite3.Connection, vault: Vault, note: Note) -> Refreshed:
    """Makes the rows of a note those that it would have with this text. For an index that is thrown away."""
    return _in_transaction(connection, vault, lambda intake: intake.suppose(note))


def _in_transaction(
    connection: sqlite3.Connection, vault: Vault, take: Callable[[Intake], Refreshed], *, reading: int = 0
) -> Refreshed:
    """What `take` gives, in one transaction, in which at most so many notes are read."""
    # here, since it brings the scanner along, which a refresh that finds nothing does without
    from reme_cli.index.intake import MANY_NOTES, Intake

    is_first = reading >= MANY_NOTES and not connection.execute("SELECT 1 FROM notes LIMIT 1").fetchone()
    with written_once(connection) if is_first else nullcontext():
        connection.execute("BEGIN IMMEDIATE")
        try:
            refreshed = take(Intake(connection, vault))
            begin_generation(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return refreshed
