"""A vault: found, read, and never left."""

from __future__ import annotations

import datetime as dt
import os
import stat
import subprocess
import sys
import unicodedata
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, DigestConfig, FoldersConfig
from reme_cli.errors import NoteNotFound, PathRefused, UnreadableNote, VaultNotFound
from reme_cli.vault import vault as vault_module
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault, find_root
from tests.conftest import LONG, PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_note_is_read_byte_for_byte(make_vault: Callable[..., Path]) -> None:
    data = b"\xef\xbb\xbf---\r\nname: n\r\n---\r\nbody \xf0\x9f\x9a\x80\rno newline at the end"
    note = Vault(make_vault({"a.md": data}), Config()).read("a.md")
    assert note.text.encode() == data
    assert note.stamp == stamp_of(data)
    assert note.path == "a.md"


def test_what_cannot_be_read_says_why(
    make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_vault({"bad.md": b"one\ntwo\n\xff", "big.md": "12345678901"})
    (root / "folder.md").mkdir()
    os.mkfifo(root / "pipe.md")
    vault = Vault(root, Config())
    with pytest.raises(UnreadableNote, match="byte 0xff at offset 8") as not_utf8:
        vault.read("bad.md")
    assert not_utf8.value.where == "bad.md:3"
    for path in ("folder.md", "pipe.md"):
        with pytest.raises(UnreadableNote, match="not a"):
            vault.read(path)
    for path in ("gone.md", "bad.md/x.md", "no/folder/x.md"):
        with pytest.raises(NoteNotFound):
            vault.read(path)
    monkeypatch.setattr(vault_module, "MAX_NOTE_BYTES", 10)
    with pytest.raises(UnreadableNote, match="11 bytes"):
        vault.read("big.md")


def test_any_regular_file_can_be_read_as_bytes(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"daily/2026-06-20/interests.yaml": b"\xff"})
    os.mkfifo(root / "pipe")
    vault = Vault(root, Config())
    assert vault.read_bytes("daily/2026-06-20/interests.yaml") == b"\xff"
    with pytest.raises(NoteNotFound, match="no such file"):
        vault.read_bytes("gone.yaml")
    with pytest.raises(UnreadableNote):
        vault.read_bytes("pipe")
    with pytest.raises(PathRefused):
        vault.read_bytes("../x")


def test_a_note_of_20_mb_is_read(make_vault: Callable[..., Path]) -> None:
    text = "0123456789abcde\n" * (20 * 2**16)
    assert len(Vault(make_vault({"big.md": text}), Config()).read("big.md").text) == 20 * 2**20


@pytest.mark.parametrize("told", [0, 3, 99])
def test_a_file_is_read_to_its_end_whatever_its_size_was(
    make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, told: int
) -> None:
    """It may grow or shrink between the question for its size and the reading."""
    vault = Vault(make_vault({"a.md": "0123456789"}), Config())
    ask = os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        status = list(ask(descriptor))
        status[stat.ST_SIZE] = told
        return os.stat_result(status)

    monkeypatch.setattr(os, "fstat", fstat)
    assert vault.read("a.md").text == "0123456789"


def test_no_path_leaves_the_vault(make_vault: Callable[..., Path], tmp_path: Path) -> None:
    root = make_vault({"a/n.md": "in", ".git/hooks/x.md": "hook"})
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (root / "out").symlink_to(tmp_path)
    (root / "out.md").symlink_to(secret)
    (root / "a" / "dangling.md").symlink_to(tmp_path / "not-yet.md")
    (root / "hooks").symlink_to(root / ".git" / "hooks")
    vault = Vault(root, Config())
    for path in (
        "out/secret.md",
        "out.md",
        "a/dangling.md",
        "out/new.md",
        "hooks/x.md",
        "../secret.md",
        str(secret),
    ):
        with pytest.raises(PathRefused):
            vault.locate(path)
        with pytest.raises(PathRefused):
            vault.read(path)


def test_a_link_inside_the_vault_is_followed_to_the_file_itself(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"a/n.md": "in"})
    (root / "b").symlink_to(root / "a")
    (root / "c.md").symlink_to("b/n.md")
    vault = Vault(root, Config())
    for path in ("b/n.md", "c.md"):
        assert vault.locate(path) == vault.root / "a" / "n.md"
        assert vault.read(path).text == "in"
    assert vault.locate("b/new/x.md") == vault.root / "a" / "new" / "x.md"


def test_a_place_is_found_under_the_name_that_the_disk_has(make_vault: Callable[..., Path]) -> None:
    decomposed = unicodedata.normalize("NFD", "Café/é.md")
    root = make_vault({decomposed: "text"})
    vault = Vault(root, Config())
    assert os.fspath(vault.locate("Café/é.md")).endswith(decomposed)
    assert vault.locate("Café/ü.md") == vault.root / decomposed.partition("/")[0] / "ü.md"
    assert vault.locate("Ü/ü.md") == vault.root / "Ü" / "ü.md"


