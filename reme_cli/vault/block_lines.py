"""The lines of a note's body as the containers around the current place leave them, and what they interrupt.

`blocks` reads with it. The rules are those of markdown-it-py, quirks of its quotes and lists included.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.regex import regex
from reme_cli.vault.destination import WHITESPACE
from reme_cli.vault.markup import HTML_BLOCKS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

MAX_NESTING: Final = 100
"""Containers inside containers; deeper markers are read as text, so that no note can exhaust the stack."""

LIST_MARKER: Final = regex(r"(?:[*+-]|([0-9]{1,9})[.)])(?=[ \t\n])")
RULE: Final = regex(r"([*_-])[ \t]*(?:\1[ \t]*){2,}\n")
FENCE: Final = regex(r"`{3,}(?=[^`\n]*\n)|~{3,}")
ATX: Final = regex(r"(#{1,6})(?=[ \t\n])")
FOOTNOTE: Final = regex(r"\[\^([^ \]\n]+)\]:")
_DELIMITER_ROW: Final = regex(r"(?!-[ \t]|.\n)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n")

_INDENTING: Final = frozenset(" \t")
_MARKERS: Final = frozenset("`~>*-_+0123456789<#[")
"""First characters of the lines that may end a paragraph."""

Piece = tuple[int, int]
"""A stretch of the note's text, as start and end."""
SavedLine = tuple[int, int, int, int]
"""A line's number, `first`, `indent` and `virtual`, as they were outside a container."""


