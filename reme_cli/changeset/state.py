"""reme's own state under `metadata/`: whole files, replaced atomically.

For the catalog, the queue and everything else that is neither a note nor derived. A reader needs no lock: it
sees the old file or the new one.
"""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Final

from reme_cli import interrupt
from reme_cli.changeset import system
from reme_cli.changeset.lock import vault_lock

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from reme_cli.vault.vault import Vault

TEMPORARY_SUFFIX: Final = ".tmp"
JOURNAL: Final = "journal"
"""The folder that a recovery looks into. Temporaries of state files are made there, so that it finds them."""


def write_state(vault: Vault, path: tuple[str, ...], data: bytes) -> None:
    """Replaces a file under `metadata/`, flushed to disk. Raises `VaultUnwritable`, `Busy`."""
    write_states(vault, [(path, data)])


def write_states(vault: Vault, files: Iterable[tuple[tuple[str, ...], bytes]]) -> None:
    """Replaces files under `metadata/`, one after the other, each flushed to disk, and in the end each folder once.

    Raises `VaultUnwritable`, `Busy`.
    """
    journal = vault.metadata(JOURNAL)
    folders: dict[Path, None] = {}
    # Locked, so that whoever holds the lock and sees a temporary knows that its process is gone.
    with vault_lock(vault):
        for path, data in files:
            place = vault.metadata(*path)
            temporary = journal / f"{secrets.token_hex(6)}{TEMPORARY_SUFFIX}"
            with system.telling_unwritable(str(place)):
                system.make_folder(journal)
                system.make_folder(place.parent)
                with interrupt.deferred():
                    system.write_new(temporary, data)
                    try:
                        system.rename(temporary, place)
                    except OSError:
                        temporary.unlink()
                        raise
            folders[place.parent] = None
        for folder in folders:
            with system.telling_unwritable(str(folder)):
                system.sync_folder(folder)


def read_state(vault: Vault, path: tuple[str, ...]) -> bytes | None:
    """The bytes of a file under `metadata/`; `None` where there is none."""
    try:
        return vault.metadata(*path).read_bytes()
    except FileNotFoundError:
        return None


def place_new(root: Path, path: tuple[str, ...], data: bytes) -> bool:
    """Makes a file below `root` unless one is there; says whether it did. For `reme init`, which has no vault yet.

    The temporary's name is the same each time: what a killed `init` leaves is removed by the next one.
    """
    place = root.joinpath(*path)
    temporary = place.with_name(f".reme-{place.name}{TEMPORARY_SUFFIX}")
    with system.telling_unwritable(str(place)):
        system.make_folder(place.parent)
        system.unlink(temporary)
        if os.path.lexists(place):
            return False
        system.write_new(temporary, data)
        try:
            system.rename_new(temporary, place)
        except FileExistsError:
            system.unlink(temporary)
            return False
        system.sync_folder(place.parent)
    return True
