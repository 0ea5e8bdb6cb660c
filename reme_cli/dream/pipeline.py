"""A dream: for each date, oldest first, `extract → integrate → topics → finish`.

Before the first unit is integrated, the extraction is in the catalog as a batch of open units. Which of them landed is
read from the audit, which the writer keeps true across crashes. So a run that is killed anywhere is finished by the
next one, and no unit is integrated twice.
"""

from __future__ import annotations

import datetime as dt
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from reme_cli.changeset import history
from reme_cli.changeset.lock import run_lock
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.dream.carry import take_up
from reme_cli.dream.catalog import Batch, Failure, OpenUnit
from reme_cli.dream.day_page import Page, refresh_page
from reme_cli.dream.day_topics import Settled, settle_topics
from reme_cli.dream.extract import Extracted, extract
from reme_cli.dream.finish import Day, finish
from reme_cli.dream.inputs import Scan, scan_inputs, window
from reme_cli.dream.integrate import Outcome, integrate_all
from reme_cli.dream.progress import Progress, untold
from reme_cli.dream.renaming import carried, respelled_by
from reme_cli.dream.report import DayReport, DreamReport
from reme_cli.dream.workplace import Workplace
from reme_cli.errors import Busy, ConfigError
from reme_cli.follow_up import Drained, Workbench, drain
from reme_cli.index.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reme_cli.dream.options import DreamOptions
    from reme_cli.dream.unit import Unit
    from reme_cli.errors import ModelError
    from reme_cli.vault.vault import Vault

COMMAND = "auto_dream"


def dream(
    vault: Vault,
    options: DreamOptions,
    *,
    env: Mapping[str, str] | None = None,
    progress: Progress = untold,
    warn: Callable[[str], None] = lambda _: None,
) -> DreamReport:
    """Turn the changed daily notes of `options.dates` into digest notes and topics, and finish what earlier runs left.

    `env` holds the model's key (default: the process's environment); `progress` is told each day, call to
    extract and unit as it begins; `warn` gets a line when the index is rebuilt.
    Raises `Busy`; `ModelNotConfigured` when something is to be dreamed and no model is configured; `ConfigError` for a
    damaged catalog; `VaultUnwritable`. What goes wrong with single inputs, units or stages is in the report.
    """
    with ExitStack() as stack:
        if not options.dry_run:
            stack.enter_context(run_lock(vault, "dream", command=COMMAND, wait=options.wait))
            # what a killed run was writing is in the audit only once it is recovered
            recover(vault)
        run = stack.enter_context(start_run(vault, COMMAND))
        index = stack.enter_context(Index.open(vault, warn=warn))
        place = Workplace(vault, options, run, index, env)
        days, broken = _dream_days(place, progress)
        followed = _follow_up(place, progress)
        return DreamReport(
            run=None if options.dry_run else run.id,
            engine=options.engine,
            days=tuple(days),
            spent=place.ledger.spent,
            dry_run=options.dry_run,
            diff=place.diff(),
            model_error=str(broken) if broken else None,
            problems=tuple(place.problems),
            followed=followed,
        )


def _follow_up(place: Workplace, progress: Progress) -> Drained:
    """What became of the queue of follow-ups, which are a part of the run: undoing it takes them back as well."""
    if place.options.dry_run or not place.options.follow_up:
        return Drained()
    try:
        drained = drain(
            Workbench(
                place.vault,
                place.index,
                place.run,
                connect=place.splitter if place.options.engine == "llm" else None,
            ),
            progress=progress,
        )
        # what was linked is an input of a dream perhaps, and says nothing new
        place.catalog = carried(place.catalog, {}, respelled_by(place.vault, place.run.id))
        place.save()
        return drained
    except Busy:
        return Drained()  # another worker is at it, and takes up what this run queued
    except ConfigError as error:
        place.tell_problem(error.one_line)
        return Drained()


def _dream_days(place: Workplace, progress: Progress) -> tuple[list[DayReport], ModelError | None]:
    """The reports of the requested days and of those with something left, and why the model gave out, if it did.

    The days behind that are looked at without it, so that what changed there is known to be due.
    """
    take_up(place)
    requested = {date.isoformat() for date in place.options.dates}
    left = {batch.date for batch in place.catalog.batches} | set(place.catalog.due.values())
    dates = sorted(requested | left)
    days: list[DayReport] = []
    broken: ModelError | None = None
    for number, date in enumerate(dates):
        progress(date, number, len(dates))
        day, broken = _dream_day(date, place, broken, progress, is_requested=date in requested)
        days.append(day)
    return days, broken


