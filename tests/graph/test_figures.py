"""Figures about a whole graph."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.graph import figures
from reme_cli.graph.figures import NumberedLinks
from reme_cli.graph.row import PlacedEdge

PATHS = ("a.md", "b.md", "c.md", "d.md", "e.md", "f.md")
# a → b twice, b → c, c → c, e → d; f stands alone, c's self link counts for nothing
GRAPH = NumberedLinks(
    PATHS, ((0, 1, None), (0, 1, "is_a"), (1, 2, "is_a"), (2, 2, None), (4, 3, "caused_by"))
)


def test_inbound_counts_notes_rather_than_links_and_no_note_itself() -> None:
    assert figures.inbound(GRAPH) == [0, 1, 1, 1, 0, 0]
    assert figures.top(figures.inbound(GRAPH)) == [1, 2, 3]


def test_components() -> None:
    assert figures.components(GRAPH) == ((0, 1, 2), (3, 4), (5,))


def test_orphans_link_to_nothing_and_nothing_links_to_them() -> None:
    assert figures.orphans(GRAPH) == (5,)
    only_itself = NumberedLinks(("a.md",), ((0, 0, None),))
    assert figures.orphans(only_itself) == (0,)


def test_statistics() -> None:
    seen = figures.statistics(GRAPH, implied=7, broken=3)
    assert seen == figures.Statistics(
        notes=6,
        edges=5,
        typed=3,
        implied=7,
        predicates={"is_a": 2, "caused_by": 1},
        orphans=1,
        broken=3,
        components=3,
        largest=3,
        density=3 / 30,
        hubs=(("b.md", 1), ("c.md", 1), ("d.md", 1)),
    )
    assert list(seen.predicates) == ["is_a", "caused_by"]


@pytest.mark.parametrize("paths", [(), ("a.md",)])
def test_statistics_of_next_to_nothing(paths: tuple[str, ...]) -> None:
    seen = figures.statistics(NumberedLinks(paths, ()), implied=0, broken=0)
    assert (seen.notes, seen.components, seen.density, seen.hubs) == (len(paths), len(paths), 0.0, ())


def test_a_rank_is_handed_on_by_the_weight_of_the_predicate() -> None:
    """`contradicts` hands on 0.8, a link that says nothing 0.4."""
    ranks = figures.ranks(NumberedLinks(PATHS[:3], ((0, 1, "contradicts"), (0, 2, None))))
    share = (ranks[1] - ranks[0]) / (ranks[2] - ranks[0])
    assert share == pytest.approx(2.0, rel=1e-5)


def test_numbered() -> None:
    edges = [
        PlacedEdge("b.md", "is_a", "a.md", True, False, "b.md", 2, 1),
        PlacedEdge("a.md", None, "gone", False, False, "a.md", 1, 1),
        PlacedEdge("b.md", None, "a.md", True, False, "b.md", 1, 1),
    ]
    assert figures.numbered(PATHS[:2], edges) == NumberedLinks(PATHS[:2], ((1, 0, None), (1, 0, "is_a")))


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=25, unique=True))
def test_as_networkx_finds_them(links: list[tuple[int, int]]) -> None:
    paths = tuple(f"{number:02}.md" for number in range(12))
    graph = NumberedLinks(paths, tuple(sorted((source, target, None) for source, target in links)))
    reference = networkx.DiGraph()
    reference.add_nodes_from(range(12))
    reference.add_edges_from((source, target) for source, target in links if source != target)
    assert {frozenset(found) for found in figures.components(graph)} == {
        frozenset(found) for found in networkx.weakly_connected_components(reference)
    }
    assert set(figures.orphans(graph)) == set(networkx.isolates(reference))
    assert figures.inbound(graph) == [degree for _, degree in sorted(reference.in_degree())]
    assert figures.statistics(graph, implied=0, broken=0).density == networkx.density(reference)
