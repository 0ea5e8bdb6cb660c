"""`reme init`: only what is missing, nothing overwritten."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import system
from reme_cli.errors import ConfigError, PathRefused, UsageError
from reme_cli.resources import resource
from reme_cli.template import fill

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def tree(root: Path) -> dict[str, bytes]:
    """Every file with its bytes."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_a_new_vault(tmp_path: Path) -> None:
    made = fill(tmp_path / "a/b", {})
    assert made.was_new
    assert set(made.paths) == set(tree(tmp_path / "a/b"))
    assert {
        "vault.yaml",
        "README.md",
        "metadata/.gitignore",
        "daily/.gitkeep",
        "digest/wiki/.gitkeep",
    } <= set(made.paths)


def test_a_new_repository_is_a_new_vault(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    made = fill(tmp_path, {})
    assert made.was_new
    assert {"README.md", ".github/workflows/lint.yml"} <= set(made.paths)


def test_twice_changes_nothing(tmp_path: Path) -> None:
    fill(tmp_path, {}, demo=True)
    before = tree(tmp_path)
    assert fill(tmp_path, {}, demo=True).paths == ()
    assert tree(tmp_path) == before


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
def test_an_interrupted_one_is_complete(tmp_path: Path) -> None:
    """Where the folder holds something already, the next `reme init` would take it for somebody's notes."""
    (tmp_path / "a").mkdir()
    wanted = set(fill(tmp_path / "a", {}).paths)

    def interrupt(*_: object) -> None:
        system.watchers.remove(interrupt)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    system.watchers.append(interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            fill(tmp_path / "b", {})
    finally:
        signal.signal(signal.SIGINT, before)
    assert set(tree(tmp_path / "b")) == wanted


def test_a_dry_run_makes_nothing(tmp_path: Path) -> None:
    planned = fill(tmp_path / "v", {}, dry_run=True)
    assert not (tmp_path / "v").exists()
    made = fill(tmp_path / "v", {})
    assert (made.paths, made.diff) == (planned.paths, planned.diff)


def test_the_diff_makes_the_vault(tmp_path: Path) -> None:
    import subprocess

    planned = fill(tmp_path / "planned", {}, demo=True, dry_run=True)
    assert [line[6:] for line in planned.diff.splitlines() if line.startswith("+++ b/")] == list(
        planned.paths
    )
    (tmp_path / "patched").mkdir()
    # an empty file is only named: `patch` needs lines
    subprocess.run(
        ["git", "apply", "--unsafe-paths", "--directory", str(tmp_path / "patched"), "-"],
        input="".join(
            part
            for part in planned.diff.replace("--- /dev/null\n", "\0--- /dev/null\n").split("\0")
            if "@@" in part
        ),
        cwd=tmp_path,
        text=True,
        check=True,
    )
    full = {path: data for path, data in tree(fill(tmp_path / "made", {}, demo=True).root).items() if data}
    assert tree(tmp_path / "patched") == full


@pytest.mark.parametrize("folder", ["metadata", "digest", "daily"])
@pytest.mark.parametrize("dry_run", [False, True])
def test_nothing_is_made_outside(
    make_vault: Callable[..., Path], tmp_path: Path, folder: str, dry_run: bool
) -> None:
    root = make_vault()
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / folder).symlink_to(outside)
    with pytest.raises(PathRefused, match="leads out of the vault"):
        fill(root, {}, dry_run=dry_run)
    assert (list(outside.iterdir()), tree(root)) == ([], {"vault.yaml": b""})


def test_an_obsidian_vault_keeps_every_byte_and_gets_no_note(make_vault: Callable[..., Path]) -> None:
    files = {"vault.yaml": "# mine\n", ".obsidian/app.json": "{}", "daily/x.md": "x\r\n", ".gitignore": "x"}
    root = make_vault(files)
    made = fill(root, {})
    after = tree(root)
    assert {path: text.encode() for path, text in files.items()}.items() <= after.items()
    assert not [path for path in made.paths if path.endswith(".md")]
    assert "daily/.gitkeep" not in made.paths


def test_folders_and_buckets_of_vault_yaml(make_vault: Callable[..., Path]) -> None:
    root = make_vault(
        {"vault.yaml": "folders: {daily: journal, metadata: .reme}\ndigest: {buckets: {people: Who}}\n"}
    )
    made = fill(root, {})
    assert {"journal/.gitkeep", ".reme/.gitignore", "digest/people/.gitkeep", "digest/wiki/.gitkeep"} <= set(
        made.paths
    )
    assert not (root / "daily").exists()
    assert not (root / "metadata").exists()


def test_the_demo(tmp_path: Path) -> None:
    made = fill(tmp_path, {}, demo=True)
    assert len([path for path in made.paths if path.startswith("daily/2026-06-")]) >= 10


def test_the_demo_is_not_mixed_with_notes(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"digest/wiki/mine.md": "mine"})
    before = tree(root)
    with pytest.raises(UsageError, match=r"digest/wiki/mine\.md"):
        fill(root, {}, demo=True)
    assert tree(root) == before


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        fill(tmp_path / "file", {})


def test_a_mistake_in_vault_yaml_is_told_before_anything_is_made(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"vault.yaml": "nonsense: 1\n"})
    with pytest.raises(ConfigError):
        fill(root, {})
    assert os.listdir(root) == ["vault.yaml"]


def test_what_git_is_told_to_ignore(tmp_path: Path) -> None:
    """State of this machine only is ignored; what belongs to the vault is not."""
    import subprocess

    fill(tmp_path, {})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    def ignored(path: str) -> bool:
        command = ["git", "-C", str(tmp_path), "check-ignore", "-q", path]
        return subprocess.run(command, check=False).returncode == 0

    own = ["cache/index.db", "journal/x.json", "queue/jobs.json", "lock", "lock-dream", "history/held/x"]
    shared = ["file_catalog/dream.json", "audit/2026-06-20.jsonl", "history/ab/cd.z"]
    assert [path for path in own if not ignored(f"metadata/{path}")] == []
    assert [path for path in shared if ignored(f"metadata/{path}")] == []


def test_resources_are_found() -> None:
    assert resource("prompts").is_dir()
    assert resource("vault_template", "vault.yaml").is_file()
