"""The links of the index as edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.graph.figures import NumberedLinks
from reme_cli.index.edges import IndexedEdges, broken_links, note_details, note_titles, numbered_links
from reme_cli.index.index import Index
from reme_cli.vault.vault import Vault
from tests.graph.link_graph import read_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from reme_cli.graph.edge import Edge
    from reme_cli.graph.row import PlacedEdge

NOTES = {
    "b.md": "---\nname: Bee\naliases: [Hive]\ntags: [insect, garden]\n---\nis_a:: [[a]] [[a]]\n\n[[gone.md]] [[b]] [x](gone)",
    "a.md": "[[b]] [[b]] ![[pic.png]] [[#here]] [[https://example.org]]",
    "c/d.md": "part-of:: [[Gone]]\n",
    "pic.png": "",
}


@pytest.fixture
def index(vault_of: Callable[..., Vault]) -> Iterator[Index]:
    with Index.open(vault_of(NOTES)) as index:
        yield index


def told(edges: Collection[PlacedEdge]) -> list[tuple[str, str | None, str, bool, int, int]]:
    return [(e.source, e.predicate, e.target, e.resolved, e.line, e.col) for e in edges]


def test_everything(index: Index) -> None:
    assert told(list(IndexedEdges(index).everything())) == [
        ("a.md", None, "b.md", True, 1, 1),
        ("b.md", "is_a", "a.md", True, 6, 8),
        ("b.md", None, "gone.md", False, 8, 1),
        ("b.md", None, "b.md", True, 8, 13),
        ("c/d.md", "part_of", "Gone", False, 1, 11),
    ]


def test_broken_links_are_told_each_time_they_occur(index: Index) -> None:
    assert told(broken_links(index)) == [
        ("b.md", None, "gone.md", False, 8, 1),
        ("b.md", None, "gone", False, 8, 19),
        ("c/d.md", "part_of", "Gone", False, 1, 11),
    ]


def test_numbered_links_are_those_that_lead_to_a_note(index: Index) -> None:
    assert numbered_links(index) == NumberedLinks(
        ("a.md", "b.md", "c/d.md"), ((0, 1, None), (1, 0, "is_a"), (1, 1, None))
    )


def test_names_to_compare_with(index: Index) -> None:
    paths, titles = note_titles(index)
    assert paths == ("a.md", "b.md", "c/d.md")
    assert {("Bee", "b.md"), ("Hive", "b.md")} <= set(titles)


def test_details(index: Index) -> None:
    details = note_details(index, ["b.md", "c/d.md"])
    assert details["b.md"].tags == ("garden", "insect")
    assert details["b.md"].excerpt.startswith("is_a:: [[a]]")
    (index.vault.root / "c" / "d.md").unlink()
    assert note_details(index, ["c/d.md"])["c/d.md"].excerpt == ""


@settings(max_examples=40)  # each builds an index
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.sampled_from(["n0", "n1", "n2", "n3", "n4", "n5", "x", "X.md"]),
            st.sampled_from(["", "is_a:: ", "Part-Of:: "]),
        ),
        max_size=14,
    ),
    st.sets(st.integers(0, 5), min_size=1, max_size=6),
    st.sampled_from([(True, False), (False, True), (True, True)]),
)
def test_as_the_notes_say(
    tmp_path_factory: pytest.TempPathFactory,
    links: list[tuple[int, str, str]],
    around: set[int],
    ways: tuple[bool, bool],
) -> None:
    texts = [""] * 6
    for source, target, predicate in links:
        texts[source] += f"{predicate}[[{target}]]\n\n"
    root: Path = tmp_path_factory.mktemp("vault")
    for number, text in enumerate(texts):
        (root / f"n{number}.md").write_text(text)
    vault = Vault(root, Config())
    graph = read_graph(vault).graph
    notes = {f"n{number}.md" for number in around}
    out, into = ways
    with Index.open(vault) as index:
        edges = IndexedEdges(index)
        everything = list(edges.everything())
        found = list(edges.written(notes, out=out, into=into))
    first: dict[Edge, tuple[int, int]] = {}
    for occurrence in graph.occurrences():
        link = occurrence.link
        first.setdefault(occurrence.edge, (link.line, link.col))
    expected = {
        (edge.source, edge.predicate, edge.target if edge.resolved else None, place)
        for edge, place in first.items()
    }

    def compared(edges: list[PlacedEdge]) -> list[tuple[str, str | None, str | None, tuple[int, int]]]:
        return [(e.source, e.predicate, e.target if e.resolved else None, (e.line, e.col)) for e in edges]

    assert sorted(compared(everything), key=str) == sorted(expected, key=str)
    near = {e for e in expected if (out and e[0] in notes) or (into and e[2] in notes)}
    assert sorted(compared(found), key=str) == sorted(near, key=str)
