"""Fixtures for the writer's tests: a vault, and a writer that is stopped or disturbed at a system call."""

from __future__ import annotations

import contextlib
import os
import warnings
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import held, system
from reme_cli.config import Config
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """An empty vault."""
    root = tmp_path / "vault"
    root.mkdir()
    return Vault(root, Config(timezone="Europe/Berlin"))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swapped-out files are let go at once and nothing is flushed: a test need not wait for what a real run waits for."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(held, "SECONDS_HELD", 0.0)
    monkeypatch.setattr(held, "PATIENCE", 0.0)


@pytest.fixture
def watched() -> Callable[[Callable[[int, str, str], None]], contextlib.AbstractContextManager[list[str]]]:
    """Calls a function before the writer's n-th system call (from 1), with the call's name and path."""

    @contextlib.contextmanager
    def watching(act: Callable[[int, str, str], None]) -> Iterator[list[str]]:
        calls: list[str] = []

        def watcher(call: str, path: str) -> None:
            calls.append(call)
            # what the watcher does is not itself watched
            system.watchers.remove(watcher)
            try:
                act(len(calls), call, path)
            finally:
                system.watchers.append(watcher)

        system.watchers.append(watcher)
        try:
            yield calls
        finally:
            system.watchers.remove(watcher)

    return watching


@pytest.fixture
def killed_at() -> Callable[[int, Callable[[], None]], bool]:
    """Runs a function in a process of its own that dies before its n-th system call; says whether it died."""

    def run(number: int, work: Callable[[], None]) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # the worker of a parallel test run has threads
            child = os.fork()
        if child == 0:
            calls = 0

            def watcher(call: str, path: str) -> None:
                nonlocal calls
                calls += 1
                if calls == number:
                    os._exit(9)  # nothing is cleaned up, as with kill -9

            system.watchers.append(watcher)
            code = 1
            try:
                work()
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in {0, 9}, f"the work failed on its own, with {code}"
        return code == 9

    return run
