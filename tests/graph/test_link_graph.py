"""The graph in both directions, read from disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.config import Config, LinksConfig
from reme_cli.errors import UnreadableNote
from reme_cli.vault.vault import Vault
from tests.graph.link_graph import link_graph, read_graph

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    "a.md": "[[b]] [[b]] [[gone]]\n\nis_a:: [[c]]",
    "b.md": "[[a]] [[b]]",
    "x/c.md": "---\nrelated: '[[a]]'\n---\n![[pic.png]]",
    "lone.md": "",
    "pic.png": b"",
}


def test_every_link_is_there_from_both_ends(make_vault: Callable[..., Path]) -> None:
    graph = read_graph(Vault(make_vault(FILES), Config())).graph
    assert graph.notes == ("a.md", "b.md", "lone.md", "x/c.md")
    assert [(each.edge.target, each.edge.predicate) for each in graph.outgoing["a.md"]] == [
        ("b.md", None),
        ("b.md", None),
        ("gone", None),
        ("x/c.md", "is_a"),
    ]
    assert [(each.edge.source, each.edge.predicate) for each in graph.incoming["a.md"]] == [
        ("b.md", None),
        ("x/c.md", "related"),
    ]
    assert [each.edge.source for each in graph.incoming["b.md"]] == ["a.md", "a.md", "b.md"]
    assert "lone.md" not in graph.outgoing
    assert graph.incoming.keys() == {"a.md", "b.md", "x/c.md"}
    assert [each.edge.target for each in graph.broken()] == ["gone"]
    assert len(graph.edges()) == 6


def test_a_note_that_cannot_be_read_is_reported_and_the_rest_is_read(make_vault: Callable[..., Path]) -> None:
    reading = read_graph(Vault(make_vault({**FILES, "bad.md": b"\xff [[a]]"}), Config()))
    assert [type(error) for error in reading.unreadable] == [UnreadableNote]
    assert "bad.md" in reading.graph.notes
    assert len(reading.graph.edges()) == 6


def test_the_configured_resolution_is_used(make_vault: Callable[..., Path]) -> None:
    vault = Vault(
        make_vault({"a.md": "[[b]] [[x/b.md]]", "x/b.md": ""}), Config(links=LinksConfig("literal"))
    )
    graph = read_graph(vault).graph
    assert [(edge.target, edge.resolved) for edge in graph.edges()] == [("b", False), ("x/b.md", True)]


def test_the_order_of_the_occurrences_makes_no_difference(make_vault: Callable[..., Path]) -> None:
    graph = read_graph(Vault(make_vault(FILES), Config())).graph
    assert link_graph(reversed(graph.notes), reversed(list(graph.occurrences()))) == graph
