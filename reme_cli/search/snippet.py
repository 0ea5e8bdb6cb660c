"""The best passage of a note for some terms, and the line of it to show."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.tokenize import Token, occurrences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from reme_cli.index.rows import Passage

SNIPPET_COLUMNS: Final = 200
"""How much of a line is shown, as wide as it is on a screen: a Chinese letter counts as two."""

SEARCHED_CHARS: Final = 400_000
"""How far into a note its best passage is looked for; a longer file is data or a log more often than prose."""

_COMMENT: Final = "<!--"
_LINE_END: Final = re.compile(r"\r\n|\n|\r")


class Snippet(NamedTuple):
    """Where in a note the terms are, and what it says there."""

    line: int
    heading: str
    text: str
    marks: tuple[tuple[int, int], ...]
    passage: Passage | None
    """Where it is taken from."""


NOTHING: Final = Snippet(1, "", "", (), None)
"""Of a note without a word, or one that cannot be read."""


def best_snippet(
    text: str, passages: Sequence[Passage], terms: Collection[str], nearest: int | None = None
) -> Snippet:
    """The line that shows most of the terms, in the passage that holds most of them; the earliest of equals.

    A line of text is preferred to the heading itself. `text` is the file's whole text, to which the offsets and lines of
    `passages` refer. Where no term occurs, it is the first line of text of the passage `nearest`, or of the note.
    """
    found = _occurrences(text, passages, terms)
    if not found:
        return _opening(text, passages, nearest or 0)
    passage = max(range(len(passages)), key=lambda at: (_worth(found.get(at, ())), -at))
    here = passages[passage]
    number, start, end = _best_line(text, here, found[passage])
    shown_start, shown_end = _window(text, start, end, found[passage])
    shown = text[shown_start:shown_end]
    marks = _merged(
        (max(token.start, shown_start) - shown_start, min(token.end, shown_end) - shown_start)
        for token in found[passage]
        if token.start < shown_end and token.end > shown_start
    )
    heading = _heading_path(passages, passage)
    return Snippet(here.line + number, heading, _one_line(shown), marks, here)


def _opening(text: str, passages: Sequence[Passage], first: int) -> Snippet:
    """The first line below a heading, or without one, that says something, from the passage of this number on."""
    for at, passage in enumerate(passages[first:], first):
        for number, (line_start, line_end) in enumerate(_lines(text, passage)):
            line = text[line_start:line_end].strip()
            if (number or not passage.level) and line and not line.startswith(_COMMENT):
                start, end = _window(text, line_start, line_end, ())
                shown = _one_line(text[start:end])
                heading = _heading_path(passages, at)
                return Snippet(passage.line + number, heading, shown, (), passage)
    return NOTHING


def _lines(text: str, passage: Passage) -> list[tuple[int, int]]:
    """Start and end of each line of the passage, the line ending included."""
    cuts = [match.end() for match in _LINE_END.finditer(text, passage.start, passage.end)]
    starts = [passage.start, *cuts]
    return list(zip(starts, [*cuts, passage.end], strict=True))


def _one_line(text: str) -> str:
    # characters are replaced one by one: marks count them
    return "".join(" " if character.isspace() else character for character in text)


def _occurrences(text: str, passages: Sequence[Passage], terms: Collection[str]) -> dict[int, list[Token]]:
    """The tokens that match, by number of their passage."""
    wanted = frozenset(terms)
    starts = [passage.start for passage in passages]
    found: dict[int, list[Token]] = {}
    if not starts:
        return found
    begin = starts[0]
    for token in occurrences(text[begin : begin + SEARCHED_CHARS], wanted):
        if token.text in wanted:
            place = Token(token.text, token.start + begin, token.end + begin)
        else:  # of a pair, its first character is wanted
            place = Token(token.text[0], token.start + begin, token.start + begin + 1)
        found.setdefault(bisect_right(starts, place.start) - 1, []).append(place)
    return found


def _worth(tokens: Sequence[Token]) -> tuple[int, int]:
    counts = Counter(token.text for token in tokens)
    return len(counts), min(len(tokens), 3 * len(counts))


def _best_line(text: str, passage: Passage, tokens: Sequence[Token]) -> tuple[int, int, int]:
    """Number within the passage, start and end of the line with most of the terms."""
    lines = _lines(text, passage)
    starts = [start for start, _ in lines]
    by_line: dict[int, list[Token]] = {}
    for token in tokens:
        by_line.setdefault(bisect_right(starts, token.start) - 1, []).append(token)
    below = [number for number in by_line if number or not passage.level]
    best = max(below or by_line, key=lambda number: (_worth(by_line[number]), -number))
    return best, *lines[best]


def _window(text: str, start: int, end: int, tokens: Sequence[Token]) -> tuple[int, int]:
    """At most `SNIPPET_COLUMNS` of the line, without outer space, around its first match."""
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    first = next((token.start for token in tokens if start <= token.start < end), start)
    begin = _back(text, first, start, SNIPPET_COLUMNS // 3)
    stop = _on(text, begin, end, SNIPPET_COLUMNS)
    # room that the end of the line leaves is given to what stands before the match
    return (_back(text, end, start, SNIPPET_COLUMNS) if stop == end else begin), stop


def _on(text: str, start: int, end: int, columns: int) -> int:
    """How far so many columns reach from `start`, at most to `end`."""
    at = start
    while at < end and (columns := columns - _columns(text[at])) >= 0:
        at += 1
    return at


def _back(text: str, end: int, start: int, columns: int) -> int:
    """How far so many columns reach back from `end`, at most to `start`."""
    at = end
    while at > start and (columns := columns - _columns(text[at - 1])) >= 0:
        at -= 1
    return at


def _columns(letter: str) -> int:
    # a combining mark counts too: text of nothing else must end somewhere
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _heading_path(passages: Sequence[Passage], at: int) -> str:
    headings: list[str] = []
    level = passages[at].level
    for passage in reversed(passages[: at + 1]):
        if passage.level and (not headings or passage.level < level):
            headings.append(passage.heading)
            level = passage.level
    return " > ".join(reversed(headings))
