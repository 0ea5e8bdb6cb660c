"""One writer at a time; a lock never outlives its process, and says who holds it."""

from __future__ import annotations

import os
import threading
import time
import warnings
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import lock
from reme_cli.changeset.lock import run_lock, vault_lock
from reme_cli.changeset.state import write_state
from reme_cli.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


def forked() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the worker of a parallel test run has threads
        return os.fork()


def in_another_process(work: Callable[[], None]) -> str:
    """The name of the error that the work raises in a process of its own; empty for none."""
    read, write = os.pipe()
    child = forked()
    if child == 0:
        result = ""
        try:
            work()
        except Busy as error:
            result = f"Busy {error}"
        finally:
            os.write(write, result.encode())
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as answer:
        return answer.read()


def take(vault: Vault) -> None:
    with vault_lock(vault, timeout=0.05):
        pass


def test_another_process_waits_and_gives_up(vault: Vault) -> None:
    with vault_lock(vault):
        assert "another reme process holds the write lock" in in_another_process(lambda: take(vault))
    assert in_another_process(lambda: take(vault)) == ""


def test_another_thread_waits(vault: Vault) -> None:
    order: list[str] = []

    def other() -> None:
        with vault_lock(vault):
            order.append("other")

    with vault_lock(vault):
        thread = threading.Thread(target=other)
        thread.start()
        time.sleep(0.05)
        order.append("first")
    thread.join()
    assert order == ["first", "other"]


def test_the_holder_may_enter_again_and_still_holds_it(vault: Vault) -> None:
    with vault_lock(vault):
        write_state(vault, ("queue", "jobs.json"), b"{}")
        assert in_another_process(lambda: take(vault)).startswith("Busy")
    assert in_another_process(lambda: take(vault)) == ""


def test_a_lock_is_released_when_the_work_fails(vault: Vault) -> None:
    with pytest.raises(RuntimeError), vault_lock(vault):
        raise RuntimeError
    assert in_another_process(lambda: take(vault)) == ""


def test_a_lock_file_that_somebody_removed_does_not_let_two_in(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Removed just before it is locked: the next process would lock a new file of that name."""
    real = lock._try_lock
    removals = [vault.root / "metadata/lock"]

    def remove_first(descriptor: int) -> bool:
        if removals:
            removals.pop().unlink()
        return real(descriptor)

    monkeypatch.setattr(lock, "_try_lock", remove_first)
    with vault_lock(vault):
        assert in_another_process(lambda: take(vault)).startswith("Busy")


def test_a_run_lock_says_who_has_it(vault: Vault) -> None:
    def try_it() -> None:
        with run_lock(vault, "dream", wait=False):
            pass

    with run_lock(vault, "dream", command="auto_dream"):
        told = in_another_process(try_it)
        assert f"process {os.getpid()} on " in told
        assert "`auto_dream`" in told
        # Writes go on while a long run is at work.
        assert in_another_process(lambda: take(vault)) == ""
    assert in_another_process(try_it) == ""


def test_a_killed_process_holds_nothing(vault: Vault) -> None:
    child = forked()
    if child == 0:
        with run_lock(vault, "dream"), vault_lock(vault):
            os._exit(9)
    os.waitpid(child, 0)
    with run_lock(vault, "dream", wait=False), vault_lock(vault, timeout=0):
        pass
