"""Line and column of every character, by strides or counted from the start."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.lint import position
from reme_cli.lint.position import line_col


def counted(text: str, offset: int) -> tuple[int, int]:
    bom = text.startswith("\ufeff") and "\n" not in text[:offset]
    return text.count("\n", 0, offset) + 1, max(1, len(text[:offset].rpartition("\n")[2]) + 1 - bom)


@pytest.mark.parametrize("head", ["", "\ufeff"])
@given(body=st.text("ab\n\r", max_size=30))
def test_as_counted_from_the_start(body: str, head: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(position, "_STRIDE", 4)
        position._marks.cache_clear()
        text = head + body
        assert [line_col(text, place) for place in range(len(text) + 1)] == [
            counted(text, place) for place in range(len(text) + 1)
        ]
    position._marks.cache_clear()


def test_a_long_line_and_many_lines() -> None:
    text = "x" * 50_000 + "\n" * 50_000 + "y"
    assert [line_col(text, place) for place in (49_999, 50_000, 50_001, 100_000)] == [
        (1, 50_000),
        (1, 50_001),
        (2, 1),
        (50_001, 1),
    ]
