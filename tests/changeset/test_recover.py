"""A process killed at any system call leaves a vault that the next command sets right."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import NOTHING, recover
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.graph.conservation import E1, E2, Create, edge_keys
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import ABSENT, stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from reme_cli.vault.vault import Vault

    Killed = Callable[[int, Callable[[], None]], bool]
    Watched = Callable[[Callable[[int, str, str], None]], AbstractContextManager[list[str]]]

MOST_CALLS = 400
PARENT = "digest/wiki/parent.md"
CHILDREN = tuple(f"digest/wiki/children/{name}.md" for name in ("one", "two"))
SOURCES = tuple(f"daily/2026-06-{day}.md" for day in (20, 21))


def fill(vault: Vault, files: dict[str, str]) -> None:
    for path, text in files.items():
        place = vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def empty(vault: Vault) -> None:
    for place in sorted(vault.root.rglob("*"), reverse=True):
        place.rmdir() if place.is_dir() else place.unlink()


def recovering(vault: Vault) -> None:
    recover(vault)


def texts(vault: Vault) -> dict[str, str]:
    return {path: vault.read(path).text for path in vault.note_paths()}


def litter(vault: Vault) -> list[str]:
    """What no finished command leaves behind."""
    found = [path for path in vault.root.rglob("*") if path.name.endswith(".tmp")]
    found += (vault.root / "metadata/journal").glob("*.json")
    return sorted(path.relative_to(vault.root).as_posix() for path in found)


def each_kill(
    vault: Vault, killed_at: Killed, files: dict[str, str], work: Callable[[], None]
) -> Iterator[int]:
    """Kills `work` before each of its system calls in turn, in a vault with these files; ends when it is not killed."""
    for number in range(1, MOST_CALLS):
        empty(vault)
        fill(vault, files)
        died = killed_at(number, work)
        yield number
        if not died:
            return
    pytest.fail(f"not done after {MOST_CALLS} system calls")


def test_one_write_happens_and_is_audited_once_or_not_at_all(
    vault: Vault, killed_at: Killed, impatient: None
) -> None:
    def work() -> None:
        note = vault.read("digest/a.md")
        with start_run(vault, "test") as run:
            ChangeSet(vault, run, [Edit("digest/a.md", "after\n", note.stamp, E1(), unit="u1")]).apply()

    outcomes: Counter[str] = Counter()
    for _ in each_kill(vault, killed_at, {"digest/a.md": "before\n"}, work):
        recover(vault)
        text = vault.read("digest/a.md").text
        written = [line.unit for line in audit.lines(vault) if line.outcome == "written"]
        assert written == (["u1"] if text == "after\n" else [])
        assert litter(vault) == []
        assert recover(vault) == NOTHING
        outcomes[text] += 1
    assert set(outcomes) == {"before\n", "after\n"}


def test_recovery_can_itself_be_killed_anywhere(vault: Vault, killed_at: Killed, impatient: None) -> None:
    def work() -> None:
        note = vault.read("digest/a.md")
        with start_run(vault, "test") as run:
            ChangeSet(
                vault,
                run,
                [
                    Edit("digest/new/b.md", "new\n", ABSENT, Create(), unit="u2"),
                    Edit("digest/a.md", "after\n", note.stamp, E1(), unit="u1"),
                ],
            ).apply()

    seen: Counter[tuple[str, ...]] = Counter()
    for number in each_kill(vault, killed_at, {"digest/a.md": "before\n"}, work):
        for again in range(1, MOST_CALLS):
            if not killed_at(again, lambda: recovering(vault)):
                break
        assert texts(vault) in (
            {"digest/a.md": "before\n"},
            {"digest/a.md": "after\n", "digest/new/b.md": "new\n"},
        ), number
        units = sorted(line.unit or "" for line in audit.lines(vault) if line.outcome == "written")
        assert units == (["u1", "u2"] if len(texts(vault)) == 2 else [])
        assert litter(vault) == []
        assert (vault.root / "digest/new").exists() == (len(texts(vault)) == 2)
        seen[tuple(units)] += 1
    assert len(seen) == 2


@pytest.fixture
def handled() -> Iterator[None]:
    """SIGTERM raises `KeyboardInterrupt`, as Ctrl-C does."""
    before = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def split_files() -> dict[str, str]:
    links = "".join(f"derived_from:: [[{source}]]\n" for source in SOURCES)
    return {PARENT: f"# Parent\n\n{links}", **dict.fromkeys(SOURCES, "a day\n")}


def split(vault: Vault) -> None:
    """A split: two children, each with one of the parent's links, and the parent, which keeps none of them."""
    note = vault.read(PARENT)
    creates = [
        Edit(path, f"derived_from:: [[{source}]]\n\n[[{PARENT}]]\n", ABSENT, Create())
        for path, source in zip(CHILDREN, SOURCES, strict=True)
    ]
    overview = "# Parent\n\n" + "".join(f"[[{path}]]\n" for path in CHILDREN)
    with start_run(vault, "split") as run:
        ChangeSet(vault, run, [Edit(PARENT, overview, note.stamp, E2()), *creates]).apply()


