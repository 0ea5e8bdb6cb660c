"""Block structure of a note's body: which text is inline text, and what its link references define.

The rules and their order are those of markdown-it-py (CommonMark with tables and footnotes), whose answer is the
contract where it differs from the specification; `$$` blocks are added. Nothing is rendered: code, HTML and rules
are only stepped over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.block_lines import FENCE, FOOTNOTE, LIST_MARKER, MAX_NESTING, RULE, Lines, atx_heading
from reme_cli.vault.definition import read_definition
from reme_cli.vault.destination import WHITESPACE

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.block_lines import Piece
    from reme_cli.vault.destination import Destination

MAX_MISSING_CELLS: Final = 0x10000
"""Cells that the rows of a table may leave out before it ends, as in the reference."""

_UNDERLINE: Final = regex(r"(?:=+|-+)[ \t]*\n")


class Leaf(NamedTuple):
    """One run of inline text, in pieces of the note's text without the markers of the containers around it."""

    kind: Literal["text", "heading", "cell"]
    pieces: tuple[Piece, ...]
    """Of text and headings one a line; of a cell one more behind each escaped pipe, whose backslash is left out."""
    level: int
    """Of a heading, else 0."""
    first_line: int
    last_line: int
    """Of the block, as indexes into `Structure.line_starts`."""


class Structure(NamedTuple):
    """What the blocks of one text are."""

    leaves: list[Leaf]
    """In source order."""
    definitions: dict[str, Destination]
    """By `label_key`; the first of several counts. The destination's place is in the note."""
    footnotes: set[str]
    line_starts: list[int]
    """Offsets of the body's lines."""


def read_blocks(text: str, start: int, *, only_bracketed: bool) -> Structure:
    r"""The structure of `text[start:]`, whose line endings are `\n` and whose last line has one.

    With `only_bracketed`, leaves without a `[` are left out, unless they are headings.
    """
    reader = _Reader(text, start, only_bracketed)
    reader.read(0, reader.line_max)
    return Structure(reader.leaves, reader.definitions, reader.footnotes, reader.line_starts)


