"""The same work on many notes, on all cores: by forked processes, which have everything in memory already."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

T = TypeVar("T")
R = TypeVar("R")

_WORTH_IT: Final = 1_000
"""Notes; for fewer a process takes longer to start and to tell what it found than the work does."""
_MOST_PROCESSES: Final = 8
_AT_ONCE: Final = 32
"""Notes about which a process tells at once. What it found and nobody has taken yet is no more than that and a full pipe."""
_PIPE_BYTES: Final = 1 << 20
"""As much as Linux gives without being asked by root: so far a process may be ahead of the one that takes what it found."""


@contextmanager
def mapped(work: Callable[[T], R], items: Sequence[T]) -> Iterator[Iterator[R]]:
    """What `work` makes of each item, in order; processes are at it from the beginning of the block to its end.

    It must do nothing but read, and use no connection to a database. A process with several threads is not forked, for a lock
    that another one holds would never be free in the copy. Where a process fails, its share is done here.
    """
    count = min(_cores(), _MOST_PROCESSES)
    if count < 2 or len(items) < _WORTH_IT or not hasattr(os, "fork") or threading.active_count() > 1:
        yield map(work, items)
        return
    children: list[_Child[T, R]] = []
    try:
        # what is there already is neither looked through nor copied in the children
        gc.freeze()
        try:
            for number in range(count):
                children.append(_Child(work, items[number * _AT_ONCE :], count, children))
        finally:
            gc.unfreeze()
        yield _in_order(work, items, children)
    finally:
        for child in children:
            child.close()
        for child in children:
            child.wait()


def _in_order(work: Callable[[T], R], items: Sequence[T], children: Sequence[_Child[T, R]]) -> Iterator[R]:
    # dealt out in turn, for the notes of one folder are alike: no process waits long for another
    for turn, at in enumerate(range(0, len(items), _AT_ONCE)):
        found = children[turn % len(children)].result()
        yield from map(work, items[at : at + _AT_ONCE]) if found is None else found


class _Child(Generic[T, R]):
    """A copy of this process that does its share, which begins with the first of some items, and writes what it found into a pipe."""

    def __init__(
        self, work: Callable[[T], R], items: Sequence[T], count: int, others: Sequence[_Child[T, R]]
    ) -> None:
        read, write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid: int | None = None
        self._pipe: BinaryIO | None = None
        try:
            self._pid = os.fork()
        except OSError:  # no process is to be had
            os.close(read)
            os.close(write)
            return
        if self._pid == 0:  # pragma: no cover  another process
            status = 1
            try:
                # while a pipe can be read here, nobody who writes into it finds that it is closed
                os.close(read)
                for other in others:
                    other.close()
                gc.disable()
                with open(write, "wb") as pipe:
                    for at in range(0, len(items), count * _AT_ONCE):
                        found = list(map(work, items[at : at + _AT_ONCE]))
                        pickle.dump(found, pipe, pickle.HIGHEST_PROTOCOL)
                        pipe.flush()
                status = 0
            finally:
                # nothing of the parent's may be ended twice: no buffer written, no connection closed
                os._exit(status)
        os.close(write)
        self._pipe = open(read, "rb")  # noqa: SIM115  closed by `close`
        _widen(read)

    def result(self) -> list[R] | None:
        """What it found in the next items of its share; `None` where it failed, now or before."""
        if self._pipe is None:
            return None
        try:
            found: list[R] = pickle.load(self._pipe)  # noqa: S301  our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            self.close()
            return None
        return found

    def close(self) -> None:
        """Takes nothing from it any more; one that is still at work is told to stop by its closed pipe."""
        pipe, self._pipe = self._pipe, None
        if pipe:
            pipe.close()

    def wait(self) -> None:
        """Waits for its end."""
        pid, self._pid = self._pid, None
        if pid:
            os.waitpid(pid, 0)


def _widen(pipe: int) -> None:
    """Lets a pipe hold more, where that can be asked for."""
    if sys.platform == "linux":
        import fcntl

        try:
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
        except OSError:
            return  # a smaller one does, too


def _cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1
