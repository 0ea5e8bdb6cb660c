"""The locks that keep reme's processes out of each other's way.

The *vault lock* is held for milliseconds, around each write; no model is ever called under it. A *run lock* is
held for the whole of a long run, of which there may be one at a time. Both belong to the operating system:
a killed process holds nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from reme_cli.changeset import system
from reme_cli.changeset.ignored import keep_out_of_git
from reme_cli.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reme_cli.vault.vault import Vault

VAULT_LOCK_TIMEOUT: Final = 30.0
"""Seconds. A write takes milliseconds; whoever waits this long waits for a process that is stopped."""

_FIRST_PAUSE: Final = 0.0005
_LONGEST_PAUSE: Final = 0.02


class _Holdings(threading.local):
    """The locks that this thread holds, so that a holder may call what locks again."""

    def __init__(self) -> None:
        self.places: set[tuple[int, Path]] = set()


_holdings = _Holdings()


@contextlib.contextmanager
def vault_lock(vault: Vault, timeout: float = VAULT_LOCK_TIMEOUT) -> Iterator[None]:
    """Holds the vault's write lock; a thread that holds it already may enter again.

    Raises `Busy` after `timeout` seconds, `VaultUnwritable` on a read-only vault.
    """
    place = vault.metadata("lock")
    holding = (os.getpid(), place)  # the process: after a fork the child's thread holds nothing
    if holding in _holdings.places:
        yield
        return
    is_first = not place.exists()
    descriptor = _acquire(place, timeout)
    if descriptor is None:
        raise Busy(
            "another reme process holds the write lock",
            where=str(place),
            hint="Try again; if it stays so, look for a stopped reme process.",
        )
    _holdings.places.add(holding)
    try:
        if is_first:
            with system.telling_unwritable(str(place)):
                keep_out_of_git(vault)
        yield
    finally:
        _holdings.places.discard(holding)
        os.close(descriptor)


@contextlib.contextmanager
def run_lock(vault: Vault, name: str, *, command: str = "", wait: bool = True) -> Iterator[None]:
    """Holds the lock of the one run called `name` (for example `dream`).

    Raises `Busy` when another process has it and `wait` is false; the message says who: process, host, since when.
    """
    place = vault.metadata(f"lock-{name}")
    if not place.exists():
        with vault_lock(vault):
            pass  # with the first of them comes what keeps this one out of git
    descriptor = _acquire(place, None if wait else 0.0)
    if descriptor is None:
        raise Busy(
            f"another `{name}` run is at work{_holder_of(place)}",
            where=str(vault.root),
            hint="Wait for it, or run again without `--no-wait`.",
        )
    try:
        holder = {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": command or name,
            "since": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        }
        with system.telling_unwritable(str(place)):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, json.dumps(holder).encode() + b"\n")
        yield
    finally:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
        os.close(descriptor)


def _acquire(place: Path, timeout: float | None) -> int | None:
    """A descriptor of the locked file, or `None` after `timeout` seconds; `None` waits for ever."""
    deadline = None if timeout is None else time.monotonic() + timeout
    pause = _FIRST_PAUSE
    while True:
        descriptor = _open(place)
        if _try_lock(descriptor):
            if _still_there(place, descriptor):
                return descriptor
            # Somebody removed the file while we waited, and may have locked a new one.
            os.close(descriptor)
            continue
        os.close(descriptor)
        if deadline is not None and time.monotonic() >= deadline:
            return None
        # Random, so that several waiting processes do not ask in step.
        time.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
        pause = min(pause * 1.5, _LONGEST_PAUSE)


def _open(place: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
    with system.telling_unwritable(str(place)):
        try:
            return os.open(place, flags, 0o666)
        except FileNotFoundError:
            system.make_folder(place.parent)
            return os.open(place, flags, 0o666)


def _still_there(place: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(place), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _holder_of(place: Path) -> str:
    try:
        holder = json.loads(place.read_bytes())
        return (
            f": process {holder['pid']} on {holder['host']}, `{holder['command']}`, since {holder['since']}"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return ""  # it has not written its name yet


if sys.platform == "win32":
    import msvcrt

    # Far behind the text of the holder, which others must be able to read: Windows locks are mandatory.
    _LOCKED_BYTE = 1 << 30

    def _try_lock(descriptor: int) -> bool:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