def edges(vault: Vault) -> set[tuple[str, str | None]]:
    names = Names(vault.note_paths())
    return {key for path, text in texts(vault).items() for key in edge_keys(path, text, names)}


def test_a_killed_split_is_complete_or_never_was(vault: Vault, killed_at: Killed, impatient: None) -> None:
    files = split_files()
    seen: Counter[int] = Counter()
    for _ in each_kill(vault, killed_at, files, lambda: split(vault)):
        recover(vault)
        assert {(source, "derived_from") for source in SOURCES} <= edges(vault)
        assert len(texts(vault)) in {len(files), len(files) + len(CHILDREN)}
        assert litter(vault) == []
        seen[len(texts(vault))] += 1
    assert len(seen) == 2


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize("asked", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGTERM]])
def test_an_interrupted_split_leaves_nothing_to_the_next_command(
    vault: Vault, watched: Watched, impatient: None, handled: None, asked: list[signal.Signals]
) -> None:
    """Unlike a killed one: it is complete, or never was, when the process ends; also when it is asked to once more meanwhile."""
    files = split_files()
    seen: Counter[int] = Counter()
    for number in range(1, MOST_CALLS):
        empty(vault)
        fill(vault, files)
        interrupted = False

        def ask(at: int, *_: object, first: int = number) -> None:
            if 0 <= at - first < len(asked):
                signal.raise_signal(asked[at - first])

        with watched(ask) as calls:
            try:
                split(vault)
            except KeyboardInterrupt:
                interrupted = True
        assert interrupted == (len(calls) >= number)
        assert {(source, "derived_from") for source in SOURCES} <= edges(vault)
        assert len(texts(vault)) in {len(files), len(files) + len(CHILDREN)}
        assert litter(vault) == []
        assert (vault.root / CHILDREN[0]).parent.exists() == (len(texts(vault)) > len(files))
        seen[len(texts(vault))] += interrupted
        if not interrupted:
            break
    assert len(seen) == 2
    assert min(seen.values()) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs file leases")
def test_an_interrupted_recovery_tells_of_each_copy_that_it_made(
    vault: Vault, watched: Watched, impatient: None, handled: None
) -> None:
    """What an editor wrote into a file that was swapped out is in one copy, which the audit has once."""
    for number in range(1, MOST_CALLS):
        empty(vault)
        fill(vault, {PARENT: "before\n"})
        with (vault.root / PARENT).open("a") as editor:
            with start_run(vault, "test") as run:
                ChangeSet(vault, run, [Edit(PARENT, "after\n", stamp_of(b"before\n"), E1())]).apply()
            editor.write("late\n")
        interrupted = False
        with watched(
            lambda at, *_, number=number: signal.raise_signal(signal.SIGINT) if at == number else None
        ):
            try:
                recover(vault)
            except KeyboardInterrupt:
                interrupted = True
        rescued = [line.reason for line in audit.lines(vault) if line.outcome == "rescued"]
        assert rescued == sorted(texts(vault).keys() - {PARENT})
        recover(vault)
        (copy,) = texts(vault).keys() - {PARENT}
        assert texts(vault) == {PARENT: "after\n", copy: "before\nlate\n"}
        assert [line.reason for line in audit.lines(vault) if line.outcome == "rescued"] == [copy]
        if not interrupted:
            break
    assert number > 3


