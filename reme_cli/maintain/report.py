"""How the digest grows, and what in it needs attention, from the audit, the files and lint's findings."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.changeset import audit
from reme_cli.errors import NoteError
from reme_cli.lint.request import Lint, Request
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.index.index import Index
    from reme_cli.lint.finding import Finding
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import NoteFile

Period = Literal["day", "week"]

OVERLOADED: Final = "S004"
CONFLICT: Final = "C001"
OTHER: Final = "other"
"""Stands for the folders of the digest that are no configured bucket."""

_LARGER: Final = 4
"""Of so many times as many notes as are asked for, by bytes, the tokens are estimated: they do not quite go by bytes."""


class Growth(NamedTuple):
    """One bucket: how many notes it holds now, and how many of them came in each period, oldest first."""

    bucket: str
    notes: int
    new: tuple[int, ...]


class Large(NamedTuple):
    """A digest note and its estimated tokens."""

    path: str
    tokens: int


class Report(NamedTuple):
    """What `maintain report` tells."""

    period: Period
    since: tuple[str, ...]
    """The first day of each period, oldest first."""
    growth: tuple[Growth, ...]
    """By bucket, in the order of vault.yaml."""
    largest: tuple[Large, ...]
    overloaded: tuple[Finding, ...]
    conflicts: tuple[Finding, ...]
    refused_since: str
    refused: tuple[audit.Line, ...]
    """What was not written for a rule's or another writer's sake, oldest first."""


def report(
    vault: Vault, index: Index, now: dt.datetime, *, period: Period, periods: int, days: int, largest: int
) -> Report:
    """The report of a vault at a moment: growth by so many periods, the refused writes of so many days."""
    listed = [note for note in vault.listing().notes if vault.layer(note.path) == "digest"]
    lines = tuple(audit.lines(vault))
    length = dt.timedelta(days=1 if period == "day" else 7)
    starts = _starts(now.date(), length, periods)
    found = Lint(index, Request(select=(OVERLOADED, CONFLICT)), now).report().findings
    refused_since = (now.date() - dt.timedelta(days=days - 1)).isoformat()
    return Report(
        period=period,
        since=tuple(start.isoformat() for start in starts),
        growth=_growth(vault, listed, _births(lines), [*starts, starts[-1] + length]),
        largest=_largest(vault, listed, largest),
        overloaded=tuple(finding for finding in found if finding.code == OVERLOADED),
        conflicts=tuple(finding for finding in found if finding.code == CONFLICT),
        refused_since=refused_since,
        refused=tuple(
            line
            for line in lines
            if line.time[:10] >= refused_since and line.outcome in {"refused", "conflicted"}
        ),
    )


def _starts(today: dt.date, length: dt.timedelta, count: int) -> list[dt.date]:
    """The first days of the last periods, oldest first; a week begins on Monday."""
    last = today - dt.timedelta(days=today.weekday() % length.days)
    return [last - length * number for number in reversed(range(count))]


def _births(lines: Iterable[audit.Line]) -> dict[str, dt.date]:
    """The day on which reme made each note; one that was moved keeps the day, and one that was removed has none."""
    born: dict[str, dt.date] = {}
    for line in lines:
        if line.outcome != "written":
            continue
        if line.op == "create":
            own = dt.date.fromisoformat(line.time[:10])
            born[line.path] = own if line.source is None else born.get(line.source, own)
        elif line.op == "delete":
            born.pop(line.path, None)
    return born


def _growth(
    vault: Vault, listed: Iterable[NoteFile], born: dict[str, dt.date], bounds: list[dt.date]
) -> tuple[Growth, ...]:
    """By bucket, between each two of these days; of a note that reme did not make, its file's time says when it came."""
    notes: Counter[str] = Counter()
    new: Counter[tuple[str, int]] = Counter()
    for note in listed:
        bucket = vault.bucket(note.path) or OTHER
        day = born.get(note.path) or _day(vault, note.mtime_ns)
        notes[bucket] += 1
        new[bucket, bisect_right(bounds, day) - 1] += 1
    buckets = [*vault.config.digest.buckets, *([OTHER] if notes[OTHER] else [])]
    return tuple(
        Growth(bucket, notes[bucket], tuple(new[bucket, number] for number in range(len(bounds) - 1)))
        for bucket in buckets
    )


def _day(vault: Vault, time_ns: int) -> dt.date:
    zone = audit.now(vault).tzinfo
    return dt.datetime.fromtimestamp(time_ns / 1e9, tz=zone).date()


def _largest(vault: Vault, listed: Iterable[NoteFile], count: int) -> tuple[Large, ...]:
    found = []
    by_size = sorted(listed, key=lambda note: (-note.size, note.path))
    for note in by_size[: count * _LARGER]:
        try:
            found.append(Large(note.path, estimate_tokens(vault.read(note.path).text)))
        except NoteError:
            continue  # lint tells of it
    return tuple(sorted(found, key=lambda note: (-note.tokens, note.path))[:count])
