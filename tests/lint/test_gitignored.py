"""`.gitignore` as git reads it: git itself is asked whether it agrees."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.lint.gitignored import Ignored

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not here")

PATHS = (
    "a.md",
    "b/a.md",
    "b/c/a.md",
    "b/c/x.log.md",
    "daily/2026-06-01.md",
    "vault/a.md",
    "vault/b/a.md",
    "笔记/a.md",
)
LINES = (
    "a.md",
    "/a.md",
    "b/",
    "/b/c/",
    "b/*",
    "!b/c/",
    "!a.md",
    "*.log.md",
    "daily/2026-06-*",
    "**/c/**",
    "笔记/",
    "# a.md",
    "",
    "!",
    "vault/b",
    "a.md  ",
    "\\#x",
    "[ab].md",
    "!*.md",
    "vault/**",
    "b/**/x.log.md",
    "a*d",
    "?.md",
    "[!b].md",
    "[a",
    "[]a].md",
    "[a-c]*/",
    "**",
    "*/*.md",
    "b",
)
FOLDERS = ("", "b/", "b/c/", "vault/")


def ignored_by_git(top: Path) -> set[str]:
    done = subprocess.run(
        ["git", "-C", str(top), "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(PATHS).encode(),
        capture_output=True,
        check=False,
    )
    return set(filter(None, done.stdout.decode().split("\0")))


@needs_git
@given(
    files=st.dictionaries(st.sampled_from(FOLDERS), st.lists(st.sampled_from(LINES), max_size=4), max_size=3),
    vault=st.sampled_from(["", "b", "vault"]),
)
@settings(max_examples=60)
def test_as_git(files: dict[str, list[str]], vault: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        subprocess.run(["git", "init", "-q", str(top)], check=True)
        for path in PATHS:
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).touch()
        for place, lines in files.items():
            (top / place / ".gitignore").write_text("\n".join(lines) + "\n")
        expected = ignored_by_git(top)
        ignored = Ignored(top / vault)
        inside = f"{vault}/" if vault else ""
        found = {path for path in PATHS if path.startswith(inside) and path[len(inside) :] in ignored}
        assert found == {path for path in expected if path.startswith(inside)}


def test_without_a_repository_the_files_in_the_vault_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.md\n")
    (tmp_path / "vault").mkdir()
    assert "a.md" not in Ignored(tmp_path / "vault")
    (tmp_path / "vault" / ".gitignore").write_bytes(b"\xef\xbb\xbfa.md\r\n\xff\r\n")
    assert "a.md" in Ignored(tmp_path / "vault")
    assert "b.md" not in Ignored(tmp_path / "vault")
