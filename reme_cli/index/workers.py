"""Reading many notes with all cores.

A worker is a Python process of its own that answers batches of paths with documents, over its standard streams. It is started
by name and not forked, because the caller may have threads, and it ends when its input ends, so that none outlives a caller that
was killed. Where processes cannot be started, or one dies, its notes are read here.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
from collections import deque
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, cast

from reme_cli.index.reading import read_here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from typing import BinaryIO

    from reme_cli.index.reading import Answer, Question
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

_BATCH: Final = 32
_IN_FLIGHT: Final = 4
"""Batches asked of each worker, or answered and not yet taken: bounds memory."""
_PIPE_BYTES: Final = 1 << 20
"""Holds the answers to several batches, so that a worker reads on while the process that writes is busy. As much as Linux allows."""
_FAILURES: Final = (OSError, EOFError, pickle.UnpicklingError)


def serve() -> None:
    """The life of a worker: a vault and its names, then batches of questions until the input ends."""
    # A note's rows hold no cycles, and this process ends soon; looking for cycles takes a sixth of its time.
    gc.disable()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    vault, names = pickle.load(requests)  # noqa: S301  from the process that started this one
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            questions: Sequence[Question] = pickle.load(requests)  # noqa: S301  as above
            pickle.dump(list(read_here(vault, names, questions)), answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()


def read_in_parallel(
    vault: Vault, names: Names | None, questions: Sequence[Question], count: int
) -> Iterator[Answer]:
    """What `reading.read_here` gives, read by so many processes."""
    # here, since a worker imports this module and starts no threads
    from concurrent.futures import ThreadPoolExecutor

    with ExitStack() as stack:
        idle: SimpleQueue[Worker] = SimpleQueue()
        greeting = pickle.dumps((vault, names), pickle.HIGHEST_PROTOCOL)
        for _ in range(count):
            worker = Worker(__name__, greeting)
            stack.callback(worker.end)
            idle.put(worker)
        pool = ThreadPoolExecutor(count)
        stack.callback(pool.shutdown, cancel_futures=True)

        def ask(batch: Sequence[Question]) -> list[Answer] | None:
            worker = idle.get()
            try:
                answers: list[Answer] | None = worker.ask(batch)
                return answers
            finally:
                idle.put(worker)

        asked: deque[tuple[Sequence[Question], Future[list[Answer] | None]]] = deque()
        for at in range(0, len(questions), _BATCH):
            batch = questions[at : at + _BATCH]
            asked.append((batch, pool.submit(ask, batch)))
            if len(asked) > count * _IN_FLIGHT:
                yield from _answers(vault, names, *asked.popleft())
        for batch, future in asked:
            yield from _answers(vault, names, batch, future)


def _answers(
    vault: Vault, names: Names | None, batch: Sequence[Question], future: Future[list[Answer] | None]
) -> Iterable[Answer]:
    answers = future.result()
    return read_here(vault, names, batch) if answers is None else answers


class Worker:
    """A process that runs the `serve` of a module: it unpickles a greeting, then questions, and pickles an answer to each."""

    def __init__(self, module: str, greeting: bytes) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        # sent with the first questions: it fills the pipe until the worker reads, and all of them are to start at once
        self._greeting = greeting
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"from {module} import serve; serve()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # the worker finds its modules where this process found them
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        except OSError:
            self.end()
        else:
            _widen(cast("BinaryIO", self._process.stdout))

    def ask(self, questions: object) -> Any:
        """The answers to the questions; `None` from a worker that is dead."""
        process = self._process
        if process is None:
            return None
        try:
            self._send(questions)
            return pickle.load(cast("BinaryIO", process.stdout))  # noqa: S301  our own worker
        except _FAILURES:
            self.end()
            return None

    def end(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()

    def _send(self, value: object) -> None:
        assert self._process is not None
        stream = cast("BinaryIO", self._process.stdin)
        stream.write(self._greeting)
        self._greeting = b""
        pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
        stream.flush()


def _widen(pipe: BinaryIO) -> None:
    """Makes a pipe hold `_PIPE_BYTES` where the system lets it."""
    if sys.platform == "linux":
        from fcntl import F_SETPIPE_SZ, fcntl  # not every system has the module

        with suppress(OSError):
            fcntl(pipe, F_SETPIPE_SZ, _PIPE_BYTES)
