"""The shortest ways between two notes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st

from reme_cli.graph.kinds import Kinds
from reme_cli.graph.route import Routes, shortest_routes
from tests.graph.texts import Texts

if TYPE_CHECKING:
    from reme_cli.graph.walk import Direction

# a ─ b ─ d, a ─ c ─ d by two kinds of links, and a long way round
NOTES = {
    "a.md": "[[b]] [[c]] [[x]]",
    "b.md": "[[d]]",
    "c.md": "[[d]]\n\nis_a:: [[d]]",
    "d.md": "[[a]] [[d]]",
    "x.md": "[[y]]",
    "y.md": "[[d]]",
    "alone.md": "",
}


def told(routes: Routes) -> list[list[tuple[str, str | None, str]]]:
    return [[(row.source, row.predicate, row.target) for row in way] for way in routes.ways]


def test_all_shortest_ways_in_order() -> None:
    routes = shortest_routes(Texts(NOTES), "a.md", "d.md")
    assert told(routes) == [
        [("a.md", None, "b.md"), ("b.md", None, "d.md")],
        [("a.md", None, "c.md"), ("c.md", "is_a", "d.md")],
        [("a.md", None, "c.md"), ("c.md", None, "d.md")],
    ]
    assert routes.total == 3
    assert [row.depth for row in routes.ways[0]] == [1, 2]


def test_no_more_than_the_limit_but_all_are_counted() -> None:
    routes = shortest_routes(Texts(NOTES), "a.md", "d.md", limit=2)
    assert (len(routes.ways), routes.total) == (2, 3)


def test_the_direction_is_honoured() -> None:
    assert told(shortest_routes(Texts(NOTES), "d.md", "b.md")) == [
        [("d.md", None, "a.md"), ("a.md", None, "b.md")]
    ]
    assert told(shortest_routes(Texts(NOTES), "d.md", "b.md", direction="in")) == [[("b.md", None, "d.md")]]
    assert told(shortest_routes(Texts(NOTES), "b.md", "c.md", direction="both"))[0] == [
        ("a.md", None, "b.md"),
        ("a.md", None, "c.md"),
    ]


def test_kinds_and_depth_bound_the_ways() -> None:
    assert shortest_routes(Texts(NOTES), "a.md", "d.md", depth=1) == Routes((), 0)
    assert shortest_routes(Texts(NOTES), "a.md", "d.md", kinds=Kinds(["is_a"])).total == 0
    assert shortest_routes(Texts(NOTES), "c.md", "d.md", kinds=Kinds(["is_a"])).total == 1


def test_no_way() -> None:
    for start, goal in (("a.md", "alone.md"), ("alone.md", "a.md"), ("a.md", "a.md"), ("d.md", "d.md")):
        assert shortest_routes(Texts(NOTES), start, goal) == Routes((), 0)


def test_ten_thousand_ways_are_counted_without_telling_them() -> None:
    """Ten layers of ten notes, all linked with the next layer."""
    notes = {"s.md": " ".join(f"[[0-{n}]]" for n in range(10)), "g.md": ""}
    for layer in range(10):
        onward = "[[g]]" if layer == 9 else " ".join(f"[[{layer + 1}-{n}]]" for n in range(10))
        notes |= {f"{layer}-{n}.md": onward for n in range(10)}
    routes = shortest_routes(Texts(notes), "s.md", "g.md", limit=3)
    assert (len(routes.ways), routes.total) == (3, 10**10)


def test_a_chain_longer_than_the_stack() -> None:
    notes = {f"{n}.md": f"[[{n + 1}]]" for n in range(1500)} | {"1500.md": ""}
    assert len(shortest_routes(Texts(notes), "0.md", "1500.md").ways[0]) == 1500


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20),
    st.sampled_from(["out", "in", "both"]),
)
@example(
    [(0, 2), (1, 2), (1, 5), (2, 0), (2, 3), (3, 5)], "both"
)  # two edges on the first step of two trails
def test_each_way_leads_from_start_to_goal_and_none_is_told_twice(
    links: list[tuple[int, int]], direction: Direction
) -> None:
    notes = {f"n{number}.md": "" for number in range(6)}
    for source, target in links:
        notes[f"n{source}.md"] += f"[[n{target}]] "
    routes = shortest_routes(Texts(notes), "n0.md", "n5.md", direction=direction, limit=10**6)
    assert len(set(routes.ways)) == len(routes.ways) == routes.total
    assert len({len(way) for way in routes.ways}) <= 1
    trails = []
    for way in routes.ways:
        trail = ["n0.md"]
        for row in way:
            assert trail[-1] in {row.source, row.target}
            trail.append(row.target if row.source == trail[-1] else row.source)
            if direction == "out":
                assert row.target == trail[-1]
            if direction == "in":
                assert row.source == trail[-1]
        assert trail[-1] == "n5.md"
        trails.append(trail)
    assert all(one <= other for one, other in pairwise(trails)), "in the order of their notes"