@pytest.mark.parametrize("path", [PARENT, CHILDREN[1]])
def test_a_split_whose_note_was_edited_after_the_crash_loses_nothing(
    vault: Vault, killed_at: Killed, impatient: None, path: str
) -> None:
    for _ in each_kill(vault, killed_at, split_files(), lambda: split(vault)):
        place = vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("a") as file:
            file.write("by hand\n")
        recover(vault)
        assert {(source, "derived_from") for source in SOURCES} <= edges(vault)
        assert any("by hand\n" in text for text in texts(vault).values())
        assert litter(vault) == []


def test_a_killed_undo_restores_each_file_or_leaves_it(
    vault: Vault, killed_at: Killed, impatient: None
) -> None:
    paths = [f"digest/{name}.md" for name in "abc"]

    def work() -> None:
        # The run is the same in each process, the undo is what is killed.
        undo(vault)

    for number in range(1, MOST_CALLS):
        empty(vault)
        fill(vault, dict.fromkeys(paths[:2], "before\n"))
        with start_run(vault, "test") as run:
            edits = [Edit(path, "after\n", stamp_of(b"before\n"), E1()) for path in paths[:2]]
            ChangeSet(vault, run, [*edits, Edit(paths[2], "after\n", ABSENT, Create())]).apply()
        died = killed_at(number, work)
        recover(vault)
        now = texts(vault)
        assert set(now.values()) <= {"before\n", "after\n"}
        assert litter(vault) == []
        undone = [line.path for line in audit.lines(vault) if line.command == "undo"]
        assert sorted(undone) == sorted(set(undone))
        assert sorted(undone) == [path for path in paths if now.get(path) != "after\n"]
        if not died:
            assert now == dict.fromkeys(paths[:2], "before\n")
            return


def test_state_files_are_whole_and_leave_no_temporaries(
    vault: Vault, killed_at: Killed, impatient: None
) -> None:
    from reme_cli.changeset.state import read_state, write_state

    place = ("file_catalog", "dream.json")
    for number in range(1, MOST_CALLS):
        empty(vault)
        write_state(vault, place, b"old")
        died = killed_at(number, lambda: write_state(vault, place, b"new"))
        recover(vault)
        assert read_state(vault, place) in ({b"old", b"new"} if died else {b"new"})
        assert litter(vault) == []
        if not died:
            return


def test_a_journal_that_somebody_packed_into_the_vault_writes_nothing_outside(
    vault: Vault, tmp_path: Path
) -> None:
    victim = tmp_path / "victim.md"
    victim.write_text("precious\n")
    (vault.root / "out").symlink_to(tmp_path)
    identity = "20260620T033000-abcdef-1"
    operation: dict[str, object] = {
        "kind": "delete",
        "path": "../victim.md",
        "before": stamp_of(b"precious\n"),
        "after": ABSENT,
        "rule": "drop",
        "unit": None,
        "note": None,
        "edges_added": [],
        "edges_dropped": [],
        "new_folders": [],
    }
    plan = {
        "id": identity,
        "run": "20260620T033000-abcdef",
        "command": "x",
        "time": "2026-06-20T03:30:00.000+02:00",
        "together": True,
        "operations": [operation],
        "undoes": None,
    }
    paths = ("../victim.md", "/etc/hostname", "a\0b.md", ".", "out/victim.md")
    for path, folders in [*((path, []) for path in paths), ("a.md", ["../.."]), ("a.md", ["/"])]:
        operation["path"], operation["new_folders"] = path, folders
        entry = vault.root / f"metadata/journal/{identity}.json"
        entry.parent.mkdir(parents=True, exist_ok=True)
        entry.write_text(json.dumps({"plan": plan}) + "\n" + json.dumps({"commit": [None]}) + "\n")
        assert recover(vault).done == ()
        assert not entry.exists()
        assert victim.read_text() == "precious\n"


