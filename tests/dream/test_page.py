"""The managed block of a day's page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.dream.page import Listed, block_span, own_text, with_block
from reme_cli.graph.conservation import Block, change_of
from reme_cli.vault.managed_block import END, START, find_block
from reme_cli.vault.resolve import Names
from reme_cli.vault.wikilink import scan

DATE = "2026-06-20"
NOTES = [
    Listed("daily/2026-06-20/gateway.md", "Gateway", "What broke."),
    Listed("daily/2026-06-20/standup.md", "Stand-up"),
]
PIECES = st.sampled_from(
    [
        START,
        END,
        START,
        END,
        "text",
        "# 2026-06-20",
        "",
        "```",
        "~~~",
        "- item",
        "    " + START,
        " " + END,
        "\ufeff",
        "[[a]]",
    ]
)
PAGES = st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\n", "\r\n", "\r"])), max_size=12).map(
    lambda lines: "".join(piece + end for piece, end in lines)
)
NASTY = st.text(max_size=40) | st.sampled_from(
    [
        START,
        END,
        f"a {END} b",
        "]]",
        "[[x]]",
        "a|b",
        "`",
        "$",
        "%%",
        "<!--",
        "-->",
        "{{name}}",
        "no",
        "a: b",
        "\n\n# h",
        "\\",
    ]
)
LISTED = st.lists(
    st.builds(
        Listed,
        st.sampled_from(
            [
                "daily/2026-06-20/a.md",
                "daily/2026-06-20/日志.md",
                "daily/2026-06-20/c#1|x.md",
                "daily/2026-06-20/d e.md",
            ]
        ),
        NASTY,
        NASTY,
    ),
    max_size=3,
    unique_by=lambda note: note.path,
)


def test_a_new_page_lists_the_days_notes() -> None:
    assert with_block(None, DATE, NOTES) == (
        "# 2026-06-20\n\n<!-- reme:day:start -->\n"
        "- [[daily/2026-06-20/gateway.md|Gateway]] — What broke.\n"
        "- [[daily/2026-06-20/standup.md|Stand-up]]\n"
        "<!-- reme:day:end -->\n"
    )


@given(PAGES | st.text(max_size=60), LISTED, LISTED)
def test_the_page_outside_the_block_stays_and_the_block_never_grows(
    page: str, first: list[Listed], second: list[Listed]
) -> None:
    once = with_block(page, DATE, first)
    span = find_block(once)
    assert span is not None
    start, end = span
    before = find_block(page)
    if before is not None:
        assert once[:start] == page[: before[0]]
        assert once[end:] == page[before[1] :]
    else:
        assert once.startswith(page)
        assert once[end:] in ("\n", "\r\n", "\r")
        assert once[len(page) : start].strip() == ""
    assert with_block(once, DATE, first) == once
    twice = with_block(once, DATE, second)
    assert with_block(twice, DATE, first) == once
    assert own_text(once) == own_text(twice)


@given(PAGES, LISTED)
def test_the_writer_accepts_it_as_a_block(page: str, notes: list[Listed]) -> None:
    class Around:
        before = after = Names(["daily/2026-06-20.md", "a.md", *(note.path for note in notes)])

    text = with_block(page, DATE, notes)
    change = change_of("daily/2026-06-20.md", page, text)
    if len(scan(page).links) <= len(scan(text).links):  # an open fence of the user's may swallow the block
        Block(block_span(page, text)).check(change, Around, ())


@given(LISTED)
def test_each_line_is_one_link_to_its_note_whatever_the_note_is_called(notes: list[Listed]) -> None:
    text = with_block(None, DATE, notes)
    names = Names(note.path for note in notes)
    found = [names.resolve(link, f"daily/{DATE}.md").path for link in scan(text).links]
    assert found == [note.path for note in notes]
    assert len(text.splitlines()) == 4 + len(notes)
    assert text.count(START) == text.count(END) == 1


@pytest.mark.parametrize(
    ("page", "block"),
    [
        (f"a\n{START}\nold\n{END}\nb\n", f"{START}\nold\n{END}"),
        (f"{START}\nlost its end\n{START}\nold\n{END}\n", f"{START}\nold\n{END}"),
        (f"{END}\n{START}\nold\n{END}\n{END}", f"{START}\nold\n{END}"),
        (f"{START}\none\n{END}\n{START}\ntwo\n{END}\n", f"{START}\none\n{END}"),
        (f"```\n{START}\nexample\n{END}\n```\n", None),
        (f"```\n{START}\nold\n{END}\n", f"{START}\nold\n{END}"),
        (f"    {START}\n    {END}\n", None),
        (f"see {START} and {END}\n", None),
        (f"{START}\r\nold\r\n{END}\r\n", f"{START}\r\nold\r\n{END}"),
        (f"{START}\nonly a start\n", None),
        (f"{END}\n{START}\n", None),
    ],
)
def test_which_markers_are_the_block(page: str, block: str | None) -> None:
    span = find_block(page)
    assert (page[span[0] : span[1]] if span else None) == block


def test_line_endings_of_the_page_are_kept() -> None:
    text = with_block("# Day\r\n\r\nmine\r\n", DATE, NOTES)
    assert "\n" not in text.replace("\r\n", "")
