"""A look at all files of a vault by a process of its own, so that this one can do something else meanwhile.

The other process compares what it sees with the rows, which it reads itself, and tells which rows it read: what it found holds
for these.
"""

from __future__ import annotations

import gc
import marshal  # both processes are of one Python: the quickest form will do
import os
import sys
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import PathRefused
from reme_cli.index.database import FILE, opened_to_read
from reme_cli.index.differences import Differences, differences
from reme_cli.index.facts import CONFIGURATION, GENERATION, LISTING, fact
from reme_cli.index.fingerprint import configuration_of, fingerprint_of
from reme_cli.vault.walk import NoteFile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from reme_cli.vault.vault import Vault

LARGE_INDEX: Final = 24_000_000
"""The size of an index, in bytes, from which a process is worth starting: that of some 2,000 notes."""

_TOLD_NOTES: Final = 500
"""Where more notes differ, reading them takes so much longer than looking once more that they are not told."""


class Found(NamedTuple):
    """What a look found."""

    generation: str
    """Of the rows that it compared the files with."""
    is_known: bool
    """Whether all is as the last refresh left it."""
    differences: Differences


class Look:
    """A look that another process has begun."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self.held_for: str | None = None
        """The generation of the rows that were refreshed by what it found; `None` before, and where they had to do without."""

    def found(self) -> Found | None:
        """What it tells first, waited for; `None` where it failed, or where too much differs to tell it. It can be asked once."""
        try:
            generation, is_known, notes, suspects, *others = marshal.load(self._pipe)  # noqa: S302  from the process that this one forked
        except (OSError, EOFError, ValueError, TypeError):
            return None
        return Found(generation, is_known, Differences(notes, tuple(map(NoteFile._make, suspects)), *others))

    def fingerprint(self) -> str:
        """That of all that it saw, waited for; empty where it failed. After `found`."""
        try:
            return str(marshal.load(self._pipe))  # noqa: S302  as above
        except (OSError, EOFError, ValueError, TypeError):
            return ""


@contextmanager
def looking(vault: Vault) -> Iterator[Look | None]:
    """A look at the vault; `None` where it would not be worth a process, or none can be started.

    To be begun before the index is opened: no connection may pass into another process.
    """
    place = _place_of_large_index(vault)
    if place is None or not _can_fork():
        yield None
        return
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no memory, or too many processes
        os.close(reading)
        os.close(writing)
        yield None
        return
    if child == 0:
        os.close(reading)
        _look(vault, place, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        try:
            yield Look(pipe)
        finally:
            from signal import SIGKILL  # here, since the other process has its work by now

            os.kill(child, SIGKILL)  # what nobody wants to know is not waited for
            os.waitpid(child, 0)


def _place_of_large_index(vault: Vault) -> Path | None:
    try:
        place = vault.metadata("cache", FILE)
        return place if place.stat().st_size >= LARGE_INDEX else None
    except (OSError, PathRefused):
        return None


def _can_fork() -> bool:
    """Whether a process can be forked without harm, and would find a core of its own."""
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"):
        return False
    # A fork copies only the thread that calls it, and with it whatever locks the others hold. Who has not imported the module
    # has started none, and importing it takes longer than opening the index.
    threading = sys.modules.get("threading")
    return len(os.sched_getaffinity(0)) > 1 and (threading is None or threading.active_count() == 1)


def _look(vault: Vault, place: Path, writing: int) -> None:
    """The life of the other process, which never returns: its caller's files are not its own."""
    gc.disable()  # it makes a tuple for each note, and ends soon
    try:
        with suppress(Exception), open(writing, "wb") as pipe:
            _tell(vault, place, pipe)
    finally:
        os._exit(0)


def _tell(vault: Vault, place: Path, pipe: BinaryIO) -> None:
    """Writes what a look finds, then the fingerprint; nothing where the index is none that can be compared."""
    with closing(opened_to_read(place)) as connection:
        # before the look: what another process takes in from now on was perhaps not seen
        generation = fact(connection, GENERATION)
        known = fact(connection, LISTING)
        if not generation or fact(connection, CONFIGURATION) != configuration_of(vault):
            return
        listing = vault.listing()
        fingerprint = fingerprint_of(vault, listing) if known else ""
        if known and fingerprint == known:
            marshal.dump((generation, True, *Differences(len(listing.notes))), pipe)
            return
        connection.execute("BEGIN")
        found = differences(connection, listing)
        if fact(connection, GENERATION) != generation or len(found.suspects) > _TOLD_NOTES:
            return
        notes, suspects, *others = found
        marshal.dump((generation, False, notes, tuple(map(tuple, suspects)), *others), pipe)
        pipe.flush()
        marshal.dump(fingerprint or fingerprint_of(vault, listing), pipe)
