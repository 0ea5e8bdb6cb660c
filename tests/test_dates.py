"""Dates as a person writes them."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.dates import local_time, parse_date, parse_dates
from reme_cli.errors import UsageError

TODAY = dt.date(2026, 3, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-06-20", dt.date(2026, 6, 20)),
        ("2024-02-29", dt.date(2024, 2, 29)),
        ("today", TODAY),
        ("yesterday", dt.date(2026, 2, 28)),
        ("-0", TODAY),
        ("-2", dt.date(2026, 2, 27)),
    ],
)
def test_one_date(text: str, expected: dt.date) -> None:
    assert parse_date(text, TODAY) == expected
    assert parse_dates(text, TODAY) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-30",
        "2026-13-01",
        "2025-02-29",
        "0000-01-01",
        "../../x",
        "..",
        "../2026-06-20",
        "2026-06-20/..",
        "2026-06-20/../x",
        "2026-06-20..",
        "..2026-06-20",
        "2026-06-20..2026-06-19",
        "2026-06-20..2026-06-21..2026-06-22",
        "1000-01-01..2026-01-01",
        "2026-6-20",
        "20260620",
        "2026-W25-6",
        "2026-06-20T00:00",
        " 2026-06-20",
        "2026-06-20\n",
        "２０２６-06-20",
        "tomorrow",
        "+1",
        "-99999999",
        "-99999",
        "--1",
        "",
        "\0",
    ],
)
def test_no_date(text: str) -> None:
    with pytest.raises(UsageError):
        parse_dates(text, dt.date(200, 1, 1) if text == "-99999" else TODAY)


def test_a_range_is_proposed_only_where_it_is_taken() -> None:
    with pytest.raises(UsageError) as one:
        parse_date("2026-06-01..2026-06-20", TODAY)
    assert ".." not in (one.value.hint or "")
    with pytest.raises(UsageError) as several:
        parse_dates("soon", TODAY)
    assert ".." in (several.value.hint or "")


def test_an_impossible_date_is_named() -> None:
    with pytest.raises(UsageError, match="there is no 2026-02-30"):
        parse_date("2026-02-30", TODAY)


@given(st.dates(dt.date(2000, 1, 1), dt.date(2100, 1, 1)), st.integers(0, 400))
def test_a_range_is_every_day_once_oldest_first(start: dt.date, days: int) -> None:
    end = start + dt.timedelta(days=days)
    dates = parse_dates(f"{start}..{end}", TODAY)
    assert dates[0] == start
    assert dates[-1] == end
    assert list(dates) == sorted(set(dates))
    assert len(dates) == days + 1


def test_a_range_may_end_today() -> None:
    assert parse_dates("-2..today", TODAY) == (dt.date(2026, 2, 27), dt.date(2026, 2, 28), TODAY)


def test_a_time_is_shown_as_clocks_in_the_vaults_timezone_show_it() -> None:
    assert local_time("2026-06-20T22:30:00.125+00:00", "Asia/Shanghai") == "2026-06-21 06:30:00"
    assert local_time("2026-01-20T01:30:00+00:00", "Europe/Berlin") == "2026-01-20 02:30:00"
    here = dt.datetime(2026, 1, 20, 1, 30, tzinfo=dt.UTC).astimezone()
    assert local_time("2026-01-20T01:30:00+00:00", None) == f"{here:%Y-%m-%d %H:%M:%S}"
