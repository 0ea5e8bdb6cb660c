"""Sets of words that have much in common are found without comparing each with each."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.maintain.shared_words import pairs_sharing

SETS = st.lists(st.frozensets(st.sampled_from("abcdefghij"), max_size=10), max_size=8)


@given(SETS, st.sampled_from([0.2, 0.35, 0.5, 0.8, 1.0]))
def test_no_pair_is_missed(sets: list[frozenset[str]], share: float) -> None:
    wanted = {
        (one, other)
        for one, other in combinations(range(len(sets)), 2)
        if 0 < share * min(len(sets[one]), len(sets[other])) <= len(sets[one] & sets[other])
    }
    found = list(pairs_sharing(sets, share))
    assert wanted <= set(found)
    assert len(found) == len(set(found))


def test_what_shares_only_frequent_words_is_not_looked_at() -> None:
    """Of three hundred sets two each have more in common than what is in all of them."""
    common = [f"common{number}" for number in range(20)]
    sets = [
        frozenset((*common, *(f"{at // 2} {number}" for number in range(40)), f"{at}")) for at in range(300)
    ]
    assert sorted(pairs_sharing(sets, 0.35)) == [(at, at + 1) for at in range(0, 300, 2)]
