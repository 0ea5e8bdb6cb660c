"""A conflict copy has a name that says what it is, and never takes the place of anything."""

from __future__ import annotations

import datetime
import errno
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.conflict_copy import bring_back, put_back

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    Watched = Callable[[Callable[[int, str, str], None]], AbstractContextManager[list[str]]]

NOW = datetime.datetime(2026, 6, 20, 3, 30, 0, tzinfo=datetime.UTC)


def outside(folder: Path, text: str = "saved") -> Path:
    place = folder / "outside"
    place.write_text(text)
    return place


def test_copies_of_one_second_are_numbered(tmp_path: Path) -> None:
    note = tmp_path / "notes" / "my note.md"
    names = [bring_back(outside(tmp_path, str(number)), note, NOW).name for number in range(3)]
    assert names == [
        "my note (reme conflict 2026-06-20 033000).md",
        "my note (reme conflict 2026-06-20 033000 2).md",
        "my note (reme conflict 2026-06-20 033000 3).md",
    ]
    assert [(note.parent / name).read_text() for name in names] == ["0", "1", "2"]
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("stem", ["x" * 252, "数" * 84])
def test_a_long_name_is_shortened_at_a_letter(tmp_path: Path, stem: str) -> None:
    copy = bring_back(outside(tmp_path), tmp_path / f"{stem}.md", NOW)
    assert copy.read_text() == "saved"
    assert copy.name.startswith(stem[:60])
    assert copy.name.endswith(" (reme conflict 2026-06-20 033000).md")
    assert len(copy.name.encode()) <= 255


def test_a_name_without_extension(tmp_path: Path) -> None:
    assert (
        bring_back(outside(tmp_path), tmp_path / "LICENSE", NOW).name
        == "LICENSE (reme conflict 2026-06-20 033000)"
    )


def test_a_file_goes_back_to_its_place_or_beside_it(tmp_path: Path) -> None:
    note = tmp_path / "gone/a.md"
    assert put_back(outside(tmp_path, "first"), note, NOW) is None
    copy = put_back(outside(tmp_path, "second"), note, NOW)
    assert copy is not None
    assert (note.read_text(), copy.read_text()) == ("first", "second")


def test_between_two_file_systems_it_is_copied(tmp_path: Path, watched: Watched) -> None:
    source = outside(tmp_path)
    source.chmod(0o640)

    def act(number: int, call: str, path: str) -> None:
        if call == "rename_new":
            raise OSError(errno.EXDEV, "Invalid cross-device link", path)

    with watched(act):
        copy = bring_back(source, tmp_path / "a.md", NOW)
    assert copy.read_text() == "saved"
    assert copy.stat().st_mode & 0o777 == 0o640
    assert not source.exists()
