"""Which lines of a note are rows of a table. In those a bare pipe parts two cells; everywhere else it is an ordinary character."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.blocks import read_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

_RETURNS: Final = regex(r"\r\n?")
# a pattern that begins with a letter is looked for many times faster than one that begins with `^`
_DELIMITERS: Final = regex(r"\n(?P<row>[ \t>*+\-0-9.)]*[-:|][-:| \t]*)(?![^\n])")
"""What the line below a table's head looks like; not every line that looks so is one."""
_BLANK: Final = regex(r"\n[ \t]*(?![^\n])")


class TableRows:
    """The 1-based lines of a note that are rows of a table and hold a `[`, or that one more bare pipe may make the head of one.

    The blocks of a note are read when it is first asked about a line that may be in a table.
    """

    def __init__(self, text: str) -> None:
        self._text = _RETURNS.sub("\n", text) if "\r" in text else text
        self._heads: set[int] = set()
        """Lines above one that parts cells."""
        self._near: set[int] = set()
        """Lines from one that may be a head down to a blank one: all rows of all tables."""
        rows = list(_piped_delimiters(self._text)) if "|" in text else ()
        line, counted = 1, 0
        for start, end in rows:
            if start < self._body:
                continue
            line += self._text.count("\n", counted, start)
            counted = start
            if "|" in self._text[start:end]:
                self._heads.add(line - 1)
            if line not in self._near and "|" in _line_above(self._text, start):
                blank = _BLANK.search(self._text, end)
                below = self._text.count("\n", end, blank.start() if blank else len(self._text))
                self._near.update(range(line - 1, line + below + 1))

    def __bool__(self) -> bool:
        """Whether there may be any."""
        return bool(self._heads or self._near)

    def __contains__(self, line: int) -> bool:
        """Whether a line is one."""
        return line in self._heads or (line in self._near and line in self._cells)

    @cached_property
    def _body(self) -> int:
        """Where the text behind the frontmatter begins."""
        block = frontmatter.split(self._text)
        return block.body_start if block else int(self._text.startswith("\ufeff"))

    @cached_property
    def _cells(self) -> frozenset[int]:
        """The lines of all cells with a `[`."""
        text = self._text if self._text.endswith("\n") else f"{self._text}\n"
        first = text.count("\n", 0, self._body) + 1
        leaves = read_blocks(text, self._body, only_bracketed=True).leaves
        return frozenset(first + leaf.first_line for leaf in leaves if leaf.kind == "cell")


def _piped_delimiters(text: str) -> Iterator[tuple[int, int]]:
    """The places of lines that may stand below a table's head, where one of the two has a pipe."""
    for found in _DELIMITERS.finditer(text):
        start, end = found.span("row")
        if "|" in found["row"] or "|" in _line_above(text, start):
            yield start, end


def _line_above(text: str, start: int) -> str:
    """The line before the one that starts here."""
    return text[text.rfind("\n", 0, start - 1) + 1 : start - 1]
