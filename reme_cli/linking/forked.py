"""The same work on many notes, on all cores: by forked processes, which have everything in memory already."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")
R = TypeVar("R")

_WORTH_IT: Final = 1_000
"""Notes; for fewer a process takes longer to start and to tell what it found than the work does."""
_MOST_PROCESSES: Final = 8


def mapped(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """What `work` makes of each item, in order. It must do nothing but read, and use no connection to a database.

    A process with several threads is not forked, for a lock that another one holds would never be free in the copy. Where a
    process fails, its share is done here.
    """
    count = min(_cores(), _MOST_PROCESSES)
    if count < 2 or len(items) < _WORTH_IT or not hasattr(os, "fork") or threading.active_count() > 1:
        yield from map(work, items)
        return
    # dealt out in turn, for the notes of one folder are alike: neither core waits long for the other
    parts = [items[at::count] for at in range(count)]
    # what is there already is neither looked through nor copied in the children
    gc.freeze()
    try:
        children: list[_Child[R]] = [_Child(work, part) for part in parts[1:]]
    finally:
        gc.unfreeze()
    try:
        shares = [list(map(work, parts[0]))]
        for child, part in zip(children, parts[1:], strict=True):
            found = child.result()
            shares.append(list(map(work, part)) if found is None else found)
    finally:
        for child in children:
            child.end()
    for place in range(len(items)):
        yield shares[place % count][place // count]


class _Child(Generic[R]):
    """A copy of this process that does its share and writes what it found into a pipe."""

    def __init__(self, work: Callable[[T], R], part: Sequence[T]) -> None:
        read, write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid: int | None = os.fork()
        if self._pid == 0:  # pragma: no cover  another process
            status = 1
            try:
                os.close(read)
                gc.disable()
                with open(write, "wb") as pipe:
                    pickle.dump(list(map(work, part)), pipe, pickle.HIGHEST_PROTOCOL)
                status = 0
            finally:
                # nothing of the parent's may be ended twice: no buffer written, no connection closed
                os._exit(status)
        os.close(write)
        self._pipe = open(read, "rb")  # noqa: SIM115  closed by `end`

    def result(self) -> list[R] | None:
        """What it found; `None` where it failed."""
        try:
            found: list[R] = pickle.load(self._pipe)  # noqa: S301  our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return found

    def end(self) -> None:
        """Waits for its end; one that is still at work is told to stop by its closed pipe."""
        self._pipe.close()
        pid, self._pid = self._pid, None
        if pid:
            os.waitpid(pid, 0)


def _cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
