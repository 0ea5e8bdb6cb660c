"""Every text that a note had before and after one of reme's writes, compressed, named by its stamp.

A text is kept once, however often a note returns to it. The store is bounded by age and by size; what is pruned
can no longer be undone, and says so.
"""

from __future__ import annotations

import os
import time
import zlib
from typing import TYPE_CHECKING, Final

from reme_cli.changeset import system
from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.state import write_state, write_states
from reme_cli.vault.stamp import Stamp, stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from reme_cli.vault.vault import Vault

HISTORY: Final = "history"
DAYS_KEPT: Final = 90
BYTES_KEPT: Final = 200_000_000
"""Compressed."""

_SUFFIX: Final = ".z"
_LEVEL: Final = 3
"""Prose shrinks by half at every level; the higher ones only take longer."""
_DAY: Final = 86_400
_PRUNED: Final = "pruned"
"""An empty file whose time is that of the last pruning."""


def keep(vault: Vault, data: bytes) -> Stamp:
    """Keeps a text and gives its stamp. Raises `VaultUnwritable`, `Busy`."""
    keep_all(vault, [data])
    return stamp_of(data)


def keep_all(vault: Vault, texts: Iterable[bytes]) -> None:
    """Keeps these texts. Raises `VaultUnwritable`, `Busy`."""

    def new() -> Iterator[tuple[tuple[str, ...], bytes]]:
        for data in texts:
            path = _path(stamp_of(data))
            try:
                os.utime(vault.metadata(*path))  # as young as its latest use: pruning goes by this time
            except FileNotFoundError:
                yield path, zlib.compress(data, _LEVEL)

    with vault_lock(vault):
        write_states(vault, new())


def load(vault: Vault, stamp: Stamp) -> bytes | None:
    """The text with this stamp; `None` where it was pruned, never kept, or damaged."""
    try:
        data = zlib.decompress(vault.metadata(*_path(stamp)).read_bytes())
    except (OSError, zlib.error):
        return None
    return data if stamp_of(data) == stamp else None


def holds(vault: Vault, stamp: Stamp) -> bool:
    """Whether the text with this stamp is kept."""
    return load(vault, stamp) is not None


def prune_daily(vault: Vault) -> None:
    """Prunes unless that was done within the last day. For a caller that holds the vault lock, with no open journal."""
    marker = vault.metadata(HISTORY, _PRUNED)
    try:
        if time.time() - marker.stat().st_mtime < _DAY:
            return
    except FileNotFoundError:
        pass
    prune(vault)
    write_state(vault, (HISTORY, _PRUNED), b"")


def prune(vault: Vault, *, days: int = DAYS_KEPT, size: int = BYTES_KEPT, now: float | None = None) -> int:
    """Removes what is older than `days`, then the oldest until at most `size` bytes are left; gives how many went.

    For a caller that holds the vault lock, with no open journal.
    """
    images = sorted(_images(vault))
    oldest = (time.time() if now is None else now) - days * _DAY
    total = sum(length for _, _, length in images)
    gone = 0
    for used, place, length in images:
        if used >= oldest and total <= size:
            break
        with system.telling_unwritable(str(place)):
            place.unlink()
        total -= length
        gone += 1
    return gone


def _images(vault: Vault) -> list[tuple[float, Path, int]]:
    """Time of last use, place and size of each image."""
    images = []
    for place in vault.metadata(HISTORY).glob(f"??/*{_SUFFIX}"):
        status = place.lstat()
        images.append((status.st_mtime, place, status.st_size))
    return images


def _path(stamp: Stamp) -> tuple[str, ...]:
    # Two letters of folder: 256 of them keep each small. A stamp is hex; nothing else may become a path.
    if len(stamp) != 64 or not set(stamp) <= set("0123456789abcdef"):
        return HISTORY, "none"
    return HISTORY, stamp[:2], stamp[2:] + _SUFFIX
