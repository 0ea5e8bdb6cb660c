"""The system calls that change a vault's disk, each announced to whoever watches.

Everything the writer does to the disk goes through here, so that a test or a benchmark can stop the process
between any two of them, let any one of them fail, or play an editor that saves at just that moment.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reme_cli.errors import VaultUnwritable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

watchers: list[Callable[[str, str], None]] = []
"""Who is told of every call before it is made, with its name and its path; for tests and benchmarks.

A watcher may raise, or end the process."""

_RENAME_NOREPLACE: Final = 1
_RENAME_EXCHANGE: Final = 2
_AT_FDCWD: Final = -100
# What file systems answer that know renameat2 but not this flag of it, and kernels that know neither.
_UNSUPPORTED: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM})

_UNWRITABLE: Final = {
    errno.ENOSPC: ("the disk is full", "Make room and run the command again."),
    errno.EDQUOT: ("the disk quota is used up", "Make room and run the command again."),
    errno.EFBIG: ("the file would be larger than the system allows", "Raise the limit (`ulimit -f`)."),
    errno.EROFS: ("the file system is read-only", "Mount it writable, or work on a copy of the vault."),
    errno.EACCES: ("no permission to write", "Check who owns the file and its folder."),
    errno.EPERM: ("the system forbids the change", "Check the owner and the immutable flag (`lsattr`)."),
    errno.EIO: ("the disk reports an error", "Check the disk, then run the command again."),
    errno.ENAMETOOLONG: ("the name is too long for this file system", "Choose a shorter name."),
    errno.ENOTDIR: (
        "a part of the path is a file, not a folder",
        "Rename that file, or choose another path.",
    ),
    errno.EISDIR: ("a folder has this name", "Rename the folder, or choose another path."),
}


class ExchangeUnsupportedError(OSError):
    """This system or file system cannot exchange two names."""


class Inode(NamedTuple):
    """Which file a name stands for, whatever its bytes: device and inode number."""

    device: int
    number: int


@contextlib.contextmanager
def telling_unwritable(where: str) -> Iterator[None]:
    """Turns an `OSError` of the system into `VaultUnwritable` with the place and a way to mend it."""
    try:
        yield
    except OSError as error:
        raise unwritable(error.errno or 0, where) from error


def unwritable(number: int, where: str) -> VaultUnwritable:
    """The error for an error number of the system."""
    what, hint = _UNWRITABLE.get(
        number, (os.strerror(number) if number else "the system gives no reason", None)
    )
    return VaultUnwritable(f"cannot be written: {what}", where=where, hint=hint)


def write_new(path: Path, data: bytes, *, like: os.stat_result | None = None) -> Inode:
    """Makes a complete, flushed file that did not exist; with the mode and, where allowed, the owner of `like`.

    Leaves no file behind when it fails. Raises `FileExistsError` and every other `OSError` as it comes.
    """
    announce("open", path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _CLOSE_ON_EXEC, 0o666)
    try:
        with contextlib.closing(_Descriptor(descriptor)):
            if like is not None:
                _take_after(descriptor, like)
            _write_all(descriptor, data, path)
            announce("fsync", path)
            os.fsync(descriptor)
            status = os.fstat(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return Inode(status.st_dev, status.st_ino)


def append(path: Path, data: bytes) -> None:
    """Appends to a file in one write and flushes it; the file is made if missing, a torn last line is closed first."""
    announce("append", path)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | _NO_FOLLOW | _CLOSE_ON_EXEC
    with contextlib.closing(_Descriptor(os.open(path, flags, 0o666))) as file:
        size = os.fstat(file.number).st_size
        # A crash can leave half a line at the end; ours must not become a part of it.
        torn = False
        if size > 0:
            os.lseek(file.number, -1, os.SEEK_END)
            torn = os.read(file.number, 1) != b"\n"
        _write_all(file.number, b"\n" + data if torn else data, path)
        announce("fsync", path)
        os.fsync(file.number)


def exchange(one: Path, other: Path) -> None:
    """Lets two existing names swap their files, atomically. Raises `ExchangeUnsupportedError` where that is impossible."""
    announce("exchange", other)
    _rename_with(one, other, _RENAME_EXCHANGE)


def rename(source: Path, target: Path) -> None:
    """Renames, atomically, over whatever `target` was."""
    announce("rename", target)
    source.replace(target)


def rename_new(source: Path, target: Path) -> None:
    """Renames, atomically, to a name that must be free. Raises `FileExistsError` where it is not."""
    announce("rename_new", target)
    try:
        _rename_with(source, target, _RENAME_NOREPLACE)
    except ExchangeUnsupportedError:
        # A hard link refuses an existing name as well; between the two calls the file merely has both names.
        os.link(source, target, follow_symlinks=False)
        announce("unlink", source)
        source.unlink()


def link_new(source: Path, target: Path) -> None:
    """Gives a file a second name, which must be free."""
    announce("link", target)
    os.link(source, target, follow_symlinks=False)


def unlink(path: Path) -> None:
    """Removes a name; a missing one is fine."""
    announce("unlink", path)
    path.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Makes a folder and the missing ones above it. Raises `NotADirectoryError` where a file has its name."""
    if path.is_dir():
        return
    announce("mkdir", path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)) from error


