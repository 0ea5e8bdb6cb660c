"""Cutting and comparing a note's text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.dream.block import blocks, change_between, split

LINES = st.sampled_from(
    [
        "# A",
        "## B",
        "#notag",
        "text",
        "other text",
        "",
        "",
        "   ",
        "```",
        "~~~~",
        "````",
        "- item",
        "  more",
        "密钥",
        "\r",
    ]
)
NOTES = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n", "\r"])), max_size=30).map(
    lambda lines: "".join(line + end for line, end in lines)
)


@given(NOTES | st.text(max_size=200))
def test_blocks_joined_are_the_text(text: str) -> None:
    assert "".join(block.text for block in blocks(text)) == text


@given(NOTES | st.text(max_size=200), st.integers(min_value=2, max_value=40))
def test_parts_joined_are_the_text_and_none_is_too_large(text: str, limit: int) -> None:
    parts = split(text, limit, len)
    assert "".join(parts) == text
    assert all(0 < len(part) <= limit for part in parts)


def test_parts_are_cut_at_headings() -> None:
    text = "# One\n\nfirst\n\n# Two\n\nsecond\n\nthird\n"
    assert split(text, 20, len) == ["# One\n\nfirst\n\n", "# Two\n\nsecond\n\n", "third\n"]


def test_a_fence_is_one_block() -> None:
    text = "before\n\n```python\n# no heading\n\n~~~\nx\n````\n\nafter\n"
    assert [block.text for block in blocks(text)] == [
        "before\n\n",
        "```python\n# no heading\n\n~~~\nx\n````\n\n",
        "after\n",
    ]


@given(NOTES)
def test_nothing_changed_between_a_text_and_itself(text: str) -> None:
    change = change_between(text, text, lambda block: block)
    assert change.added == ""
    assert change.removed == ()


def test_a_change_comes_with_the_headings_it_stands_under() -> None:
    before = "# Day\n\n## Gateway\n\nretries at 3\n\n## Lunch\n\nsoup\n"
    after = "# Day\n\n## Gateway\n\nretries at 5\n\nnew: jitter\n\n## Lunch\n\nsoup\n"
    change = change_between(before, after, lambda block: block)
    assert change.added == "# Day\n\n## Gateway\n\nretries at 5\n\nnew: jitter\n\n"
    assert change.removed == ("retries at 3",)


def test_a_link_added_to_a_word_and_a_moved_block_are_no_change() -> None:
    change = change_between(
        "one jwt\n\ntwo\n", "two\n\none [[jwt]]\n", lambda text: text.replace("[[", "").replace("]]", "")
    )
    assert change.added == ""


def test_a_block_said_twice_where_it_was_said_once_is_new_once() -> None:
    assert change_between("a\n\nb\n", "a\n\na\n\nb\n", lambda block: block).added == "a\n\n"
