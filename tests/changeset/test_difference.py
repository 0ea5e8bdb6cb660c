"""The diff of texts whose lines changed in place is the one that a search for the same lines finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.changeset.difference import diff_in_lines, unified_diff


@given(st.lists(st.booleans(), max_size=40), st.booleans())
def test_in_lines(changes: list[bool], is_ended: bool) -> None:
    before = "\n".join(f"line {number}" for number in range(len(changes)))
    after = "\n".join(f"line {number}{'!' * is_new}" for number, is_new in enumerate(changes))
    end = "\n" if is_ended and changes else ""
    assert diff_in_lines("a.md", before + end, after + end) == unified_diff("a.md", before + end, after + end)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\n", "a\n", ""),
        ("", "", ""),
        ("a", "b", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"),
        ("a\r\nb\r\n", "A\r\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+A\r\n b\r\n"),
        # the second line becomes as the first one was
        ("a\nb\n", "b\na\n", "@@ -1,2 +1,2 @@\n-a\n-b\n+b\n+a\n"),
    ],
)
def test_as_git_writes_it(before: str, after: str, expected: str) -> None:
    head = "--- a/a.md\n+++ b/a.md\n" if expected else ""
    assert diff_in_lines("a.md", before, after) == head + expected
