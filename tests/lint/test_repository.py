"""What git says of a vault: changes since a commit, renamed files, and the links that a change broke."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.errors import UsageError
from reme_cli.lint.repository import change_since
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")

TEXT = "".join(f"A line of the note, number {number}.\n" for number in range(20))


def git(top: Path, *arguments: str) -> str:
    identity = {f"GIT_{who}_{what}": "x@y.z" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-C", str(top), *arguments],
        env={**os.environ, **identity, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def commit(top: Path, message: str = "x") -> None:
    git(top, "add", "-A")
    git(top, "commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture(params=["", "notes/"], ids=["vault at the top", "vault in a folder"])
def vault(request: pytest.FixtureRequest, make_vault: Callable[..., Path]) -> Vault:
    """A vault in a repository with one commit on the branch `main`."""
    files = {
        "a.md": "[[b]] [[old]] ![](pic.png)\n",
        "b.md": TEXT,
        "old.md": TEXT.replace("note", "file"),
        "笔记.md": "x\n",
        "pic.png": "png",
    }
    root = make_vault({f"{request.param}{path}": text for path, text in files.items()})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    return Vault(root / request.param, Config())


def told(reme: Reme, vault: Vault, *options: str) -> list[str]:
    outcome = reme("lint", "--json", "--select=L001,L010", *options, vault=vault.root)
    return [
        f"{each['path']}:{each['line']}:{each['col']} {each['code']}" for each in outcome.json["findings"]
    ]


def test_nothing_changed(vault: Vault) -> None:
    change = change_since(vault, "HEAD")
    assert (change.touched, change.added, change.removed, change.renames) == (
        frozenset(),
        frozenset(),
        frozenset(),
        {},
    )


@pytest.mark.parametrize("step", ["by hand", "staged", "committed"])
def test_what_changed(vault: Vault, step: str) -> None:
    root = vault.root
    (root / "old.md").rename(root / "new.md")
    (root / "pic.png").rename(root / "photo.png")
    (root / "笔记.md").write_text("y\n")
    (root / "added.md").write_text("added\n")
    revision = "HEAD"
    if step == "staged":
        git(root, "add", "-A")
    elif step == "committed":
        commit(root)
        revision = "HEAD~1"
    change = change_since(vault, revision)
    assert change.touched == {"new.md", "photo.png", "笔记.md", "added.md"}
    assert change.added == {"new.md", "photo.png", "added.md"}
    assert change.removed == {"old.md", "pic.png"}
    assert change.renames == {"old.md": "new.md", "pic.png": "photo.png"}


@pytest.mark.parametrize(
    ("before", "after", "is_renamed"),
    [
        (TEXT, TEXT, True),
        (TEXT, TEXT + "one more line\n", True),
        (TEXT, TEXT[: len(TEXT) * 2 // 3], True),
        (TEXT, TEXT[: len(TEXT) // 3], False),
        (TEXT, TEXT.upper(), False),
    ],
)
def test_what_counts_as_renamed(vault: Vault, before: str, after: str, is_renamed: bool) -> None:
    (vault.root / "z.md").write_text(before)
    commit(vault.root)
    (vault.root / "z.md").unlink()
    (vault.root / "new.md").write_text(after)
    assert change_since(vault, "HEAD").renames == ({"z.md": "new.md"} if is_renamed else {})


def test_of_two_equal_ones_the_one_of_the_same_name_is_meant(vault: Vault) -> None:
    root = vault.root
    for name in ("deep/b.md", "deep/a-twin.md"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(TEXT)
    (root / "b.md").unlink()
    assert change_since(vault, "HEAD").renames == {"b.md": "deep/b.md"}


def test_a_branch_counts_from_where_it_forked_off(vault: Vault) -> None:
    root = vault.root
    git(root, "checkout", "-q", "-b", "topic")
    (root / "mine.md").write_text("mine\n")
    commit(root)
    git(root, "checkout", "-q", "main")
    (root / "theirs.md").write_text("theirs\n")
    commit(root)
    git(root, "checkout", "-q", "topic")
    assert change_since(vault, "main").touched == {"mine.md"}


def test_before_the_first_commit_everything_is_new(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"a.md": "x"})
    git(root, "init", "-q")
    assert change_since(Vault(root, Config()), "HEAD").touched == {"a.md", "vault.yaml"}


def test_what_git_ignores_is_no_change(vault: Vault) -> None:
    (vault.root / ".gitignore").write_text("ignored.md\n")
    (vault.root / "ignored.md").write_text("x\n")
    assert change_since(vault, "HEAD").touched == {".gitignore"}


def test_there_is_no_repository(make_vault: Callable[..., Path]) -> None:
    with pytest.raises(UsageError, match="no git repository"):
        change_since(Vault(make_vault(), Config()), "HEAD")


@pytest.mark.parametrize("revision", ["nowhere", "--output=x", "HEAD:a.md", "HEAD~99", "a\0b", "\udce4"])
def test_there_is_no_such_commit(vault: Vault, revision: str) -> None:
    with pytest.raises(UsageError, match="no commit"):
        change_since(vault, revision)


def test_a_renamed_note_is_told_where_its_links_are_and_mended(reme: Reme, vault: Vault) -> None:
    """A pull request that renames a note by hand: the links elsewhere are told with the new name."""
    root = vault.root
    (root / "c.md").write_text("[[nowhere]]\n")
    commit(root)
    (root / "old.md").rename(root / "quite other.md")
    (root / "笔记.md").write_text("[[nowhere]]\n")
    assert told(reme, vault, "--changed") == ["a.md:1:7 L001", "笔记.md:1:1 L001"]
    assert "`quite other.md`" in reme("lint", "--changed", "--select=L001", vault=root).out
    mended = reme("lint", "--changed", "--fix", "--select=L001", vault=root)
    assert (root / "a.md").read_text() == "[[b]] [[quite other]] ![](pic.png)\n"
    assert (root / "c.md").read_text() == "[[nowhere]]\n"
    assert mended.code == 1
    assert git(root, "diff", "--numstat", "--", "a.md").startswith("1\t1\t")


def test_a_removed_attachment_is_told_where_it_is_shown(reme: Reme, vault: Vault) -> None:
    (vault.root / "pic.png").unlink()
    assert told(reme, vault, "--changed") == ["a.md:1:15 L010"]


def test_a_renamed_heading_is_told_where_it_is_linked(reme: Reme, vault: Vault) -> None:
    root = vault.root
    (root / "b.md").write_text("# One\n\n# Two\n")
    (root / "c.md").write_text("[[b#One]] [[b#Two]] [[b#Three]]\n")
    commit(root)
    (root / "b.md").write_text("# One\n\n# Second\n")
    found = reme("lint", "--json", "--select=L005", "--changed", vault=root).json["findings"]
    assert [(each["path"], each["col"]) for each in found] == [("c.md", 11)]
    (root / "b.md").rename(root / "d.md")
    git(root, "add", "-A")
    (root / "c.md").write_text("[[d#One]] [[d#Two]] [[d#Three]]\n")
    commit(root)
    (root / "d.md").write_text("# Uno\n\n# Second\n")
    found = reme("lint", "--json", "--select=L005", "--changed", vault=root).json["findings"]
    assert [(each["path"], each["col"]) for each in found] == [("c.md", 1)]


@pytest.mark.parametrize(
    "words", [["--changed=HEAD~1"], ["--changed", "HEAD~1"], ["changed=HEAD~1"], ["HEAD~1", "--changed"]]
)
def test_the_commit_may_be_written_in_any_way(reme: Reme, vault: Vault, words: list[str]) -> None:
    (vault.root / "c.md").write_text("[[nowhere]]\n")
    commit(vault.root)
    assert told(reme, vault, "--changed") == []
    assert told(reme, vault, *words) == ["c.md:1:1 L001"]


def test_paths_narrow_it_down(reme: Reme, vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("c", "d"):
        (vault.root / f"{name}.md").write_text("[[nowhere]]\n")
    monkeypatch.chdir(vault.root)
    assert told(reme, vault, "--changed", "c.md") == ["c.md:1:1 L001"]
