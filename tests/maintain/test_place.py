"""What a path means that a person writes."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, FoldersConfig
from reme_cli.errors import AlreadyExists, NoteNotFound, PathRefused, UsageError
from reme_cli.maintain.place import destination, existing
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = {"a.md": "", "notes/b.md": "", "notes/a.md": "", "other/c.md": "", "pic.png": b"\xff"}


@pytest.mark.parametrize(
    ("text", "here", "path"),
    [
        ("a.md", ".", "a.md"),
        ("a", ".", "a.md"),
        ("./notes//b.md", ".", "notes/b.md"),
        ("notes/", ".", "notes"),
        ("a.md", "notes", "notes/a.md"),
        ("../a.md", "notes", "a.md"),
        ("other/c", "notes", "other/c.md"),
        ("pic.png", "/", "pic.png"),
    ],
)
def test_what_exists(vault_of: Callable[..., Vault], text: str, here: str, path: str) -> None:
    vault = vault_of(FILES)
    assert existing(vault, text, vault.root / here).path == path


def test_an_absolute_path_into_the_vault(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(FILES)
    assert existing(vault, str(vault.root / "notes/b.md"), vault.root.parent).path == "notes/b.md"


def test_a_name_in_another_normal_form(vault_of: Callable[..., Vault]) -> None:
    name = unicodedata.normalize("NFD", "Überblick.md")
    vault = vault_of({name: "x\n"})
    for form in ("NFC", "NFD"):
        assert existing(vault, unicodedata.normalize(form, name), vault.root).path == "Überblick.md"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nothing.md", NoteNotFound),
        ("../outside.md", PathRefused),
        ("", UsageError),
        (".", PathRefused),
        ("metadata", PathRefused),
        (".obsidian", PathRefused),
        ("daily", PathRefused),
        ("vault.yaml", PathRefused),
    ],
)
def test_what_is_not_to_be_moved(vault_of: Callable[..., Vault], text: str, error: type[Exception]) -> None:
    vault = vault_of(
        {**FILES, "metadata/x": "", ".obsidian/x": "", "daily/2026-06-20.md": "", "vault.yaml": ""}
    )
    with pytest.raises(error):
        existing(vault, text, vault.root)


def test_a_folder_that_holds_a_layer_is_not_to_be_moved(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"memory/long/wiki/a.md": "", "memory/note.md": ""})
    vault = Vault(vault.root, Config(folders=FoldersConfig(digest="memory/long")))
    with pytest.raises(PathRefused, match="a layer of the vault, memory/long, is in it"):
        existing(vault, "memory", vault.root)
    assert existing(vault, "memory/long/wiki", vault.root).is_folder


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("notes/bb.md", None),
        ("digest/wiki/tokenrotation", "digest/wiki/token-rotation.md"),
        ("token-rotatoin.md", "digest/wiki/token-rotation.md"),
        ("digest/procedure/token-rotation.md", "digest/wiki/token-rotation.md"),
        ("digest/personal/standup.md", "digest/personal/stand-up.md"),
        ("digest/procedur/", "digest/procedure"),
        ("shots/diagramm.png", "diagram.png"),
    ],
)
def test_a_path_of_nothing_is_named_with_the_one_that_is_meant(
    vault_of: Callable[..., Vault], text: str, meant: str | None
) -> None:
    paths = ("digest/wiki/token-rotation.md", "digest/procedure/stand-up.md", "digest/personal/stand-up.md")
    vault = vault_of({**FILES, **dict.fromkeys(paths, ""), "diagram.png": b""})
    with pytest.raises(NoteNotFound) as raised:
        existing(vault, text, vault.root)
    shown = (
        f"Did you mean `{meant}`?"
        if meant
        else "Paths are relative to the working directory or to the vault."
    )
    assert raised.value.hint == shown


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("a.md", "x.md", "x.md"),
        ("a.md", "x", "x.md"),
        ("a.md", "v1.2", "v1.2.md"),
        ("a.md", "notes", "notes/a.md"),
        ("a.md", "new/", "new/a.md"),
        ("a.md", "new/deep/x", "new/deep/x.md"),
        ("notes", "other", "other/notes"),
        ("notes", "Notes", "Notes"),
        ("notes", "new/notes", "new/notes"),
        ("pic.png", "shot.png", "shot.png"),
        ("notes/b.md", ".", "b.md"),
    ],
)
def test_where_it_goes(vault_of: Callable[..., Vault], old: str, new: str, path: str) -> None:
    vault = vault_of(FILES)
    assert destination(vault, new, existing(vault, old, vault.root)) == path


def test_the_new_path_is_relative_to_where_the_old_one_was_found(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(FILES)
    here = vault.root / "notes"
    assert destination(vault, "x", existing(vault, "b.md", here)) == "notes/x.md"
    assert destination(vault, "x", existing(vault, "other/c.md", here)) == "x.md"


def test_only_what_is_new_of_a_path_has_to_be_portable(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"what?/a.md": "x\n"})
    place = existing(vault, "what?/a.md", vault.root)
    assert destination(vault, "what?/b", place) == "what?/b.md"
    with pytest.raises(PathRefused):
        destination(vault, "why?/b", place)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("a.md", "metadata/a.md", PathRefused),
        ("a.md", "other/x ", PathRefused),
        ("a.md", "C.md", AlreadyExists),
        ("a.md", "notes/ÜBER.md", AlreadyExists),
        ("a.md", "OTHER/x.md", AlreadyExists),
        ("a.md", "upper/", AlreadyExists),
    ],
)
def test_where_nothing_goes(
    vault_of: Callable[..., Vault], old: str, new: str, error: type[Exception]
) -> None:
    """What the vault would not list, a name that a link drops a part of, and one that another system takes for another file."""
    vault = vault_of(
        {**FILES, "c.md": "", "notes/über.md": "", "upper/A.md": "", "prompts/x.md": "", "metadata/x": ""}
    )
    with pytest.raises(error):
        destination(vault, new, existing(vault, old, vault.root))


def test_a_tilde_is_an_ordinary_letter(vault_of: Callable[..., Vault]) -> None:
    """The shell has made a home folder of it where it was to be one."""
    vault = vault_of({"~draft.md": "", "~/b.md": ""})
    assert existing(vault, "~draft", vault.root).path == "~draft.md"
    assert destination(vault, "~nobody.md", existing(vault, "~/b.md", vault.root)) == "~nobody.md"
