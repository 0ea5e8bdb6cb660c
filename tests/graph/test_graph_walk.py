"""Walking from a note."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.graph.kinds import Kinds
from reme_cli.graph.walk import Direction, walk
from tests.graph.texts import Texts

NOTES = {
    "a.md": "[[c]] [[b]]\n[[b]]\n\nis_a:: [[b]]",
    "b.md": "is-a:: [[d]]\n\n[[a]] [[gone]]",
    "c.md": "[[c]]",
    "d.md": "Is_A:: [[a]]",
    "e.md": "[[a]]",
}


def walked(direction: Direction, depth: int, *predicates: str) -> list[tuple[int, str, str | None, str]]:
    kinds = Kinds(predicates) if predicates else None
    rows = walk(Texts(NOTES), "a.md", kinds=kinds, direction=direction, depth=depth)
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
    row = walk(Texts(NOTES), "a.md")[1]
    assert (row.place, row.target, row.resolved) == ("a.md:1:7", "b.md", True)
    missing = walk(Texts(NOTES), "b.md")[-1]
    assert (missing.target, missing.resolved, missing.line) == ("gone", False, 3)


def test_a_missing_target_is_shown_as_it_is_spelled_though_its_spellings_are_one_edge() -> None:
    texts = Texts({"a/n.md": "[x](../../gone.md) [[cafe\u0301.md|x]] [[caf\u00e9#h]] [[/b]]"})
    assert [(row.target, row.resolved) for row in walk(texts, "a/n.md")] == [
        ("../../gone.md", False),
        ("cafe\u0301.md", False),
        ("/b", False),
    ]


COMPANY = {
    "mia.md": "works_at:: [[acme]]",
    "acme.md": "founded_by:: [[mia]]\n\nfounded_by:: [[nobody]]",
    "news.md": "[[acme]]",
}


def asked(start: str, predicate: str, direction: Direction) -> list[tuple[str, str | None, str, str]]:
    rows = walk(Texts(COMPANY), start, kinds=Kinds([predicate]), direction=direction)
    return [(row.source, row.predicate, row.target, row.place) for row in rows]


def test_a_kind_takes_links_that_tell_it_from_the_other_end() -> None:
    turned = [("mia.md", "founded", "acme.md", "acme.md:1:14")]
    assert asked("mia.md", "founded", "out") == turned
    assert asked("acme.md", "Founded", "in") == turned
    assert asked("acme.md", "founded", "both") == turned
    assert asked("acme.md", "founded", "out") == asked("mia.md", "founded", "in") == []
    assert asked("acme.md", "employs", "out") == [("acme.md", "employs", "mia.md", "mia.md:1:12")]


def test_a_kind_takes_what_is_written_as_it_is() -> None:
    assert asked("acme.md", "founded_by", "out") == [
        ("acme.md", "founded_by", "mia.md", "acme.md:1:14"),
        ("acme.md", "founded_by", "nobody", "acme.md:3:14"),
    ]
    assert asked("mia.md", "works_for", "out") == [("mia.md", "works_at", "acme.md", "mia.md:1:12")]


def test_what_is_implied_is_added_only_where_it_is_asked_for_and_not_written() -> None:
    said = [
        ("mia.md", "founded", "acme.md"),
        ("mia.md", "works_at", "acme.md"),
        ("news.md", "depends_on", "acme.md"),
    ]
    texts = Texts(COMPANY, said)
    assert not any(row.implied for row in walk(texts, "acme.md", direction="both", depth=3))
    rows = walk(texts, "acme.md", direction="both", implied=True)
    assert [(row.source, row.predicate) for row in rows if row.implied] == [("news.md", "depends_on")]
    out = walk(texts, "mia.md", implied=True)
    assert [(row.predicate, row.implied) for row in out] == [("founded", True), ("works_at", False)]
    assert len(walk(texts, "mia.md", kinds=Kinds(["founded"]), implied=True)) == 1


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
    texts = Texts(notes)
    distance = {"n0.md": 0}
    queue = deque(["n0.md"])
    while queue:
        note = queue.popleft()
        nexts = {edge.target for edge in texts.edges if edge.source == note and direction != "in"}
        nexts |= {edge.source for edge in texts.edges if edge.target == note and direction != "out"}
        for other in sorted(nexts - distance.keys()):
            distance[other] = distance[note] + 1
            queue.append(other)
    far = 99
    expected = set()
    for edge in texts.edges:
        ends = {"out": [edge.source], "in": [edge.target], "both": [edge.source, edge.target]}[direction]
        met = min(distance.get(end, far) for end in ends) + 1
        if met <= depth:
            expected.add((met, edge.source, edge.predicate, edge.target))
    rows = walk(texts, "n0.md", direction=direction, depth=depth)
    assert {(row.depth, row.source, row.predicate, row.target) for row in rows} == expected
    assert len(rows) == len(expected)
    assert [(row.depth, row.source) for row in rows] == sorted((row.depth, row.source) for row in rows)
