"""Where notes went, by the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.moves import former_paths, moved_to, moves_after, moves_by
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.graph.conservation import E1
from reme_cli.vault.stamp import Stamp, stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

FILES = {"a.md": "[[b]]\n", "b.md": "[[a]]\n", "old/c.md": "x\n", "old/pic.png": "p"}
FIRST_RUN = "20200101T000000-000000"
LAST_RUN = "99990101T000000-000000"


def of(text: str) -> Stamp:
    return stamp_of(text.encode())


def test_what_moved_and_what_was_respelled(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    vault = vault_of(FILES)
    start = audit.position(vault)
    assert start == ""
    reme("maintain", "mv", "a.md", "z.md", vault=vault.root)
    (moves,) = moves_after(vault, start)
    assert moves.renames == {"a.md": "z.md"}
    assert moves.respelled == (("b.md", of("[[a]]\n"), of("[[z]]\n")),)
    assert moves_after(vault, audit.position(vault)) == ()

    between = audit.position(vault)
    reme("maintain", "mv", "old", "new", vault=vault.root)
    assert [moves.renames for moves in moves_after(vault, between)] == [
        {"old/c.md": "new/c.md", "old/pic.png": "new/pic.png"}
    ]
    assert len(moves_after(vault, start)) == 2


def test_a_moved_note_with_another_text_is_respelled_at_its_new_path(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    text, new = "---\nname: a\n---\n", "---\nname: z\n---\n"
    vault = vault_of({"a.md": text})
    reme("maintain", "mv", "a.md", "z.md", vault=vault.root)
    (moves,) = moves_after(vault, "")
    assert moves.respelled == (("z.md", of(text), of(new)),)
    done = undo(vault)
    assert moves_by(vault, done.by).respelled == (("a.md", of(new), of(text)),)


def test_taken_back_and_brought_back(vault_of: Callable[..., Vault], reme: Callable[..., Outcome]) -> None:
    vault = vault_of(FILES)
    reme("maintain", "mv", "a.md", "z.md", vault=vault.root)
    reme("maintain", "mv", "old", "new", vault=vault.root)
    back = undo(vault)
    assert moves_by(vault, back.by).renames == {"new/c.md": "old/c.md", "new/pic.png": "old/pic.png"}
    again = undo(vault)
    assert moves_by(vault, again.by).renames == {"old/c.md": "new/c.md", "old/pic.png": "new/pic.png"}
    assert moved_to(vault, "old/c.md", FIRST_RUN) == "new/c.md"
    assert moved_to(vault, "a.md", FIRST_RUN) == "z.md"
    assert former_paths(vault) == {
        "z.md": ("a.md",),
        "new/c.md": ("old/c.md", "new/c.md", "old/c.md"),
        "new/pic.png": ("old/pic.png", "new/pic.png", "old/pic.png"),
    }
    assert moved_to(vault, "a.md", LAST_RUN) == "a.md", "another note has this name since"


def test_what_an_undo_left_alone_did_not_move(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    vault = vault_of({**FILES, "old/d.md": "y\n"})
    reme("maintain", "mv", "old", "new", vault=vault.root)
    (vault.root / "old").mkdir()
    (vault.root / "old/c.md").write_text("mine\n")
    done = undo(vault)
    assert moves_by(vault, done.by).renames == {"new/d.md": "old/d.md", "new/pic.png": "old/pic.png"}


def test_other_runs_move_nothing(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(FILES)
    with start_run(vault, "lint --fix") as run:
        ChangeSet(vault, run, [Edit("old/c.md", "x [[a]]\n", of("x\n"), E1())]).apply()
    undo(vault)
    assert moves_after(vault, "") == ()
    assert moves_by(vault, FIRST_RUN).renames == {}


def test_an_audit_that_is_shorter_by_now_is_read_from_its_beginning(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    vault = vault_of(FILES)
    reme("maintain", "mv", "a.md", "z.md", vault=vault.root)
    day, _, _ = audit.position(vault).partition(":")
    assert len(list(audit.lines_after(vault, f"{day}:100000"))) == 3
    assert list(audit.lines_after(vault, audit.position(vault))) == []


@pytest.mark.parametrize("command", ["auto_link l1", "auto_link l2", "auto_link l3", "watch"])
def test_what_only_got_links_is_respelled_there_and_back(
    vault_of: Callable[..., Vault], command: str
) -> None:
    vault = vault_of(FILES)
    with start_run(vault, command) as run:
        ChangeSet(vault, run, [Edit("old/c.md", "x [[a]]\n", of("x\n"), E1())]).apply()
    done = undo(vault)
    assert [(moves.renames, moves.respelled) for moves in moves_after(vault, "")] == [
        ({}, (("old/c.md", of("x\n"), of("x [[a]]\n")),)),
        ({}, (("old/c.md", of("x [[a]]\n"), of("x\n")),)),
    ]
    assert moves_by(vault, done.by).renames == {}
    assert former_paths(vault) == {}
