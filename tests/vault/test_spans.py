"""Spans of a text, put in order and asked for a place."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.vault.spans import is_within, merged, overlaps

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)).map(lambda each: (each[0], sum(each))))


@given(SPANS, st.integers(0, 40), st.integers(1, 5))
def test_a_place_is_where_one_of_the_spans_is(spans: list[tuple[int, int]], place: int, length: int) -> None:
    whole = merged(spans)
    assert all(before[1] < behind[0] for before, behind in pairwise(whole))
    covered = {each for start, end in spans for each in range(start, end)}
    assert {each for start, end in whole for each in range(start, end)} == covered
    assert is_within(whole, place) is (place in covered)
    assert overlaps(whole, place, place + length) is not covered.isdisjoint(range(place, place + length))
