"""Which notes auto_link works on."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Literal, NamedTuple

from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from reme_cli.vault.vault import Vault

Skip = Literal["today", "unreadable"]
"""Why a note that was asked for is left out: its day is not over, or it cannot be read."""


class Scope(NamedTuple):
    """The notes of a run."""

    paths: list[str]
    """In order."""
    skipped: list[tuple[str, Skip]]
    """Those that were asked for by name and are left out."""


def scope_of(vault: Vault, readable: Collection[str], asked: Iterable[str] | None) -> Scope:
    """Digest notes, the pages of days that are over, and every note of a vault without a digest; never what is in `resource/`.

    `readable` are all notes that can be read, `asked` those of them that are wanted; `None`: all.
    """
    today = vault.today()
    without_digest = not any(vault.layer(path) == "digest" for path in readable)
    paths, skipped = [], []
    straight: dict[str, str] = {}
    """By folder, where it is on disk; nothing where a symlink is on the way to it."""
    for path in sorted(readable if asked is None else set(asked)):
        layer = vault.layer(path)
        skip: Skip | None = None
        if path not in readable:
            skip = "unreadable"
        elif (
            layer == "resource"
            or (layer is None and not without_digest)
            or (not _is_straight(vault, path, straight) and _layer_on_disk(vault, path) != layer)
        ):
            continue
        elif layer == "daily" and ((day := vault.day(path)) is None or day >= today):
            skip = "today"
        if skip is None:
            paths.append(path)
        elif asked is not None:
            skipped.append((path, skip))
    return Scope(paths, skipped)


def concepts_of(vault: Vault, readable: Iterable[str]) -> list[str]:
    """The notes that stand for a subject: those of the digest; in a vault without one, all that are no source material. In order."""
    paths = sorted(readable)
    digest = [path for path in paths if vault.layer(path) == "digest"]
    return digest or [path for path in paths if vault.layer(path) is None]


def _is_straight(vault: Vault, path: str, folders: dict[str, str]) -> bool:
    """Whether no symlink is on the way to a note, as far as that can be told with one look at the disk."""
    folder, _, name = path.rpartition("/")
    place = folders.get(folder)
    if place is None:
        place = os.path.join(vault.root, folder) if folder else os.fspath(vault.root)
        place = folders[folder] = place if os.path.realpath(place) == place else ""
    try:
        return place != "" and not stat.S_ISLNK(os.lstat(f"{place}/{name}").st_mode)
    except OSError:  # in another normal form on disk, or not there any more
        return False


def _layer_on_disk(vault: Vault, path: str) -> str | None:
    """The layer of the place where a note really is: a symlink may take a write from one into another."""
    return vault.layer(nfc(vault.locate(path).relative_to(vault.root).as_posix()))
