"""The last stage of a day: what was done goes to the catalog in one write, what is left stays open, both are counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reme_cli.dream.catalog import Batch, OpenUnit, Reading, settle
from reme_cli.dream.integrate import Failed
from reme_cli.dream.report import DayReport, FailedUnit, IntegratedUnit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.dream.day_page import Page
    from reme_cli.dream.day_topics import Settled
    from reme_cli.dream.extract import Extracted
    from reme_cli.dream.inputs import Scan
    from reme_cli.dream.integrate import Outcome
    from reme_cli.dream.workplace import Workplace


@dataclass(frozen=True, slots=True)
class Day:
    """What the stages of one date handed over. `carried` counts the open units of earlier runs."""

    date: str
    page: Page
    scan: Scan
    extracted: Extracted
    carried: int
    outcomes: Sequence[Outcome]
    topics: Settled


def finish(day: Day, place: Workplace) -> DayReport:
    """Checkpoint the inputs of which nothing is open, with the stamps that were read, and report the day."""
    landed = [outcome for outcome in day.outcomes if isinstance(outcome, IntegratedUnit)]
    failed = {outcome.unit.id: outcome for outcome in day.outcomes if isinstance(outcome, Failed)}
    written = [unit.path for unit in landed if unit.action != "SKIP"]
    follow_ups = place.queue_follow_ups(written)
    checkpointed = _checkpoint(day, {unit.unit for unit in landed}, failed, place)
    place.save()
    left = [item for batch in place.catalog.batches_of(day.date) for item in batch.units]
    return DayReport(
        date=day.date,
        scanned=day.scan.scanned,
        changed=len(day.scan.changed),
        carried=day.carried,
        extracted=len(day.extracted.units),
        integrated=tuple(landed),
        failed_units=tuple(_told(item) for item in left if _is_own(failed, item)),
        failed_inputs=tuple(day.extracted.failed),
        pending=sum(not item.quarantined and not _is_own(failed, item) for item in left),
        quarantined_units=tuple(
            _told(item) for item in left if item.quarantined and not _is_own(failed, item)
        ),
        quarantined_paths=tuple(sorted({*day.scan.quarantined, *_newly_quarantined(day, left, place)})),
        topics=day.topics.topics,
        interests=day.topics.written.path if day.topics.written else None,
        page=day.page.path,
        checkpointed=0 if place.options.dry_run else checkpointed,
        follow_ups=follow_ups,
        errors=(day.topics.error,) if day.topics.error else (),
        warnings=(
            *day.page.warnings,
            *day.scan.warnings,
            *day.extracted.warnings,
            *(
                f"{unit.path}: leads nowhere: {', '.join(unit.broken_links)}"
                for unit in landed
                if unit.broken_links
            ),
            *day.topics.warnings,
        ),
    )


def _checkpoint(day: Day, landed: set[str], failed: dict[str, Failed], place: Workplace) -> int:
    """Move what is done from the day's batches to the entries; give how many inputs were checkpointed."""
    entries = dict(place.catalog.entries)
    for path in day.scan.gone:
        entries.pop(path, None)
    for reading in day.scan.settled:
        entries[reading.path] = reading
    batches: list[Batch] = []
    done: list[Reading] = []
    for batch in place.catalog.batches:
        if batch.date != day.date:
            batches.append(batch)
            continue
        left, finished = settle(batch, landed, topics_done=day.topics.done)
        done += finished
        if left is not None:
            batches.append(replace(left, units=tuple(_counted(item, failed) for item in left.units)))
    if day.topics.written and not place.options.dry_run:
        done.append(day.topics.written)
    entries.update((reading.path, reading) for reading in done)
    place.catalog = replace(place.catalog, entries=entries, batches=tuple(batches))
    return len({reading.path for reading in done})


def _counted(item: OpenUnit, failed: dict[str, Failed]) -> OpenUnit:
    """A unit that failed by its own fault with that counted."""
    failure = failed.get(item.unit.id)
    if failure is None or not failure.own:
        return item
    return replace(item, attempts=item.attempts + 1, reason=failure.reason)


def _newly_quarantined(day: Day, left: Sequence[OpenUnit], place: Workplace) -> list[str]:
    """The inputs that this run's failure, of their extraction or of a unit, was one too many for."""
    failures = place.catalog.failures
    inputs = (material.reading.path for material, _ in day.extracted.unusable)
    units = (path for item in left if item.quarantined for path in item.unit.paths)
    return [*(path for path in inputs if failures[path].quarantined), *units]


def _is_own(failed: dict[str, Failed], item: OpenUnit) -> bool:
    return item.unit.id in failed and failed[item.unit.id].own


def _told(item: OpenUnit) -> FailedUnit:
    return FailedUnit(item.unit.id, item.unit.name, item.unit.paths, item.reason, item.attempts)
