"""Looking at a vault's files in a process of its own, while this one already asks the index.

Looking takes most of the time of a search in a large vault, and it seldom finds a change. So the two are done at once, and
the answer counts when there was none.
"""

from __future__ import annotations

import gc
import marshal  # both processes are of one Python: the quickest form will do
import os
import signal
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.vault.walk import Listing, NoteFile, Skipped

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from reme_cli.vault.vault import Vault

LARGE_VAULT: Final = 2_000
"""Notes from which a process is worth starting."""


class Sight(NamedTuple):
    """What a look told first."""

    fingerprint: str
    notes: int


class Look:
    """A look that another process has begun."""

    def __init__(self, pipe: BinaryIO, asking: int, data_version: int, *, expects_change: bool) -> None:
        self._pipe = pipe
        self._asking = asking
        self.data_version = data_version
        """Of the index, before the look began."""
        self.expects_change = expects_change
        """Whether it is known before the look that there is something to read."""
        self.confirmed = False
        """Whether the index was up to date; known after a refresh with this look."""

    def sight(self) -> Sight | None:
        """What it tells first where no change is expected, waited for; `None` where it failed."""
        fingerprint, _, notes = self._pipe.readline().decode().partition(" ")
        return Sight(fingerprint, int(notes)) if notes.endswith("\n") else None

    def listing(self) -> Listing | None:
        """All that it saw; `None` where it failed."""
        try:
            if not self.expects_change:
                os.write(self._asking, b"?")
            # read to the end first: `marshal.load` asks the pipe for every value by itself
            told = self._pipe.read()
            columns, files, skipped = marshal.loads(told)  # noqa: S302  from the process that this one forked
        except (OSError, EOFError, ValueError, TypeError):
            return None
        return Listing(tuple(map(NoteFile, *columns)), files, tuple(map(Skipped._make, skipped)))


@contextmanager
def looking(
    connection: sqlite3.Connection, vault: Vault, fingerprint: Callable[[Listing], str]
) -> Iterator[Look | None]:
    """A look at the vault; `None` where it would not be worth a process, or none can be started."""
    if not _is_worth_it(connection):
        yield None
        return
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    expects_change = not _is_believed(connection)
    reading, writing = os.pipe()
    asked, asking = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no memory, or too many processes
        for end in (reading, writing, asked, asking):
            os.close(end)
        yield None
        return
    if child == 0:
        os.close(reading)  # or it would wait for itself to read on, or to ask
        os.close(asking)
        _look(vault, None if expects_change else fingerprint, writing, asked)
    os.close(writing)
    os.close(asked)
    with open(reading, "rb") as pipe:
        try:
            yield Look(pipe, asking, version, expects_change=expects_change)
        finally:
            os.close(asking)
            os.kill(child, signal.SIGKILL)  # what was not asked for is not waited for
            os.waitpid(child, 0)


def _is_worth_it(connection: sqlite3.Connection) -> bool:
    # a fork copies only the thread that calls it, and with it whatever locks the others hold
    if not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity") or threading.active_count() > 1:
        return False
    (last,) = connection.execute("SELECT max(id) FROM notes").fetchone()
    return (last or 0) >= LARGE_VAULT and len(os.sched_getaffinity(0)) > 1


def _is_believed(connection: sqlite3.Connection) -> bool:
    """Whether the last refresh left a fingerprint; it leaves none where a note changed so shortly before that it must be read again."""
    return (
        connection.execute("SELECT 1 FROM facts WHERE name = 'listing' AND value <> ''").fetchone()
        is not None
    )


def _look(vault: Vault, fingerprint: Callable[[Listing], str] | None, writing: int, asked: int) -> None:
    """The life of the other process, which never returns: neither its caller's files nor its connections are its own.

    Without a fingerprint it tells all at once.
    """
    gc.disable()  # it makes a tuple for each note, and ends soon
    try:
        with suppress(Exception), open(writing, "wb") as pipe:
            listing = vault.listing()
            if fingerprint:
                pipe.write(f"{fingerprint(listing)} {len(listing.notes)}\n".encode())
                pipe.flush()
            # mostly nothing has changed, and nobody asks what there is
            if not fingerprint or os.read(asked, 1):
                notes, files, skipped = listing
                # by column, which is written and read in a fraction of the time that a tuple for each note takes
                columns = tuple(zip(*notes, strict=True)) or ((),) * len(NoteFile._fields)
                pipe.write(marshal.dumps((columns, files, tuple(map(tuple, skipped)))))
    finally:
        os._exit(0)
