"""Spans of a text, each from a place to another: put in order, and asked for a place."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

Spans: TypeAlias = "Sequence[tuple[int, int] | tuple[int, int, object]]"
"""In order, none over another; with each may stand what it is."""
_START: Final = itemgetter(0)


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """What the spans cover, as spans in order of which none touches another."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def is_within(spans: Spans, place: int) -> bool:
    """Whether a place is in one of the spans; the end of a span is not in it."""
    at = bisect_right(spans, place, key=_START) - 1
    return at >= 0 and place < spans[at][1]


def overlaps(spans: Spans, start: int, end: int) -> bool:
    """Whether a part of what is from one place to the other is in one of the spans."""
    at = bisect_left(spans, end, key=_START) - 1
    return at >= 0 and start < spans[at][1]