class Lines:
    """The lines of one text."""

    __slots__ = (
        "block_indent",
        "first",
        "indent",
        "lazy",
        "level",
        "line_max",
        "line_starts",
        "list_indent",
        "stop",
        "text",
        "virtual",
    )

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.lazy: dict[int, int] = {}
        """Where stretches of lines begin that lazily continue an open quote, and which line is behind each."""
        self.block_indent = 0
        """Column from which the innermost container's content stands."""
        self.list_indent = -1
        """The same of the container around the innermost list; -1 outside lists."""
        self.level = 0
        lines = text[start:].split("\n")
        self.line_starts = list(accumulate([len(line) + 1 for line in lines], initial=start))
        self.stop = [place - 1 for place in self.line_starts[1:]]
        """Place of each line's end."""
        self.line_starts.pop()
        self.first = self.line_starts.copy()
        """Place of each line's first character that is neither space nor tab."""
        self.indent = [0] * len(lines)
        """Column of `first`, tabs expanded; -1 on a line that lazily continues a quote."""
        for number in [number for number, line in enumerate(lines) if line[:1] in _INDENTING]:
            line = lines[number]
            inner = len(line) - len(line.lstrip(" \t"))
            self.first[number] += inner
            self.indent[number] = _width(line[:inner]) if "\t" in line[:inner] else inner
        # the empty line behind the last line ending is kept as a sentinel, on a character that can be asked for
        self.line_max = len(self.first) - 1
        self.first[-1] = self.stop[-1] = len(text) - 1
        self.virtual = [0] * len(self.first)
        """Columns to the left of a line's text that a quote's marker took, for the tabs behind it."""

    def save(self, line: int) -> SavedLine:
        """What a line is now, before a container changes it."""
        return line, self.first[line], self.indent[line], self.virtual[line]

    def enter_quote(self, line: int) -> SavedLine:
        """Moves a line's start behind its `>` and one space; gives what it was."""
        text = self.text
        saved = self.save(line)
        place = self.first[line] + 1
        column = start = self.indent[line] + 1
        virtual = self.virtual[line]
        after = text[place]
        self.virtual[line] = column + (1 if after in _INDENTING else 0)
        if after == " " or (after == "\t" and (virtual + column) % 4 == 3):
            place += 1
            start += 1
            column += 1
        elif after == "\t":
            # the tab is wider than the one column the marker takes: the rest of it indents
            virtual += 1
        while (blank := text[place]) == " " or blank == "\t":
            column += 4 - (column + virtual) % 4 if blank == "\t" else 1
            place += 1
        self.first[line], self.indent[line] = place, column - start
        return saved

    def continue_lazily(self, line: int, end: int) -> list[SavedLine]:
        """Marks lines that continue a quote's paragraph without its `>`; gives what the lines were.

        Takes one line, and those below it that no rule could ask about, so that quotes inside need not look again.
        """
        first, stop, text = self.first, self.stop, self.text
        following = line + 1
        if text[first[line]] not in _MARKERS:
            while (
                following < end
                and first[following] < stop[following]
                and text[first[following]] not in _MARKERS
            ):
                following += 1
            self.lazy[line] = following
        saved = [self.save(number) for number in range(line, following)]
        self.indent[line:following] = [-1] * (following - line)
        return saved

    def ends_paragraph(self, line: int, end: int) -> bool:
        """Whether another block that begins on this line ends the paragraph above it; `end` bounds a table's lines."""
        first = self.first[line]
        mark = self.text[first]
        if mark not in _MARKERS:
            return self.text[self.first[line + 1]] in "|-:" and self.has_table(line, end)
        if mark == "[":
            return self.has_table(line, end) or (
                self.indent[line] - self.block_indent < 4
                and FOOTNOTE.match(self.text, first) is not None
                and self.level < MAX_NESTING
            )
        return self.ends_quote(line, in_paragraph=True) or self.has_table(line, end)

    def ends_quote(self, line: int, *, in_paragraph: bool = False) -> bool:
        """Whether this line begins a block that ends a quote, or a table, which it does not continue."""
        first = self.first[line]
        mark = self.text[first]
        if mark not in _MARKERS or self.indent[line] - self.block_indent >= 4:
            return False
        if mark == "#":
            return ATX.match(self.text, first) is not None
        if mark == "<":
            return self.html_kind(line, in_paragraph=True) is not None
        return self.ends_item(line) or self.starts_list(line, in_paragraph=in_paragraph)

    def ends_item(self, line: int) -> bool:
        """Whether a fence, a quote or a rule begins on this line, so that it is no further item of a list."""
        first = self.first[line]
        mark = self.text[first]
        if self.indent[line] - self.block_indent >= 4:
            return False
        if mark == ">":
            return True
        return (FENCE if mark in "`~" else RULE).match(self.text, first) is not None

    def starts_list(self, line: int, *, in_paragraph: bool) -> bool:
        """Whether a list begins on this line; in a paragraph only one that is not empty and counts from 1."""
        if self.is_too_deep_for_list(line):
            return False
        marker = LIST_MARKER.match(self.text, self.first[line])
        if marker is None:
            return False
        if in_paragraph and self.indent[line] >= self.block_indent:
            if marker[1] and int(marker[1]) != 1:
                return False
            return self.text[marker.end() : self.stop[line]].strip(" \t") != ""
        return True

    def is_too_deep_for_list(self, line: int) -> bool:
        """Whether a marker stands too far right for the list around it and too far left to be inside its item."""
        return 0 <= self.list_indent <= self.indent[line] - 4 and self.indent[line] < self.block_indent

    def html_kind(self, line: int, *, in_paragraph: bool) -> re.Pattern[str] | Literal["blank"] | None:
        """What ends the HTML block that begins on this line: a pattern or a blank line; `None` where none begins."""
        content = self.text[self.first[line] : self.stop[line]]
        for kind in HTML_BLOCKS:
            if kind.opening.match(content):
                return None if in_paragraph and not kind.ends_paragraph else (kind.closing or "blank")
        return None

    def has_table(self, line: int, end: int) -> bool:
        return self.table_header(line, end) is not None

    def table_header(self, line: int, end: int) -> list[tuple[Piece, ...]] | None:
        """The cells of the header row, where a table begins at this line."""
        first, indent, base = self.first, self.indent, self.block_indent
        if line + 2 > end or not base <= indent[line + 1] < base + 4 or indent[line] - base >= 4:
            return None
        if self.text.find("|", first[line], self.stop[line]) < 0:
            return None
        delimiters = _DELIMITER_ROW.match(self.text, first[line + 1])
        if delimiters is None:
            return None
        cells = self.cells(line)
        columns = delimiters[0].strip(" \t\n").strip("|").count("|") + 1
        return cells if len(cells) == columns else None

    def cells(self, line: int) -> list[tuple[Piece, ...]]:
        """The cells of a row; a pipe behind a backslash is the cell's text, without the backslash."""
        text, stop = self.text, self.stop[line]
        start = self.first[line]
        trimmed = text[start:stop].strip(WHITESPACE)
        start = text.index(trimmed, start, stop)
        cells: list[tuple[Piece, ...]] = []
        pieces: list[Piece] = []
        begin, place, stop = start, start, start + len(trimmed)
        while (place := text.find("|", place, stop)) >= 0:
            if place > start and text[place - 1] == "\\":
                pieces.append((begin, place - 1))
                begin = place
            else:
                cells.append((*pieces, (begin, place)))
                pieces, begin = [], place + 1
            place += 1
        cells.append((*pieces, (begin, stop)))
        if _is_nothing(cells[0]):
            del cells[0]
        if cells and _is_nothing(cells[-1]):
            del cells[-1]
        return cells

    def pieces_below(self, line: int) -> Iterator[Piece]:
        """The lines below this one that may continue a definition which begins on it."""
        line += 1
        while self.continues_definition(line):
            yield self.first[line], self.stop[line]
            line += 1

    def continues_definition(self, line: int) -> bool:
        """Whether no other block begins on this line, so that a definition above may go on."""
        if line >= self.line_max or self.first[line] >= self.stop[line]:
            return False
        if self.indent[line] - self.block_indent >= 4 or self.indent[line] < 0:
            return True
        mark = self.text[self.first[line]]
        if mark in "*-+0123456789":
            # only a paragraph is picky about the lists that end it
            return not (
                self.ends_item(line)
                or self.starts_list(line, in_paragraph=False)
                or self.has_table(line, self.line_max)
            )
        return not self.ends_paragraph(line, self.line_max)


def atx_heading(text: str, place: int, stop: int) -> tuple[int, Piece] | None:
    """Level and content of the heading whose `#` may stand at this place, on a line that ends at `stop`."""
    mark = ATX.match(text, place)
    if mark is None:
        return None
    return len(mark[1]), (mark.end(), mark.end() + len(atx_content(text[mark.end() : stop])))


def atx_content(text: str) -> str:
    """What a heading says whose line goes on like this behind its opening `#`: without a closing sequence of them."""
    content = text.rstrip(" \t")
    unclosed = content.rstrip("#")
    return unclosed.rstrip(" \t") if unclosed.endswith((" ", "\t")) else content


def _is_nothing(cell: tuple[Piece, ...]) -> bool:
    return len(cell) == 1 and cell[0][0] == cell[0][1]


def _width(blanks: str) -> int:
    """The column behind these spaces and tabs at a line's start."""
    column = 0
    for blank in blanks:
        column += 4 - column % 4 if blank == "\t" else 1
    return column
