"""What a walk over a vault finds, leaves out, and cannot take."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, FoldersConfig
from reme_cli.errors import ConfigError, VaultNotFound
from reme_cli.vault import walk as walking
from reme_cli.vault.vault import Vault
from reme_cli.vault.walk import kind_at, walk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True, params=["by descriptor", "by path"])
def _both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems cannot read a folder by its descriptor."""
    if request.param == "by path":
        monkeypatch.setattr(walking, "_BY_DESCRIPTOR", False)


def found(root: Path, *ignore: str) -> list[str]:
    return list(Vault(root, Config(ignore=ignore)).note_paths())


def test_notes_and_files_are_sorted_and_everything_else_is_left_out(make_vault: Callable[..., Path]) -> None:
    root = make_vault(
        {
            "b.md": "",
            "a/z.md": "",
            "a/pic.png": b"",
            "A.md": "",
            "deep/er/still/x.md": "four",
            ".obsidian/x.md": "",
            ".hidden.md": "",
            "a/.trash/x.md": "",
            "metadata/audit/x.md": "",
            "prompts/extract.md": "",
            "web/node_modules/x/readme.md": "",
            "a/prompts/kept.md": "",
            "a/metadata/kept.md": "",
            "upper.MD": "",
        }
    )
    (root / "folder.md").mkdir()
    listing = walk(root)
    assert [note.path for note in listing.notes] == [
        "A.md",
        "a/metadata/kept.md",
        "a/prompts/kept.md",
        "a/z.md",
        "b.md",
        "deep/er/still/x.md",
    ]
    assert listing.files == ("a/pic.png", "upper.MD", "vault.yaml")
    assert listing.skipped == ()
    note = listing.notes[-1]
    status = (root / note.path).stat()
    assert (note.size, note.mtime_ns, note.disk_path) == (4, status.st_mtime_ns, note.path)


def test_the_metadata_folder_is_the_configured_one(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"state/x.md": "", "metadata/x.md": ""})
    vault = Vault(root, Config(folders=FoldersConfig(metadata="state")))
    assert vault.note_paths() == ("metadata/x.md",)


def test_ignored_notes_are_no_notes_but_still_files_that_a_link_may_name(
    make_vault: Callable[..., Path],
) -> None:
    root = make_vault(
        {
            "templates/a.md": "",
            "templates/keep.md": "",
            "x/d.excalidraw.md": "",
            "x/d.md": "",
            "old.md": "",
            "#a.md": "",
        }
    )
    rules = ("templates/", "!templates/keep.md", "*.excalidraw.md", "/old.md", "# comment", "")
    assert found(root, *rules) == ["#a.md", "x/d.md"]
    assert "x/d.excalidraw.md" in walk(root, ignore=rules).files
    assert found(root, "*", "!x/", "!x/**") == ["x/d.excalidraw.md", "x/d.md"]


@pytest.mark.parametrize("pattern", ["!", "\\"])
def test_what_is_no_pattern_is_named(make_vault: Callable[..., Path], pattern: str) -> None:
    with pytest.raises(ConfigError, match="gitignore") as error:
        found(make_vault(), "a.md", pattern)
    assert pattern in error.value.what


def test_a_vault_that_is_gone_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFound):
        found(tmp_path / "gone")


def test_a_name_on_disk_in_another_normal_form_keeps_its_nfc_identity(
    make_vault: Callable[..., Path],
) -> None:
    decomposed = unicodedata.normalize("NFD", "Café/é.md")
    root = make_vault({decomposed: "text"})
    (note,) = walk(root).notes
    assert (note.path, note.disk_path) == ("Café/é.md", decomposed)
    assert Vault(root, Config()).read("Café/é.md").text == "text"


def test_of_two_names_that_are_one_after_nfc_the_composed_is_taken_and_read(
    make_vault: Callable[..., Path],
) -> None:
    root = make_vault({"é.md": "composed"})
    decomposed = unicodedata.normalize("NFD", "é.md")
    (root / decomposed).write_text("decomposed")
    if len(os.listdir(root)) < 3:
        pytest.skip("this file system keeps one name for both normal forms")
    listing = walk(root)
    assert [(note.path, note.disk_path) for note in listing.notes] == [("é.md", "é.md")]
    assert [skipped.path for skipped in listing.skipped] == [decomposed]
    assert Vault(root, Config()).read("é.md").text == "composed"


