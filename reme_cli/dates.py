"""Dates as a person writes them on the command line, and times as a person reads them."""

from __future__ import annotations

import datetime
from typing import Final

from reme_cli.errors import UsageError
from reme_cli.regex import regex

MAX_DAYS: Final = 3660
"""A longer range is a slip of the keyboard."""

_FORM: Final = "Write YYYY-MM-DD, `today`, `yesterday` or `-N` (days ago)."
_FORMS: Final = (
    "Write YYYY-MM-DD, `today`, `yesterday`, `-N` (days ago), or a range such as 2026-06-01..2026-06-20."
)
_DATE: Final = regex(r"\d{4}-\d{2}-\d{2}")
_DAYS_AGO: Final = regex(r"-(\d{1,5})")


def parse_date(text: str, today: datetime.date, *, hint: str = _FORM) -> datetime.date:
    """The one date that `YYYY-MM-DD`, `today`, `yesterday` or `-N` names. Raises `UsageError`, with `hint` for no date at all."""
    if text == "today":
        return today
    if text == "yesterday":
        return _days_before(today, 1, text)
    if ago := _DAYS_AGO.fullmatch(text):
        return _days_before(today, int(ago[1]), text)
    if not _DATE.fullmatch(text) or not text.isascii():
        raise UsageError(f"`{text}` is not a date", hint=hint)
    try:
        return datetime.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"there is no {text}", hint="Check the month and the day.") from error


def parse_dates(text: str, today: datetime.date) -> tuple[datetime.date, ...]:
    """The dates that a date or a range `A..B` names, oldest first, both ends included. Raises `UsageError`."""
    first, dots, last = text.partition("..")
    if not dots:
        return (parse_date(text, today, hint=_FORMS),)
    if not first or not last or "/" in text:
        raise UsageError(f"`{text}` is not a range of dates", hint=_FORMS)
    start, end = parse_date(first, today), parse_date(last, today)
    if end < start:
        raise UsageError(f"the range `{text}` ends before it starts", hint=f"Write `{last}..{first}`.")
    days = (end - start).days + 1
    if days > MAX_DAYS:
        raise UsageError(f"the range `{text}` has {days} days", hint=f"At most {MAX_DAYS} in one run.")
    return tuple(start + datetime.timedelta(days=offset) for offset in range(days))


def local_time(time: str, timezone: str | None) -> str:
    """An ISO 8601 time with its offset as `2026-06-20 03:30:00` in an IANA timezone; `None` is the system's."""
    zone = None
    if timezone is not None:
        from zoneinfo import ZoneInfo  # only where a timezone is configured

        zone = ZoneInfo(timezone)
    return f"{datetime.datetime.fromisoformat(time).astimezone(zone):%Y-%m-%d %H:%M:%S}"


def _days_before(today: datetime.date, days: int, text: str) -> datetime.date:
    try:
        return today - datetime.timedelta(days=days)
    except OverflowError as error:
        raise UsageError(f"`{text}` lies before the calendar", hint=_FORMS) from error
