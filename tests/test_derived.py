"""Derived files are replaced whole, and what a killed process left of one goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli import derived

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_replaced_and_leftovers_go(tmp_path: Path) -> None:
    for name in ("lint-told.json", "index.db", "lint-told.4711.tmp", "config.12.tmp"):
        (tmp_path / name).write_bytes(b"old")
    derived.replace(tmp_path / "lint-told.json", b"new")
    left = {place.name: place.read_bytes() for place in tmp_path.iterdir()}
    assert left == {"lint-told.json": b"new", "index.db": b"old"}


def test_a_failed_replacement_leaves_the_old_bytes_alone(tmp_path: Path) -> None:
    (tmp_path / "told.json").mkdir()
    with pytest.raises(OSError, match=r"told\.json"):
        derived.replace(tmp_path / "told.json", b"new")
    assert [place.name for place in tmp_path.iterdir()] == ["told.json"]


def test_whose_temporary_went_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "told.json"
    monkeypatch.setattr("os.getpid", lambda: 7)
    write = type(place).write_bytes

    def overtaken(self: Path, data: bytes) -> int:
        size = write(self, data)
        monkeypatch.undo()
        derived.replace(place, b"theirs")  # another process, at this moment
        return size

    monkeypatch.setattr(type(place), "write_bytes", overtaken)
    with pytest.raises(FileNotFoundError):
        derived.replace(place, b"ours")
    assert [(found.name, found.read_bytes()) for found in tmp_path.iterdir()] == [("told.json", b"theirs")]
