"""Work on all cores gives what work on one gives."""

from __future__ import annotations

import os

import pytest

from reme_cli.linking import forked
from reme_cli.linking.forked import mapped


@pytest.fixture
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "_WORTH_IT", 4)
    monkeypatch.setattr(forked, "_cores", lambda: 2)


@pytest.mark.usefixtures("_two_cores")
@pytest.mark.parametrize("count", [3, 4, 101])
def test_in_order(count: int) -> None:
    assert list(mapped(lambda number: number * number, range(count))) == [n * n for n in range(count)]


@pytest.mark.usefixtures("_two_cores")
def test_the_share_of_a_process_that_dies_is_done_here() -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != here:
            os._exit(1)
        return number

    assert list(mapped(work, range(10))) == list(range(10))
