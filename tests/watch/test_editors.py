"""What editors leave beside a note that they have open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.watch.editors import open_marker

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", [".note.md.swp", ".note.md.swo", "~$note.md", ".~lock.note.md#"])
def test_a_file_beside_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert open_marker(tmp_path / "note.md") == name
    assert open_marker(tmp_path / "other.md") is None


def test_the_link_of_emacs_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / ".#笔记.md").symlink_to("person@host.4711:1780000000")
    assert open_marker(tmp_path / "笔记.md") == ".#笔记.md"


@pytest.mark.parametrize("name", ["note.md~", "#note.md#", ".note.md.un~", "note.md.swp", "note.md.bak"])
def test_what_stays_when_the_editor_is_closed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert open_marker(tmp_path / "note.md") is None
