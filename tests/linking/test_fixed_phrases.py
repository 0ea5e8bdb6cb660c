"""Phrases in which a noun names nothing."""

from __future__ import annotations

import pytest

from reme_cli.linking.fixed_phrases import is_in_phrase


@pytest.mark.parametrize(
    ("text", "noun", "is_in"),
    [
        ("One thing at a time.", "time", True),
        ("From time to time it rains.", "time", True),
        ("It rained three times.", "times", True),
        ("It rained 1,200 times a year.", "times", True),
        ("We spend our time on it.", "time", False),
        ("Time is short.", "Time", False),
        ("These are hard times.", "times", False),
        ("In\norder   to win", "order", True),
        ("IN ORDER TO WIN", "ORDER", True),
        ("The order of the day", "order", False),
        ("in ordering", "order", False),
        ("a kind of magic", "kind", True),
        ("They are kind.", "kind", False),
        ("from a point of view", "point", True),
        ("begin case", "case", False),
        ("time", "time", False),
    ],
)
def test_phrases(text: str, noun: str, is_in: bool) -> None:
    start = text.index(noun)
    assert is_in_phrase(text, start, start + len(noun)) is is_in
