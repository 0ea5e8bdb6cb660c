"""Finishing what a killed process left behind."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from reme_cli import interrupt
from reme_cli.changeset import commit, held, system
from reme_cli.changeset.journal import ENTRY_SUFFIX, ForeignEntryError, load_entry
from reme_cli.changeset.lock import VAULT_LOCK_TIMEOUT, vault_lock
from reme_cli.changeset.state import JOURNAL, TEMPORARY_SUFFIX
from reme_cli.errors import Busy, PathRefused, VaultUnwritable

if TYPE_CHECKING:
    from reme_cli.changeset.commit import Done
    from reme_cli.changeset.held import Rescue
    from reme_cli.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a recovery did: how the interrupted operations ended, and the conflict copies it made."""

    done: tuple[Done, ...] = ()
    rescued: tuple[Rescue, ...] = ()
    postponed: bool = False
    """Something is left to do, but the vault cannot be written now."""


NOTHING: Final = Recovered()


def recover(vault: Vault) -> Recovered:
    """Completes or rolls back interrupted change sets, and looks after swapped-out files; cheap where there are none.

    Does nothing on a vault that cannot be written, or that another process keeps locked: a command that only
    reads goes on, and the next writing one recovers.
    """
    try:
        if not (left_behind(vault) or held.anything_held(vault)):
            return NOTHING
        with vault_lock(vault, VAULT_LOCK_TIMEOUT):
            recovered = finish_interrupted(vault)
            return replace(recovered, rescued=tuple(held.release(vault)))
    except (Busy, PathRefused, VaultUnwritable):
        return Recovered(postponed=True)


def finish_interrupted(vault: Vault) -> Recovered:
    """Finishes every entry in the journal that can be finished now, and removes temporaries of state files.

    For the holder of the vault lock: what is in the journal then belongs to a process that no longer lives. An entry
    that cannot be finished (its folder is read-only by now) waits, and keeps nobody from writing elsewhere.
    """
    done: list[Done] = []
    postponed = False
    for name in left_behind(vault):
        try:
            done.extend(_finish(vault, name))
        except (OSError, VaultUnwritable, ForeignEntryError):
            postponed = True
    return Recovered(tuple(done), postponed=postponed)


def _finish(vault: Vault, name: str) -> tuple[Done, ...]:
    place = vault.metadata(JOURNAL, name)
    journal = load_entry(vault, place) if name.endswith(ENTRY_SUFFIX) else None
    if journal is None:
        # A temporary, or a plan that was not written to its end: before any file of its set was made.
        system.unlink(place)
        return ()
    with interrupt.deferred():
        if journal.inodes is None:
            commit.abandon(journal)
            return ()
        return commit.carry_on(journal)


def left_behind(vault: Vault) -> list[str]:
    """What is in the journal, by name: interrupted change sets, and temporaries of state files."""
    try:
        names = os.listdir(vault.metadata(JOURNAL))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(name for name in names if name.endswith((ENTRY_SUFFIX, TEMPORARY_SUFFIX)))
