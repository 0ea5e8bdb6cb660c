"""Finding a note, and walking from it."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.graph.edge import occurrences_of
from reme_cli.graph.link_graph import LinkGraph, link_graph
from reme_cli.graph.query import Direction, find_notes, traverse
from reme_cli.vault.resolve import Names

if TYPE_CHECKING:
    from collections.abc import Mapping


def graph_of(notes: Mapping[str, str]) -> LinkGraph:
    names = Names(notes)
    return link_graph(
        notes, (each for path, text in notes.items() for each in occurrences_of(path, text, names))
    )


NOTES = {
    "a.md": "[[c]] [[b]]\n[[b]]\n\nis_a:: [[b]]",
    "b.md": "is-a:: [[d]]\n\n[[a]] [[gone]]",
    "c.md": "[[c]]",
    "d.md": "Is_A:: [[a]]",
    "e.md": "[[a]]",
}


def walked(direction: Direction, depth: int, *predicates: str) -> list[tuple[int, str, str | None, str]]:
    rows = traverse(graph_of(NOTES), "a.md", predicates=predicates or None, direction=direction, depth=depth)
    return [(row.depth, row.source, row.predicate, row.target) for row in rows]


def test_outwards() -> None:
    assert walked("out", 1) == [
        (1, "a.md", None, "c.md"),
        (1, "a.md", None, "b.md"),
        (1, "a.md", "is_a", "b.md"),
    ]
    assert walked("out", 9)[3:] == [
        (2, "b.md", "is_a", "d.md"),
        (2, "b.md", None, "a.md"),
        (2, "b.md", None, "gone"),
        (2, "c.md", None, "c.md"),
        (3, "d.md", "is_a", "a.md"),
    ]


def test_inwards() -> None:
    assert walked("in", 2) == [
        (1, "b.md", None, "a.md"),
        (1, "d.md", "is_a", "a.md"),
        (1, "e.md", None, "a.md"),
        (2, "a.md", None, "b.md"),
        (2, "a.md", "is_a", "b.md"),
        (2, "b.md", "is_a", "d.md"),
    ]


def test_both_ways_gives_each_edge_once() -> None:
    rows = walked("both", 5)
    assert len(rows) == len(set(rows)) == 9
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_typed_edges_only() -> None:
    assert walked("out", 5, "is_a") == [
        (1, "a.md", "is_a", "b.md"),
        (2, "b.md", "is_a", "d.md"),
        (3, "d.md", "is_a", "a.md"),
    ]
    assert walked("out", 5, "extends") == []
    assert walked("out", 0) == []


def test_a_row_says_where_its_first_link_stands() -> None:
    row = traverse(graph_of(NOTES), "a.md")[1]
    assert (row.path, row.line, row.col, row.target, row.resolved) == ("a.md", 1, 7, "b.md", True)
    missing = traverse(graph_of(NOTES), "b.md")[-1]
    assert (missing.target, missing.resolved, missing.line) == ("gone", False, 3)


def test_a_missing_target_is_shown_as_it_is_spelled_though_its_spellings_are_one_edge() -> None:
    graph = graph_of({"a/n.md": "[x](../../gone.md) [[cafe\u0301.md|x]] [[caf\u00e9#h]] [[/b]]"})
    rows = traverse(graph, "a/n.md")
    assert [(row.target, row.resolved) for row in rows] == [
        ("../../gone.md", False),
        ("cafe\u0301.md", False),
        ("/b", False),
    ]


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from(["", "is_a:: "])), max_size=25),
    st.sampled_from(["out", "in", "both"]),
    st.integers(1, 8),
)
def test_each_row_is_one_step_beyond_the_nearest_end(
    links: list[tuple[int, int, str]], direction: Direction, depth: int
) -> None:
    notes = {f"n{number}.md": "" for number in range(7)}
    for source, target, predicate in links:
        notes[f"n{source}.md"] += f"{predicate}[[n{target}]]\n\n"
    graph = graph_of(notes)
    distance = {"n0.md": 0}
    queue = deque(["n0.md"])
    while queue:
        note = queue.popleft()
        nexts = {edge.target for edge in graph.edges() if edge.source == note and direction != "in"}
        nexts |= {edge.source for edge in graph.edges() if edge.target == note and direction != "out"}
        for other in sorted(nexts - distance.keys()):
            distance[other] = distance[note] + 1
            queue.append(other)
    far = 99
    expected = set()
    for edge in graph.edges():
        ends = {"out": [edge.source], "in": [edge.target], "both": [edge.source, edge.target]}[direction]
        met = min(distance.get(end, far) for end in ends) + 1
        if met <= depth:
            expected.add((met, edge.source, edge.predicate, edge.target))
    rows = traverse(graph, "n0.md", direction=direction, depth=depth)
    assert {(row.depth, row.source, row.predicate, row.target) for row in rows} == expected
    assert len(rows) == len(expected)
    assert [(row.depth, row.source) for row in rows] == sorted((row.depth, row.source) for row in rows)


PATHS = ["digest/wiki/jwt.md", "daily/jwt.md", "t.md", "x/t.md", "x/Café.md", "A.md", "a.md"]
TITLES = [
    ("JSON Web Token", "digest/wiki/jwt.md"),
    ("token", "x/t.md"),
    ("Token", "daily/jwt.md"),
    ("t", "x/Café.md"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("digest/wiki/jwt.md", ["digest/wiki/jwt.md"]),
        ("digest/wiki/jwt", ["digest/wiki/jwt.md"]),
        ("/digest/wiki/JWT", ["digest/wiki/jwt.md"]),
        ("wiki/jwt", ["digest/wiki/jwt.md"]),
        ("jwt", ["daily/jwt.md", "digest/wiki/jwt.md"]),
        ("wt", []),
        ("t", ["t.md"]),
        ("json web token", ["digest/wiki/jwt.md"]),
        ("token", ["daily/jwt.md", "x/t.md"]),
        ("cafe\u0301", ["x/Café.md"]),
        ("a", ["a.md"]),
        ("./a.md", ["a.md"]),
        ("digest", []),
        ("", []),
    ],
)
def test_a_note_is_found_by_path_short_name_or_alias(text: str, found: list[str]) -> None:
    assert list(find_notes(text, PATHS, TITLES)) == found


def test_a_name_and_an_alias_that_are_the_same_are_both_listed() -> None:
    assert find_notes("jwt", ["x/jwt.md", "b.md"], [("JWT", "b.md")]) == ("b.md", "x/jwt.md")
