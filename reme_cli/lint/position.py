"""Where in a text a character stands, by line and column."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

_STRIDE: Final = 1 << 14


class _Mark(NamedTuple):
    """What stands before a place that every so many characters have."""

    newlines: int
    line_start: int


def line_col(text: str, offset: int) -> tuple[int, int]:
    """The 1-based line and column of a character in a text; a BOM is no column."""
    number = offset // _STRIDE
    # a long text is asked about as often as there are findings in it: counting from its start each time would be quadratic
    mark = _marks(text)[number] if number else _Mark(0, 0)
    start = number * _STRIDE
    line_start = text.rfind("\n", start, offset) + 1 or mark.line_start
    if line_start == 0 and text.startswith("\ufeff"):
        return 1, max(1, offset)
    return mark.newlines + text.count("\n", start, offset) + 1, offset - line_start + 1


@lru_cache(maxsize=4)
def _marks(text: str) -> list[_Mark]:
    """The marks of a text, one for every stride of it."""
    marks = [_Mark(0, 0)]
    for start in range(0, len(text), _STRIDE):
        newlines, line_start = marks[-1]
        end = start + _STRIDE
        marks.append(
            _Mark(newlines + text.count("\n", start, end), text.rfind("\n", start, end) + 1 or line_start)
        )
    return marks
