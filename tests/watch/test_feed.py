"""News of changed files: from the system, and from looking at all of them."""

from __future__ import annotations

import errno
import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from reme_cli.watch import native
from reme_cli.watch.feed import POLL_SECONDS, SOMETHING, Polling, open_feed
from reme_cli.watch.native import Native
from tests.conftest import LONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reme_cli.vault.vault import Vault
    from reme_cli.watch.feed import Feed


def news_until(feed: Feed, wanted: set[str]) -> set[str]:
    """What comes until all that is wanted has come."""
    news: set[str] = set()
    end = time.monotonic() + LONG
    while not wanted <= news and time.monotonic() < end:
        news |= feed.wait(0.5)
    return news


class Clock:
    """A clock that goes on by sleeping only."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    return vault_of({"a.md": "a\n", "sub/b.md": "b\n", "metadata/cache/x": "", ".git/index": ""})


@pytest.fixture
def system(vault: Vault) -> Iterator[Native]:
    feed = Native(vault, warn=print)
    yield feed
    feed.close()


def rename_over(root: Path) -> None:
    (root / ".a.tmp").write_text("new\n")
    (root / ".a.tmp").replace(root / "a.md")


CHANGES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "written": (lambda root: (root / "sub/b.md").write_text("more\n"), {"sub/b.md"}),
    "renamed over": (rename_over, {"a.md"}),
    "renamed": (lambda root: (root / "a.md").rename(root / "c.md"), {"a.md", "c.md"}),
    "removed": (lambda root: (root / "a.md").unlink(), {"a.md"}),
    "in NFD": (lambda root: (root / "cafe\u0301.md").write_text("x\n"), {"café.md"}),
    "an attachment": (lambda root: (root / "sub/x.png").write_bytes(b"x"), {SOMETHING}),
    "the configuration": (lambda root: (root / "vault.yaml").write_text("language: zh\n"), {"vault.yaml"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_system_tells(vault: Vault, system: Native, name: str) -> None:
    change, wanted = CHANGES[name]
    change(vault.root)
    assert news_until(system, wanted) <= wanted
    assert system.is_well()


def test_the_system_tells_of_a_folder_and_what_is_saved_in_it_later(vault: Vault, system: Native) -> None:
    (vault.root / "sub").rename(vault.root / "new")
    assert SOMETHING in news_until(system, {SOMETHING})
    (vault.root / "new/b.md").write_text("more\n")
    assert "new/b.md" in news_until(system, {"new/b.md"})


def test_the_system_is_not_asked_about_reading_and_what_holds_no_notes(vault: Vault, system: Native) -> None:
    vault.read("a.md")
    for path in ("metadata/cache/x", ".git/index", "metadata/new.md", ".hidden.md"):
        (vault.root / path).write_text("changed\n")
    (vault.root / "a.md").write_text("last\n")
    assert news_until(system, {"a.md"}) == {"a.md"}


def test_a_root_that_goes_makes_it_unwell(vault: Vault, system: Native) -> None:
    shutil.rmtree(vault.root)
    end = time.monotonic() + LONG
    while system.is_well() and time.monotonic() < end:
        system.wait(0.1)
    assert not system.is_well()


@pytest.mark.parametrize("name", CHANGES)
def test_looking_tells_the_same(vault: Vault, name: str) -> None:
    for path in ("a.md", "sub/b.md", "vault.yaml"):
        os.utime(vault.root / path, ns=(10**18, 10**18))
    clock = Clock()
    feed = Polling(vault, clock=clock, sleep=clock.sleep)
    change, wanted = CHANGES[name]
    change(vault.root)
    assert feed.wait(POLL_SECONDS / 2) == set()
    assert feed.wait(POLL_SECONDS) == wanted
    assert clock.now == POLL_SECONDS


def test_looking_does_not_believe_a_time_of_just_now(vault: Vault) -> None:
    """On a drive that keeps times to two seconds a second save may leave size and time as they were."""
    clock = Clock()
    tick = time.time_ns()
    for path in ("a.md", "sub/b.md"):
        os.utime(vault.root / path, ns=(10**18, 10**18))
    os.utime(vault.root / "a.md", ns=(tick, tick))
    feed = Polling(vault, clock=clock, sleep=clock.sleep)
    (vault.root / "a.md").write_text("b\n")
    os.utime(vault.root / "a.md", ns=(tick, tick))
    assert feed.wait(POLL_SECONDS) == {"a.md"}
    ahead = tick + 10**13
    os.utime(vault.root / "a.md", ns=(ahead, ahead))
    feed.wait(POLL_SECONDS)
    assert feed.wait(POLL_SECONDS) == set()


def test_looking_outlives_a_vault_that_is_gone(vault: Vault) -> None:
    clock = Clock()
    feed = Polling(vault, clock=clock, sleep=clock.sleep)
    vault.root.rename(vault.root.with_name("elsewhere"))
    assert feed.wait(POLL_SECONDS) == set()
    vault.root.with_name("elsewhere").rename(vault.root)
    (vault.root / "new.md").write_text("new\n")
    assert "new.md" in feed.wait(POLL_SECONDS)


@pytest.mark.parametrize(
    ("code", "mending"),
    [
        (errno.ENOSPC, "; `sudo sysctl fs.inotify.max_user_watches=16` allows more"),
        (errno.EMFILE, "; `sudo sysctl fs.inotify.max_user_instances=16` allows more"),
        (errno.EIO, ""),
    ],
)
def test_where_the_system_refuses_all_files_are_looked_at(
    vault: Vault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, mending: str
) -> None:
    """What, where, and how to mend it."""

    def refuse(_observer: object) -> None:
        raise OSError(code, os.strerror(code))

    for name in native.LIMITS.values():
        (tmp_path / name).write_text("8\n")
    monkeypatch.setattr(native, "LIMITS_FOLDER", tmp_path)
    monkeypatch.setattr("watchdog.observers.Observer.start", refuse)
    told: list[str] = []
    assert open_feed(vault, polling=False, warn=told.append).by == "polling"
    (line,) = told
    assert line == (
        f"{vault.root}: the system cannot watch so many folders ({os.strerror(code)}):"
        f" all files are looked at every few seconds instead{mending}"
    )


def test_a_limit_that_the_system_does_not_tell_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "LIMITS_FOLDER", tmp_path)
    assert native.raising(errno.ENOSPC) == ""


def test_where_watches_run_out_all_files_are_looked_at(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the start, or when folders come."""
    feed = Native(vault, warn=print)
    try:
        monkeypatch.setattr(native, "has_free_watch", lambda: False)
        assert feed.is_well()
        (vault.root / "new").mkdir()
        news_until(feed, {SOMETHING})
        assert not feed.is_well()
    finally:
        feed.close()
    told: list[str] = []
    assert open_feed(vault, polling=False, warn=told.append).by == "polling"
    assert len(told) == 1


def test_this_system_has_watches_left() -> None:
    assert native.has_free_watch()


def test_without_watchdog_all_files_are_looked_at(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "reme_cli.watch.native", None)
    told: list[str] = []
    assert open_feed(vault, polling=False, warn=told.append).by == "polling"
    assert told
    assert open_feed(vault, polling=True, warn=told.append).by == "polling"
    assert len(told) == 1
