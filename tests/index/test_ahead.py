"""Asking an index while another process looks for changes gives what asking a refreshed one gives."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import pytest

from reme_cli.errors import UsageError
from reme_cli.index import ahead
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or not hasattr(os, "sched_getaffinity"), reason="no process can be forked here"
)


@pytest.fixture(autouse=True)
def _always_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small vaults, and a test runner with threads of its own."""
    monkeypatch.setattr(ahead, "LARGE_VAULT", 1)
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

    assert Index.ask(vault, question) == answers[-1]
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
    monkeypatch.setattr(ahead, "_look", lambda *_: os._exit(1))
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
        Index.ask(vault, refuse)
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)


def test_a_small_vault_or_one_core_is_not_worth_a_process(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was started"))
    monkeypatch.setattr(ahead, "LARGE_VAULT", 2_000)
    assert Index.ask(vault, lambda index: len(paths(index))) == 1_500
    monkeypatch.setattr(ahead, "LARGE_VAULT", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert Index.ask(vault, lambda index: len(paths(index))) == 1_500


def test_where_every_note_is_gone_nothing_is_found(vault: Vault) -> None:
    for file in vault.root.glob("*.md"):
        file.unlink()
    with asked(vault) as answers:
        assert answers[-1] == set()


def test_where_a_change_is_expected_it_is_asked_once(vault: Vault) -> None:
    (vault.root / "7.md").write_text("just now", encoding="utf-8")
    Index.open(vault).close()  # the time is not believed: it will be read again
    (vault.root / "8.md").unlink()
    with asked(vault) as answers:
        (answer,) = answers
        assert "7.md" in answer
        assert "8.md" not in answer
