"""What a dream did, as counts that reconcile.

Every unit is accounted for once: `carried + extracted = integrated + skipped + failed + pending + quarantined`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reme_cli.dream.unit import ACTIONS, Action, Topic
from reme_cli.follow_up import Drained
from reme_cli.follow_up import as_json as follow_ups_json
from reme_cli.llm.ledger import Spent

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class IntegratedUnit:
    """A unit that landed in the digest note `path`, or that this note already held (`SKIP`)."""

    unit: str
    name: str
    action: Action
    path: str
    edges_added: tuple[str, ...] = ()
    broken_links: tuple[str, ...] = ()
    """Links of the note that lead nowhere, and did so before."""


@dataclass(frozen=True, slots=True)
class FailedUnit:
    """A unit that is kept for another run. `attempts` counts the runs in which its own integration went wrong."""

    unit: str
    name: str
    paths: tuple[str, ...]
    reason: str
    attempts: int


@dataclass(frozen=True, slots=True)
class FailedInputs:
    """Inputs of which no usable extraction was had in this run."""

    paths: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class DayReport:
    """One date of a dream. `carried` units were extracted by an earlier run; `pending` ones wait for a later one."""

    date: str
    scanned: int = 0
    changed: int = 0
    carried: int = 0
    extracted: int = 0
    integrated: tuple[IntegratedUnit, ...] = ()
    failed_units: tuple[FailedUnit, ...] = ()
    failed_inputs: tuple[FailedInputs, ...] = ()
    pending: int = 0
    quarantined_units: tuple[FailedUnit, ...] = ()
    """Units that were left alone in this run."""
    quarantined_paths: tuple[str, ...] = ()
    topics: tuple[Topic, ...] = ()
    interests: str | None = None
    """The path of `interests.yaml`, where this run wrote it."""
    page: str | None = None
    """The path of the day's page, where this run wrote it."""
    checkpointed: int = 0
    follow_ups: int = 0
    errors: tuple[str, ...] = ()
    """Stages that failed on their own: topics, the page."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DreamReport:
    """A whole run, oldest day first. `model_error` is why the model could not be used, if it could not."""

    run: str | None
    engine: str
    days: tuple[DayReport, ...]
    spent: Spent = field(default_factory=Spent)
    dry_run: bool = False
    diff: str = ""
    model_error: str | None = None
    problems: tuple[str, ...] = ()
    """What went wrong and belongs to no day."""
    followed: Drained = field(default_factory=Drained)
    """What became of the queue of follow-ups."""

    @property
    def units(self) -> tuple[IntegratedUnit, ...]:
        """Every unit that landed or was skipped."""
        return tuple(unit for day in self.days for unit in day.integrated)

    @property
    def failed_units(self) -> tuple[FailedUnit, ...]:
        """Every unit that failed in this run."""
        return tuple(unit for day in self.days for unit in day.failed_units)

    @property
    def failed_paths(self) -> tuple[str, ...]:
        """Every input that is not done because a unit of it, or its extraction, failed."""
        units = (path for unit in self.failed_units for path in unit.paths)
        inputs = (path for day in self.days for failed in day.failed_inputs for path in failed.paths)
        return tuple(sorted({*units, *inputs}))

    @property
    def quarantined(self) -> tuple[str, ...]:
        """Every input that is left alone until it changes, or until `--retry-quarantined`."""
        units = (path for day in self.days for unit in day.quarantined_units for path in unit.paths)
        paths = (path for day in self.days for path in day.quarantined_paths)
        return tuple(sorted({*units, *paths}))

    @property
    def errors(self) -> tuple[str, ...]:
        """What went wrong besides single units, the model's own error first."""
        told = [self.model_error] if self.model_error else []
        for day in self.days:
            told += [
                f"{', '.join(failed.paths)}: {failed.reason}"
                for failed in day.failed_inputs
                if failed.reason not in (self.model_error or "")
            ]
            told += day.errors
        told += self.problems
        return tuple(dict.fromkeys(told))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Every warning once, in order; the last one names what is in quarantine."""
        told = [warning for day in self.days for warning in day.warnings]
        told += [f"{job.path}: follow-up {job.kind}: {what}" for job, what in self.followed.failed]
        told += [f"{job.path}: follow-up {job.kind} dropped: {what}" for job, what in self.followed.dropped]
        if self.followed.stopped:
            told.append(f"follow-ups are left: {self.followed.stopped}")
        if self.quarantined:
            told.append(
                f"in quarantine until changed or run with --retry-quarantined: {', '.join(self.quarantined)}"
            )
        return tuple(dict.fromkeys(told))

    @property
    def exit_code(self) -> int:
        """3 when no model call could succeed, 1 when anything is left to retry, else 0. Overflow alone is not a failure."""
        if self.model_error and not self.spent.calls:
            return 3
        return 1 if self.failed_units or self.failed_paths or self.errors else 0

    def total(self, count: str) -> int:
        """The sum over the days of a field that is a number."""
        return sum(getattr(day, count) for day in self.days)


def summary(report: DreamReport) -> str:
    """One line for a person: what was dreamed, what is left, what it cost. What is zero is not told."""
    if not (report.total("changed") or report.total("carried") or report.failed_paths):
        told = ["nothing to dream"]
    else:
        told = [f"{report.total('changed')} of {report.total('scanned')} inputs changed"]
    actions = Counter(unit.action for unit in report.units)
    written = ", ".join(
        f"{actions[action]} {action.lower()}" for action in ACTIONS if action != "SKIP" and actions[action]
    )
    integrated = len(report.units) - actions["SKIP"]
    counts = {
        f"{_count(report.total('extracted'), 'unit')} extracted": report.total("extracted"),
        f"{integrated} integrated ({written})": integrated,
        f"{actions['SKIP']} already known": actions["SKIP"],
        f"{len(report.failed_units)} failed": len(report.failed_units),
        f"{report.total('pending')} left for the next run": report.total("pending"),
        f"{len(report.quarantined)} quarantined": len(report.quarantined),
        _count(sum(len(day.topics) for day in report.days), "topic"): sum(
            len(day.topics) for day in report.days
        ),
        f"{report.total('checkpointed')} checkpointed": report.total("checkpointed"),
        f"{_count(report.total('follow_ups'), 'follow-up')} queued": report.total("follow_ups"),
        f"{len(report.followed.done)} of them done": len(report.followed.done),
        _cost(report.spent): report.spent.calls,
    }
    return "; ".join([*told, *(count for count, number in counts.items() if number)])


def _cost(spent: Spent) -> str:
    price = "price unknown" if spent.cost is None else f"${spent.cost:.4f}"
    cached = f" ({spent.cached_tokens} cached)" if spent.cached_tokens else ""
    return f"{_count(spent.calls, 'model call')}, {spent.tokens} tokens{cached}, {price}"


def as_json(report: DreamReport) -> dict[str, Any]:
    """The report's versioned JSON object (`"schema": 1`), keys in a stable order."""
    actions = Counter(unit.action for unit in report.units)
    return {
        "schema": 1,
        "run": report.run,
        "engine": report.engine,
        "dry_run": report.dry_run,
        "summary": summary(report),
        "scanned": report.total("scanned"),
        "changed": report.total("changed"),
        "carried": report.total("carried"),
        "extracted": report.total("extracted"),
        "integrated": {action: actions[action] for action in ACTIONS if action != "SKIP"},
        "skipped": actions["SKIP"],
        "failed": len(report.failed_units),
        "pending": report.total("pending"),
        "quarantined_units": sum(len(day.quarantined_units) for day in report.days),
        "units": [
            {
                "unit": unit.unit,
                "name": unit.name,
                "action": unit.action,
                "path": unit.path,
                "edges_added": list(unit.edges_added),
            }
            for unit in report.units
        ],
        "failed_units": _units(report.failed_units),
        "failed_paths": list(report.failed_paths),
        "quarantined": list(report.quarantined),
        "topics": sum(len(day.topics) for day in report.days),
        "checkpointed": report.total("checkpointed"),
        "follow_ups": report.total("follow_ups"),
        "followed": follow_ups_json(report.followed),
        "calls": report.spent.calls,
        "tokens": {
            "prompt": report.spent.prompt_tokens,
            "cached": report.spent.cached_tokens,
            "completion": report.spent.completion_tokens,
        },
        "cost": report.spent.cost,
        "days": [
            {
                "date": day.date,
                "scanned": day.scanned,
                "changed": day.changed,
                "carried": day.carried,
                "extracted": day.extracted,
                "pending": day.pending,
                "checkpointed": day.checkpointed,
                "page": day.page,
                "interests": day.interests,
                "topics": [topic.title for topic in day.topics],
            }
            for day in report.days
            if day.scanned or day.carried or day.page or day.interests
        ],
        "errors": list(report.errors),
        "warnings": list(report.warnings),
        "diff": report.diff if report.dry_run else None,
    }


def _units(units: Iterable[FailedUnit]) -> list[dict[str, object]]:
    return [
        {
            "unit": unit.unit,
            "name": unit.name,
            "paths": list(unit.paths),
            "reason": unit.reason,
            "attempts": unit.attempts,
        }
        for unit in units
    ]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