class _Reader(Lines):
    """The reading of one text."""

    __slots__ = ("definitions", "footnotes", "leaves", "line", "only_bracketed")

    def __init__(self, text: str, start: int, only_bracketed: bool) -> None:
        super().__init__(text, start)
        self.only_bracketed = only_bracketed
        self.leaves: list[Leaf] = []
        self.definitions: dict[str, Destination] = {}
        self.footnotes: set[str] = set()
        self.line = 0
        """The line behind the last block read."""

    def read(self, line: int, end: int) -> None:
        """Reads the blocks of one container, from `line` until `end` or until a line is outdented."""
        first, stop, indent = self.first, self.stop, self.indent
        while line < end:
            while line < self.line_max and first[line] >= stop[line]:
                line += 1
            self.line = line
            if line >= end or indent[line] < self.block_indent:
                break
            self.read_block(line, end)
            line = self.line
            if line < end and first[line] >= stop[line]:
                line += 1
                self.line = line

    def read_block(self, line: int, end: int) -> None:
        text = self.text
        if line + 2 <= end and text[self.first[line + 1]] in "|-:" and self.table(line, end):
            return
        if self.indent[line] - self.block_indent >= 4:
            self.indented_code(line, end)
            return
        for rule in _RULES.get(text[self.first[line]], ()):
            if rule(self, line, end):
                return
        self.paragraph(line, end)

    # leaves

    def add(self, kind: Literal["text", "heading"], level: int, line: int, end: int, last_line: int) -> None:
        first, stop = self.first, self.stop
        if (
            kind == "heading"
            or not self.only_bracketed
            or self.text.find("[", first[line], stop[end - 1]) >= 0
        ):
            self.leaves.append(
                Leaf(kind, tuple(zip(first[line:end], stop[line:end], strict=True)), level, line, last_line)
            )

    def paragraph(self, line: int, end: int) -> None:
        text, first, stop, indent = self.text, self.first, self.stop, self.indent
        base = self.block_indent
        limit, deep = self.line_max, base + 3
        level = 0
        following = line + 1
        while following < limit and first[following] < stop[following]:
            depth = indent[following]
            if depth > deep:
                following += 1
                continue
            if (
                depth >= base
                and following < end
                and text[first[following]] in "=-"
                and _UNDERLINE.match(text, first[following])
            ):
                level = 1 if text[first[following]] == "=" else 2
                break
            if depth >= 0 and self.ends_paragraph(following, limit):
                break
            following += 1
        if level:
            self.line = following + 1
            self.add("heading", level, line, following, following)
        else:
            self.line = following
            self.add("text", 0, line, following, following - 1)

    def atx(self, line: int, _end: int) -> bool:
        heading = atx_heading(self.text, self.first[line], self.stop[line])
        if heading is None:
            return False
        level, piece = heading
        self.line = line + 1
        self.leaves.append(Leaf("heading", (piece,), level, line, line))
        return True

    # blocks without inline text

    def indented_code(self, line: int, end: int) -> None:
        last = following = line + 1
        while following < end:
            if self.first[following] < self.stop[following]:
                if self.indent[following] - self.block_indent < 4:
                    break
                last = following + 1
            following += 1
        self.line = last

    def fence(self, line: int, end: int) -> bool:
        text, first, stop, indent = self.text, self.first, self.stop, self.indent
        opening = FENCE.match(text, first[line])
        if opening is None:
            return False
        marks, base = opening[0], self.block_indent
        following = line + 1
        while following < end:
            place = first[following]
            if indent[following] < base and place < stop[following]:
                break
            if text.startswith(marks, place) and indent[following] - base < 4:
                rest = text[place : stop[following]].lstrip(marks[0])
                if not rest.strip(" \t"):
                    following += 1
                    break
            following += 1
        self.line = following
        return True

    def math(self, line: int, end: int) -> bool:
        """A block between `$$` at the start of a line and `$$` at the end of one; unclosed, it is none."""
        text, first, stop = self.text, self.first, self.stop
        if not text.startswith("$$", first[line]):
            return False
        start, following = first[line] + 2, line
        while (place := text.find("$$", start, stop[following])) < 0:
            following += 1
            if following >= end:
                return False
            start = first[following]
            if self.indent[following] < self.block_indent and start < stop[following]:
                return False
        if text[place + 2 : stop[following]].strip(" \t"):
            return False
        self.line = following + 1
        return True

    def rule(self, line: int, _end: int) -> bool:
        if RULE.match(self.text, self.first[line]) is None:
            return False
        self.line = line + 1
        return True

    def html(self, line: int, end: int) -> bool:
        closing = self.html_kind(line, in_paragraph=False)
        if closing is None:
            return False
        text, first, stop = self.text, self.first, self.stop
        following = line
        while following < end:
            blank = first[following] >= stop[following]
            if (
                following > line
                and self.indent[following] < self.block_indent
                and (closing == "blank" or not blank)
            ):
                break
            if closing == "blank":
                if blank:
                    break
            elif closing.search(text, first[following], stop[following]):
                following += 1
                break
            following += 1
        self.line = following
        return True

    # containers

    def quote(self, line: int, end: int) -> bool:
        if self.level >= MAX_NESTING:
            return False
        outer_line_max, outer_indent = self.line_max, self.block_indent
        saved = [self.enter_quote(line)]
        last_blank = self.first[line] >= self.stop[line]
        following = line + 1
        while following < end:
            place = self.first[following]
            if place >= self.stop[following]:
                break
            if self.text[place] == ">" and self.indent[following] >= outer_indent:
                saved.append(self.enter_quote(following))
                last_blank = self.first[following] >= self.stop[following]
            elif last_blank:
                break
            elif self.ends_quote(following):
                # a paragraph inside must not run past the line that ends the quote
                self.line_max = following
                break
            elif following in self.lazy:
                # a quote around this one has seen to these lines
                following = min(self.lazy[following], end)
                continue
            else:
                saved += self.continue_lazily(following, end)
                following = saved[-1][0]
            following += 1
        self.block_indent = 0
        self.level += 1
        self.read(line, following)
        self.level -= 1
        self.line_max, self.block_indent = outer_line_max, outer_indent
        for number, place, indent, virtual in saved:
            self.first[number], self.indent[number], self.virtual[number] = place, indent, virtual
            self.lazy.pop(number, None)
        return True

    def list_block(self, line: int, end: int) -> bool:
        if self.is_too_deep_for_list(line) or self.level >= MAX_NESTING:
            return False
        marker = LIST_MARKER.match(self.text, self.first[line])
        if marker is None:
            return False
        kind = self.text[marker.end() - 1]
        while True:
            self.item(line, end, marker.end())
            line = self.line
            if (
                line >= end
                or self.indent[line] < self.block_indent
                or self.indent[line] - self.block_indent >= 4
                or self.ends_item(line)
            ):
                break
            following = LIST_MARKER.match(self.text, self.first[line])
            if following is None or self.text[following.end() - 1] != kind:
                break
            marker = following
        return True

    def item(self, line: int, end: int, behind_marker: int) -> None:
        text, first, stop, indent = self.text, self.first, self.stop, self.indent
        place = behind_marker
        start = column = indent[line] + behind_marker - first[line]
        while (blank := text[place]) == " " or blank == "\t":
            column += 4 - (column + self.virtual[line]) % 4 if blank == "\t" else 1
            place += 1
        is_blank = place >= stop[line]
        width = 1 if is_blank or column - start > 4 else column - start
        saved = (first[line], indent[line], self.list_indent, self.block_indent)
        first[line], indent[line] = place, column
        self.list_indent, self.block_indent = self.block_indent, start + width
        if is_blank and first[line + 1] >= stop[line + 1]:
            # an item that is empty to its second line ends there
            self.line = min(line + 2, end)
        else:
            self.level += 1
            self.read(line, end)
            self.level -= 1
        first[line], indent[line], self.list_indent, self.block_indent = saved

    def footnote(self, line: int, end: int) -> bool:
        marker = FOOTNOTE.match(self.text, self.first[line])
        if marker is None or self.level >= MAX_NESTING:
            return False
        self.footnotes.add(marker[1])
        text, place = self.text, marker.end()
        saved = (self.first[line], self.indent[line])
        start = column = self.indent[line] + place - self.first[line]
        while (blank := text[place]) == " " or blank == "\t":
            column += 4 - column % 4 if blank == "\t" else 1
            place += 1
        self.first[line], self.indent[line] = place, column - start
        self.block_indent += 4
        if self.indent[line] < self.block_indent:
            self.indent[line] += self.block_indent
        self.level += 1
        self.read(line, end)
        self.level -= 1
        self.block_indent -= 4
        self.first[line], self.indent[line] = saved
        return True

    # tables and definitions

    def table(self, line: int, end: int) -> bool:
        header = self.table_header(line, end)
        if header is None:
            return False
        self.add_cells(line, header)
        columns, missing = len(header), 0
        following = line + 2
        while following < end:
            if (
                self.indent[following] < self.block_indent
                or self.indent[following] - self.block_indent >= 4
                or not self.text[self.first[following] : self.stop[following]].strip(WHITESPACE)
                or self.ends_quote(following)
            ):
                break
            cells = self.cells(following)
            missing += columns - len(cells)
            if missing > MAX_MISSING_CELLS:
                break
            self.add_cells(following, cells[:columns])
            following += 1
        self.line = following
        return True

    def add_cells(self, line: int, cells: list[tuple[Piece, ...]]) -> None:
        for pieces in cells:
            if not self.only_bracketed or self.text.find("[", pieces[0][0], pieces[-1][1]) >= 0:
                self.leaves.append(Leaf("cell", pieces, 0, line, line))

    def definition(self, line: int, _end: int) -> bool:
        found = read_definition(self.text, (self.first[line], self.stop[line]), self.pieces_below(line))
        if found is None:
            return False
        key, destination, lines = found
        self.definitions.setdefault(key, destination)
        self.line = line + lines
        return True


_RULES: Final[dict[str, tuple[Callable[[_Reader, int, int], bool], ...]]] = {
    "$": (_Reader.math,),
    "`": (_Reader.fence,),
    "~": (_Reader.fence,),
    ">": (_Reader.quote,),
    "_": (_Reader.rule,),
    "*": (_Reader.rule, _Reader.list_block),
    "-": (_Reader.rule, _Reader.list_block),
    **dict.fromkeys("+0123456789", (_Reader.list_block,)),
    "[": (_Reader.footnote, _Reader.definition),
    "<": (_Reader.html,),
    "#": (_Reader.atx,),
}
"""The blocks that a line may begin, by its first character, in the reference's order."""
