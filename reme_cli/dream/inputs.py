"""Which daily notes changed since they were dreamed, and what of them is new."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reme_cli.changeset import history
from reme_cli.dream.block import change_between, split
from reme_cli.dream.catalog import Catalog, Failure, Reading
from reme_cli.dream.page import own_text
from reme_cli.dream.unit import Input
from reme_cli.errors import FrontmatterError, NoteError, NoteNotFound, PathRefused
from reme_cli.vault.paths import NOTE_SUFFIX
from reme_cli.vault.stamp import Stamp, stamp_of
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.walk import NoteFile
from reme_cli.vault.wikilink import strip_links

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing

_RACY = 2_000_000_000
"""Nanoseconds; the coarsest modification times in use (FAT) count by two seconds."""
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TITLE = re.compile(r"#{1,6}[ \t].*")


@dataclass(frozen=True, slots=True)
class Material:
    """An input with what the catalog is to remember of its reading."""

    input: Input
    reading: Reading


@dataclass(frozen=True, slots=True)
class Scan:
    """What a look at the inputs of a day gives, each part in path order.

    `changed` is to be extracted. `settled` needs no extraction: its content is what the catalog knows, or it says
    nothing. `gone` are catalogued paths without a file, `quarantined` changed inputs that are left alone.
    """

    changed: tuple[Material, ...] = ()
    settled: tuple[Reading, ...] = ()
    quarantined: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    scanned: int = 0
    gone: tuple[str, ...] = ()


class Calendar:
    """The vault's inputs by day, from one walk."""

    def __init__(self, vault: Vault, listing: Listing) -> None:
        self._vault = vault
        self._days: dict[str, list[NoteFile]] = {}
        self._listed: dict[str, list[NoteFile]] = {}
        for note in listing.notes:
            if day := day_of(vault, note.path):
                self._days.setdefault(day, []).append(note)
            if (date := vault.day(note.path)) and note.path != page_path(vault, date.isoformat()):
                self._listed.setdefault(date.isoformat(), []).append(note)
        daily = vault.config.folders.daily
        # what is skipped may be a note, a day's whole folder, or the folder of all days
        self._skipped = tuple(
            (day, f"{skipped.path}: {skipped.reason}")
            for skipped in listing.skipped
            if (day := day_of(vault, skipped.path) or day_of(vault, f"{skipped.path}/a note"))
            or f"{daily}/".startswith(f"{skipped.path}/")
        )

    def find(self, path: str) -> NoteFile | None:
        """The input at a path, as the walk or the last `renew` saw it."""
        day = day_of(self._vault, path)
        return next((note for note in self._days.get(day or "", ()) if note.path == path), None)

    def renew(self, path: str) -> NoteFile | None:
        """Look again at a note that reme wrote, and give what is there, if it is an input."""
        day = day_of(self._vault, path)
        if day is None:
            return None
        others = [note for note in self._days.get(day, ()) if note.path != path]
        place = self._vault.locate(path)
        try:
            status = place.stat()
        except FileNotFoundError:
            self._days[day] = others
            return None
        spelled = place.relative_to(self._vault.root).as_posix()
        file = NoteFile(path, status.st_size, status.st_mtime_ns, spelled)
        self._days[day] = sorted([*others, file])
        return file

    def inputs(self, date: str) -> list[NoteFile]:
        """The inputs of a date, by path."""
        return self._days.get(date, [])

    def notes(self, date: str) -> list[NoteFile]:
        """The notes that the day's page lists: those in the day's own folder, by path."""
        return self._listed.get(date, [])

    def skipped(self, date: str) -> list[str]:
        """What stands among a date's inputs and is none, with the reason."""
        daily = self._vault.config.folders.daily
        page = f"{daily}/{date}.md"
        folders = [
            *([page] if _is_folder(self._vault, page) else []),
            *_folders_below(self._vault, f"{daily}/{date}"),
        ]
        return [
            *(f"{path}: a folder, not a note" for path in folders if path.endswith(NOTE_SUFFIX)),
            *(reason for day, reason in self._skipped if day in {date, None}),
        ]


def _is_folder(vault: Vault, path: str) -> bool:
    try:
        return vault.locate(path).is_dir()
    except PathRefused:  # likewise: the walk has the reason
        return False


def _folders_below(vault: Vault, path: str) -> list[str]:
    """The folders in a folder, at any depth, sorted; symlinks are not followed. None in what leads out of the vault."""
    try:
        root = vault.locate(path)
    except PathRefused:  # the walk has it as skipped, with the reason
        return []
    found: list[str] = []
    for here, folders, _ in os.walk(root):
        found += [f"{path}/{(Path(here) / name).relative_to(root).as_posix()}" for name in folders]
    return sorted(found)


def day_of(vault: Vault, path: str) -> str | None:
    """The date that `path` is an input of, as `dream.inputs` has it."""
    inputs = vault.config.dream.inputs
    if "daily" in inputs and (day := vault.day(path)) is not None:
        return day.isoformat()
    folder = vault.config.folders.resource + "/"
    if "resource" in inputs and path.startswith(folder):
        date, slash, _ = path[len(folder) :].partition("/")
        return date if slash and _DATE.fullmatch(date) else None
    return None


def page_path(vault: Vault, date: str) -> str:
    """Where the day's page is."""
    return f"{vault.config.folders.daily}/{date}.md"


def window(date: dt.date, days: int) -> list[str]:
    """`date` and the days before it, `days` in all, oldest first."""
    last = date.toordinal()
    return [date.fromordinal(day).isoformat() for day in range(max(1, last - days + 1), last + 1)]


