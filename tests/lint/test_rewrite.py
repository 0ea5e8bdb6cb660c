"""The smallest replacement between two texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.lint.rewrite import replacement

TEXTS = st.text("ab\n", max_size=8)


@given(TEXTS, TEXTS)
def test_it_makes_one_text_of_the_other_and_touches_no_more_than_it_must(before: str, after: str) -> None:
    found = replacement("a.md", before, after)
    assert before[: found.start] + found.text + before[found.end :] == after
    removed = before[found.start : found.end]
    assert not (removed and found.text and (removed[0] == found.text[0] or removed[-1] == found.text[-1]))


@pytest.mark.parametrize(
    ("before", "after", "start", "end", "text"),
    [
        ("---\na: 1\n---\n", "---\na: 1\nb: 2\n---\n", 9, 9, "b: 2\n"),
        ("aa", "aaa", 2, 2, "a"),
        ("aaa", "a", 1, 3, ""),
        ("same", "same", 4, 4, ""),
        ("", "new", 0, 0, "new"),
    ],
)
def test_places(before: str, after: str, start: int, end: int, text: str) -> None:
    found = replacement("a.md", before, after)
    assert (found.path, found.start, found.end, found.text) == ("a.md", start, end, text)
