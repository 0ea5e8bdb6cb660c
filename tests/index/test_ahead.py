"""Asking an index while another process looks for changes gives what asking a refreshed one gives."""

from __future__ import annotations

import os
import shutil
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import pytest

from reme_cli.config import Config, LinksConfig
from reme_cli.errors import UsageError
from reme_cli.index import look
from reme_cli.index.ahead import ask
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault
from tests.index.contents import contents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"), reason="no process can be forked here"
)


@pytest.fixture(autouse=True)
def _always_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small vaults, and a test runner with threads of its own."""
    monkeypatch.setattr(look, "LARGE_INDEX", 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    """A vault whose index is up to date, with more notes than a pipe holds."""
    vault = vault_of({f"{number}.md": f"note {number}" for number in range(1_500)})
    for file in vault.root.glob("*.md"):
        os.utime(file, ns=(0, 10**18))
    Index.open(vault).close()
    return vault


def paths(index: Index) -> set[str]:
    return {note.path for note in index.notes()}


@contextmanager
def asked(vault: Vault) -> Iterator[list[set[str]]]:
    """What each asking was answered; the last answer is what counts."""
    answers: list[set[str]] = []

    def question(index: Index) -> set[str]:
        answers.append(paths(index))
        return answers[-1]

    assert ask(vault, question) == answers[-1]
    yield answers


def test_where_nothing_changed_it_is_asked_once(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_looking(_: Vault) -> NoReturn:
        os._exit(3)  # this process must not look itself

    here = os.getpid()
    ordinary = Vault.listing
    monkeypatch.setattr(
        Vault, "listing", lambda self: no_looking(self) if os.getpid() == here else ordinary(self)
    )
    with asked(vault) as answers:
        assert [len(answer) for answer in answers] == [1_500]


def test_where_something_changed_it_is_asked_again(vault: Vault) -> None:
    (vault.root / "new.md").write_text("new", encoding="utf-8")
    (vault.root / "7.md").unlink()
    with asked(vault) as answers:
        before, after = answers
        assert after == before - {"7.md"} | {"new.md"}
    with asked(vault) as answers:  # its time is not believed yet, so that nothing is asked too early
        assert answers == [after]


def test_a_look_that_fails_is_done_without(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look, "_look", lambda *_: os._exit(1))
    with asked(vault) as answers:
        assert [len(answer) for answer in answers] == [1_500, 1_500]


def test_a_process_that_cannot_be_started_is_done_without(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> NoReturn:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    with asked(vault) as answers:
        assert [len(answer) for answer in answers] == [1_500]


def test_a_question_that_fails_fails_once_more_and_leaves_no_process(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    fork = os.fork

    def noted() -> int:
        started.append(fork())
        return started[-1]

    monkeypatch.setattr(os, "fork", noted)

    def refuse(_: Index) -> NoReturn:
        raise UsageError("no")

    with pytest.raises(UsageError):
        ask(vault, refuse)
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)


def test_a_small_vault_or_one_core_is_not_worth_a_process(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was started"))
    monkeypatch.setattr(look, "LARGE_INDEX", 10**9)
    assert ask(vault, lambda index: len(paths(index))) == 1_500
    monkeypatch.setattr(look, "LARGE_INDEX", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert ask(vault, lambda index: len(paths(index))) == 1_500


def test_where_every_note_is_gone_nothing_is_found(vault: Vault) -> None:
    for file in vault.root.glob("*.md"):
        file.unlink()
    with asked(vault) as answers:
        assert answers[-1] == set()


def test_where_a_change_is_expected_it_is_asked_once(vault: Vault) -> None:
    (vault.root / "7.md").write_text("just now", encoding="utf-8")
    Index.open(vault).close()  # the time is not believed: it will be read again
    (vault.root / "7.md").write_text("in time", encoding="utf-8")
    (vault.root / "8.md").unlink()
    with asked(vault) as answers:
        (answer,) = answers
        assert "7.md" in answer
        assert "8.md" not in answer


def test_where_a_note_that_is_read_again_says_the_same_it_is_asked_once(vault: Vault) -> None:
    (vault.root / "7.md").write_text("just now", encoding="utf-8")
    Index.open(vault).close()
    with asked(vault) as answers:
        assert [len(answer) for answer in answers] == [1_500]
    (vault.root / "8.md").unlink()
    with asked(vault) as answers:
        assert [len(answer) for answer in answers] == [1_500, 1_499]


def test_where_only_a_file_came_it_is_asked_again(vault: Vault) -> None:
    (vault.root / "pic.png").touch()
    with asked(vault) as answers:
        assert len(answers) == 2


def test_what_another_process_took_in_meanwhile_is_not_missed(vault: Vault) -> None:
    """Its rows and ours agree in the end, but what was answered early is of before."""
    answers: list[set[str]] = []

    def question(index: Index) -> set[str]:
        answers.append(paths(index))
        if len(answers) == 1:
            (vault.root / "new.md").write_text("new", encoding="utf-8")
            os.utime(vault.root / "new.md", ns=(0, 10**18))
            Index.open(vault).close()
        return answers[-1]

    assert "new.md" in ask(vault, question)
    with Index.open(vault) as index:
        assert "new.md" in paths(index)


def test_where_too_much_differs_to_be_told_this_process_looks_itself(vault: Vault) -> None:
    for number in range(600):
        (vault.root / f"{number}.md").write_text("another", encoding="utf-8")
    assert ask(vault, lambda index: index.refreshed.changed) == 600


def test_what_a_look_tells_is_what_a_refresh_finds(vault: Vault) -> None:
    (vault.root / "7.md").write_text("[[new]] [[pic.png]]", encoding="utf-8")
    (vault.root / "8.md").unlink()
    (vault.root / "new.md").write_text("# New", encoding="utf-8")
    (vault.root / "pic.png").touch()
    for name in ("7.md", "new.md"):
        os.utime(vault.root / name, ns=(0, 10**18 + 1))
    found = ask(vault, lambda index: index.refreshed)
    assert found[:4] == (1_500, 1, 1, 1)
    assert (found.listing, found.files) == (None, 1)  # the other process looked
    with Index.open(vault) as index:
        assert index.refreshed.unchanged  # the fingerprint that it told is the right one
        kept = contents(index)
    shutil.rmtree(vault.metadata())
    with Index.open(vault) as index:
        assert contents(index) == kept


def test_an_index_of_another_configuration_is_not_compared(vault: Vault) -> None:
    other = Vault(vault.root, Config(links=LinksConfig(resolution="literal")))
    assert ask(other, lambda index: index.refreshed.added) == 1_500