def scan_inputs(
    vault: Vault,
    files: Iterable[NoteFile],
    catalog: Catalog,
    *,
    retry_quarantined: bool,
    recall_text: Callable[[Stamp], bytes | None],
    cited_by: Callable[[str], Sequence[str]],
) -> Scan:
    """Read what changed among `files`.

    `recall_text` gives a text that was kept at an earlier dream, `cited_by` the digest notes that link to a path.
    """
    changed: list[Material] = []
    settled: list[Reading] = []
    held: list[str] = []
    warnings: list[str] = []
    pending = catalog.pending()
    now = time.time_ns()
    for file in files:
        entry = pending.get(file.path) or catalog.entries.get(file.path)
        if entry is not None and (entry.size, entry.mtime_ns) == (file.size, file.mtime_ns):
            continue
        try:
            note = vault.read(file.path)
        except NoteNotFound:
            continue  # removed since the walk
        except (NoteError, PathRefused) as error:
            warnings.append(error.one_line)
            continue
        text = material_of(vault, note)
        reading = Reading(note.path, note.stamp, stamp_of(text.encode()), file.size, file.mtime_ns)
        if file.size != len(note.text.encode()) or now - file.mtime_ns < _RACY:
            # Saved since the walk, or so recently that one more save may leave the same time: compare contents next time.
            reading = replace(reading, size=-1, mtime_ns=-1)
        if entry is not None and (entry.stamp == reading.stamp or entry.text == reading.text):
            # what waits for a unit is not done, whatever its file's times are
            if file.path not in pending:
                settled.append(replace(reading, text=entry.text))
            continue
        failure = catalog.failures.get(file.path)
        if failure and failure.stamp == reading.stamp and failure.quarantined and not retry_quarantined:
            held.append(file.path)
            continue
        warnings += _doubts(note)
        previous = recall_text(catalog.entries[file.path].text) if file.path in catalog.entries else None
        found = Input(
            note.path,
            text,
            note.stamp,
            previous.decode() if previous is not None else None,
            tuple(cited_by(note.path)),
        )
        if says_something(found):
            changed.append(Material(found, reading))
        else:
            settled.append(reading)
    return Scan(tuple(changed), tuple(settled), tuple(held), tuple(warnings))


def waits_to_be_dreamed(
    vault: Vault, path: str, stamp: Stamp, entry: Reading | None, failure: Failure | None
) -> bool:
    """Whether a dream of its day would extract an input that is on disk with this stamp, and can be read.

    `entry` is how it was read last, `failure` how extracting it failed.
    """
    if (entry and entry.stamp == stamp) or (failure and failure.stamp == stamp and failure.quarantined):
        return False
    try:
        note = vault.read(path)
    except (NoteError, PathRefused):
        return False  # the index has the reason
    text = material_of(vault, note)
    if entry is None:
        return says_something(Input(path, text, note.stamp))
    if entry.text == stamp_of(text.encode()):
        return False
    previous = history.load(vault, entry.text)
    return says_something(Input(path, text, note.stamp, None if previous is None else previous.decode()))


def material_of(vault: Vault, note: Note) -> str:
    """What of a note is material: all of it, of the day's page what is outside the managed block."""
    day = vault.day(note.path)
    return own_text(note.text) if day and note.path == page_path(vault, day.isoformat()) else note.text


def says_something(found: Input) -> bool:
    """Whether there is more than headings and white space in what is new."""
    fresh = fresh_text(found)
    return any(line.strip() and not _TITLE.fullmatch(line.strip()) for line in fresh.splitlines())


def fresh_text(found: Input) -> str:
    """What of an input was not there at the last dream, with the headings it stands under; all of it the first time."""
    if found.previous is None:
        return found.text.removeprefix("\ufeff")
    return change_between(found.previous, found.text, strip_links).added


def batches(
    changed: Sequence[Material], limit: int | None, alone: Collection[str] = ()
) -> Iterator[tuple[tuple[Material, ...], tuple[Input, ...]]]:
    """The changed inputs in groups of at most `limit` estimated tokens, in order: what is read, and what to send for it.

    An input above the limit is a group of its own in several parts, cut at headings. So is, whole, each of `alone`.
    """
    group: list[Material] = []
    used = 0
    for material in changed:
        # without a limit nothing depends on the size, and measuring a large note takes seconds
        size = estimate_tokens(fresh_text(material.input)) if limit is not None else 0
        apart = material.reading.path in alone or (limit is not None and size > limit)
        if group and (apart or (limit is not None and used + size > limit)):
            yield _whole(group)
            group, used = [], 0
        if apart:
            yield (material,), _parts(material.input, size, limit)
        else:
            group.append(material)
            used += size
    if group:
        yield _whole(group)


def _whole(group: Sequence[Material]) -> tuple[tuple[Material, ...], tuple[Input, ...]]:
    return tuple(group), tuple(material.input for material in group)


def _parts(found: Input, size: int, limit: int | None) -> tuple[Input, ...]:
    if limit is None or size <= limit:
        return (found,)
    texts = split(fresh_text(found), limit, estimate_tokens)
    return tuple(
        replace(found, text=text, previous=None, part=number, parts=len(texts))
        for number, text in enumerate(texts, 1)
    )


def _doubts(note: Note) -> list[str]:
    """What is odd about a note that is read nevertheless."""
    try:
        _ = note.frontmatter
    except FrontmatterError as error:
        return [error.one_line]
    return []
