"""Where reme's managed block stands in the page of a day.

It stands between two marker comments, each alone on its line. Where the markers were damaged or duplicated, the first
start marker that an end marker follows without another marker between is the block; all else is the user's text.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from reme_cli.regex import regex
from reme_cli.vault.spans import is_within

if TYPE_CHECKING:
    from collections.abc import Sequence

START = "<!-- reme:day:start -->"
END = "<!-- reme:day:end -->"

_MARKER = regex(rf"^(?P<marker>{re.escape(START)}|{re.escape(END)})(?=[ \t]*$)", re.MULTILINE)
# four spaces would make it code, and what stands before a marker may speak of it
_ANY = regex(rf"^ {{0,3}}(?P<marker>{re.escape(START)}|{re.escape(END)})", re.MULTILINE)
_FENCE = regex(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)


def find_block(text: str) -> tuple[int, int] | None:
    """Where the managed block stands, from its start marker to the end of its end marker; `None` where there is none."""
    return block_among(text, markers_in(text))


def block_among(text: str, markers: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The block that these markers of a text make."""
    for (start, opened), (closing, end) in pairwise(markers):
        if text[start:opened] == START and text[closing:end] == END:
            return start, end
    return None


def markers_in(text: str) -> list[tuple[int, int]]:
    """Every marker that counts, in order: one in a code fence does not."""
    return _outside_fences(_MARKER, text)


def has_stray_markers(text: str) -> bool:
    """Whether the page holds markers besides those of its block."""
    return text.count(START) + text.count(END) > (2 if find_block(text) else 0)


def displaced_markers(text: str) -> list[tuple[int, int]]:
    """Markers that do not count because they are not alone on their line: indented, or with text behind them."""
    counted = set(markers_in(text))
    return [marker for marker in _outside_fences(_ANY, text) if marker not in counted]


def _outside_fences(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Where the group `marker` of a pattern stands, in code fences not."""
    if "<!-- reme:day:" not in text:
        return []
    # `$` of a regular expression knows only "\n"; the same length keeps the offsets true
    unified = text.replace("\r\n", " \n").replace("\r", "\n")
    fences = _fences(unified)
    return [
        match.span("marker") for match in pattern.finditer(unified) if not is_within(fences, match.start())
    ]


def _fences(text: str) -> list[tuple[int, int]]:
    """The spans of code fences that are closed. An unclosed one hides nothing, or a block behind it were never found again."""
    spans: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line
        elif line[1].startswith(opening[1]) and not line[2].strip():
            spans.append((opening.start(), line.end()))
            opening = None
    return spans
