"""No save of an editor's is lost, whenever it falls and however often, and ours is written or a conflict."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reme_cli.changeset import audit, held
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.errors import Conflict
from reme_cli.graph.conservation import E1
from reme_cli.vault.vault import Vault
from tests.changeset.editor import ACTIONS, Editor, texts_beside

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from reme_cli.changeset.audit import Outcome

    Watched = Callable[[Callable[[int, str, str], None]], AbstractContextManager[list[str]]]

NOTE = "digest/wiki/a.md"
SAVES = st.dictionaries(
    st.integers(-1, 60), st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=3), max_size=8
)
"""What the editor does before which system call; 0: before reme reads, -1: after all."""
_folders = itertools.count()


class Killed(BaseException):
    """The process is gone."""


def disturbed_write(
    folder: Path, watched: Watched, saves: dict[int, list[str]], kill: int | None = None
) -> tuple[bool, Editor, Path, list[str], list[Outcome]]:
    """A write by reme during which an editor acts before the system calls with these numbers, and that dies before
    the call `kill`.

    Gives whether the write succeeded, the editor, the note's place, the calls made, and the audit's outcomes.
    """
    root = folder / f"vault-{next(_folders)}"
    place = root / NOTE
    place.parent.mkdir(parents=True)
    place.write_text("before\n")
    vault = Vault(root, Config())
    editor = Editor(place)
    for action in saves.get(0, []):
        editor.do(action)
    note = vault.read(NOTE) if place.exists() else None
    written = False
    calls: list[str] = []
    if note is not None:

        def act(number: int, call: str, path: str) -> None:
            for action in saves.get(number, []):
                editor.do(action)
            if kill is not None and number >= kill:
                raise Killed  # again at each call, so that nothing is cleaned up

        with contextlib.suppress(Killed), watched(act) as calls, start_run(vault, "test") as run:
            edit = Edit(NOTE, note.text + "<ours>\n", note.stamp, E1())
            with contextlib.suppress(Conflict):
                written = ChangeSet(vault, run, [edit]).apply().wrote
    for action in saves.get(-1, []):
        editor.do(action)
    editor.close()
    recover(vault)
    outcomes = [line.outcome for line in audit.lines(vault)]
    return written, editor, place, calls, outcomes


def assert_nothing_lost(editor: Editor, place: Path) -> None:
    texts = texts_beside(place)
    together = "\n".join(texts.values())
    assert [token for token in editor.tokens if token not in together] == [], texts
    leftovers = [path.name for path in place.parent.iterdir() if path.name.startswith(".reme")]
    assert leftovers == []


def test_undisturbed_write_makes_no_copy(tmp_path: Path, watched: Watched, impatient: None) -> None:
    written, _, place, calls, outcomes = disturbed_write(tmp_path, watched, {})

    assert written
    assert texts_beside(place) == {"a.md": "before\n<ours>\n"}
    assert outcomes == ["written"]
    assert calls.count("exchange") == 1


@pytest.mark.parametrize("action", ["rename", "truncate", "append", "backup"])
def test_a_save_at_any_moment_survives(
    tmp_path: Path, watched: Watched, impatient: None, action: str
) -> None:
    calls = disturbed_write(tmp_path, watched, {})[3]
    results: Counter[bool] = Counter()
    for number in range(1, len(calls) + 1):
        written, editor, place, _, outcomes = disturbed_write(tmp_path, watched, {number: [action]})
        assert_nothing_lost(editor, place)
        assert outcomes.count("written") == written
        # A single save is never displaced: it is at the path.
        assert editor.tokens[0] in place.read_text() or (action == "append" and written)
        results[written] += 1
    assert results[True]
    assert results[False]


@pytest.mark.parametrize("action", ["rename", "truncate", "append", "backup", "delete"])
def test_a_second_save_between_exchange_and_exchange_back_survives(
    tmp_path: Path, watched: Watched, impatient: None, action: str
) -> None:
    calls = disturbed_write(tmp_path, watched, {})[3]
    exchange = calls.index("exchange") + 1
    after = disturbed_write(tmp_path, watched, {exchange: ["rename"]})[3]
    assert after.count("exchange") == 2
    for first in ("rename", "truncate", "append"):
        for number in range(exchange, len(after) + 4):
            _, editor, place, _, _ = disturbed_write(
                tmp_path, watched, {exchange: [first], number: [action, first]}
            )
            assert_nothing_lost(editor, place)


@pytest.mark.parametrize(
    ("second", "lands"), [("rename", False), ("backup", False), ("truncate", True), ("append", True)]
)
def test_the_newest_save_is_at_the_path(
    tmp_path: Path, watched: Watched, impatient: None, second: str, lands: bool
) -> None:
    """Of two saves within one write, the second is at the path, the first in a copy; ours landed if it was written into."""
    calls = disturbed_write(tmp_path, watched, {})[3]
    exchange = calls.index("exchange") + 1
    after = disturbed_write(tmp_path, watched, {exchange: ["rename"]})[3]
    exchange_back = after.index("exchange", exchange) + 1
    written, editor, place, calls, outcomes = disturbed_write(
        tmp_path, watched, {exchange: ["rename"], exchange_back: [second]}
    )
    assert calls.count("exchange") == 3
    assert written == lands
    first_token, second_token = editor.tokens
    texts = texts_beside(place)
    assert texts.pop("a.md").endswith(f"{second_token}\n")
    assert list(texts.values()) == [f"before\n{first_token}\n"]
    assert outcomes == (["written", "rescued"] if lands else ["conflicted", "rescued"])


def test_a_note_that_vanishes_while_a_save_is_out_comes_back_with_it(
    tmp_path: Path, watched: Watched, impatient: None
) -> None:
    calls = disturbed_write(tmp_path, watched, {})[3]
    exchange = calls.index("exchange") + 1
    after = disturbed_write(tmp_path, watched, {exchange: ["rename"]})[3]
    exchange_back = after.index("exchange", exchange) + 1
    written, editor, place, _, outcomes = disturbed_write(
        tmp_path, watched, {exchange: ["rename"], exchange_back: ["delete"]}
    )
    assert not written
    assert texts_beside(place) == {"a.md": f"before\n{editor.tokens[0]}\n"}
    assert outcomes == ["conflicted"]


@pytest.mark.parametrize("late", ["write", "rewrite"])
def test_what_is_written_through_a_handle_opened_before_comes_back(
    tmp_path: Path, watched: Watched, impatient: None, late: str
) -> None:
    calls = disturbed_write(tmp_path, watched, {})[3]
    for number in [*range(1, len(calls) + 1), -1]:
        written, editor, place, _, outcomes = disturbed_write(
            tmp_path, watched, {0: ["open"], number: [late]}
        )
        assert_nothing_lost(editor, place)
        if written and editor.tokens:
            copies = [name for name in texts_beside(place) if "(reme conflict" in name]
            assert len(copies) == 1
            assert outcomes.count("rescued") == 1


def test_a_file_open_for_writing_is_held_until_it_is_closed(
    tmp_path: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(held, "SECONDS_HELD_WITHOUT_LEASES", 0.0)
    root = tmp_path / "vault"
    place = root / NOTE
    place.parent.mkdir(parents=True)
    place.write_text("before\n")
    vault = Vault(root, Config())
    editor = Editor(place)
    editor.open()
    note = vault.read(NOTE)
    with start_run(vault, "test") as run:
        ChangeSet(vault, run, [Edit(NOTE, "after\n", note.stamp, E1())]).apply()
    assert held.anything_held(vault)
    assert recover(vault).rescued == ()
    assert held.anything_held(vault)

    editor.write()
    rescued = recover(vault).rescued
    assert [each.path for each in rescued] == [NOTE]
    assert (root / rescued[0].copy).read_text() == "before\n<handle 0>\n"
    # The copy is the file itself: what the program writes later is there, too.
    editor.write()
    assert (root / rescued[0].copy).read_text() == "before\n<handle 0>\n<handle 1>\n"
    assert not held.anything_held(vault)
    editor.close()


def test_a_held_file_that_cannot_be_moved_does_not_keep_the_others_waiting(
    vault: Vault, watched: Watched, impatient: None
) -> None:
    handles = []
    for name in "ab":
        place = vault.root / name / "note.md"
        place.parent.mkdir()
        place.write_text("before\n")
        handles.append(place.open("a"))
    with start_run(vault, "test") as run:
        for name in "ab":
            path = f"{name}/note.md"
            ChangeSet(vault, run, [Edit(path, "after\n", vault.read(path).stamp, E1())]).apply()
        for handle in handles:
            handle.write("late\n")
            handle.close()

        def act(number: int, call: str, path: str) -> None:
            if call == "rename_new" and path.startswith(str(vault.root / "a")):
                raise OSError(30, "Read-only file system", path)

        with watched(act):
            run.close()
        assert [rescue.path for rescue in run.rescued] == ["b/note.md"]
    assert [rescue.path for rescue in run.rescued] == ["b/note.md", "a/note.md"]


def test_a_swapped_out_file_is_held_for_some_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "SECONDS_HELD", 3600.0)  # more than a machine stands still
    root = tmp_path / "vault"
    (root / "digest").mkdir(parents=True)
    (root / "digest/a.md").write_text("before\n")
    vault = Vault(root, Config())
    with start_run(vault, "test") as run:
        ChangeSet(vault, run, [Edit("digest/a.md", "after\n", vault.read("digest/a.md").stamp, E1())]).apply()
    assert held.anything_held(vault)
    recover(vault)
    assert held.anything_held(vault)
    monkeypatch.setattr(held, "SECONDS_HELD", 0.0)
    monkeypatch.setattr(held, "SECONDS_HELD_WITHOUT_LEASES", 0.0)
    recover(vault)
    assert not held.anything_held(vault)


def test_without_leases_a_file_is_held_for_a_day(
    tmp_path: Path, watched: Watched, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    real = fcntl.fcntl

    def refuse(descriptor: int, command: int, *argument: int) -> object:
        if command == fcntl.F_SETLEASE:
            raise OSError(22, "no leases")
        return real(descriptor, command, *argument)

    monkeypatch.setattr(fcntl, "fcntl", refuse)
    _, _, place, _, _ = disturbed_write(tmp_path, watched, {})
    vault = Vault(place.parents[2], Config())
    assert held.anything_held(vault)
    monkeypatch.setattr(held, "SECONDS_HELD_WITHOUT_LEASES", 0.0)
    recover(vault)
    assert not held.anything_held(vault)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(saves=SAVES)
def test_no_token_of_an_editor_is_ever_lost(
    tmp_path: Path, watched: Watched, impatient: None, saves: dict[int, list[str]]
) -> None:
    written, editor, place, _, outcomes = disturbed_write(tmp_path, watched, saves)

    assert_nothing_lost(editor, place)
    assert outcomes.count("written") == written


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(saves=SAVES, kill=st.integers(1, 60))
def test_no_token_is_lost_when_the_writer_dies_as_well(
    tmp_path: Path, watched: Watched, impatient: None, saves: dict[int, list[str]], kill: int
) -> None:
    _, editor, place, _, outcomes = disturbed_write(tmp_path, watched, saves, kill)

    assert_nothing_lost(editor, place)
    assert outcomes.count("written") <= 1


def test_a_save_into_our_text_survives_a_crash_before_it_was_looked_at(
    tmp_path: Path, watched: Watched, impatient: None
) -> None:
    calls = disturbed_write(tmp_path, watched, {})[3]
    exchange = calls.index("exchange") + 1
    after = disturbed_write(tmp_path, watched, {exchange: ["rename"]})[3]
    exchange_back = after.index("exchange", exchange) + 1
    for second in ("append", "truncate", "open"):
        saves = {exchange: ["rename"], exchange_back: [second], -1: ["write"]}
        _, editor, place, _, _ = disturbed_write(tmp_path, watched, saves, kill=exchange_back + 1)
        assert_nothing_lost(editor, place)