def _dream_day(
    date: str, place: Workplace, broken: ModelError | None, progress: Progress, *, is_requested: bool
) -> tuple[DayReport, ModelError | None]:
    """One date through the four stages. Of a date that was not requested, only what earlier runs left is done."""
    page = refresh_page(date, place) if is_requested else Page()
    carried = sum(len(batch.units) for batch in place.catalog.batches_of(date))

    scan = _scan(date, place, is_requested=is_requested)
    extracted = extract(date, scan.changed, place, broken, progress)
    _keep_extraction(date, extracted, place)
    outcomes, broken = _integrate(date, place, extracted.broken, progress)
    topics = _settle_topics(date, place, broken)
    report = finish(Day(date, page, scan, extracted, carried, outcomes, topics), place)
    return report, broken or topics.broken


def _scan(date: str, place: Workplace, *, is_requested: bool) -> Scan:
    """What changed among the inputs of the date's window; of a date that was not requested, among what is due."""
    calendar = place.calendar
    due = [path for path, day in place.catalog.due.items() if day == date]
    if is_requested:
        days = window(dt.date.fromisoformat(date), place.options.scan_days)
        files = [file for day in days for file in calendar.inputs(day)]
        known = [path for day in days for path in place.catalogued.get(day, ())]
        skipped = [reason for day in days for reason in calendar.skipped(day)]
    else:
        files = [file for path in sorted(due) if (file := calendar.find(path)) is not None]
        known, skipped = due, []
    scan = scan_inputs(
        place.vault,
        [file for file in files if file.path not in place.tried],
        place.catalog,
        retry_quarantined=place.options.retry_quarantined,
        recall_text=lambda stamp: history.load(place.vault, stamp),
        cited_by=lambda path: _cited_by(path, place),
    )
    place.catalog = replace(
        place.catalog, due={path: day for path, day in place.catalog.due.items() if day != date}
    )
    present = {file.path for file in files}
    gone = tuple(sorted(path for path in known if path.endswith(".md") and path not in present))
    return replace(scan, scanned=len(files), gone=gone, warnings=(*skipped, *scan.warnings))


def _keep_extraction(date: str, extracted: Extracted, place: Workplace) -> None:
    """Save what was extracted as open, before anything of it is integrated; note what could not be extracted as due."""
    catalog = place.catalog
    failures = dict(catalog.failures)
    for material in extracted.read:
        failures.pop(material.reading.path, None)
        if not place.options.dry_run:
            history.keep(place.vault, material.input.text.encode())
    for material, reason in extracted.unusable:
        reading = material.reading
        before = failures.get(reading.path)
        count = before.count if before and before.stamp == reading.stamp else 0
        failures[reading.path] = Failure(reading.stamp, count + 1, reason)
    due = dict(catalog.due)
    for path in (path for failed in extracted.failed for path in failed.paths):
        if path not in failures or not failures[path].quarantined:
            due[path] = date
    place.tried.update(material.reading.path for material in extracted.read)
    place.tried.update(path for failed in extracted.failed for path in failed.paths)
    batches = catalog.batches
    if extracted.read:
        units = tuple(OpenUnit(_sealed(unit, place.run.id)) for unit in extracted.units)
        readings = tuple(material.reading for material in extracted.read)
        batches = (*batches, Batch(date, place.run.id, readings, units, extracted.topics))
    place.catalog = replace(catalog, failures=failures, due=due, batches=batches)
    place.save()


def _sealed(unit: Unit, run: str) -> Unit:
    """The unit with an id that no other extraction gives, since the audit tells by the id what landed."""
    return replace(unit, id=f"{run}.{unit.id}")


def _integrate(
    date: str, place: Workplace, broken: ModelError | None, progress: Progress
) -> tuple[list[Outcome], ModelError | None]:
    """The outcomes of the first `max_units` open units of the date, oldest extraction first."""
    waiting = [
        item for batch in place.catalog.batches_of(date) for item in batch.units if not item.quarantined
    ]
    if broken is not None or not waiting:
        return [], broken

    def told(name: str, done: int, total: int) -> None:
        progress(f"{date}: {name}", done, total)

    return integrate_all(waiting[: place.options.max_units], place, told)


def _settle_topics(date: str, place: Workplace, broken: ModelError | None) -> Settled:
    candidates = [topic for batch in place.catalog.batches_of(date) for topic in batch.topics]
    if broken is not None:
        return Settled(done=not candidates)
    return settle_topics(dt.date.fromisoformat(date), candidates, place)


def _cited_by(path: str, place: Workplace) -> list[str]:
    """The digest notes that link to an input."""
    sources = {link.source for link in place.index.links_to(path)}
    return sorted(source for source in sources if place.vault.layer(source) == "digest")
