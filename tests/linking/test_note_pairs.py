"""Pairs come out in order, each once, whatever way they went in."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.linking.note_pairs import NotePairs

PAIR = st.tuples(st.integers(0, 3000), st.integers(1, 3000)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(PAIR), st.sets(st.integers(0, 3000), max_size=8), st.frozensets(st.integers(0, 3000)))
def test_each_pair_once_in_order(
    pairs: list[tuple[int, int]], together: set[int], within: frozenset[int]
) -> None:
    kept = NotePairs(3001)
    kept.add(pairs)
    kept.add(reversed(pairs))
    assert list(kept) == sorted(set(pairs))
    kept.add_all_of(sorted(together))
    everything = {*pairs, *combinations(sorted(together), 2)}
    assert list(kept) == sorted(everything)
    some = NotePairs(3001)
    some.add_all_of(sorted(together), within)
    assert set(some) == {pair for pair in combinations(sorted(together), 2) if within & {*pair}}