@pytest.mark.parametrize(
    "junk", [b"", b"{", b"[]\n", b'{"plan": 1}\n', b"\xff\n", b'{"plan": {"id": "../x"}}\n']
)
def test_a_journal_entry_that_is_not_whole_is_dropped(vault: Vault, junk: bytes) -> None:
    entry = vault.root / "metadata/journal/20260620T033000-abcdef-1.json"
    entry.parent.mkdir(parents=True)
    entry.write_bytes(junk)

    assert recover(vault).done == ()
    assert not entry.exists()


def calls_of(watched: Watched, work: Callable[[], None]) -> list[str]:
    with watched(lambda *_: None) as calls:
        work()
    return calls


def test_a_writer_finishes_what_a_killed_one_left(
    vault: Vault, killed_at: Killed, watched: Watched, impatient: None
) -> None:
    """Even where nobody called `recover`: two long runs side by side, and one is killed."""

    def work() -> None:
        with start_run(vault, "test") as run:
            edit = Edit("digest/a.md", "after\n", stamp_of(b"before\n"), E1(), unit="u1")
            ChangeSet(vault, run, [edit]).apply()

    fill(vault, {"digest/a.md": "before\n"})
    exchange = calls_of(watched, work).index("exchange") + 1
    empty(vault)
    fill(vault, {"digest/a.md": "before\n"})
    assert killed_at(exchange, work)
    with start_run(vault, "other") as run:
        ChangeSet(vault, run, [Edit("digest/b.md", "b\n", ABSENT, Create())]).apply()
    assert vault.read("digest/a.md").text == "after\n"
    assert [line.path for line in audit.lines(vault)] == ["digest/a.md", "digest/b.md"]


def test_a_torn_audit_gets_the_lines_that_it_lacks(
    vault: Vault, killed_at: Killed, watched: Watched, impatient: None
) -> None:
    def work() -> None:
        with start_run(vault, "test") as run:
            edits = [Edit(f"digest/{name}.md", "x\n", ABSENT, Create(), unit=name) for name in "abc"]
            ChangeSet(vault, run, edits).apply()

    calls = calls_of(watched, work)
    last_line = len(calls) - calls[::-1].index("append")
    empty(vault)
    # after the audit was flushed, before the journal entry ends
    assert killed_at(last_line + 4, work)
    [place] = (vault.root / "metadata/audit").iterdir()
    whole = place.read_bytes()
    assert whole.count(b"\n") == 3
    place.write_bytes(whole[: whole.index(b"\n") + 30])
    recover(vault)
    assert sorted(line.unit or "" for line in audit.lines(vault)) == ["a", "b", "c"]
    assert litter(vault) == []


def test_what_is_audited_is_not_done_again(
    vault: Vault, killed_at: Killed, watched: Watched, impatient: None
) -> None:
    """A create that lost its race and was audited so does not happen after all when the winner goes away."""
    winner = vault.root / "digest/a.md"

    def lose(number: int, call: str, path: str) -> None:
        if call == "rename_new" and path == str(winner):
            winner.write_text("winner\n")

    def work() -> None:
        with watched(lose), start_run(vault, "test") as run:
            edit = Edit("digest/a.md", "loser\n", ABSENT, Create())
            ChangeSet(vault, run, [edit], together=False).apply()

    for number in range(1, MOST_CALLS):
        empty(vault)
        died = killed_at(number, work)
        if died and winner.exists() and [line.outcome for line in audit.lines(vault)] == ["conflicted"]:
            break
    else:
        pytest.fail("never killed between the audit and the end")
    winner.unlink()
    recover(vault)
    assert texts(vault) == {}
    assert [line.outcome for line in audit.lines(vault)] == ["conflicted"]
    assert litter(vault) == []


def test_an_entry_of_another_version_waits_for_it(vault: Vault) -> None:
    for folder in ("journal", "history/held"):
        entry = vault.root / "metadata" / folder / "20260620T033000-abcdef-1.json"
        entry.parent.mkdir(parents=True)
        entry.write_text('{"schema": 2, "intent": {}}\n')
    assert recover(vault).postponed
    assert len(list(vault.root.glob("metadata/**/*.json"))) == 2


def test_nothing_to_recover_touches_nothing(vault: Vault) -> None:
    assert recover(vault) is NOTHING
    assert list(vault.root.iterdir()) == []
