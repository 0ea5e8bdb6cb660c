"""Looking at a large vault in portions, with all cores.

A worker is a process as the index has them (`index.workers`), which opens the index for itself. What it does not answer, this
process looks at itself; the portions are the same.
"""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from reme_cli.index.index import Index
from reme_cli.index.workers import Worker
from reme_cli.lint.portion import portion_of, survey_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from reme_cli.lint.portion import Errand, Portion, Share

    Look = Callable[[Iterable[Share]], Iterator[Portion]]

MANY_BYTES: Final = 3_000_000
"""Of notes to be read. Below, starting processes takes longer than it saves."""
_MOST_WORKERS: Final = 8
_IN_FLIGHT: Final = 2
"""Shares asked of each worker, or answered and not yet taken: bounds memory."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def serve() -> None:
    """The life of a worker: an errand, then shares until the input ends."""
    gc.disable()  # as in `index.workers`
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    errand: Errand = pickle.load(requests)  # noqa: S301  from the process that started this one
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt), Index.beside(errand.vault) as index:
        survey = survey_for(errand, index)
        while True:
            share: Share = pickle.load(requests)  # noqa: S301  as above
            pickle.dump(portion_of(survey, errand, share), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


@contextmanager
def looking(errand: Errand, index: Index, size: int) -> Iterator[Look]:
    """What looks at shares of the notes, in order. `size` is that of all the files, in bytes."""
    here = survey_for(errand, index)
    count = min(cores(), _MOST_WORKERS)
    if size < MANY_BYTES or count < 2 or not sys.executable or not index.has_file:
        yield lambda shares: (portion_of(here, errand, share) for share in shares)
        return
    with ExitStack() as stack:
        idle: SimpleQueue[Worker] = SimpleQueue()
        greeting = pickle.dumps(errand, pickle.HIGHEST_PROTOCOL)
        for _ in range(count):
            worker = Worker(__name__, greeting)
            stack.callback(worker.end)
            idle.put(worker)
        pool = ThreadPoolExecutor(count)
        stack.callback(pool.shutdown, cancel_futures=True)

        def ask(share: Share) -> Portion | None:
            worker = idle.get()
            try:
                answer: Portion | None = worker.ask(share)
                return answer
            finally:
                idle.put(worker)

        def look(shares: Iterable[Share]) -> Iterator[Portion]:
            asked: deque[tuple[Share, Future[Portion | None]]] = deque()
            for share in shares:
                asked.append((share, pool.submit(ask, share)))
                if len(asked) > count * _IN_FLIGHT:
                    yield answered(*asked.popleft())
            while asked:
                yield answered(*asked.popleft())

        def answered(share: Share, future: Future[Portion | None]) -> Portion:
            portion = future.result()
            return portion_of(here, errand, share) if portion is None else portion

        yield look
