"""What is in a folder besides the notes and files that the vault lists."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from collections.abc import Collection

    from reme_cli.maintain.place import Place
    from reme_cli.vault.vault import Vault


def folders_in(vault: Vault, place: Place) -> tuple[str, ...]:
    """A folder and all within it that are not hidden, the innermost first; nothing for a file."""
    if not place.is_folder:
        return ()
    found = [place.path]
    for here, names, _ in os.walk(vault.locate(place.path)):
        names[:] = sorted(name for name in names if not name.startswith("."))
        inside = _path(vault, here)
        found += [nfc(f"{inside}/{name}") for name in names]
    return tuple(reversed(found))


def others_in(vault: Vault, place: Place, known: Collection[str]) -> tuple[str, ...]:
    """The files in a folder but the known ones, sorted; nothing for a file."""
    if not place.is_folder:
        return ()
    return tuple(
        sorted(
            path
            for here, _, names in os.walk(vault.locate(place.path))
            for name in names
            if (path := nfc(f"{_path(vault, here)}/{name}")) not in known
        )
    )


def _path(vault: Vault, place: str) -> str:
    return os.path.relpath(place, vault.root).replace(os.sep, "/")
