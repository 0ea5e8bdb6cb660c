"""Work on all cores gives what work on one gives."""

from __future__ import annotations

import os
import threading

import pytest

from reme_cli.linking import forked
from reme_cli.linking.forked import mapped


@pytest.fixture
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "_WORTH_IT", 4)
    monkeypatch.setattr(forked, "_cores", lambda: 2)
    # watchdog never ends the thread that tests of `watch` make it start, if they come first
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.mark.usefixtures("_two_cores")
@pytest.mark.parametrize("count", [3, 4, 101])
def test_in_order(count: int) -> None:
    with mapped(lambda number: number * number, range(count)) as squares:
        assert list(squares) == [n * n for n in range(count)]


@pytest.mark.usefixtures("_two_cores")
def test_the_share_of_a_process_that_dies_is_done_here() -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != here:
            os._exit(1)
        return number

    with mapped(work, range(100)) as found:
        assert list(found) == list(range(100))


@pytest.mark.usefixtures("_two_cores")
def test_what_one_process_fails_at_is_done_here_and_the_rest_is_taken() -> None:
    here = os.getpid()

    def work(number: int) -> tuple[int, bool]:
        if number == 40 and os.getpid() != here:
            os._exit(1)
        return number, os.getpid() == here

    with mapped(work, range(100)) as found:
        told = list(found)
    assert [number for number, _ in told] == list(range(100))
    # dealt out in turn by 32
    assert [number for number, is_here in told if is_here] == [*range(32, 64), *range(96, 100)]


@pytest.mark.usefixtures("_two_cores")
def test_processes_whose_work_is_not_taken_end(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    fork = os.fork

    def counted() -> int:
        started.append(fork())
        return started[-1]

    def work(number: int) -> bytes:
        return bytes(100_000 + number)

    monkeypatch.setattr(os, "fork", counted)
    with mapped(work, range(1_000)) as found:
        # both wait until somebody takes more from their full pipes
        assert len(next(found)) == 100_000
    assert len(started) == 2
    for process in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)


@pytest.mark.usefixtures("_two_cores")
def test_an_error_of_the_work_is_raised_here() -> None:
    with mapped(lambda number: 1 // (50 - number), range(100)) as found, pytest.raises(ZeroDivisionError):
        list(found)


@pytest.mark.usefixtures("_two_cores")
def test_without_processes_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    with mapped(str, range(100)) as found:
        assert list(found) == list(map(str, range(100)))
