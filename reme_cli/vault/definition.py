"""A link reference definition: `[label]: destination "title"`, possibly over several lines."""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex
from reme_cli.vault.destination import (
    Destination,
    is_allowed,
    label_key,
    read_destination,
    skip_spaces,
    unescape,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_DEFINITION: Final = regex(r"\[[^\[\]\\\n]*(?:\[|\](?!:))")
_LABEL_STOP: Final = regex(r"\\[\s\S]|[\[\]]")
_TITLE_STOPS: Final = {
    '"': regex(r'\\[\s\S]|"'),
    "'": regex(r"\\[\s\S]|'"),
    "(": regex(r"\\[\s\S]|[()]"),
}
_BLANKS: Final = regex(r"[ \t]*+")


def read_definition(
    text: str, first: tuple[int, int], below: Iterator[tuple[int, int]]
) -> tuple[str, Destination, int] | None:
    """The definition on the line `text[slice(*first)]` and the lines `below` it that may continue it.

    Gives its `label_key`, its destination with the place in `text`, and the number of lines it takes; `None` where
    there is no definition.
    """
    if _NO_DEFINITION.match(text, first[0]):
        return None
    return _Lines(text, first, below).read()


class _Lines:
    """The lines read so far, joined without what stands before them."""

    def __init__(self, text: str, first: tuple[int, int], below: Iterator[tuple[int, int]]) -> None:
        self.text = text
        self.below = below
        self.joined = text[first[0] : first[1]] + "\n"
        self.starts = [(0, first[0])]

    def more(self) -> bool:
        """Whether there were more lines to read: as many again as there are, so that joining stays linear."""
        pieces = list(islice(self.below, len(self.starts)))
        place = len(self.joined)
        for piece in pieces:
            self.starts.append((place, piece[0]))
            place += piece[1] - piece[0] + 1
        self.joined += "".join(f"{self.text[start:end]}\n" for start, end in pieces)
        return bool(pieces)

    def read(self) -> tuple[str, Destination, int] | None:
        label_end = self._label_end()
        if label_end is None or not self.joined.startswith("]:", label_end):
            return None
        start = self._skip_blanks(label_end + 2)
        found = read_destination(self.joined, start)
        key = label_key(self.joined[1:label_end])
        if found is None or not key:
            return None
        destination, behind = found
        title = None
        if "\n" in destination.raw:
            # a backslash escapes no line ending here, so the destination ends with its line
            line_end = self.joined.index("\n", destination.start)
            if self.joined.startswith("<", destination.start - 1):
                return None
            destination, behind = (
                Destination(self.joined[destination.start : line_end], destination.start, line_end),
                line_end,
            )
        else:
            title = self._title(behind)
        if not is_allowed(unescape(destination.raw)):
            return None
        end = behind
        if title is not None and self._ends_line(title[1]):
            end = title[1]
        elif (title is not None and title[1] - title[0] == 2) or not self._ends_line(behind):
            # without its title it may still be one, but the reference takes an empty title for none
            return None
        shift = self._line_of(destination.start)[1]
        placed = Destination(destination.raw, destination.start + shift, destination.end + shift)
        return key, placed, self._line_of(end)[0] + 1

    def _label_end(self) -> int | None:
        place = 1
        while place < len(self.joined) or self.more():
            stop = _LABEL_STOP.search(self.joined, place)
            if stop is None:
                place = len(self.joined)
            elif stop[0] == "]":
                return stop.start()
            elif stop[0] == "[":
                return None
            else:
                place = stop.end()
        return None

    def _skip_blanks(self, place: int) -> int:
        """The first place that holds no space, tab or newline, on a further line if need be."""
        while True:
            place = skip_spaces(self.joined, place)
            if place < len(self.joined) or not self.more():
                return place

    def _title(self, behind: int) -> tuple[int, int] | None:
        """Where the title behind the destination begins and ends; `None` where there is none."""
        start = self._skip_blanks(behind)
        opening = self.joined[start : start + 1]
        stops = _TITLE_STOPS.get(opening)
        if stops is None or start == behind:
            return None
        place = start + 1
        while place < len(self.joined) or self.more():
            stop = stops.search(self.joined, place)
            if stop is None:
                place = len(self.joined)
            elif stop[0] == opening == "(":
                return None
            elif stop[0].startswith("\\"):
                place = stop.end()
            else:
                return start, stop.end()
        return None

    def _ends_line(self, place: int) -> bool:
        """Whether only spaces and tabs follow on the line."""
        blanks = _BLANKS.match(self.joined, place)
        return blanks is not None and self.joined.startswith("\n", blanks.end())

    def _line_of(self, place: int) -> tuple[int, int]:
        """The number of the line that holds this place of `joined`, and how far from there its place in `text` is."""
        number = bisect_right(self.starts, place, key=itemgetter(0)) - 1
        joined, start = self.starts[number]
        return number, start - joined
