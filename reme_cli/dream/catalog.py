"""`metadata/file_catalog/dream.json`: which inputs were dreamed, and what is still to be done with those that were read.

An entry holds the stamp of what was *read*, never of what is on disk by the time the run ends. An extraction is saved
as a batch before its first unit is integrated; an input leaves its batch for the entries when no unit of it is open.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from reme_cli.changeset.state import read_state, write_state
from reme_cli.dream.unit import Quote, Source, Topic, Unit
from reme_cli.errors import ConfigError
from reme_cli.vault.stamp import Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.vault.vault import Vault

LAST_TRY = 3
"""Runs in which an extraction, or a unit's integration, may fail before it is quarantined."""

_PLACE = ("file_catalog", "dream.json")
_SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """An input as it was read. `text` is the stamp of its material: the same text without the managed block.

    `size` in bytes and `mtime_ns` are the quick check only; `-1` makes the next run compare contents.
    """

    path: str
    stamp: Stamp
    text: Stamp
    size: int = -1
    mtime_ns: int = -1


@dataclass(frozen=True, slots=True)
class OpenUnit:
    """A unit that is not in the digest yet. `attempts` counts the runs in which its own integration failed."""

    unit: Unit
    attempts: int = 0
    reason: str = ""

    @property
    def quarantined(self) -> bool:
        """Whether it is left alone."""
        return self.attempts >= LAST_TRY


