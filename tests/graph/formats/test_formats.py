"""Each text format, read back by a parser of that format."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import networkx
import pydot
import pytest

from reme_cli.graph.formats import dot, graphml, mermaid, renderer, tree
from reme_cli.graph.row import Row
from reme_cli.graph.view import GraphView, ViewNote, excerpt, view_of
from tests.graph.views import HOSTILE, hostile_view

if TYPE_CHECKING:
    from collections.abc import Sequence


def note(path: str, layer: str | None = None) -> ViewNote:
    return ViewNote(path, path.removesuffix(".md"), "", layer, None)


def row(depth: int, source: str, predicate: str | None, target: str, **more: bool) -> Row:
    return Row(
        depth, source, predicate, target, more.get("resolved", True), more.get("implied", False), source, 3, 7
    )


ROWS = (
    row(1, "a.md", "is_a", "b.md"),
    row(1, "a.md", None, "gone", resolved=False),
    row(1, "c.md", "founded", "a.md", implied=True),
    row(2, "b.md", None, "a.md"),
    row(2, "b.md", None, "b.md"),
    row(2, "b.md", None, "d.md"),
    row(2, "c.md", None, "b.md"),
)
SMALL = view_of(ROWS, {path: note(path, "daily") for path in ("a.md", "b.md", "c.md", "d.md")}, "a.md")

EXPECTED = [
    (source.path, name, HOSTILE[(number + 1) % len(HOSTILE)], number % 2 == 1)
    for number, (source, name) in enumerate(zip(hostile_view().notes, HOSTILE, strict=True))
]
"""Path of the source, predicate, name of the target, and whether it is implied, of each hostile edge that resolves."""


def test_a_view_has_every_end_of_its_rows_the_start_first() -> None:
    assert [note.path for note in SMALL.notes] == ["a.md", "b.md", "c.md", "d.md"]
    assert SMALL.numbers() == {"a.md": "n0", "b.md": "n1", "c.md": "n2", "d.md": "n3", "\0gone": "m0"}


def test_a_missing_note_is_no_note_of_the_same_name() -> None:
    rows = [row(1, "a.md", None, "b.md"), row(1, "a.md", None, "b", resolved=False)]
    view = view_of(rows, {path: note(path) for path in ("a.md", "b.md")}, "a.md")
    assert len(set(view.numbers().values())) == 3


@pytest.mark.parametrize("form", ["dot", "graphml", "mermaid"])
def test_an_empty_graph(form: str) -> None:
    assert renderer(form)(GraphView((), ()))


class TestGraphml:
    def read(self, view: GraphView) -> networkx.DiGraph:
        return networkx.read_graphml(io.BytesIO(graphml.render(view).encode()), force_multigraph=True)

    def test_hostile_names(self) -> None:
        graph = self.read(hostile_view())
        nodes = graph.nodes
        assert [data["name"] for _, data in nodes(data=True)] == [*HOSTILE, *HOSTILE]
        assert [nodes[f"n{number}"]["path"] for number in range(len(HOSTILE))] == [
            f"{name}.md" for name in HOSTILE
        ]
        edges = [
            (nodes[source]["path"], data["predicate"], nodes[target]["name"], data.get("implied", False))
            for source, target, data in graph.edges(data=True)
            if not nodes[target].get("missing")
        ]
        assert edges == EXPECTED

    def test_what_xml_cannot_hold_is_replaced(self) -> None:
        odd = GraphView((ViewNote("a.md", "a\0b\x1b\ufffe\r", "", None, None),), ())
        assert self.read(odd).nodes["n0"]["name"] == "a\ufffdb\ufffd\ufffd\r"

    def test_where_a_link_stands(self) -> None:
        (first, *_) = self.read(SMALL).edges(data=True)
        assert (first[2]["place"], first[2]["depth"]) == ("a.md:3:7", 1)


def unescaped(text: str) -> str:
    """What Graphviz shows for a quoted escString."""
    inner = text.removeprefix('"').removesuffix('"').replace('\\"', '"')
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], inner)


# what pydot calls in pyparsing has another name by now
@pytest.mark.filterwarnings("ignore:.* deprecated - use .*:DeprecationWarning")
class TestDot:
    def test_hostile_names(self) -> None:
        graphs = pydot.graph_from_dot_data(dot.render(hostile_view()))
        assert graphs is not None
        (graph,) = graphs
        names = {
            node.get_name(): unescaped(node.get("label")) for node in graph.get_nodes() if node.get("label")
        }
        assert list(names.values()) == [*HOSTILE, *HOSTILE]
        edges = [
            (
                f"{names[str(edge.get_source())]}.md",
                unescaped(edge.get("label")),
                names[str(edge.get_destination())],
                edge.get("style") == "dashed",
            )
            for edge in graph.get_edges()
            if edge.get("label")
        ]
        assert edges == EXPECTED

    @pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
    def test_graphviz_draws_it(self) -> None:
        command = ["dot", "-Tsvg"]
        drawn = subprocess.run(
            command, input=dot.render(hostile_view()).encode(), capture_output=True, check=True
        )
        assert drawn.stdout.count(b"<title>n") >= len(HOSTILE)
        assert b"syntax" not in drawn.stderr


STATEMENTS = (
    r'  (?P<node>[nm]\d+)\["(?P<name>[^"\n]*)"\]',
    r'  (?P<source>n\d+) (?P<arrow>-->|-\.->)(?:\|"(?P<predicate>[^"\n]*)"\|)? (?P<target>[nm]\d+)',
    r"  classDef \w+ [\w#:,-]+(?: \d+)?",
    r"  class [nm]\d+(?:,[nm]\d+)* \w+",
)
"""The part of Mermaid's flowchart grammar that is used."""


