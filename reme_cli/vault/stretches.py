"""A note's body in stretches that can be read one by one, most of them without looking for blocks.

Where nothing in a body reaches over a blank line but lists, quotes and fenced code, what stands between two blank lines can be
read alone. What holds nothing but words, wikilinks and headings at the start of a line needs no structure at all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST: Final = 200_000
"""A longer note is read as a whole: the search for fenced code takes memory for each line."""

_REACHING: Final = (
    ("\t", "\t"),
    (" ", "    "),
    ("`", "```"),
    ("~", "~~~"),
    ("$", "$$"),
    ("%", "%%"),
    ("<", "<!"),
    ("<", "<?"),
)
"""What may begin code, math, a comment or HTML that goes on behind a blank line."""
_RAW_HTML: Final = regex(r"<(?:script|pre|style|textarea)", re.IGNORECASE)
_FENCED: Final = regex(r"\n(```+)[^`\n]*\n(?:.*\n)*?(?: {0,3}\1`*[ \t]*\n|\Z)")
_INLINE: Final = (
    ("(", regex(r"\]\(")),
    ("`", regex("`")),
    ("\\", regex(r"\\")),
    ("$", regex(r"\$")),
    (":", regex(":(?://|:)")),
    ("^", regex(r"\^\[")),
)
"""Marks that change what the brackets around them mean. A pattern finds two characters faster than `str.find` does."""
_BEFORE_COLON: Final = regex(r"\]:")
_UNDERLINE: Final = regex(r"\n[ >*+\-=0-9.)|:]+(?=\n)")
"""A line that may make a heading or a table of the line above it."""
_LIST_MARKS: Final = frozenset("-*+0123456789")
_HEADING: Final = regex(r"##{0,5}(?=[ \n])")
_HEADING_LINE: Final = regex(r"##{0,5}(?=[ \n])([^\n]*+)")


class Stretch(NamedTuple):
    """A part of the body that is read by itself."""

    start: int
    end: int
    """Behind a line ending."""
    is_plain: bool
    """Whether its only structure are wikilinks, and headings whose `#` are the first characters of their line."""


def stretches(text: str, start: int) -> tuple[str, list[Stretch]]:
    r"""The stretches of `text[start:]` in order, which is all of it, and the text with line endings for its fenced code.

    Line endings are `\n`, and the last line has one.
    """
    whole = [Stretch(start, len(text), is_plain=False)]
    if len(text) > _LONGEST or (start and text[start - 1] != "\n"):
        return text, whole
    bare = text
    if "`" in text and "```" in text and "~~~" not in text:
        bare = text[:start] + _FENCED.sub(_blanked, text[start - 1 :] if start else text)[start > 0 :]
    if _holds(bare, start, _REACHING) or _defines(bare, start):
        return text, whole
    if bare.find("<", start) >= 0 and (bare is not text or _RAW_HTML.search(bare, start)):
        return text, whole
    underlines = (
        line.start()
        for line in _UNDERLINE.finditer(bare, start)
        if line.start() > start and bare[line.start() - 1] != "\n"
    )
    underlined = set(_around_each(bare, underlines, start))
    structured = underlined.union(_structured(bare, start))
    # inside a list what the lines mean depends on the items above
    if any(bare[first] == " " for first, _ in structured) or any(
        bare[first] in _LIST_MARKS for first, _ in underlined
    ):
        return text, whole
    found: list[Stretch] = []
    place = start
    for first, end in sorted(structured):
        if place < first:
            found.append(Stretch(place, first, is_plain=True))
        found.append(Stretch(first, end, is_plain=False))
        place = end
    if place < len(bare):
        found.append(Stretch(place, len(bare), is_plain=True))
    return bare, found


def headings_in(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Where the lines of a plain stretch that are headings begin, where their `#` end, and where they do."""
    for line in _HEADING_LINE.finditer(text, start, end):
        place = line.start()
        if not place or text[place - 1] == "\n":
            yield place, line.start(1), line.end()


def _holds(text: str, start: int, marks: tuple[tuple[str, str], ...]) -> bool:
    """Whether one of the marks is there; each is given with a character of it, which is looked for in a tenth of the time."""
    return any(character in text and text.find(mark, start) >= 0 for character, mark in marks)


def _blanked(fenced: re.Match[str]) -> str:
    return "\n" * len(fenced[0])


def _defines(text: str, start: int) -> bool:
    """Whether there may be a definition, of a link or a footnote: brackets before a colon that are no wikilink's."""
    return any(text[found.start() - 1] != "]" for found in _BEFORE_COLON.finditer(text, start))


def _structured(text: str, start: int) -> Iterator[tuple[int, int]]:
    """What stands between two blank lines, wherever that has more structure than a plain stretch."""
    for character, mark in _INLINE:
        found = mark.search(text, start) if character in text else None
        while found:
            first, end = _around(text, found.start(), start)
            if text.find("[", first, end) >= 0:
                yield first, end
            found = mark.search(text, end)
    place = text.find("<", start)
    while place >= 0:
        yield (around := _around(text, place, start))
        place = text.find("<", around[1])
    headings = (
        heading.start()
        for heading in _HEADING.finditer(text, start)
        if heading.start() > start and text[heading.start() - 1] in " >"
    )
    yield from _around_each(text, headings, start)


def _around_each(text: str, places: Iterable[int], start: int) -> Iterator[tuple[int, int]]:
    """`_around` of each of the places, which are in order and on no blank line; those between the same blank lines give it once."""
    end = start
    for place in places:
        if place >= end:
            around = _around(text, place, start)
            end = around[1]
            yield around


def _around(text: str, place: int, start: int) -> tuple[int, int]:
    """What stands between the blank lines around a place, with both its line endings."""
    before, after = text.rfind("\n\n", start, place), text.find("\n\n", place)
    return (start if before < 0 else before + 2), (len(text) if after < 0 else after + 2)
