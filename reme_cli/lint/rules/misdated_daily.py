"""A daily note is filed under what looks like a day and is none.

## Why

A note belongs to a day by its path, `daily/2026-06-20.md` or anything in `daily/2026-06-20/`. Under a day that no
calendar has, in another way of writing dates, or with more words behind the date, it belongs to none: it is never dreamed,
and no page lists it. Other names in `daily/` (`README.md`, `templates/`, a folder for each year) are no matter of this rule.

## Bad

```text
daily/2026-02-30.md
daily/20260620/session.md
daily/2026-06-20 stand-up.md
```

## Good

```text
daily/2026-02-28.md
daily/2026-06-20/session.md
daily/2026-06-20/stand-up.md
```

## Fix

None: renaming a note changes the links to it, which `reme maintain mv` does.
"""

from __future__ import annotations

import datetime as dt
import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule, no_notes
from reme_cli.regex import regex
from reme_cli.vault.paths import NOTE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_DAILY: Final = "SELECT path FROM notes WHERE layer = 'daily' ORDER BY path"
_DAY: Final = regex(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_OTHERWISE: Final = regex(
    r"(\d{4})(?:[-_. ](\d{1,2})[-_. ](\d{1,2})|(\d{2})(\d{2})|年(\d{1,2})月(\d{1,2})日)", re.ASCII
)
# not `2026-06-20..26`, `2026-06-20-27` or `2026-06-20T14`, which may mean something else
_BEHIND: Final = regex(r"[-_ ,]+[^\W\d_]")


def _check(survey: Survey) -> Iterator[Problem]:
    folder = f"{survey.config.folders.daily}/"
    paths = [path for (path,) in survey.rows(_DAILY) if survey.vault.day(path) is None]
    for name, members in groupby(paths, key=lambda path: _name(path, folder)):
        found = _misdated(name)
        if found is not None:
            message, day = found
            first = next(members)
            yield Problem(first, values={"name": name, "day": f"{folder}{day}"}, message=message)


def _name(path: str, folder: str) -> str:
    """The folder or file in `daily/` that a note is in."""
    head, slash, _ = path.removeprefix(folder).partition("/")
    return head if slash else head.removesuffix(NOTE_SUFFIX)


def _misdated(name: str) -> tuple[str, str] | None:
    """What is wrong with a name that means a day, and the day where there is one."""
    if found := _DAY.fullmatch(name):
        return "default", ""
    if found := _OTHERWISE.fullmatch(name):
        day = _date(*(part for part in found.groups() if part))
        return ("spelling", day) if day else None
    if (found := _DAY.match(name)) and _BEHIND.match(name, found.end()):
        day = _date(*found.groups())
        return ("words", day) if day else None
    return None


def _date(year: str, month: str, day: str) -> str | None:
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


RULE = Rule(
    code="D003",
    slug="misdated-daily",
    severity="warning",
    messages={
        "default": {
            "en": "`{name}` is a day that no calendar has, so the note is never dreamed; correct the date",
            "zh": "`{name}` 是日历上没有的日子，因此不会被提炼；请更正日期",
        },
        "spelling": {
            "en": "`{name}` is not read as a day, so the note is never dreamed; name it `{day}`",
            "zh": "`{name}` 不会被识别为日期，因此不会被提炼；请改名为 `{day}`",
        },
        "words": {
            "en": "`{name}` is not read as a day, so the note is never dreamed; move it into `{day}/`",
            "zh": "`{name}` 不会被识别为日期，因此不会被提炼；请移到 `{day}/` 里",
        },
    },
    check=_check,
    from_notes=True,
    concerned=no_notes,
)
