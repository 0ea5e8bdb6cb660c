"""Which notes the paths on a command line mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.errors import PathRefused, UsageError
from reme_cli.lint.places import places

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOTES = ("a.md", "daily/2026-06-01.md", "daily/2026-06-01/b.md", "digest/wiki/c.md", "[x].md", "笔记.md")


@pytest.mark.parametrize(
    ("given", "here", "found"),
    [
        (["."], "", NOTES),
        (["a.md"], "", ["a.md"]),
        (["./a.md", "笔记.md"], "", ["a.md", "笔记.md"]),
        (["daily"], "", ["daily/2026-06-01.md", "daily/2026-06-01/b.md"]),
        (["daily/", "a.md"], "", ["a.md", "daily/2026-06-01.md", "daily/2026-06-01/b.md"]),
        (["."], "digest", ["digest/wiki/c.md"]),
        (["wiki/c.md"], "digest", ["digest/wiki/c.md"]),
        (["../a.md"], "digest", ["a.md"]),
        (["a.md"], "digest", ["a.md"]),
        (["daily/*.md"], "", ["daily/2026-06-01.md"]),
        (["daily/**"], "", ["daily/2026-06-01.md", "daily/2026-06-01/b.md"]),
        (["**/*.md"], "", NOTES),
        (["*.md"], "", ["a.md", "[x].md", "笔记.md"]),
        (["wiki/?.md"], "digest", ["digest/wiki/c.md"]),
        (["[x].md"], "", ["[x].md"]),
        (["a.md"], "..", ["a.md"]),
        (["d*/wiki/*"], "..", ["digest/wiki/c.md"]),
        (["nothing*"], "", []),
    ],
)
def test_what_is_meant(
    make_vault: Callable[..., Path], given: list[str], here: str, found: list[str]
) -> None:
    root = make_vault(dict.fromkeys(NOTES, "x"))
    wanted = places(root.resolve(), given, root / here)
    assert [path for path in NOTES if wanted.hold(path)] == [path for path in NOTES if path in found]


@pytest.mark.parametrize("path", ["..", "../x", "../other/a.md", "/", "../*.md", "daily/../../x"])
def test_outside_is_refused(make_vault: Callable[..., Path], path: str) -> None:
    root = make_vault(dict.fromkeys(NOTES, "x"))
    (root.parent / "other").mkdir()
    (root.parent / "other" / "a.md").touch()
    with pytest.raises(PathRefused, match="leads out of the vault"):
        places(root.resolve(), [path], root)


def test_what_is_not_there(make_vault: Callable[..., Path]) -> None:
    root = make_vault()
    with pytest.raises(UsageError, match="no such file"):
        places(root.resolve(), ["b.md"], root)


def test_what_is_no_key_of_the_command_may_have_been_meant_as_one(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"a.md": "x"})
    with pytest.raises(UsageError, match="no option either"):
        places(root.resolve(), ["threshhold=strict"], root)


def test_an_empty_path_is_not_the_whole_vault(make_vault: Callable[..., Path]) -> None:
    root = make_vault({"a.md": "x"})
    with pytest.raises(UsageError, match="a path is empty"):
        places(root.resolve(), [""], root)


def test_a_link_to_the_vault_is_the_vault(make_vault: Callable[..., Path], tmp_path: Path) -> None:
    root = make_vault({"a.md": "x"})
    (tmp_path / "link").symlink_to(root)
    assert places(root.resolve(), [str(tmp_path / "link" / "a.md")], tmp_path).hold("a.md")
    assert places(root.resolve(), [str(tmp_path / "link")], tmp_path).hold("a.md")
