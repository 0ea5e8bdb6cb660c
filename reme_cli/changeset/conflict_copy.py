"""Conflict copies: texts of other programs that are saved beside the note they were meant for."""

from __future__ import annotations

import errno
import itertools
from typing import TYPE_CHECKING

from reme_cli.changeset import system
from reme_cli.vault.paths import MAX_COMPONENT_BYTES

if TYPE_CHECKING:
    import datetime
    from pathlib import Path


def bring_back(outside: Path, place: Path, now: datetime.datetime) -> Path:
    """Moves a file to a name beside the note at `place` that says what it is, and gives that name."""
    for number in itertools.count(1):
        copy = place.with_name(_copy_name(place.name, now, "" if number == 1 else f" {number}"))
        try:
            _move_new(outside, copy)
        except FileExistsError:
            continue
        break
    system.sync_folder(copy.parent)
    return copy


def put_back(outside: Path, place: Path, now: datetime.datetime) -> Path | None:
    """Moves a file to its place again; where that is taken by now, beside it: then gives the copy's name."""
    copy = None
    try:
        _move_new(outside, place)
    except FileExistsError:
        copy = bring_back(outside, place, now)
    system.sync_folder(place.parent)
    return copy


def _move_new(source: Path, target: Path) -> None:
    """Renames to a free name; between two file systems, copies and removes."""
    system.make_folder(target.parent)  # which somebody may have removed
    try:
        system.rename_new(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        system.write_new(target, source.read_bytes(), like=source.stat())
        system.unlink(source)


def _copy_name(name: str, now: datetime.datetime, again: str) -> str:
    stem, dot, extension = name.rpartition(".")
    if not dot:
        stem, extension = name, ""
    mark = f" (reme conflict {now:%Y-%m-%d %H%M%S}{again}){dot}{extension}"
    while len((stem + mark).encode()) > MAX_COMPONENT_BYTES:
        stem = stem[:-1]
    return stem + mark
