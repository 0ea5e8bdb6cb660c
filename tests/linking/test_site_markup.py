"""Where MDX and TOML stand in a text. What that means for links is in places.md."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.linking.site_markup import MOST_UNCLOSED, site_markup
from reme_cli.vault.spans import is_within

PIECES = (
    *("+++\n", "---\n", "\n", "\n\n", "\r\n", "word ", "> ", "`", "```\n", "~~~jsx\n", "<!--", "-->"),
    *("import a from 'x'\n", "import {\n", "} from 'x'\n", "export const a = {\n", "export * from 'x'\n"),
    *(
        "<A>",
        "</A>",
        "<B.C ",
        "</B.C>",
        "<A/>",
        ">",
        "/>",
        "=>",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "'",
        '"',
        "/*",
        "*/",
    ),
)

FOUND = {
    "+++\na = 1\n+++\nb": ["+++\na = 1\n+++\n"],
    "\ufeff+++\r\na = 1\r\n+++": ["\ufeff+++\r\na = 1\r\n+++"],
    "+++\na = 1\n": [],
    "import a from 'x'\r\n\r\nb": ["import a from 'x'"],
    "b\n\nimport 'x'": ["import 'x'"],
    "export {\n\na }\n\nb": ["export {\n\na }"],
    "export const a = '('\n\nb": ["export const a = '('"],
    "export default (\n```\n": ["export default ("],
    "a <A b={c > 1} d='>'>e</A> f": ["<A b={c > 1} d='>'>e</A>"],
    "<A><A>a</A> b</A> c": ["<A><A>a</A> b</A>"],
    "<A> a </B> <C/> b": ["<A>", "</B>", "<C/>"],
    "<A\n\n> a </A>": ["</A>"],
    "a <Enter@b> <b>c</b>": [],
    "{/* a\n\n} */}\nb": ["{/* a\n\n} */}"],
    "{a\n": [],
}


@pytest.mark.parametrize("text", FOUND)
def test_what_is_found(text: str) -> None:
    assert [text[start:end] for start, end in site_markup(text)] == FOUND[text]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_spans_are_in_order_and_apart(text: str) -> None:
    spans = site_markup(text)
    offsets = [offset for span in spans for offset in span]
    assert offsets == sorted(set(offsets))
    assert all(0 <= start < end <= len(text) for start, end in spans)
    inside = {place for start, end in spans for place in range(start, end)}
    assert {place for place in range(len(text)) if is_within(spans, place)} == inside


@pytest.mark.parametrize("opening", ["<A\n\n", "{\n", "`\n\n"])
def test_where_too_much_is_never_closed_no_more_is_looked_for(opening: str) -> None:
    """Looking for each end would take a minute in a note of a third of a megabyte."""
    element = "<A>a</A>"
    for number, found in ((MOST_UNCLOSED, [element]), (MOST_UNCLOSED + 1, [])):
        text = opening * number + element
        assert [text[start:end] for start, end in site_markup(text)] == found