@dataclass(frozen=True, slots=True)
class Batch:
    """One extraction that is not finished: the inputs that still wait for a unit, the open units, the topic candidates."""

    date: str
    run: str
    inputs: tuple[Reading, ...]
    units: tuple[OpenUnit, ...]
    topics: tuple[Topic, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """How often the extraction of an input failed while its stamp stayed the same."""

    stamp: Stamp
    count: int
    reason: str

    @property
    def quarantined(self) -> bool:
        """Whether it is left alone."""
        return self.count >= LAST_TRY


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything that a run must know of the runs before it."""

    entries: Mapping[str, Reading] = field(default_factory=dict)
    """What was dreamed, by path."""
    batches: tuple[Batch, ...] = ()
    failures: Mapping[str, Failure] = field(default_factory=dict)
    """The inputs that could not be extracted, by path."""
    due: Mapping[str, str] = field(default_factory=dict)
    """The inputs that the next run reads whatever its date is, by path, each with the date it belongs to."""
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By date, the marks of the topics that reme wrote."""
    audited: str | None = None
    """How far the audit went when its moves were last followed (`renaming.caught_up`); `None`: not known."""

    def batches_of(self, date: str) -> tuple[Batch, ...]:
        """The unfinished batches of a date, oldest first."""
        return tuple(batch for batch in self.batches if batch.date == date)

    def pending(self) -> dict[str, Reading]:
        """The inputs that wait for a unit, by path."""
        return {reading.path: reading for batch in self.batches for reading in batch.inputs}


def read_catalog(vault: Vault) -> Catalog:
    """The catalog, empty where there is none. Raises `ConfigError` where the file is damaged: guessing would dream twice."""
    where = "/".join((vault.config.folders.metadata, *_PLACE))
    hint = "Restore the file from version control or a backup; deleting it dreams every daily note again."
    try:
        data = read_state(vault, _PLACE)
        if data is None:
            return Catalog()
        raw = json.loads(data)
        if raw["schema"] > _SCHEMA:
            raise ConfigError("the catalog was written by a newer reme", where=where, hint="Update reme.")
        return _catalog(raw)
    except OSError as error:  # a folder of that name, `metadata` a file, no permission
        raise ConfigError(
            f"the catalog of dreamed notes cannot be read: {error.strerror}", where=where, hint=hint
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"the catalog of dreamed notes is damaged ({error})", where=where, hint=hint
        ) from error


def write_catalog(vault: Vault, catalog: Catalog) -> None:
    """Replace the catalog in one atomic write."""
    value = {
        "schema": _SCHEMA,
        "entries": {path: _facts(entry) for path, entry in sorted(catalog.entries.items())},
        "batches": [asdict(batch) for batch in catalog.batches],
        "failures": {path: asdict(failure) for path, failure in sorted(catalog.failures.items())},
        "due": dict(sorted(catalog.due.items())),
        "topics": {date: list(marks) for date, marks in sorted(catalog.topics.items())},
        "audited": catalog.audited,
    }
    write_state(vault, _PLACE, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())


def moved(catalog: Catalog, path: str, before: Stamp, after: Stamp) -> Catalog:
    """The catalog after reme itself took `path` from stamp `before` to `after` without changing what it says.

    Where the catalog knew other content than `before`, nothing moves: there is a change that was not dreamed yet.
    """

    def move(reading: Reading) -> Reading:
        known = reading.path == path and reading.stamp == before
        return replace(reading, stamp=after, size=-1, mtime_ns=-1) if known else reading

    return replace(
        catalog,
        entries={name: move(entry) for name, entry in catalog.entries.items()},
        batches=tuple(
            replace(batch, inputs=tuple(move(reading) for reading in batch.inputs))
            for batch in catalog.batches
        ),
    )


def quarantined(catalog: Catalog) -> dict[str, str]:
    """The inputs that are left alone until they change, each with the reason; for `status`."""
    units = {
        path: item.reason
        for batch in catalog.batches
        for item in batch.units
        if item.quarantined
        for path in item.unit.paths
    }
    inputs = {path: failure.reason for path, failure in catalog.failures.items() if failure.quarantined}
    return dict(sorted({**units, **inputs}.items()))


def settle(
    batch: Batch, closed: Iterable[str], *, topics_done: bool
) -> tuple[Batch | None, tuple[Reading, ...]]:
    """The batch without the units whose ids are `closed`, and the inputs that no open unit names any more.

    `None` for the batch when nothing of it is left to do.
    """
    done = set(closed)
    units = tuple(item for item in batch.units if item.unit.id not in done)
    waiting = {path for item in units for path in item.unit.paths}
    finished = tuple(reading for reading in batch.inputs if reading.path not in waiting)
    left = replace(
        batch,
        inputs=tuple(reading for reading in batch.inputs if reading.path in waiting),
        units=units,
        topics=() if topics_done else batch.topics,
    )
    return (left if left.units or left.topics else None), finished


def _facts(reading: Reading) -> dict[str, object]:
    return {name: value for name, value in asdict(reading).items() if name != "path"}


def _catalog(raw: Any) -> Catalog:
    return Catalog(
        entries={str(path): _reading(path, facts) for path, facts in raw["entries"].items()},
        batches=tuple(_batch(item) for item in raw["batches"]),
        failures={
            str(path): Failure(Stamp(item["stamp"]), int(item["count"]), str(item["reason"]))
            for path, item in raw["failures"].items()
        },
        due={str(path): dt.date.fromisoformat(date).isoformat() for path, date in raw["due"].items()},
        topics={str(date): _strings(marks) for date, marks in raw["topics"].items()},
        audited=_position(raw.get("audited")),
    )


def _position(value: Any) -> str | None:
    """A position in the audit, which an older version did not keep."""
    if value is None:
        return None
    day, _, read = str(value).partition(":")
    return f"{dt.date.fromisoformat(day)}:{int(read)}" if value else ""


def _reading(path: str, facts: Any) -> Reading:
    return Reading(
        str(path), Stamp(facts["stamp"]), Stamp(facts["text"]), int(facts["size"]), int(facts["mtime_ns"])
    )


def _batch(item: Any) -> Batch:
    date, run = str(item["date"]), str(item["run"])
    # both are reckoned with: the date is a day's, and a run's id begins with one
    dt.date.fromisoformat(date)
    dt.date.fromisoformat(f"{run[:4]}-{run[4:6]}-{run[6:8]}")
    return Batch(
        date,
        run,
        tuple(_reading(facts["path"], facts) for facts in item["inputs"]),
        tuple(
            OpenUnit(_unit(open_["unit"]), int(open_["attempts"]), str(open_["reason"]))
            for open_ in item["units"]
        ),
        tuple(_topic(topic) for topic in item["topics"]),
    )


def _unit(item: Any) -> Unit:
    return Unit(
        str(item["id"]),
        str(item["name"]),
        str(item["bucket"]),
        str(item["summary"]),
        tuple(Source(str(source["path"]), Stamp(source["stamp"])) for source in item["sources"]),
        _strings(item["keywords"]),
        tuple(Quote(str(quote["text"]), str(quote["path"])) for quote in item["quotes"]),
    )


def _topic(item: Any) -> Topic:
    return Topic(
        str(item["title"]),
        str(item["reason"]),
        str(item["evidence"]),
        _strings(item["keywords"]),
        _strings(item["paths"]),
    )


def _strings(items: Any) -> tuple[str, ...]:
    return tuple(str(item) for item in items)
