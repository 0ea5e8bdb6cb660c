"""What is done when notes were saved, without waiting for any news."""

from __future__ import annotations

import datetime as dt
import os
from typing import TYPE_CHECKING, TypeVar

import pytest

from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.linking.survey import Survey
from reme_cli.vault.vault import Vault
from reme_cli.watch import watcher as watching
from reme_cli.watch.news import Failed, Linked, Many, Removed, Saved, Waiting
from reme_cli.watch.watcher import Watcher, WatchOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from reme_cli.watch.news import News
    from tests.conftest import Outcome

CLUSTER = "digest/wiki/kubernetes.md"
GATEWAY = "digest/wiki/gateway.md"
NOTES = {
    CLUSTER: "---\nname: Kubernetes\n---\nIt queues.\n",
    GATEWAY: "---\nname: Gateway\n---\nIt stands alone.\n",
}
MENTION = "---\nname: Gateway\n---\nIt talks to Kubernetes.\n"
LINKED = f"---\nname: Gateway\n---\nIt talks to [[{CLUSTER}|Kubernetes]].\n"

EAGER = WatchOptions(threshold="eager")
"""How names are weighed is tested elsewhere."""

T = TypeVar("T")


class Desk:
    """A watcher on a vault, and what it tells."""

    def __init__(self, root: Path, options: WatchOptions) -> None:
        self.root = root
        self.news: list[News] = []
        self.warnings: list[str] = []
        self.watcher = Watcher(self._open, options, self.news.append, warn=self.warnings.append)

    def _open(self) -> Vault:
        return Vault(self.root, load_config(self.root, {}, None).config)

    def save(self, path: str, text: str) -> None:
        """Writes a note and lets the watcher attend to it."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
        self.attend(path)

    def attend(self, *paths: str) -> None:
        self.news.clear()
        self.watcher.attend(paths)

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def told(self, kind: type[T]) -> list[T]:
        return [news for news in self.news if isinstance(news, kind)]


@pytest.fixture
def desk_on(make_vault: Callable[..., Path]) -> Iterator[Callable[..., Desk]]:
    """Makes a desk on a vault of these files."""
    opened: list[Desk] = []

    def make(files: dict[str, str] | None = None, options: WatchOptions = EAGER) -> Desk:
        desk = Desk(make_vault({**NOTES, **(files or {})}), options)
        opened.append(desk)
        return desk

    yield make
    for desk in opened:
        with desk.watcher:
            pass


def test_a_saved_note_is_checked_and_linked(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save(GATEWAY, MENTION.replace("alone", "") + "See [[nowhere]].\n")
    assert desk.text(GATEWAY) == LINKED + "See [[nowhere]].\n"
    (saved,) = desk.told(Saved)
    assert "broken-link" in {finding.rule for finding in saved.report.findings}
    assert {finding.path for finding in saved.report.findings} == {GATEWAY}
    (linked,) = desk.told(Linked)
    assert linked.report.changed == [GATEWAY]


def test_where_nothing_can_be_written_that_is_told_once(desk_on: Callable[..., Desk]) -> None:
    """And again once something could; what is found in the notes is told every time."""
    desk = desk_on()
    lock = desk.root / "metadata/lock"
    lock.mkdir()
    desk.save(GATEWAY, MENTION)
    assert [type(news) for news in desk.news] == [Saved, Failed]
    assert str(lock) in desk.told(Failed)[0].what
    desk.save(GATEWAY, MENTION + "More.\n")
    assert [type(news) for news in desk.news] == [Saved]
    assert desk.text(GATEWAY) == MENTION + "More.\n"
    lock.rmdir()
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == LINKED
    lock.unlink()
    lock.mkdir()
    desk.save("digest/wiki/other.md", MENTION)
    assert [type(news) for news in desk.news] == [Saved, Failed]


def test_its_own_write_is_no_save(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save(GATEWAY, MENTION)
    desk.attend(GATEWAY)
    assert desk.news == []


def test_what_another_run_of_reme_wrote_is_no_save(
    desk_on: Callable[..., Desk], reme: Callable[..., Outcome]
) -> None:
    """Such as a second watcher, or a dream, whose notes are linked by its own follow-ups."""
    desk = desk_on()
    (desk.root / GATEWAY).write_text(MENTION)
    assert reme("auto_link", "threshold=eager", vault=desk.root).code == 0
    desk.attend(GATEWAY)
    assert desk.news == []


@pytest.mark.parametrize("how", ["by hand", "by undo", "by an editor that has the old text"])
def test_a_link_that_was_taken_out_is_not_put_in_again(
    desk_on: Callable[..., Desk], reme: Callable[..., Outcome], how: str
) -> None:
    desk = desk_on()
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == LINKED
    if how == "by undo":
        assert reme("undo", vault=desk.root).code == 0
        desk.attend(GATEWAY)
        assert (desk.text(GATEWAY), desk.news) == (MENTION, [])
    else:
        desk.save(GATEWAY, MENTION)
        assert desk.text(GATEWAY) == MENTION
    desk.save(GATEWAY, MENTION + "More.\n")
    assert desk.text(GATEWAY) == MENTION + "More.\n"


def test_a_later_watcher_knows_it_too(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save(GATEWAY, MENTION)
    later = Desk(desk.root, EAGER)
    with later.watcher:
        later.save(GATEWAY, MENTION + "More.\n")
        assert later.text(GATEWAY) == MENTION + "More.\n"


def test_a_new_mention_is_linked_after_the_next_save(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save(GATEWAY, MENTION)
    desk.save("digest/wiki/prometheus.md", "---\nname: Prometheus\n---\nIt slows.\n")
    desk.save(GATEWAY, LINKED + "And to Prometheus.\n")
    assert desk.text(GATEWAY) == LINKED + "And to [[digest/wiki/prometheus.md|Prometheus]].\n"


def test_lint_only_writes_nothing(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on(options=EAGER._replace(links=False))
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == MENTION
    assert len(desk.told(Saved)) == len(desk.news) == 1


def test_a_dry_run_shows_the_diff(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on(options=EAGER._replace(dry_run=True))
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == MENTION
    (linked,) = desk.told(Linked)
    assert f"+It talks to [[{CLUSTER}|Kubernetes]]." in linked.report.diff
    assert not (desk.root / "metadata" / "audit").exists()


def test_a_note_that_an_editor_has_open_is_linked_when_it_is_closed(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    marker = desk.root / "digest/wiki/.gateway.md.swp"
    marker.touch()
    desk.save(GATEWAY, MENTION)
    assert desk.told(Waiting) == [Waiting(GATEWAY, marker.name)]
    desk.news.clear()
    desk.watcher.link()
    assert (desk.news, desk.text(GATEWAY)) == ([], MENTION)
    marker.unlink()
    desk.watcher.link()
    assert desk.text(GATEWAY) == LINKED


def test_a_save_in_the_same_tick_and_of_the_same_size_is_seen(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on({"digest/wiki/prometheus.md": "---\nname: Prometheus\n---\n"}, EAGER._replace(links=False))
    place = desk.root / GATEWAY
    for word in ("one", "two", "six"):
        place.write_text(f"# Gateway\n\n{word}\n")
        os.utime(place, ns=(10**18, 10**18))
        desk.attend(GATEWAY)
        assert [saved.path for saved in desk.told(Saved)] == [GATEWAY]
    desk.attend(GATEWAY)
    assert desk.news == []


def test_a_note_that_changes_while_the_vault_is_read_is_left_for_its_next_news(
    desk_on: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_on()

    def survey(vault: Vault, index: Index) -> Survey:
        (desk.root / GATEWAY).write_text(MENTION + "Half a sen")
        return Survey(vault, index)

    monkeypatch.setattr("reme_cli.watch.watcher.Survey", survey)
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == MENTION + "Half a sen"
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == LINKED


def test_today_is_not_linked(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    today = desk.watcher.vault.today()
    before = today - dt.timedelta(2)
    for day in (today, before):
        desk.save(f"daily/{day}.md", "We asked Kubernetes.\n")
    assert desk.text(f"daily/{today}.md") == "We asked Kubernetes.\n"
    assert desk.text(f"daily/{before}.md") == f"We asked [[{CLUSTER}|Kubernetes]].\n"


def test_a_note_that_goes_is_told(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    (desk.root / GATEWAY).unlink()
    desk.attend(GATEWAY)
    assert desk.news == [Removed(GATEWAY)]


def test_a_folder_that_was_moved_is_checked_but_not_linked(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on({"digest/wiki/a/one.md": "Kubernetes.\n"})
    (desk.root / "digest/wiki/a").rename(desk.root / "digest/wiki/b")
    desk.attend("")
    assert [saved.path for saved in desk.told(Saved)] == ["digest/wiki/b/one.md"]
    assert desk.told(Removed) == [Removed("digest/wiki/a/one.md")]
    assert desk.text("digest/wiki/b/one.md") == "Kubernetes.\n"


def test_a_checkout_is_only_taken_into_the_index(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    for number in range(watching.MANY + 1):
        (desk.root / f"digest/wiki/n{number}.md").write_text("Kubernetes.\n")
    desk.attend(*(f"digest/wiki/n{number}.md" for number in range(watching.MANY + 1)))
    assert desk.news == [Many(watching.MANY + 1, 0, 0)]
    with Index.open(desk.watcher.vault) as index:
        assert index.refreshed.unchanged
    assert desk.text("digest/wiki/n0.md") == "Kubernetes.\n"
    desk.save("digest/wiki/n0.md", "Kubernetes, again.\n")
    assert desk.text("digest/wiki/n0.md") == f"[[{CLUSTER}|Kubernetes]], again.\n"


def test_a_note_that_cannot_be_read_is_told_and_comes_back(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    (desk.root / GATEWAY).write_bytes(b"\xff\xfe")
    desk.attend(GATEWAY)
    assert [saved.path for saved in desk.told(Saved)] == [GATEWAY]
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == LINKED


@pytest.mark.parametrize("path", ["digest/wiki/nowhere.md", ".hidden.md", "a\nb.md", "prompts/x.md", ""])
def test_news_of_what_is_no_note(desk_on: Callable[..., Desk], path: str) -> None:
    desk = desk_on()
    desk.attend(path)
    assert desk.news == []


def test_an_ignored_note_stays_out(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on({"vault.yaml": "ignore: [templates/]\n"})
    desk.save("templates/day.md", "Kubernetes.\n")
    assert (desk.news, desk.text("templates/day.md")) == ([], "Kubernetes.\n")


def test_a_new_configuration_counts(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save("vault.yaml", "ignore: [digest/wiki/gateway.md]\n")
    assert desk.told(Removed) == [Removed(GATEWAY)]


def test_a_wrong_configuration_leaves_the_one_before(desk_on: Callable[..., Desk]) -> None:
    desk = desk_on()
    desk.save("vault.yaml", "ignroe: []\n")
    (failed,) = desk.told(Failed)
    assert "vault.yaml:1" in failed.what
    desk.save(GATEWAY, MENTION)
    assert desk.text(GATEWAY) == LINKED


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_other_byte_stays(desk_on: Callable[..., Desk], newline: str) -> None:
    desk = desk_on()
    text = f"\ufeff# 网关{newline}{newline}Kubernetes. \t{newline}no end"
    desk.save("digest/wiki/网关.md", text)
    assert desk.text("digest/wiki/网关.md") == text.replace("Kubernetes", f"[[{CLUSTER}|Kubernetes]]")
