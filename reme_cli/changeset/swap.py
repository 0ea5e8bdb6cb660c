"""Putting one text in the place of another, so that nobody else's save is overwritten.

An editor knows nothing of our lock: it may save at any instant, by renaming a file over the note, by truncating
and rewriting it, by appending, through a name or through a handle that it opened long ago. So a replacement is
an *exchange* of two names, after which what came out is looked at. Is it what was stamped, nobody wrote in
between. If not, it is an editor's save, and it is exchanged in again; what comes out now should be what was put
in before. If it is not, somebody wrote once more in that instant, and so on: the exchanges end when what comes
out is what was put in the time before. Then the newest text is at the note's path, and exactly one text is out:

    after 1 exchange     the stamped one: the write succeeded
    after 2              ours: the write is a conflict, the editor's save is at the path
    after 3 or more      an editor's save that we displaced: it becomes a conflict copy beside the note

Every function here can be called again after a crash at any point and goes on from what it finds on disk. That the new names
last through a power failure is for the caller to see to: many of them may be in one folder.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.changeset import system
from reme_cli.changeset.conflict_copy import bring_back, put_back
from reme_cli.changeset.journal import Text
from reme_cli.changeset.system import ExchangeUnsupportedError, Inode
from reme_cli.vault.stamp import Stamp

if TYPE_CHECKING:
    import datetime
    import io
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.changeset.journal import Journal, Spot

MOST_EXCHANGES: Final = 32
"""An editor would have to save this often within a millisecond; then the last one out becomes a conflict copy."""

Result = Literal["written", "conflicted", "refused", "taken-back", "left"]


@dataclass(frozen=True, slots=True)
class Swapped:
    """How an operation, or taking it back, ended; `copy` is the conflict copy that it made, `error` the system's error
    number where that refused it."""

    result: Result
    reason: str | None = None
    copy: Path | None = None
    error: int | None = None


_CHANGED: Final = "the note changed since it was read"
_EXISTS: Final = "the name is taken"
_GONE: Final = "the note is gone"


def perform(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    """Carries out one committed operation, or finds out how it ended.

    Raises `OSError` where the system stopped it half-way; where it could not even begin, it is `refused`.
    """
    work = {"create": _create, "replace": _replace, "delete": _delete, "move": _move}
    try:
        return work[journal.entry.operations[number].kind](journal, number, now)
    except OSError as error:
        if _begun(journal, number):
            raise
        return Swapped("refused", error.strerror, error=error.errno or errno.EIO)


def take_back(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    """Takes back one operation that was carried out, unless somebody has changed the file since. Raises `OSError`."""
    work = {"create": _uncreate, "replace": _unreplace, "delete": _undelete, "move": _unmove}
    return work[journal.entry.operations[number].kind](journal, number, now)


def look(place: Path) -> Text | None:
    """What a name stands for now; `None` where there is nothing."""
    system.announce("look", place)
    try:
        descriptor = os.open(place, os.O_RDONLY | _QUIETLY)
    except OSError:
        try:
            status = place.lstat()
        except OSError:
            return None
        return Text(Inode(status.st_dev, status.st_ino), None)  # a symlink, or not ours to read
    with open(descriptor, "rb", buffering=0) as file:
        status = os.fstat(descriptor)
        inode = Inode(status.st_dev, status.st_ino)
        return Text(inode, digest(file) if stat.S_ISREG(status.st_mode) else None)


def digest(file: io.FileIO) -> Stamp | None:
    """The stamp of what is read from here on; `None` where the system cannot read it."""
    try:
        return Stamp(hashlib.file_digest(file, "sha256").hexdigest())
    except OSError:
        return None


# -- replace ------------------------------------------------------------------------------------------------------


def _replace(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    spot, operation = journal.spot(number), journal.entry.operations[number]
    ours = Text(_ours(journal, number), operation.after)
    outside = look(spot.temporary)
    if outside is None:
        return _replaced(spot, ours.inode)
    if outside.inode == ours.inode:
        # What is plainly a conflict is not worth an exchange.
        current = look(spot.place)
        if current is None or current.stamp != operation.before:
            return Swapped("conflicted", _GONE if current is None else _CHANGED)
    try:
        exchanges = _exchange_until_settled(
            spot.temporary, spot.place, ours, lambda out: out.stamp == operation.before
        )
    except ExchangeUnsupportedError:
        return _replace_plainly(spot, operation.before)
    except FileNotFoundError:
        return Swapped("conflicted", _GONE)
    copy = None
    if exchanges > 2:
        copy = bring_back(spot.temporary, spot.place, now)
    elif exchanges > 0:
        set_aside(spot.temporary, spot)
    if exchanges == 1:
        return Swapped("written")
    ended = _replaced(spot, ours.inode)
    return Swapped(ended.result, ended.reason, copy)


def _replaced(spot: Spot, ours: Inode) -> Swapped:
    """How a replacement ended that is over, by which file is where."""
    outside = look(spot.outside) if spot.outside else None
    if outside is not None:
        return Swapped("conflicted", _CHANGED) if outside.inode == ours else Swapped("written")
    # Several exchanges: ours is at the path if an editor that displaced it did so by writing into it.
    current = look(spot.place)
    landed = current is not None and current.inode == ours
    return Swapped("written") if landed else Swapped("conflicted", _CHANGED)


def _exchange_until_settled(
    outside: Path, place: Path, first: Text, is_original: Callable[[Text], bool]
) -> int:
    """Exchanges until what comes out is what was put in the time before; gives how many exchanges that took.

    `first` is what the first exchange puts in, `is_original` knows what it should bring out. 0: the note vanished
    in between, and what was out is at its place again. Raises `FileNotFoundError` when the note vanished before
    the first exchange, `ExchangeUnsupportedError`.

    Nothing is waited for between two exchanges, not even the disk: an editor that reads in that instant sees a text that
    is about to be taken out. A recovery does not know how far this came, and begins anew with what is out: then, too, each text that
    comes out goes back to the path or into a copy.
    """
    put = [first]
    here = look(outside)
    while here is not None:
        if here.inode == put[-1].inode:
            try:
                system.exchange(outside, place)
            except FileNotFoundError:
                if len(put) == 1:
                    raise
                with contextlib.suppress(FileExistsError):
                    system.rename_new(outside, place)
                    return 0
                continue
            here = look(outside)
            if here is None:
                break
        settled = is_original(here) if len(put) == 1 else here == put[-2]
        if settled or len(put) == MOST_EXCHANGES:
            return len(put)
        put.append(here)
    return 0


def _replace_plainly(spot: Spot, before: Stamp) -> Swapped:
    """A replacement where names cannot be exchanged.

    A save by rename in the instant between the look and the rename is lost here (docs/writing.md, windows); a save
    into the old file is not, since it keeps a name.
    """
    system.unlink(spot.held)
    try:
        system.link_new(spot.place, spot.held)
    except FileNotFoundError:
        return Swapped("conflicted", _GONE)
    except OSError:
        pass  # no hard links here either: the text itself is in the history
    current = look(spot.place)
    if current is None or current.stamp != before:
        system.unlink(spot.held)
        return Swapped("conflicted", _CHANGED)
    try:
        system.rename(spot.temporary, spot.place)
    except OSError:
        system.unlink(spot.held)
        raise
    return Swapped("written")


def _unreplace(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    spot, operation = journal.spot(number), journal.entry.operations[number]
    ours = Text(_ours(journal, number), operation.after)
    outside = spot.outside
    old = None if outside is None else look(outside)
    if outside is None or old is None:
        return Swapped("left", _CHANGED)
    if old == ours:
        return Swapped("taken-back")  # before a crash
    if look(spot.place) != ours:
        return Swapped("left", _CHANGED)
    try:
        exchanges = _exchange_until_settled(outside, spot.place, old, lambda out: out == ours)
    except FileNotFoundError:
        return Swapped("left", _GONE)
    except ExchangeUnsupportedError:
        system.rename(outside, spot.place)
        exchanges = 1
    copy = bring_back(outside, spot.place, now) if exchanges > 2 else None
    return Swapped("taken-back") if exchanges == 1 else Swapped("left", _CHANGED, copy)


# -- create -------------------------------------------------------------------------------------------------------


def _create(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    del now
    spot = journal.spot(number)
    if look(spot.temporary) is None:
        # It was renamed into place; what became of it since is somebody else's doing.
        return Swapped("written")
    try:
        system.rename_new(spot.temporary, spot.place)
    except FileExistsError:
        current = look(spot.place)
        if current is None or current.inode != _ours(journal, number):
            return Swapped("conflicted", _EXISTS)
        system.unlink(spot.temporary)  # where a rename is a link and an unlink, and a crash fell between
    return Swapped("written")


def _uncreate(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    spot, operation = journal.spot(number), journal.entry.operations[number]
    ours = Text(_ours(journal, number), operation.after)
    outside = spot.outside
    if outside is None:
        if look(spot.place) != ours:
            return Swapped("left", _CHANGED)
        outside = set_aside(spot.place, spot)
    if look(outside) != ours:
        return Swapped("left", _CHANGED, put_back(outside, spot.place, now))
    return Swapped("taken-back")


# -- delete -------------------------------------------------------------------------------------------------------


def _delete(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    spot, operation = journal.spot(number), journal.entry.operations[number]
    outside = spot.outside
    if outside is None:
        current = look(spot.place)
        if current is None:
            return Swapped("conflicted", _GONE)
        if current.stamp != operation.before:
            return Swapped("conflicted", _CHANGED)
        try:
            outside = set_aside(spot.place, spot)
        except FileNotFoundError:
            return Swapped("conflicted", _GONE)
    out = look(outside)
    if out is None or out.stamp != operation.before:
        return Swapped("conflicted", _CHANGED, put_back(outside, spot.place, now))
    return Swapped("written")


def _undelete(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    spot = journal.spot(number)
    outside = spot.outside
    if outside is None:
        return Swapped("taken-back") if look(spot.place) else Swapped("left", _GONE)
    copy = put_back(outside, spot.place, now)
    return Swapped("taken-back") if copy is None else Swapped("left", _EXISTS, copy)


# -- move ---------------------------------------------------------------------------------------------------------


def _move(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    del now
    source, place, ours = journal.source(number), journal.spot(number).place, _ours(journal, number)
    if _inode(source) != ours:
        return Swapped("written") if _inode(place) == ours else Swapped("conflicted", _GONE)
    return _renamed(source, place, ours, Swapped("written"), Swapped("conflicted", _EXISTS))


def _unmove(journal: Journal, number: int, now: datetime.datetime) -> Swapped:
    del now
    source, place, ours = journal.source(number), journal.spot(number).place, _ours(journal, number)
    if _inode(place) != ours:
        return Swapped("taken-back") if _inode(source) == ours else Swapped("left", _CHANGED)
    return _renamed(place, source, ours, Swapped("taken-back"), Swapped("left", _EXISTS))


def _renamed(source: Path, place: Path, ours: Inode, done: Swapped, taken: Swapped) -> Swapped:
    """`done` once the file has its other name, `taken` where another file has that."""
    try:
        system.rename_new(source, place)
    except FileExistsError:
        # Where a rename is a link and an unlink, a crash may have fallen between: then the file has two names.
        if _inode(place) != ours or source.lstat().st_nlink < 2:
            return taken
        system.unlink(source)
    return done


def _inode(place: Path) -> Inode | None:
    try:
        status = place.lstat()
    except OSError:
        return None
    return Inode(status.st_dev, status.st_ino)


def _begun(journal: Journal, number: int) -> bool:
    """Whether an operation may have changed anything yet."""
    spot = journal.spot(number)
    kind = journal.entry.operations[number].kind
    if kind == "delete":
        return spot.outside is not None
    if kind == "move":
        return _inode(spot.place) == _ours(journal, number)
    new = look(spot.temporary)
    return (
        new is None
        or new.inode != _ours(journal, number)
        or spot.outside is not None
        or look(spot.place) == new  # a link and an unlink instead of a rename, and only the link was made
    )


# -- moving files -------------------------------------------------------------------------------------------------


def _ours(journal: Journal, number: int) -> Inode:
    inode = (journal.inodes or ())[number]
    if inode is None:
        raise ValueError(f"operation {number} of {journal.entry.id} has no new text")
    return inode


def set_aside(source: Path, spot: Spot) -> Path:
    """Moves a file to where swapped-out files are held, and gives that place. Raises `OSError`."""
    try:
        system.rename_new(source, spot.held)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        system.rename_new(source, spot.beside)
        return spot.beside
    return spot.held


_QUIETLY: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