class TestMermaid:
    def read(self, view: GraphView) -> list[re.Match[str]]:
        head, *lines = mermaid.render(view).splitlines()
        assert head == "flowchart LR"
        found = [re.fullmatch("|".join(STATEMENTS), line) for line in lines]
        assert None not in found
        return [match for match in found if match]

    def shown(self, text: str) -> str:
        """What Mermaid shows for a text: entities are resolved, and nothing in it may mean anything else."""
        assert not re.search(r"[\"<>`*_~\\\[\]{}()|:%@$']|&(?!#)", text)
        return re.sub(r"#(\d+);", lambda match: chr(int(match[1])), text)

    def test_hostile_names(self) -> None:
        found = self.read(hostile_view())
        names = {match["node"]: self.shown(match["name"]) for match in found if match["node"]}
        assert list(names.values()) == [*HOSTILE, *HOSTILE]
        edges = [
            (f"{names[m['source']]}.md", self.shown(m["predicate"]), names[m["target"]], m["arrow"] == "-.->")
            for m in found
            if m["predicate"] is not None
        ]
        assert edges == EXPECTED

    def test_layers_and_missing_notes_have_a_class(self) -> None:
        assert "  class n0,n1,n2,n3 daily\n" in mermaid.render(SMALL)
        assert "  class m0 missing\n" in mermaid.render(SMALL)


class TestTree:
    def test_each_row_once_below_the_note_it_was_met_from(self) -> None:
        assert tree.render(SMALL) == (
            "a.md\n"
            "├─ is_a → b.md  a.md:3:7\n"
            "│  ├─ → a.md …  b.md:3:7\n"
            "│  ├─ → b.md …  b.md:3:7\n"
            "│  └─ → d.md  b.md:3:7\n"
            "├─ → gone ?  a.md:3:7\n"
            "└─ founded ~ ← c.md  c.md:3:7\n"
            "   └─ → b.md …  c.md:3:7\n"
        )

    def test_a_name_cannot_break_a_line(self) -> None:
        lines = tree.render(hostile_view(start=True)).splitlines()
        assert len(lines) == 1 + 2 * len(HOSTILE)

    def test_a_chain_longer_than_the_stack(self) -> None:
        rows: Sequence[Row] = [row(n, f"{n - 1}.md", None, f"{n}.md") for n in range(1, 3001)]
        view = view_of(rows, {f"{n}.md": note(f"{n}.md") for n in range(3001)}, "0.md")
        assert len(tree.render(view).splitlines()) == 3001

    def test_needs_a_start(self) -> None:
        with pytest.raises(ValueError, match="start"):
            tree.render(hostile_view())


@pytest.mark.parametrize(
    ("text", "length", "end"),
    [("short\r\ntext ", 10, "short\ntext"), ("word " * 300, 601, "word …"), ("密" * 900, 602, "密 …")],
)
def test_an_excerpt_ends_between_words(text: str, length: int, end: str) -> None:
    cut = excerpt(text)
    assert (len(cut), cut[-len(end) :]) == (length, end)
