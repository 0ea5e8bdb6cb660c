"""The line that a finding stands in, as a screen shows it: cut to what fits, with carets under what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.screen import escaped, text_width

if TYPE_CHECKING:
    from reme_cli.lint.finding import Finding

COLUMNS: Final = 100
"""Of a source line, at most so much is shown."""
_BEFORE: Final = 30
"""Columns that are shown before the caret where a line is cut."""


class SourceLine(NamedTuple):
    """What is shown of a line, the columns before the first caret, and how many carets there are."""

    text: str
    before: int
    carets: int


def source_line(source: str, finding: Finding) -> SourceLine:
    """What is shown of the line that a finding stands in."""
    first = int(source.startswith("\ufeff") and finding.line == 1)
    start = min(first + finding.col - 1, len(source))
    end = min(first + finding.end_col - 1, len(source)) if finding.end_line == finding.line else len(source)
    if start <= end and len(source) <= COLUMNS and source.isascii() and source.isprintable():
        return SourceLine(source, start, max(1, end - start))  # as below: by far most that fit are such
    # characters beyond these are shown in no case, and lines can be very long, with very many findings in them
    parts = (
        source[max(first, start - COLUMNS) : start],
        source[start : min(end, start + COLUMNS)],
        source[end : end + COLUMNS],
    )
    before, marked, after = map(_flat, parts)
    columns, carets = text_width(before), text_width(marked)
    if sum(map(len, parts)) < len(source) - first or columns + carets + text_width(after) > COLUMNS:
        before, columns = _last_columns(before, columns)
        room = COLUMNS - columns
        after, _ = _first_columns(after, room - carets) if carets < room else ("", 0)
        marked, carets = _first_columns(marked, room)
    return SourceLine(before + marked + after, columns, max(1, carets))


def _flat(text: str) -> str:
    """A part of a line with nothing in it that moves the cursor."""
    return text if text.isprintable() else escaped(text.replace("\t", "    ").replace("\n", " "))


def _first_columns(text: str, columns: int) -> tuple[str, int]:
    """The beginning of a text, with a mark where the rest does not fit, and how many columns it takes."""
    width = text_width(text)
    if width <= columns:
        return text, width
    if text.isascii():
        return f"{text[: columns - 1]}…", columns
    end, used = 0, 1
    while (wider := used + text_width(text[end])) <= columns:
        end, used = end + 1, wider
    return f"{text[:end]}…", used


def _last_columns(text: str, width: int) -> tuple[str, int]:
    """The end of a text of this width, with a mark where the rest does not fit, and how many columns it takes."""
    if width <= _BEFORE:
        return text, width
    if text.isascii():
        return f"…{text[len(text) - _BEFORE + 1 :]}", _BEFORE
    start, used = len(text), 1
    while (wider := used + text_width(text[start - 1])) <= _BEFORE:
        start, used = start - 1, wider
    return f"…{text[start:]}", used
