"""Turn after turn, with news that are only told."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.errors import Busy, VaultUnwritable
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault
from reme_cli.watch.attendance import IDLE_SECONDS, LOOK_SECONDS, Attendance
from reme_cli.watch.news import Failed, Removed, Saved, Watching
from reme_cli.watch.watcher import Watcher, WatchOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reme_cli.index.rows import Refreshed
    from reme_cli.watch.news import News

QUIET = 3.0


class Post:
    """News and a clock in the hands of a test; waiting is what moves the clock."""

    by = "events"

    def __init__(self) -> None:
        self.now = 0.0
        self.news: set[str] = set()
        self.well = True
        self.opened = 0
        self.waits = 0

    def clock(self) -> float:
        return self.now

    def open(self, _vault: Vault) -> Post:
        self.opened += 1
        self.well = True
        return self

    def wait(self, seconds: float) -> set[str]:
        self.waits += 1
        if not self.news:
            self.now += seconds
        news, self.news = self.news, set()
        return news

    def is_well(self) -> bool:
        return self.well

    def close(self) -> None:
        """Nothing is open."""


class Scene:
    """An attendance and what it tells."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.post = Post()
        self.news: list[News] = []
        self.warnings: list[str] = []
        self.watcher = Watcher(
            lambda: Vault(root, Config()), WatchOptions(), self.news.append, warn=self.warnings.append
        )
        self.attendance = Attendance(
            self.watcher, self.news.append, quiet=QUIET, feed=self.post.open, clock=self.post.clock
        )
        self.pass_time(60)
        assert self.take() == [Watching(str(self.watcher.vault.root), 1, "events")]

    def pass_time(self, seconds: float) -> None:
        """Turns without further news."""
        end = self.post.now + seconds
        while self.post.now < end:
            self.attendance.turn()

    def take(self) -> list[News]:
        news = self.news[:]
        self.news.clear()
        return news

    def saved(self) -> list[str]:
        return [news.path for news in self.take() if isinstance(news, Saved)]


@pytest.fixture
def scene(make_vault: Callable[..., Path]) -> Iterator[Scene]:
    made = Scene(make_vault({"a.md": "# A\n"}))
    with made.watcher, made.attendance:
        yield made


def test_a_save_is_attended_to_once_it_is_quiet(scene: Scene) -> None:
    (scene.root / "a.md").write_text("# B\n")
    scene.post.news = {"a.md"}
    scene.pass_time(IDLE_SECONDS)
    assert scene.take() == []
    scene.pass_time(QUIET)
    assert scene.saved() == ["a.md"]
    scene.pass_time(60)
    assert scene.take() == []


def test_nothing_is_done_without_news(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_index: Index) -> None:
        raise AssertionError

    monkeypatch.setattr(Index, "refresh", refuse)
    before = scene.post.waits
    scene.pass_time(LOOK_SECONDS / 2)
    assert scene.post.waits - before <= LOOK_SECONDS / 2 / IDLE_SECONDS


def test_what_nobody_told_of_is_found_after_a_while(scene: Scene) -> None:
    (scene.root / "a.md").write_text("# B\n")
    scene.pass_time(LOOK_SECONDS / 2)
    assert scene.saved() == []
    scene.pass_time(LOOK_SECONDS)
    assert scene.saved() == ["a.md"]


def test_a_burst_is_one_refresh(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    refreshed = []
    refresh = Index.refresh

    def counted(index: Index) -> Refreshed:
        refreshed.append(index)
        return refresh(index)

    monkeypatch.setattr(Index, "refresh", counted)
    (scene.root / "a.md").write_text("# B\n")
    for number in range(5000):
        scene.post.news = {f"{number}.md", "a.md"}
        scene.attendance.turn()
        scene.post.now += 0.001
    scene.pass_time(60)
    assert scene.saved() == ["a.md"]
    assert len(refreshed) == 1


def test_what_cannot_be_done_now_is_done_later(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_index: Index) -> None:
        raise Busy("another process holds it")

    (scene.root / "a.md").write_text("# B\n")
    scene.post.news = {"a.md"}
    with monkeypatch.context() as patch:
        patch.setattr(Index, "refresh", refuse)
        scene.pass_time(10)
        assert scene.take() == []
    scene.pass_time(10)
    assert scene.saved() == ["a.md"]


def test_what_does_not_work_is_told_once(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_given: object, **_named: object) -> None:
        raise VaultUnwritable("read-only")

    monkeypatch.setattr("reme_cli.watch.watcher.link_mentions", refuse)
    (scene.root / "a.md").write_text("# B\n")
    scene.post.news = {"a.md"}
    scene.pass_time(60)
    assert [news for news in scene.take() if isinstance(news, Failed)] == [Failed("read-only")]


def test_a_vault_that_goes_and_comes_back(scene: Scene) -> None:
    root = scene.root
    root.rename(root.with_name("elsewhere"))
    scene.pass_time(60)
    (gone,) = scene.take()
    assert isinstance(gone, Failed)
    root.with_name("elsewhere").rename(root)
    (root / "b.md").write_text("# B\n")
    scene.pass_time(10)
    assert scene.saved() == ["b.md"]


def test_a_vault_that_is_replaced_by_another(scene: Scene) -> None:
    root = scene.root
    root.rename(root.with_name("elsewhere"))
    root.mkdir()
    (root / "vault.yaml").touch()
    (root / "b.md").write_text("# B\n")
    scene.pass_time(10)
    news = scene.take()
    assert [type(each) for each in news] == [Watching, Saved, Removed]
    assert scene.post.opened == 2
    shutil.rmtree(root.with_name("elsewhere"))
    (root / "b.md").write_text("# C\n")
    scene.post.news = {"b.md"}
    scene.pass_time(10)
    assert scene.saved() == ["b.md"]


def test_news_that_may_be_missing_are_looked_for(scene: Scene) -> None:
    scene.post.well = False
    (scene.root / "a.md").write_text("# B, of which nothing was told\n")
    scene.pass_time(10)
    assert scene.post.opened == 2
    assert scene.saved() == ["a.md"]
