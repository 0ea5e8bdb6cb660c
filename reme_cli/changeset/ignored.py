"""What of the metadata folder is of use on this machine only, and stays out of git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from reme_cli import interrupt
from reme_cli.changeset import system
from reme_cli.resources import resource

if TYPE_CHECKING:
    from reme_cli.vault.vault import Vault

GITIGNORE: Final = ".gitignore"


def keep_out_of_git(vault: Vault) -> None:
    """Gives the metadata folder of a vault that `reme init` did not make its `.gitignore`, unless it has one.

    For the holder of the vault lock. The temporary lies in the journal, where a recovery finds it. Raises `OSError`.
    """
    place = vault.metadata(GITIGNORE)
    if os.path.lexists(place):
        return
    temporary = vault.metadata("journal", "gitignore.tmp")
    system.make_folder(temporary.parent)
    system.unlink(temporary)
    text = resource("vault_template", "metadata", GITIGNORE).read_bytes()
    with interrupt.deferred():
        system.write_new(temporary, text)
        system.rename(temporary, place)