def remove_folder(path: Path) -> None:
    """Removes an empty folder; one that is not empty or gone already is left."""
    announce("rmdir", path)
    with contextlib.suppress(OSError):
        path.rmdir()


def sync_folder(path: Path) -> None:
    """Makes the names in a folder last through a power failure."""
    if os.name == "nt":  # Windows has no handle on a folder that could be flushed
        return
    announce("fsync_folder", path)
    descriptor = os.open(path, os.O_RDONLY | _CLOSE_ON_EXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
_CLOSE_ON_EXEC: Final = getattr(os, "O_CLOEXEC", 0)


class _Descriptor:
    """A file descriptor that `contextlib.closing` can close."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def close(self) -> None:
        os.close(self.number)


def announce(call: str, path: Path) -> None:
    """Tells the watchers of a call that is about to be made."""
    for watcher in watchers:
        watcher(call, os.fspath(path))


def _write_all(descriptor: int, data: bytes, path: Path) -> None:
    view = memoryview(data)
    while view:
        announce("write", path)
        view = view[os.write(descriptor, view) :]


def _take_after(descriptor: int, like: os.stat_result) -> None:
    status = os.fstat(descriptor)
    if (status.st_uid, status.st_gid) != (like.st_uid, like.st_gid):
        # Only root may give a file away; a member of the group may at least keep the group.
        for owner in (like.st_uid, -1):
            try:
                os.fchown(descriptor, owner, like.st_gid)
                break
            except PermissionError:
                continue
    # After chown, which drops the set-id bits.
    os.fchmod(descriptor, like.st_mode & 0o7777)


def _rename_with(source: Path, target: Path, flag: int) -> None:
    call = _renameat2()
    if call is None:
        raise ExchangeUnsupportedError(errno.ENOSYS, os.strerror(errno.ENOSYS), os.fspath(target))
    number = call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flag)
    if number == 0:
        return
    if number in _UNSUPPORTED:
        raise ExchangeUnsupportedError(number, os.strerror(number), os.fspath(target))
    raise OSError(number, os.strerror(number), os.fspath(target))


@functools.cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The C library's `renameat2` as a function that gives an error number, or 0; `None` where there is none."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes  # a tenth of start-up time, needed only for a write

    function: Any = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is None:
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)

    def renameat2(from_folder: int, source: bytes, to_folder: int, target: bytes, flag: int) -> int:
        return 0 if function(from_folder, source, to_folder, target, flag) == 0 else ctypes.get_errno()

    return renameat2
