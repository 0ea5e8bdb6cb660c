"""The line of a note that is shown for a query."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.index.document import passages_of
from reme_cli.search.snippet import SNIPPET_COLUMNS, best_snippet


def columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


NOTE = """---
name: x
---

Opening words.

# Storage

alpha once

## Cost

alpha and beta
alpha beta gamma, then alpha again
### Detail
nothing
## Other
alpha alpha alpha alpha
"""


def test_the_passage_and_line_with_most_of_the_terms() -> None:
    found = best_snippet(NOTE, passages_of(NOTE), {"alpha", "beta", "gamma"})
    assert (found.line, found.heading) == (14, "Storage > Cost")
    assert found.text == "alpha beta gamma, then alpha again"
    assert [found.text[start:end] for start, end in found.marks] == ["alpha", "beta", "gamma", "alpha"]


def test_the_earliest_of_equals() -> None:
    assert best_snippet("alpha\n\nalpha\n", passages_of("alpha\n\nalpha\n"), {"alpha"}).line == 1


def test_without_a_match_the_first_line_of_text() -> None:
    found = best_snippet(NOTE, passages_of(NOTE), {"zebra"})
    assert (found.line, found.heading, found.text, found.marks) == (5, "", "Opening words.", ())
    text = "# Title\n\n\nfirst\n"
    assert best_snippet(text, passages_of(text), set()).line == 4
    assert best_snippet("", passages_of(""), {"a"}).text == ""
    assert best_snippet("# Only\n", passages_of("# Only\n"), {"a"}).text == ""


def test_a_long_line_is_shown_around_its_first_match() -> None:
    text = f"{'word ' * 300}needle {'tail ' * 300}"
    found = best_snippet(text, passages_of(text), {"needl"})
    assert len(found.text) == SNIPPET_COLUMNS
    assert [found.text[start:end] for start, end in found.marks] == ["needle"]


@pytest.mark.parametrize("before", [0, 1, 30, 70, 99, 150, 400])
@pytest.mark.parametrize("after", [0, 1, 30, 70, 99, 150, 400])
def test_a_chinese_line_is_shown_as_wide_as_a_latin_one(before: int, after: int) -> None:
    text = f"{'字' * before}数据库{'文' * after}"
    found = best_snippet(text, passages_of(text), {"数据", "据库"})
    assert [found.text[start:end] for start, end in found.marks] == ["数据库"]
    assert columns(found.text) == min(columns(text), SNIPPET_COLUMNS)
    assert found.text in text


@given(
    st.lists(
        st.sampled_from(
            [
                "alpha",
                "beta",
                "数据库",
                "# ",
                "## ",
                "\n",
                "\r\n",
                "\r",
                " ",
                "\t",
                "---\n",
                "`",
                "x" * 90,
                "字" * 60,
                "[[beta|alpha]]",
            ]
        ),
        max_size=25,
    ).map("".join),
    st.sets(st.sampled_from(["alpha", "beta", "数据", "据", "库"])),
)
def test_a_snippet_stands_where_it_says(text: str, terms: set[str]) -> None:
    found = best_snippet(text, passages_of(text), terms)
    lines = re.split(r"\r\n|\n|\r", text)
    assert found.text.strip() in lines[found.line - 1].replace("\t", " ")
    assert columns(found.text) <= SNIPPET_COLUMNS
    assert all(0 <= start < end <= len(found.text) for start, end in found.marks)
    assert not terms or not found.marks or any(found.text[start] in "ab数据库" for start, _ in found.marks)
