"""The rows of tables are those that markdown-it-py finds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.vault.table_rows import TableRows
from tests.vault.markdown_reference import parser

LINES = (
    "", "", "[[a]] | b", "| [[a]] | b |", "|---|---|", "--|--", ":-: | :-", "| [[a]] |", "|---|", "---", "[[a]]", "words",
    "> | [[a]] | b |", "> |---|---|", "- [[a]] | b", "  |---|---|", "  | [[a]] | b", "```", "# [[a]] | b", "    [[a]] | b",
    "| `[[a]] | b` | [x](y) |", "1. | [[a]] |", "<!-- |", "-->", "$$", "| | |", "|-",
)  # fmt: skip


def rows_of(text: str) -> set[int]:
    rows = TableRows(text)
    return {line for line in range(len(text) + 2) if line in rows}


def reference(text: str) -> set[int]:
    lines = text.split("\n")
    tokens = parser().parse(text)
    rows = {token.map[0] + 1 for token in tokens if token.type == "tr_open" and token.map}
    return {row for row in rows if "[" in lines[row - 1]}


@pytest.mark.parametrize("head", ["", "---\nx: '| a |'\n---\n", "\ufeff"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_counted_from_the_first_of_the_note(head: str, newline: str) -> None:
    text = head + "[[a]] | b\n\n| [[a]] |\n|---|\nx\n[[a]]\n\n[[a]] | b"
    above = head.count("\n")
    assert rows_of(text.replace("\n", newline)) == {above + 3, above + 6}


def test_a_pipe_alone_makes_no_row() -> None:
    assert rows_of("") == rows_of("[[a]] | b\n\n[[a]] | b\n---\n") == set()


def test_what_a_pipe_would_make_a_head_counts_as_one() -> None:
    assert rows_of("x\n\n[[a]]\n|---|---|") == {3}


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=9))
def test_as_in_the_reference(chosen: list[str]) -> None:
    text = "\n".join(["", *chosen])  # no frontmatter
    found, expected = rows_of(text), reference(text)
    assert expected <= found
    lines = [*text.split("\n"), ""]
    assert all(re.fullmatch(r"[ \t>*+\-0-9.)|:]+", lines[row]) for row in found - expected)
