"""How fresh digest notes are: when each was changed last, or learnt from a source, by git or else by the file's time.

    fresh      less than 30 days ago
    aging      30 to 89 days ago
    stale      90 days ago or more
    unknown    nobody can say: the history of a shallow clone ends before the change

In a git repository the commits tell, for a clone gives every file the time of the clone; what is not committed goes by
its file. A renaming that changes no byte is no change. A source in `daily/<date>` or `resource/<date>/` counts with its date.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.errors import PathRefused, UsageError
from reme_cli.lint.git import git
from reme_cli.lint.repository import top_of
from reme_cli.regex import regex
from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from reme_cli.lint.survey import Survey

Freshness = Literal["fresh", "aging", "stale", "unknown"]

FRESHNESS: Final[tuple[Freshness, ...]] = ("fresh", "aging", "stale", "unknown")
AGING_DAYS: Final = 30
STALE_DAYS: Final = 90

_COMMIT: Final = regex(r"\n*\x01([0-9a-f]+) (\d+)\n*")
_DATED: Final = regex(r"(\d{4}-\d{2}-\d{2})/")
_SOURCES: Final = """
    SELECT source.path, target.path FROM links
    JOIN notes AS source ON source.id = links.note JOIN notes AS target ON target.id = links.resolved
    WHERE source.layer = 'digest' AND target.layer IN ('daily', 'resource')
"""


class Age(NamedTuple):
    """How fresh a note is, and how many days ago it was changed or its youngest source was written, where that is known."""

    freshness: Freshness
    days: int | None


def ages(survey: Survey, *, at_least: int = 0) -> dict[str, Age]:
    """The age of every digest note that may be at least so many days old, by path in order."""
    is_committed = top_of(survey.vault.root) is not None
    # without git no note is older than its file; a day more, for the hours that a zone changes by
    youngest = survey.now - dt.timedelta(days=at_least - 1)
    times = dict(
        survey.rows(
            "SELECT path, mtime_ns FROM notes WHERE layer = 'digest' AND (? OR mtime_ns < ?) ORDER BY path",
            is_committed or not at_least,
            int(youngest.timestamp() * 1e9),
        )
    )
    if not times:
        return {}
    committed = _committed(survey) if is_committed else {}
    sources = _youngest_sources(survey)
    today = survey.now.date()
    found = {}
    for path, mtime_ns in times.items():
        if path in survey.texts:  # not on disk yet
            changed: dt.date | None = today
        else:
            changed = committed[path] if path in committed else _file_day(survey, path, mtime_ns)
        found[path] = _age(today, changed, sources.get(path))
    return found


def _age(today: dt.date, changed: dt.date | None, source: dt.date | None) -> Age:
    known = [day for day in (changed, source) if day is not None]
    days = max(0, (today - max(known)).days) if known else None
    if days is None or (changed is None and days >= STALE_DAYS):
        return Age("unknown", None)
    if days >= STALE_DAYS:
        return Age("stale", days)
    return Age("aging" if days >= AGING_DAYS else "fresh", days)


def _youngest_sources(survey: Survey) -> dict[str, dt.date]:
    """The date of each note's youngest dated source."""
    found: dict[str, dt.date] = {}
    days: dict[str, dt.date | None] = {}
    for path, source in survey.rows(_SOURCES):
        if source not in days:
            days[source] = survey.vault.day(source) or _resource_day(survey, source)
        day = days[source]
        if day is not None and day > found.get(path, dt.date.min):
            found[path] = day
    return found


def _resource_day(survey: Survey, path: str) -> dt.date | None:
    dated = _DATED.match(path.removeprefix(f"{survey.config.folders.resource}/"))
    try:
        return dt.date.fromisoformat(dated[1]) if dated else None
    except ValueError:
        return None


def _file_day(survey: Survey, path: str, mtime_ns: int) -> dt.date | None:
    """The day of a file's time, which is asked for again where the index did not keep it."""
    try:
        if mtime_ns < 0:
            mtime_ns = survey.vault.locate(path).stat().st_mtime_ns
        return dt.datetime.fromtimestamp(mtime_ns / 1e9, survey.now.tzinfo).date()
    except (OSError, PathRefused, OverflowError, ValueError):
        return None


def _committed(survey: Survey) -> dict[str, dt.date | None]:
    """The day of the last commit that changed each digest note; those that are changed since, or not committed, are left out."""
    root, folder = survey.vault.root, survey.config.folders.digest
    try:
        head = git(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        place = git(root, "rev-parse", "--git-path", "shallow")
        tracked = git(root, "ls-files", "-z", "--", folder)
        touched = git(root, "diff", "--name-only", "--no-ext-diff", "-z", "--relative", "HEAD", "--", folder)
        boundary = _lines(root / place.strip())
        times = _history(root, head.strip(), folder, boundary)
    except UsageError:  # no git, or nothing is committed yet
        return {}
    zone = survey.now.tzinfo
    clean = {nfc(path) for path in tracked.split("\0")} - {nfc(path) for path in touched.split("\0")} - {""}
    found: dict[str, dt.date | None] = {}
    for path in clean:
        seconds = times.get(path)
        if seconds is not None:
            found[path] = dt.datetime.fromtimestamp(seconds, zone).date()
        elif path in times or boundary:
            found[path] = None
    return found


def _lines(file: Path) -> frozenset[str]:
    try:
        return frozenset(file.read_text(encoding="ascii").split())
    except (OSError, UnicodeDecodeError):  # missing: the clone is whole
        return frozenset()


@lru_cache(maxsize=4)
def _history(root: Path, head: str, folder: str, boundary: frozenset[str]) -> Mapping[str, int | None]:
    """When each path below a folder was changed last, in seconds; `None` where it was at or before the boundary of a clone."""
    rows = git(
        root, "log", "-z", "--name-status", "--find-renames=100%", "--no-show-signature", "--no-ext-diff",
        "--relative", "--format=%x01%H %at", head, "--", folder,
    )  # fmt: skip
    times: dict[str, int | None] = {}
    present: dict[
        str, str | None
    ] = {}  # what a path of that time is called now; `None`: something else took its name
    seconds: int | None = None
    words = iter(rows.split("\0"))
    for word in words:
        if found := _COMMIT.match(word):
            seconds = None if found[1] in boundary else int(found[2])
            word = word[found.end() :]  # noqa: PLW2901  the first status may follow at once
        status = word.strip("\n")
        if not status:
            continue
        path = nfc(next(words, ""))
        if status[0] in "RC":
            old, path = path, nfc(next(words, ""))
            if status[0] == "R":
                present[old] = present.get(path, path)
                present[path] = None
                continue
        name = present.get(path, path)
        if name is not None:
            times.setdefault(name, seconds)
    return times
