"""The stage of a dream that refreshes the managed block of the day's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reme_cli.changeset.change_set import REDOS
from reme_cli.changeset.edit import Edit
from reme_cli.dream.catalog import moved
from reme_cli.dream.inputs import page_path
from reme_cli.dream.page import Listed, block_span, with_block
from reme_cli.errors import AlreadyExists, Conflict, NoteError, NoteNotFound, Refused
from reme_cli.graph.conservation import Block
from reme_cli.vault.managed_block import find_block, has_stray_markers
from reme_cli.vault.paths import stem_of
from reme_cli.vault.stamp import ABSENT, stamp_of

if TYPE_CHECKING:
    from reme_cli.dream.workplace import Workplace
    from reme_cli.vault.note import Note


@dataclass(frozen=True, slots=True)
class Page:
    """How the stage ended. `path` is the page where it was written."""

    path: str | None = None
    warnings: tuple[str, ...] = ()


def refresh_page(date: str, place: Workplace) -> Page:
    """Rebuild the block of a day that has notes, or that had some; a day without notes gets neither page nor block.

    A page that cannot be read or written is left as it is, with a warning.
    """
    notes = [_listed(file.path, place) for file in place.calendar.notes(date)]
    path = page_path(place.vault, date)
    for _ in range(1 + REDOS):
        try:
            before = _page(path, place)
            if not notes and (before is None or find_block(before.text) is None):
                return Page()
            text = with_block(before.text if before else None, date, notes)
            warnings = (
                (f"{path}: stray marker comments of reme's are left as they are",)
                if has_stray_markers(text)
                else ()
            )
            if before is not None and text == before.text:
                return Page(warnings=warnings)
            _write(path, before, text, place)
        except (Conflict, AlreadyExists):
            continue
        except (NoteError, Refused) as error:
            return Page(warnings=(f"the day's page is left as it is: {error.one_line}",))
        return Page(path, warnings)
    return Page(
        warnings=(f"{path}: the day's page is left as it is, it changed each time it was to be written",)
    )


def _write(path: str, before: Note | None, text: str, place: Workplace) -> None:
    old = before.text if before else None
    stamp = before.stamp if before else ABSENT
    place.write(Edit(path, text, stamp, Block(block_span(old, text))))
    place.catalog = moved(place.catalog, path, stamp, stamp_of(text.encode()))
    if not place.options.dry_run:
        place.calendar.renew(path)


def _page(path: str, place: Workplace) -> Note | None:
    try:
        return place.read(path)
    except NoteNotFound:
        return None


def _listed(path: str, place: Workplace) -> Listed:
    """A note as the index has it; one that cannot be read goes by its file name."""
    note = place.index.note(path)
    return Listed(path, note.name if note else stem_of(path), note.description if note else "")
