"""The files that were swapped out: kept under a name of ours until nobody can write into them any more.

A program that opened a note before it was replaced still writes into the old file. So that file stays linked under
`metadata/history/held/`; when its bytes are no longer a text that the history keeps, it is moved to a conflict copy
beside the note. Whether somebody has it open for writing is asked of the kernel by a read lease, which it
grants only where nobody has. Where there are no leases (other systems, network file systems), a file is held
for a day.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from reme_cli import interrupt
from reme_cli.changeset import audit, swap, system
from reme_cli.changeset.conflict_copy import bring_back
from reme_cli.changeset.history import HISTORY
from reme_cli.changeset.journal import ENTRY_SUFFIX, HELD, ForeignEntryError, Journal, load_entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reme_cli.changeset.journal import Operation
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

SECONDS_HELD: Final = 5.0
"""At least. A program may be between finding the old file by its name and having it open, where no lease sees it."""
SECONDS_HELD_WITHOUT_LEASES: Final = 86_400.0
PATIENCE: Final = 0.1
"""Seconds that the end of a run waits for programs that have a swapped-out file open for writing."""

_PAUSE: Final = 0.01

Writers = Literal["none", "some", "unknown"]


@dataclass(frozen=True, slots=True)
class Rescue:
    """A text of another program that was saved beside the note it was meant for. Both paths are vault-relative."""

    path: str
    copy: str


def anything_held(vault: Vault) -> bool:
    """Whether some swapped-out file waits to be released."""
    return bool(_entries(vault))


def release(vault: Vault, *, patience: float = 0.0, ripe_only: bool = False) -> list[Rescue]:
    """Looks at every file held: brings back what was written into one, lets go of those that nobody can reach.

    For a caller that holds the vault lock. `patience` is how many seconds in all it may wait for programs that
    have one open; `ripe_only` passes over those that could not be let go yet. Raises `VaultUnwritable`.
    """
    deadline = time.monotonic() + patience
    rescues: list[Rescue] = []
    for place in _entries(vault):
        if ripe_only and 0 <= _age(place.stat()) < SECONDS_HELD:
            continue
        journal = _load(vault, place)
        if journal is None:
            continue  # not written by this reme: neither trusted nor touched
        with interrupt.deferred():
            rescued, still_held = _look_after(journal, deadline)
            rescues.extend(rescued)
            audit.append(vault, [_line(journal, rescue) for rescue in rescued])
            if not still_held:
                with system.telling_unwritable(str(place)):
                    system.unlink(place)
    return rescues


def holding(journal: Journal) -> bool:
    """Whether files of this entry are held, or lie beside their notes because they could not be moved."""
    return any(journal.spot(number).outside for number in range(len(journal.entry.operations)))


def _load(vault: Vault, place: Path) -> Journal | None:
    try:
        return load_entry(vault, place)
    except (ForeignEntryError, OSError):
        return None


def _look_after(journal: Journal, deadline: float) -> tuple[list[Rescue], bool]:
    """The conflict copies made of one entry's files, and whether some file is still held."""
    rescued: list[Rescue] = []
    still_held = False
    for number, operation in enumerate(journal.entry.operations):
        spot = journal.spot(number)
        for outside in (spot.held, spot.beside):
            try:
                state = _state(outside, operation, deadline)
                if state == "changed":
                    copy = bring_back(outside, spot.place, audit.now(journal.vault))
                    relative = copy.relative_to(journal.vault.root).as_posix()
                    rescued.append(Rescue(operation.path, relative))
                elif state == "unreachable":
                    system.unlink(outside)
                still_held |= state == "held"
            except OSError:
                still_held = True  # what cannot be read or moved now is tried again by the next command
    return rescued, still_held


def _state(
    outside: Path, operation: Operation, deadline: float
) -> Literal["gone", "changed", "held", "unreachable"]:
    """What is to be done with one file: its bytes decide, then whether somebody can still write into it."""
    while True:
        try:
            descriptor = os.open(
                outside, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
            )
        except FileNotFoundError:
            return "gone"
        # While the lease is ours nobody can begin to write, so what is read is what will stay.
        with open(descriptor, "rb", buffering=0) as file, _writers(descriptor) as writers:
            stamp = swap.digest(file)
            age = _age(os.fstat(descriptor))
        if stamp not in _kept(operation):
            return "changed"
        if writers == "some" and time.monotonic() < deadline:
            time.sleep(_PAUSE)
            continue
        if writers == "some":
            return "held"
        least = SECONDS_HELD if writers == "none" else SECONDS_HELD_WITHOUT_LEASES
        return "held" if 0 <= age < least else "unreachable"


def _age(status: os.stat_result) -> float:
    """Seconds since a file was moved here; below zero after the clock was set back, which counts as old."""
    return time.time() - status.st_ctime


def _kept(operation: Operation) -> tuple[Stamp, Stamp]:
    """The texts that the history has."""
    return operation.before, operation.after


def _entries(vault: Vault) -> list[Path]:
    folder = vault.metadata(HISTORY, HELD)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(ENTRY_SUFFIX))
    except FileNotFoundError:
        return []
    return [folder / name for name in names]


def _line(journal: Journal, rescue: Rescue) -> audit.Line:
    entry = journal.entry
    return audit.Line(
        run=entry.run,
        command=entry.command,
        time=audit.timestamp(journal.vault),
        path=rescue.path,
        op="none",
        outcome="rescued",
        reason=rescue.copy,
        change=entry.id,
        undoes=entry.undoes,
    )


if sys.platform.startswith("linux"):
    import fcntl
    import signal

    _F_SETSIG: Final = getattr(fcntl, "F_SETSIG", 10)

    @contextlib.contextmanager
    def _writers(descriptor: int) -> Iterator[Writers]:
        """Whether some program has the file open for writing; `none` holds until the block ends."""
        try:
            # Whoever opens the file meanwhile makes the kernel signal us, with SIGIO unless told otherwise, which
            # would end the process. SIGURG is ignored by default.
            fcntl.fcntl(descriptor, _F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except BlockingIOError:
            yield "some"
            return
        except OSError:
            yield "unknown"  # not our file, or a file system without leases
            return
        try:
            yield "none"
        finally:
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)

else:

    @contextlib.contextmanager
    def _writers(descriptor: int) -> Iterator[Writers]:
        """No leases here."""
        del descriptor
        yield "unknown"