def test_ordinary_notes_are_read_without_a_yaml_parser(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"a.md": "---\nname: JWT\ntags: [a, b]\naliases:\n- x\n---\n[[b]]"})
    program = (
        "import sys; from pathlib import Path; from reme_cli.config import Config; from reme_cli.vault.vault import Vault\n"
        f"vault = Vault(Path({str(root)!r}), Config())\n"
        "assert [vault.read(path).tags for path in vault.note_paths()] == [('a', 'b')]\n"
        "print(*sorted({'yaml', 'frontmatter', 'pathspec', 'zoneinfo', 'markdown_it'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        check=False,
        timeout=LONG,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_root_is_real(make_vault: Callable[..., Path], tmp_path: Path) -> None:
    root = make_vault({"a.md": "in"})
    (tmp_path / "by-link").symlink_to(root)
    vault = Vault(tmp_path / "by-link", Config())
    assert vault.root == root.resolve()
    assert vault.read("a.md").text == "in"


def test_metadata_is_a_place_in_the_vault(make_vault: Callable[..., Path], tmp_path: Path) -> None:
    root = make_vault()
    vault = Vault(root, Config())
    assert vault.metadata("cache", "index.db") == vault.root / "metadata" / "cache" / "index.db"
    assert vault.metadata() == vault.root / "metadata"
    (root / "metadata").symlink_to(tmp_path)
    with pytest.raises(PathRefused):
        vault.metadata("cache")


def test_layers_buckets_and_days_follow_the_configuration(make_vault: Callable[..., Path]) -> None:
    folders = FoldersConfig(daily="日记", digest="memory/digest")
    vault = Vault(make_vault(), Config(folders=folders, digest=DigestConfig({"wiki": "", "rezepte": ""})))
    assert vault.layer("日记/2026-06-20.md") == "daily"
    assert vault.layer("memory/digest/wiki/a.md") == "digest"
    assert vault.layer("resource/a/b.md") == "resource"
    assert vault.layer("digest/wiki/a.md") is None
    assert vault.layer("memory/digestive.md") is None
    assert vault.bucket("memory/digest/rezepte/a.md") == "rezepte"
    assert vault.bucket("memory/digest/other/a.md") is None
    assert vault.bucket("memory/digest/wiki.md") is None
    assert vault.bucket("x/memory/digest/wiki/a.md") is None
    assert vault.day("日记/2026-06-20.md") == dt.date(2026, 6, 20)
    assert vault.day("日记/2026-06-20/a/b.md") == dt.date(2026, 6, 20)
    assert vault.day("日记/2026-06-20/two\nlines.md") == dt.date(2026, 6, 20)
    for path in ("日记/2026-02-30.md", "日记/notes.md", "日记/2026-06-20", "daily/2026-06-20.md"):
        assert vault.day(path) is None


def test_today_is_the_day_in_the_vaults_timezone(make_vault: Callable[..., Path]) -> None:
    root = make_vault()
    east = Vault(root, Config(timezone="Pacific/Kiritimati")).today()  # UTC+14
    west = Vault(root, Config(timezone="Pacific/Niue")).today()  # UTC-11
    assert (east - west).days in {1, 2}
    assert west <= Vault(root, Config()).today() <= east


@pytest.mark.parametrize("marker", ["vault.yaml", "digest/", ".obsidian/", "metadata/"])
def test_a_vault_is_found_upwards(tmp_path: Path, marker: str) -> None:
    root = tmp_path / "v"
    here = root / "a" / "b"
    here.mkdir(parents=True)
    place = root / marker
    if marker.endswith("/"):
        place.mkdir()
    else:
        place.touch()
    assert find_root(None, {}, here) == root.resolve()


def test_a_vault_that_is_named_wins(tmp_path: Path) -> None:
    for name in ("explicit", "by-env", "here"):
        (tmp_path / name / "digest").mkdir(parents=True)
    env = {"REME_VAULT": str(tmp_path / "by-env")}
    assert find_root("explicit", env, tmp_path).name == "explicit"
    assert find_root(None, env, tmp_path / "here").name == "by-env"
    assert find_root(None, {"REME_VAULT": ""}, tmp_path / "here").name == "here"


def test_no_path_holds_a_nul(tmp_path: Path) -> None:
    for explicit, env in (("x\0y", {}), (None, {"REME_VAULT": "x\0y"})):
        with pytest.raises(VaultNotFound, match="names no folder"):
            find_root(explicit, env, tmp_path)


def test_no_vault_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "digest").touch()
    for explicit, env in ((None, {}), ("gone", {}), ("file", {}), (None, {"REME_VAULT": "gone"})):
        with pytest.raises(VaultNotFound) as error:
            find_root(explicit, env, tmp_path)
        assert "reme init" in str(error.value.hint)
