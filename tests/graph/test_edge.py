"""A note's edges: what is one, what is not, and what stands for a target that does not exist."""

from __future__ import annotations

import unicodedata

import pytest

from reme_cli.graph.edge import Edge, attachments_among, edges_of, occurrences_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.wikilink import scan

NAMES = Names(["n.md", "a.md", "x/b.md"], ["i/pic.png"])


def edges(text: str) -> list[tuple[str, str | None, bool]]:
    return [
        (edge.target, edge.predicate, edge.resolved) for edge in edges_of(occurrences_of("n.md", text, NAMES))
    ]


def test_edges_are_notes_typed_and_in_source_order() -> None:
    assert edges("[[b]] then is_a:: no\n\nis-a:: [[a]], [B](x/b.md)\n\n[[A]] ![[b]]") == [
        ("x/b.md", None, True),
        ("a.md", "is_a", True),
        ("x/b.md", "is_a", True),
        ("a.md", None, True),
    ]


def test_two_links_with_one_key_are_one_edge_with_two_occurrences() -> None:
    first, second = occurrences_of("n.md", "[[a]] [[A.md|alias#x]]", NAMES)
    assert first.edge == second.edge == Edge("n.md", "a.md", None, resolved=True)
    assert first.edge.key == ("a.md", None)
    assert first.link.start < second.link.start


@pytest.mark.parametrize(
    "text",
    ["[[#h]]", "[[https://example.org]]", "[x](mailto:a@b.c)", "![[pic.png]]", "![[gone.png]]", "`[[a]]`"],
)
def test_no_edges(text: str) -> None:
    assert edges(text) == []


def test_a_missing_target_is_its_text_in_one_form() -> None:
    composed, decomposed = (unicodedata.normalize(form, "[[Café]]") for form in ("NFC", "NFD"))
    assert edges(f"{composed} {decomposed} [[Café.md]]") == [("Café", None, False)]
    assert edges("[[sub/Missing]] is_a\n\nis_a:: [[missing]]") == [
        ("sub/Missing", None, False),
        ("missing", "is_a", False),
    ]


def test_attachments_are_paths_or_the_text_of_missing_ones() -> None:
    text = "![[pic.png|300]] [[PIC.png]] ![x](gone.pdf) [[a]] [[https://example.org/x.png]]"
    references = attachments_among("n.md", scan(text).links, NAMES)
    assert [(reference.target, reference.resolved) for reference in references] == [
        ("i/pic.png", True),
        ("i/pic.png", True),
        ("gone.pdf", False),
    ]
