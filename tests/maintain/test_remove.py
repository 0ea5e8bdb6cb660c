"""Removing notes: no link to them is left behind, and nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.move import contents, meanings, open_vault
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.errors import NoteNotFound, Refused, UnreadableNote, UsageError
from reme_cli.maintain.place import existing
from reme_cli.maintain.remove import Removal, plan_removal, remove

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

    MakeVault = Callable[..., Path]
    Reme = Callable[..., Outcome]

FILES = {
    "jwt.md": "# JWT\n\n[[keys]] [[gone]]\n",
    "keys.md": "# Keys\n\n[[jwt]] [[other]]\n",
    "other.md": (
        "---\nrelated: ['[[jwt]]', \"[[keys]]\"]\n---\nSee [[jwt|tokens]], [the note](jwt.md), ![[jwt]], [[jwt#Why]].\n"
        "is_a:: [[JWT]]\n\n| [[jwt\\|a cell]] | [*big* one][r] |\n|---|---|\n\n[r]: jwt.md\n\n`[[jwt]]` [[jwt-old]]\n"
    ),
}


def removed(vault: Vault, path: str, *, unlink: bool = False, heir: str | None = None) -> Removal:
    place = existing(vault, path, vault.root)
    with start_run(vault, "maintain rm") as run:
        return remove(vault, run, lambda: plan_removal(vault, place, unlink=unlink, heir=heir))


def test_while_notes_link_to_it_nothing_goes(make_vault: MakeVault) -> None:
    root = make_vault(FILES)
    known = contents(root)
    removal = removed(open_vault(root), "jwt.md")
    assert [(each.source, each.link.line, each.shown) for each in removal.inbound] == [
        ("keys.md", 3, "[[jwt]]"),
        ("other.md", 2, "[[jwt]]"),
        ("other.md", 4, "[[jwt|tokens]]"),
        ("other.md", 4, "[the note](jwt.md)"),
        ("other.md", 4, "![[jwt]]"),
        ("other.md", 4, "[[jwt#Why]]"),
        ("other.md", 5, "[[JWT]]"),
        ("other.md", 7, "[[jwt\\|a cell]]"),
        ("other.md", 7, "[*big* one][r]"),
    ]
    assert contents(root) == known


def test_links_become_their_text(make_vault: MakeVault) -> None:
    root = make_vault(FILES)
    vault = open_vault(root)
    known = contents(root)
    removed(vault, "jwt", unlink=True)
    assert not (root / "jwt.md").exists()
    assert (root / "keys.md").read_text() == "# Keys\n\njwt [[other]]\n"
    assert (root / "other.md").read_text() == (
        "---\nrelated: ['jwt', \"[[keys]]\"]\n---\nSee tokens, the note, jwt, jwt.\n"
        "is_a:: JWT\n\n| a cell | *big* one |\n|---|---|\n\n[r]: jwt.md\n\n`[[jwt]]` [[jwt-old]]\n"
    )
    undo(vault)
    assert contents(root) == known


def test_links_lead_to_another_note(make_vault: MakeVault) -> None:
    root = make_vault({**FILES, "new/tokens.md": "Before: [[jwt]]\n"})
    vault = open_vault(root)
    before = meanings(vault)
    removed(vault, "jwt.md", heir="new/tokens.md")
    assert (root / "keys.md").read_text() == "# Keys\n\n[[tokens]] [[other]]\n"
    assert (root / "new/tokens.md").read_text() == "Before: jwt\n", "no note comes to link to itself"
    after = meanings(vault)
    assert not [each for each in after if each.target in {"jwt.md", "jwt"}]
    for each, count in before.items():
        if each.target == "jwt.md" and each.source not in {"jwt.md", "new/tokens.md"}:
            assert after[each._replace(target="new/tokens.md")] == count


def test_a_link_around_a_link(make_vault: MakeVault) -> None:
    root = make_vault(
        {"a.md": "x\n", "b.md": "[![a picture](a.md)](a.md) and [![p](p.png)](a.md)\n", "p.png": "p"}
    )
    removed(open_vault(root), "a.md", unlink=True)
    assert (root / "b.md").read_text() == "a picture and ![p](p.png)\n"


def test_of_a_folder_all_notes_go_and_other_files_stay(make_vault: MakeVault) -> None:
    files = {"p/a.md": "[[b]]\n", "p/q/b.md": "[[a]]\n", "p/q/pic.png": b"\xff\x00", "c.md": "no link\n"}
    root = make_vault(files)
    vault = open_vault(root)
    known = contents(root)
    removal = removed(vault, "p")
    assert (removal.notes, removal.left) == (("p/a.md", "p/q/b.md"), ("p/q/pic.png",))
    assert sorted(path for path in contents(root) if path.startswith("p/")) == ["p/", "p/q/", "p/q/pic.png"]
    undo(vault)
    assert contents(root) == known


def test_an_emptied_folder_goes_too(make_vault: MakeVault) -> None:
    root = make_vault({"p/q/b.md": "x\n", "c.md": "x\n"})
    removed(open_vault(root), "p")
    assert not (root / "p").exists()


@pytest.mark.parametrize(
    ("path", "heir", "error"),
    [
        ("nothing", None, NoteNotFound),
        ("pic.png", None, Refused),
        ("latin.md", None, UnreadableNote),
        ("a.md", "a.md", UsageError),
        ("a.md", "z.md", NoteNotFound),
    ],
)
def test_refusals_change_nothing(
    make_vault: MakeVault, path: str, heir: str | None, error: type[Exception]
) -> None:
    root = make_vault({"a.md": "x\n", "latin.md": b"caf\xe9\n", "pic.png": b"\xff"})
    known = contents(root)
    with pytest.raises(error):
        removed(open_vault(root), path, heir=heir)
    assert contents(root) == known


def test_the_command_names_the_links_and_exits_4(make_vault: MakeVault, reme: Reme) -> None:
    root = make_vault(FILES)
    outcome = reme("maintain", "rm", "jwt.md", vault=root)
    assert outcome.code == 4
    assert outcome.out.splitlines()[:2] == ["keys.md:3:1 [[jwt]]", "other.md:2:12 [[jwt]]"]
    assert "9 links lead to jwt.md: nothing is removed" in outcome.err
    assert reme("maintain", "rm", "jwt.md", "--unlink", "--retarget", "keys.md", vault=root).code == 2
    assert reme("maintain", "rm", "jwt.md", "retarget=keys.md", vault=root).code == 0
    assert reme("maintain", "rm", "jwt.md", vault=root).code == 2, "it is gone"
