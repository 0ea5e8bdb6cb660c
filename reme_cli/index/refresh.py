"""Bringing the rows up to date with the files.

Size and time of change of all files are looked at first, as one fingerprint; only where that moved are notes compared, and only
notes whose size or time moved are read. Then the content's stamp decides.
"""

from __future__ import annotations

import hashlib
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Final

from reme_cli.index.database import written_once
from reme_cli.index.rows import Refreshed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    from reme_cli.index.ahead import Look
    from reme_cli.index.intake import Intake
    from reme_cli.index.rows import Progress
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing

_PREPARED_BYTES: Final = 65_536
"""The longest note that is read only to bring in what reading takes."""


def refresh(
    connection: sqlite3.Connection, vault: Vault, progress: Progress | None = None, look: Look | None = None
) -> Refreshed:
    """Makes the rows those of the files on disk, at which `look` has looked already.

    Raises `sqlite3.Error`; the rows are then as they were.
    """
    known = connection.execute("SELECT value FROM facts WHERE name = 'listing'").fetchone()
    sight = look.sight() if look and not look.expects_change else None
    if look and sight and known == (sight.fingerprint,):
        look.confirmed = True
        return Refreshed(sight.notes)
    seen_before = look.listing() if look and (sight or look.expects_change) else None
    if look and seen_before:
        before, listing = look.data_version, seen_before
    else:
        (before,) = connection.execute("PRAGMA data_version").fetchone()
        listing = vault.listing()
        if known == (fingerprint_of(vault, listing),):
            return Refreshed(len(listing.notes), listing=listing)

    def take(intake: Intake) -> Refreshed:
        (after,) = connection.execute("PRAGMA data_version").fetchone()
        # when another process refreshed meanwhile, it may have looked at the files later than this one
        seen = listing if after == before else vault.listing()
        return intake.take(
            seen,
            configuration=_configuration(vault),
            fingerprint=partial(fingerprint_of, vault, seen),
            progress=progress,
        )._replace(listing=seen)

    return _in_transaction(connection, vault, take, reading=len(listing.notes))


def prepare(vault: Vault, connection: sqlite3.Connection) -> None:
    """Brings in the modules, patterns and phrasings that reading a note takes, by reading one that must be read again anyway.

    It changes nothing, and leaves longer notes alone. Raises `NoteNotFound`.
    """
    from reme_cli.index.document import read_document  # here, since most refreshes do without

    row = connection.execute(
        "SELECT path FROM notes WHERE mtime_ns < 0 AND size <= ? LIMIT 1", (_PREPARED_BYTES,)
    ).fetchone()
    if row:
        read_document(vault, row[0])


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
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return refreshed


def _configuration(vault: Vault) -> str:
    """What of the configuration the rows depend on."""
    config = vault.config
    return repr(
        (
            config.folders,
            sorted(config.digest.buckets),
            config.links.resolution,
            sorted(config.predicates.items()),
        )
    )


def fingerprint_of(vault: Vault, listing: Listing) -> str:
    """A digest of everything that a refresh compares: equal ones mean that nothing is to be done."""
    notes = listing.notes
    # each column by itself, which takes half the time of a line for each note
    parts = (
        _configuration(vault),
        "\0".join([note.path for note in notes]),
        repr([note.size for note in notes]),
        repr([note.mtime_ns for note in notes]),
        "\0".join(listing.files),
    )
    return hashlib.sha256("\0\0".join(parts).encode(errors="surrogatepass")).hexdigest()
