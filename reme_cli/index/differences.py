"""What differs between the files of a vault and the rows of its index, by size and time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

    from reme_cli.vault.walk import Listing, NoteFile


class Differences(NamedTuple):
    """What a refresh has to take in."""

    notes: int
    """How many there are on disk."""
    suspects: tuple[NoteFile, ...] = ()
    """Those that are new, or that have another size or time than their row, in order of path."""
    known: tuple[str, ...] = ()
    """The paths of those that have a row, in order."""
    gone: tuple[str, ...] = ()
    """The notes that have a row only."""
    files_came: tuple[str, ...] = ()
    files_went: tuple[str, ...] = ()


def differences(connection: sqlite3.Connection, listing: Listing) -> Differences:
    """The differences between what is on disk and the rows."""
    # most notes are as they were: what differs is found by sets, without looking at each
    rows = set(connection.execute("SELECT path, size, mtime_ns FROM notes"))
    seen = {note[:3] for note in listing.notes}
    new, old = ({path for path, _, _ in places} for places in (seen - rows, rows - seen))
    known_files = {path for (path,) in connection.execute("SELECT path FROM files")}
    files = set(listing.files)
    return Differences(
        len(listing.notes),
        tuple(note for note in listing.notes if note.path in new) if new else (),
        tuple(sorted(old & new)),
        tuple(sorted(old - new)),
        tuple(sorted(files - known_files)),
        tuple(sorted(known_files - files)),
    )
