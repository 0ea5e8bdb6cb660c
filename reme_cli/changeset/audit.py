"""What reme did to each file: one JSON line per attempt, in `metadata/audit/<date>.jsonl`.

The audit is the source of truth for what was written: a line is on disk before the journal forgets the write,
and an interrupted write gets its line from the recovery, once.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from reme_cli.changeset import system
from reme_cli.vault.stamp import ABSENT, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from reme_cli.vault.vault import Vault

Outcome = Literal["written", "refused", "conflicted", "skipped", "rolled-back", "rescued"]
"""`refused`: a rule forbids it. `conflicted`: somebody else wrote first. `skipped`: not attempted, or nothing to
change. `rolled-back`: another file of the same set could not be written. `rescued`: what another program wrote into
a file that reme had replaced was saved as a conflict copy, which `reason` names."""

Kind = Literal["create", "replace", "delete", "move", "none"]

AUDIT: Final = "audit"
_SUFFIX: Final = ".jsonl"
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Line:
    """One attempt on one file."""

    run: str
    command: str
    time: str
    """ISO 8601 with the vault's offset."""
    path: str
    op: Kind
    outcome: Outcome
    before: Stamp = ABSENT
    after: Stamp = ABSENT
    edges_added: tuple[str, ...] = ()
    edges_dropped: tuple[str, ...] = ()
    reason: str | None = None
    unit: str | None = None
    change: str | None = None
    """The change set, as the journal calls it; lines of one set share it."""
    undoes: str | None = None
    """The run that an undo takes back."""
    source: str | None = None
    """The path that a moved file or note had before."""
    new_folders: tuple[str, ...] | None = None
    """The folders that were made for the file, the innermost last."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run as the audit knows it: when it began, and how many files had each outcome."""

    run: str
    command: str
    started: str
    counts: dict[str, int]
    paths: tuple[str, ...]
    """What it wrote, sorted."""
    undoes: str | None
    undone: bool
    """Whether a later undo took it back, and was not itself taken back."""

    @property
    def wrote(self) -> bool:
        """Whether any file was written."""
        return bool(self.counts.get("written"))


def now(vault: Vault) -> datetime.datetime:
    """The time in the vault's timezone."""
    if vault.config.timezone is None:
        return datetime.datetime.now().astimezone()
    from zoneinfo import ZoneInfo  # only where a timezone is configured

    return datetime.datetime.now(ZoneInfo(vault.config.timezone))


def timestamp(vault: Vault) -> str:
    """The time as lines carry it: ISO 8601 to the millisecond, with the vault's offset."""
    return now(vault).isoformat(timespec="milliseconds")


def append(vault: Vault, lines: Iterable[Line]) -> None:
    """Adds lines to the file of today, in one flushed write. Raises `VaultUnwritable`."""
    text = "".join(_dump(line) for line in lines)
    if not text:
        return
    place = vault.metadata(AUDIT, now(vault).date().isoformat() + _SUFFIX)
    with system.telling_unwritable(str(place)):
        known = place.exists()
        system.make_folder(place.parent)
        system.append(place, text.encode())
        if not known:
            system.sync_folder(place.parent)


def lines(vault: Vault, *, since: datetime.date | None = None) -> Iterator[Line]:
    """Every line, oldest first, from the file of `since` on; a line that a crash tore is passed over."""
    for place in _files(vault):
        if since is None or place.stem >= since.isoformat():
            yield from _read(place)


def position(vault: Vault) -> str:
    """How far the audit goes, for `lines_after`; empty where there is none."""
    files = _files(vault)
    return f"{files[-1].stem}:{files[-1].stat().st_size}" if files else ""


def lines_after(vault: Vault, position: str) -> Iterator[Line]:
    """Every line that came after this was the `position`, oldest first; all where a file is shorter by now."""
    day, _, read = position.partition(":")
    for place in _files(vault):
        if place.stem >= day:
            start = int(read) if place.stem == day else 0
            yield from _read(place, start if start <= place.stat().st_size else 0)


def lines_of(vault: Vault, run: str) -> tuple[Line, ...]:
    """The lines of one run, oldest first; empty for an unknown run."""
    return tuple(line for line in lines(vault) if line.run == run)


def units_landed(vault: Vault, *, since: datetime.date | None = None) -> dict[str, Line]:
    """The first line of each unit that was written, or skipped because nothing was to change."""
    landed: dict[str, Line] = {}
    for line in lines(vault, since=since):
        if line.unit is not None and line.outcome in {"written", "skipped"}:
            landed.setdefault(line.unit, line)
    return landed


def runs(vault: Vault) -> tuple[RunSummary, ...]:
    """Every run, oldest first."""
    by_run: dict[str, list[Line]] = {}
    for line in lines(vault):
        by_run.setdefault(line.run, []).append(line)
    summaries = [_summary(run, of_run) for run, of_run in by_run.items()]
    # Newest first: whether an undo counts depends on whether a later one took it back.
    undone: set[str] = set()
    for summary in reversed(summaries):
        if summary.undoes is not None and summary.wrote and summary.run not in undone:
            undone.add(summary.undoes)
    return tuple(replace(summary, undone=summary.run in undone) for summary in summaries)


def _summary(run: str, of_run: list[Line]) -> RunSummary:
    counts: dict[str, int] = {}
    for line in of_run:
        counts[line.outcome] = counts.get(line.outcome, 0) + 1
    return RunSummary(
        run=run,
        command=of_run[0].command,
        started=of_run[0].time,
        counts=dict(sorted(counts.items())),
        paths=tuple(sorted({line.path for line in of_run if line.outcome == "written"})),
        undoes=of_run[0].undoes,
        undone=False,
    )


def _files(vault: Vault) -> list[Path]:
    folder = vault.metadata(AUDIT)
    if not folder.is_dir():
        return []
    return sorted(place for place in folder.glob("*" + _SUFFIX) if _DATE.fullmatch(place.stem))


def _read(place: Path, start: int = 0) -> Iterator[Line]:
    with place.open("rb") as file:
        file.seek(start)
        for raw in file:
            line = _parse(raw)
            if line is not None:
                yield line


_FIELDS: Final = frozenset(field.name for field in dataclasses.fields(Line))
"""Others are passed over: a later version may add some."""


def _dump(line: Line) -> str:
    fields = {name: value for name, value in asdict(line).items() if value is not None}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parse(raw: bytes) -> Line | None:
    try:
        fields: dict[str, Any] = json.loads(raw)
        for name in ("edges_added", "edges_dropped"):
            fields[name] = tuple(map(str, fields.get(name, ())))
        if "new_folders" in fields:
            fields["new_folders"] = tuple(map(str, fields["new_folders"]))
        line = Line(**{name: value for name, value in fields.items() if name in _FIELDS})
    except (ValueError, TypeError, AttributeError):
        return None
    return line if line.outcome in get_args(Outcome) else None
