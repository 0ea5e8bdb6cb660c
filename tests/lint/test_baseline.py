"""A baseline recognises what it knows, wherever the lines have moved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from reme_cli.errors import UsageError, VaultUnwritable
from reme_cli.lint.baseline import read_baseline, write_baseline

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]


def told(reme: Reme, vault: Path, *options: object) -> list[str]:
    findings = reme("lint", "--json", "--select=L001,S005", *options, vault=vault).json["findings"]
    return [f"{each['path']}:{each['line']}" for each in findings]


@pytest.mark.parametrize(
    ("after", "new"),
    [
        ("[[x]] and [[y]]\n", []),
        ("# Title\n\nmore\n\n[[y]]\n\n[[x]]\n", []),
        ("[[x]]\n", []),
        ("[[x]] and [[y]]\n\n[[x]]\n", ["a.md:3"]),
        ("[[x|shown]] and [[y]]\n", ["a.md:1"]),
        ("[[x]] and [[y]]\n\n[[z]]\n", ["a.md:3"]),
        ("\n", ["a.md:1"]),
    ],
)
def test_only_what_is_new_is_told(
    reme: Reme, make_vault: Callable[..., Path], tmp_path: Path, after: str, new: list[str]
) -> None:
    vault = make_vault({"a.md": "[[x]] and [[y]]\n"})
    file = tmp_path / "known.json"
    written = reme("lint", "--select=L001,S005", "--baseline", file, "--write-baseline", vault=vault)
    assert (written.code, written.out, "2 findings" in written.err) == (0, "", True)
    (vault / "a.md").write_text(after)
    assert told(reme, vault, "--baseline", file) == new
    assert reme("lint", "--select=L001", "--baseline", file, vault=vault).code == int(
        any(after.count(link) for link in ("[[z]]", "[[x|shown]]")) or after.count("[[x]]") > 1
    )


def test_the_file_is_the_same_each_time_and_one_finding_is_one_line(
    reme: Reme, make_vault: Callable[..., Path], tmp_path: Path
) -> None:
    vault = make_vault({"b.md": "[[x]] [[x]]\n", "a.md": "[[笔记]]\n"})
    contents = []
    for name in ("one", "two"):
        reme("lint", "--baseline", tmp_path / name, "--write-baseline", vault=vault)
        contents.append((tmp_path / name).read_text())
    assert contents[0] == contents[1]
    assert [json.loads(line.rstrip(","))["path"] for line in contents[0].splitlines()[1:-1]] == [
        "a.md",
        "b.md",
        "b.md",
    ]


def test_nothing_found_is_a_baseline_too(tmp_path: Path) -> None:
    write_baseline(tmp_path / "b", (), lambda _: None)
    assert read_baseline(tmp_path / "b") == frozenset()


@pytest.mark.parametrize("content", [None, "", "[]", '{"findings": [{}]}', '{"findings": 1}', "\xff"])
def test_a_file_that_is_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "b").write_text(content, encoding="latin-1")
    with pytest.raises(UsageError):
        read_baseline(tmp_path / "b")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(VaultUnwritable):
        write_baseline(tmp_path / "no" / "b", (), lambda _: None)


def test_it_knows_a_moved_note_by_the_paths_it_had(
    reme: Reme, make_vault: Callable[..., Path], tmp_path: Path
) -> None:
    vault = make_vault({"old/a.md": "[[x]] [[x]]\n", "b.md": "[[y]]\n"})
    file = tmp_path / "known.json"
    reme("lint", "--select=L001,S005", "--baseline", file, "--write-baseline", vault=vault)
    for old, new in (("old", "new"), ("new/a.md", "c.md")):
        assert reme("maintain", "mv", old, new, vault=vault).code == 0
        assert told(reme, vault, "--baseline", file) == []
    (vault / "old").mkdir(exist_ok=True)
    (vault / "old/d.md").write_text("[[x]]\n")
    (vault / "c.md").write_text("[[x]] [[x]] and\n\n[[x]]\n")
    assert told(reme, vault, "--baseline", file) == ["c.md:3", "old/d.md:1"]
    (vault / "c.md").write_text("[[x]] [[x]]\n")
    reme("undo", vault=vault)
    assert told(reme, vault, "--baseline", file) == ["old/d.md:1"]
