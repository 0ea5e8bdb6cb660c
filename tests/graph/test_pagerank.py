"""PageRank: against the definition, and against what can be worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.graph.pagerank import pagerank

edges_of_six = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0.01, 10)), max_size=15)


def test_nothing() -> None:
    assert pagerank(0, []) == []


def test_without_edges_it_is_where_walks_begin() -> None:
    assert pagerank(4, []) == pytest.approx([0.25] * 4)
    assert pagerank(3, [], restart={0: 3, 2: 1}) == pytest.approx([0.75, 0, 0.25])


def test_a_circle_is_even() -> None:
    assert pagerank(3, [(0, 1, 1), (1, 2, 5), (2, 0, 0.1)]) == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_two_notes_by_hand() -> None:
    # a walk that begins at 0 goes to 1 with 0.85 and then begins anew: r0 = 0.15 + 0.85 · r1, r1 = 0.85 · r0
    r0, r1 = pagerank(2, [(0, 1, 1.0)], restart={0: 1.0})
    assert r1 == pytest.approx(0.85 * r0, abs=1e-6)
    assert r0 + r1 == pytest.approx(1)


def test_weights_share_what_passes() -> None:
    ranks = pagerank(3, [(0, 1, 3.0), (0, 2, 1.0)], restart={0: 1.0})
    assert ranks[1] == pytest.approx(3 * ranks[2])


def test_without_damping_nobody_walks() -> None:
    assert pagerank(2, [(0, 1, 1.0)], restart={0: 1.0}, damping=0) == [1.0, 0.0]


def test_a_walk_must_begin_somewhere() -> None:
    with pytest.raises(ValueError, match="no walk can begin"):
        pagerank(2, [], restart={0: 0.0})


@given(edges_of_six, st.dictionaries(st.integers(0, 5), st.floats(0.1, 5), min_size=1))
def test_it_is_the_fixed_point_of_its_definition(
    edges: list[tuple[int, int, float]], restart: dict[int, float]
) -> None:
    ranks = pagerank(6, edges, restart=restart, tolerance=1e-12, rounds=1000)
    assert sum(ranks) == pytest.approx(1)
    leaving = [sum(weight for source, _, weight in edges if source == note) for note in range(6)]
    ended = sum(rank for rank, weight in zip(ranks, leaving, strict=True) if not weight)
    total = sum(restart.values())
    for note in range(6):
        arriving = sum(
            ranks[source] * weight / leaving[source] for source, target, weight in edges if target == note
        )
        begun = (0.15 + 0.85 * ended) * restart.get(note, 0) / total
        assert ranks[note] == pytest.approx(begun + 0.85 * arriving, abs=1e-9)
