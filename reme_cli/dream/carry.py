"""What earlier runs left: units that landed before a crash, units whose inputs changed, days that are not finished."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING

from reme_cli.changeset import audit
from reme_cli.dream.catalog import Catalog, Failure, OpenUnit, Reading, settle
from reme_cli.dream.inputs import day_of, material_of
from reme_cli.errors import NoteError, PathRefused
from reme_cli.vault.stamp import stamp_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from reme_cli.dream.workplace import Workplace


def take_up(place: Workplace) -> None:
    """Bring the catalog up to date with the audit and the disk.

    Units that the audit knows as landed are closed. Units of which an input changed are dropped, and all their inputs
    are due again; so is what was in quarantine and changed, or is to be tried again.
    """
    if place.catalog.batches:
        _close_landed(place)
    catalog = place.catalog
    retry = place.options.retry_quarantined
    if retry:
        catalog = _without_attempts(catalog)
    stale = {reading.path for reading in catalog.pending().values() if _is_stale(reading, place)}
    catalog, again = release(catalog, stale)
    again |= {
        path
        for path, failure in catalog.failures.items()
        if failure.quarantined and (retry or _has_changed(path, failure, place))
    }
    due = {path: date for path in again if (date := day_of(place.vault, path)) is not None}
    place.catalog = replace(catalog, due={**catalog.due, **due})
    place.save()


def release(catalog: Catalog, stale: Collection[str]) -> tuple[Catalog, set[str]]:
    """The catalog without the open units of stale inputs, and the inputs that have to be extracted again therefore.

    The other inputs of such a unit are among them, and so are the other open units of those: what is extracted again
    must not be integrated from the old extraction as well.
    """
    released = set(stale)
    units = [item.unit for batch in catalog.batches for item in batch.units]
    while (
        more := {path for unit in units if released.intersection(unit.paths) for path in unit.paths}
        - released
    ):
        released |= more
    batches = []
    for batch in catalog.batches:
        left = replace(
            batch,
            inputs=tuple(reading for reading in batch.inputs if reading.path not in released),
            units=tuple(item for item in batch.units if not released.intersection(item.unit.paths)),
        )
        if left.units or left.topics:
            batches.append(left)
    return replace(catalog, batches=tuple(batches)), released


def _close_landed(place: Workplace) -> None:
    """Close the open units that the audit has as written or skipped: a run was killed before it could say so."""
    catalog = place.catalog
    landed = audit.units_landed(place.vault, since=_first_day(place))
    open_ids = {item.unit.id for batch in catalog.batches for item in batch.units}
    closed = {unit: line for unit, line in landed.items() if unit in open_ids}
    if not closed:
        return
    place.queue_follow_ups(line.path for line in closed.values() if line.outcome == "written")
    entries = dict(catalog.entries)
    batches = []
    for batch in catalog.batches:
        left, finished = settle(batch, closed, topics_done=False)
        entries.update((reading.path, reading) for reading in finished)
        if left is not None:
            batches.append(left)
    place.catalog = replace(catalog, entries=entries, batches=tuple(batches))


def _first_day(place: Workplace) -> dt.date | None:
    """The day from which the audit tells of the open batches; `None` for all of it, where the clock went backwards since."""
    oldest = min(_day_of_run(batch.run) for batch in place.catalog.batches)
    # a day earlier is safe whatever the time zone was
    return oldest - dt.timedelta(days=1) if oldest <= _day_of_run(place.run.id) else None


def _day_of_run(run: str) -> dt.date:
    """A run's id begins with its local date."""
    return dt.date(int(run[:4]), int(run[4:6]), int(run[6:8]))


def _without_attempts(catalog: Catalog) -> Catalog:
    def fresh(items: Iterable[OpenUnit]) -> tuple[OpenUnit, ...]:
        return tuple(replace(item, attempts=0) if item.quarantined else item for item in items)

    return replace(
        catalog, batches=tuple(replace(batch, units=fresh(batch.units)) for batch in catalog.batches)
    )


def _has_changed(path: str, failure: Failure, place: Workplace) -> bool:
    try:
        return place.vault.read(path).stamp != failure.stamp
    except (NoteError, PathRefused):
        return True


def _is_stale(reading: Reading, place: Workplace) -> bool:
    """Whether the file is no longer what was read, in what it says."""
    file = place.calendar.find(reading.path)
    if file is None:
        return True
    if (file.size, file.mtime_ns) == (reading.size, reading.mtime_ns):
        return False
    try:
        note = place.vault.read(reading.path)
    except (NoteError, PathRefused):
        return True
    return note.stamp != reading.stamp and stamp_of(material_of(place.vault, note).encode()) != reading.text
