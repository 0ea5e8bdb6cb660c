"""Where the news of changed files come from: the operating system, or a look at all files now and then."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from reme_cli.config.load import FILE_NAME
from reme_cli.errors import VaultNotFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

SOMETHING: Final = ""
"""The path that stands for a change of something that is no note: a folder, an attachment."""
POLL_SECONDS: Final = 2.0
"""How often all files are looked at, where looking takes no time worth speaking of."""
POLL_SHARE: Final = 20
"""Looking takes at most one second in so many."""
RACY_NS: Final = 2_000_000_000
"""A file that changed so shortly before the look may change again without its time doing so: FAT keeps two seconds."""


class Feed(Protocol):
    """News of changed files, from when it was opened until it is closed."""

    @property
    def by(self) -> str:
        """`events` or `polling`."""

    def wait(self, seconds: float) -> set[str]:
        """The paths of notes that changed, `SOMETHING` and vault.yaml, after so many seconds at most."""

    def is_well(self) -> bool:
        """Whether it still sees everything."""

    def close(self) -> None:
        """Ends it."""


class Identity(NamedTuple):
    """Which file or folder is at a place."""

    device: int
    inode: int


def identity_of(vault: Vault) -> Identity | None:
    """Which folder the vault's root is now; `None` where there is none."""
    try:
        status = os.stat(vault.root)
    except OSError:
        return None
    return Identity(status.st_dev, status.st_ino)


def look_at(vault: Vault, path: str) -> tuple[int, int, int] | None:
    """What shows that a file changed: its size, time and inode; `None` where there is none."""
    if path == SOMETHING:
        return None
    try:
        status = os.stat(vault.root / path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def open_feed(vault: Vault, *, polling: bool, warn: Callable[[str], None]) -> Feed:
    """The system's events; or polling, where that is asked for or there are none, of which `warn` gets a line."""
    if polling:
        return Polling(vault)
    try:
        from reme_cli.watch.native import Native, raising  # brings watchdog along
    except ImportError:
        warn("watchdog is not installed: all files are looked at every few seconds instead")
        return Polling(vault)
    try:
        return Native(vault, warn=warn)
    except OSError as error:
        warn(
            f"{vault.root}: the system cannot watch so many folders ({error.strerror or error}):"
            f" all files are looked at every few seconds instead{raising(error.errno)}"
        )
        return Polling(vault)


class _Snapshot(NamedTuple):
    notes: dict[str, tuple[int, int]]
    files: tuple[str, ...]
    config: tuple[int, int, int] | None
    racy: frozenset[str]


class Polling:
    """Looks at the size and time of every file every few seconds."""

    by: Final = "polling"

    def __init__(
        self,
        vault: Vault,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._vault = vault
        self._clock = clock
        self._sleep = sleep
        self._interval = POLL_SECONDS
        self._before = self._snapshot()
        self._next = clock() + POLL_SECONDS

    def wait(self, seconds: float) -> set[str]:
        """What the next look shows to be another than before, if one is due by then."""
        left = self._next - self._clock()
        self._sleep(max(0.0, min(seconds, left)))
        if seconds < left:
            return set()
        try:
            snapshot = self._snapshot()
        except VaultNotFound:
            return set()
        finally:
            self._next = self._clock() + self._interval
        before, self._before = self._before, snapshot
        changed = {path for path, _ in before.notes.items() ^ snapshot.notes.items()}
        # once more: it may have changed since the last look without its time doing so
        changed |= before.racy & snapshot.notes.keys()
        if before.files != snapshot.files:
            changed.add(SOMETHING)
        if before.config != snapshot.config:
            changed.add(FILE_NAME)
        return changed

    def is_well(self) -> bool:
        """It always is."""
        return True

    def close(self) -> None:
        """Nothing is open."""

    def _snapshot(self) -> _Snapshot:
        began = self._clock()
        now = time.time_ns()
        listing = self._vault.listing()
        self._interval = max(POLL_SECONDS, POLL_SHARE * (self._clock() - began))
        return _Snapshot(
            {note.path: (note.size, note.mtime_ns) for note in listing.notes},
            listing.files,
            look_at(self._vault, FILE_NAME),
            # not those of the future, whose clock is another one: they would never come to rest
            frozenset(note.path for note in listing.notes if abs(now - note.mtime_ns) < RACY_NS),
        )