def test_symlinks_stay_inside_the_vault(make_vault: Callable[..., Path], tmp_path: Path) -> None:
    root = make_vault({"a/n.md": "", "b/m.md": "", ".git/x.md": "", "metadata/x.md": ""})
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    links = {
        "a/in.md": root / "b" / "m.md",
        "linked": root / "b",
        "a/up": root,
        "a/self": root / "a",
        "b/there": root / "a",
        "out": outside,
        "out.md": outside / "secret.md",
        "gone.md": root / "nothing.md",
        "hidden.md": root / ".git" / "x.md",
        "state": root / "metadata",
        "loop": root / "loop",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    listing = walk(root)
    assert [note.path for note in listing.notes] == [
        "a/in.md",
        "a/n.md",
        "b/m.md",
        "b/there/in.md",
        "b/there/n.md",
        "linked/m.md",
    ]
    assert {skipped.path for skipped in listing.skipped} == {
        "a/up",
        "a/self",
        "b/there/self",
        "b/there/up",
        "gone.md",
        "hidden.md",
        "linked/there",
        "loop",
        "out",
        "out.md",
        "state",
    }


def test_what_is_no_file_is_skipped_with_the_reason(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"ok.md": ""})
    os.mkfifo(root / "pipe.md")
    (root / os.fsdecode(b"bad\xff.md")).write_bytes(b"")
    listing = walk(root)
    assert [note.path for note in listing.notes] == ["ok.md"]
    assert listing.skipped == (("bad\ufffd.md", "the name is not UTF-8"), ("pipe.md", "not a regular file"))


def test_many_symlinked_folders_do_not_multiply(make_vault: Callable[..., Path]) -> None:
    root = make_vault({f"f{number}/n.md": "" for number in range(8)})
    for number in range(8):
        for other in range(8):
            if number != other:
                (root / f"f{number}" / f"to{other}").symlink_to(root / f"f{other}")
    assert len(walk(root).notes) == 8 + 8 * 7


def test_names_of_which_none_is_composed_are_one_after_nfc_too(make_vault: Callable[..., Path]) -> None:
    """Of three ways to write it, none of them in NFC, the first in order is taken."""
    root = make_vault()
    for name in ("\u1e69a.md", "s\u0307\u0323a.md", "s\u0323\u0307a.md"):
        (root / name).touch()
    if len(os.listdir(root)) < 4:
        pytest.skip("this file system keeps one name for all normal forms")
    (root / "\u1e69a.md").unlink()
    listing = walk(root)
    assert [(note.path, note.disk_path) for note in listing.notes] == [("\u1e69a.md", "s\u0307\u0323a.md")]
    assert [skipped.path for skipped in listing.skipped] == ["s\u0323\u0307a.md"]


def test_no_descriptor_is_left_open(make_vault: Callable[..., Path]) -> None:
    root = make_vault({f"f{number}/n.md": "" for number in range(5)})
    before = set(os.listdir("/dev/fd"))
    walk(root)
    assert set(os.listdir("/dev/fd")) == before


PATHS = (
    *("a.md", "b.md", "a/b.md", "a/x.MD", "日记/甲.md", "pic.png", "a/pic.png", ".hidden.md", "a/.git/x.md"),
    *("templates/t.md", "a/templates/t.md", "templates/pic.png", "x.draw.md", "a/keep.draw.md"),
    *("prompts/p.md", "prompts/pic.png", "a/prompts/p.md", "prompts.md"),
    *("metadata/m.md", "a/system/m.md", "a/metadata/m.md", "metadata.md"),
    *("node_modules/n.md", "a/node_modules/n.png", "vault.yaml"),
)


@pytest.mark.parametrize("metadata", ["metadata", "a/system"])
@pytest.mark.parametrize("ignore", [(), ("templates/", "*.draw.md", "!keep.draw.md", "/b.md")])
def test_a_path_has_the_kind_that_the_walk_finds(
    make_vault: Callable[..., Path], metadata: str, ignore: tuple[str, ...]
) -> None:
    listing = walk(make_vault(dict.fromkeys(PATHS, "")), metadata=metadata, ignore=ignore)
    expected: dict[str, str | None] = dict.fromkeys(PATHS, None) | dict.fromkeys(listing.files, "file")
    expected |= {note.path: "note" for note in listing.notes}
    assert {path: kind_at(path, metadata=metadata, ignore=ignore) for path in PATHS} == expected
    assert set(expected.values()) == {"note", "file", None}
