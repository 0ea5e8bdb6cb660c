"""Predicates: the words that say what a link means, at a line's start or in brackets around it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex
from reme_cli.vault.destination import WHITESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.vault.inline import Inline, InlineLink

_NAME: Final = r"([^\W\d_][^\s:()\[\]]*)::(?=[ \t]|!?\[|$)"
_BLANK: Final = WHITESPACE.replace("\n", "")
_AT_LINE_START: Final = regex(rf"^[{_BLANK}]*(?:\[[^\]\n]\][ \t]+)?{_NAME}", re.MULTILINE)
_IN_BRACKETS: Final = regex(rf"[\[(][ \t]*{_NAME}", re.MULTILINE)
_BRACKET: Final = regex(r"\\.|[\[\]()\n]")
_PLAIN: Final = regex(r"[\w-]+")
_CLOSING: Final = {"]": "[", ")": "("}


def canonical_predicate(spelling: str) -> str:
    """The predicate as predicates are compared: NFC, lower case, `-` written as `_`."""
    return unicodedata.normalize("NFC", spelling.strip()).lower().replace("-", "_")


def predicate_spellings(text: str, inline: Inline, *, has_lines: bool) -> Sequence[str | None]:
    """For each link of a run of text its predicate as the text spells it.

    Inline predicates win over that of their line, inner ones over outer ones. `has_lines`: line starts of the run
    are those of the note, which those of headings and table cells are not.
    """
    links = inline.links
    spellings: list[str | None] = [None] * len(links)
    if "::" not in text or not links:
        return spellings
    starts = [link.start for link in links]
    if _IN_BRACKETS.search(text):
        # regions come inner ones first, so what is taken is skipped and none is walked twice
        behind: dict[int, int] = {}
        for start, end, spelling in _bracketed(text, inline):
            number = first = bisect_left(starts, start)
            while number < len(links) and starts[number] < end:
                if number in behind:
                    number = behind[number]
                    continue
                spellings[number] = spelling
                number += 1
            behind[first] = max(number, first)
            if number == first:
                del behind[first]
    if has_lines:
        for start, end, spelling in _lines(text, inline):
            for number in range(bisect_left(starts, start), bisect_left(starts, end)):
                spellings[number] = spellings[number] or spelling
    return spellings


def _lines(text: str, inline: Inline) -> Iterator[tuple[int, int, str]]:
    """The stretches of lines behind a predicate at their start."""
    for found in _AT_LINE_START.finditer(text):
        if _is_predicate(found[1]) and not _is_within(found.start(1), inline.holes):
            end = text.find("\n", found.end())
            yield found.end(), len(text) if end < 0 else end, found[1]


def _bracketed(text: str, inline: Inline) -> Iterator[tuple[int, int, str]]:
    """The stretches in brackets that begin with a predicate, on one line each; inner ones before outer ones."""
    solid = sorted(inline.holes + [_solid_part(link) for link in inline.links])
    opened: dict[str, list[tuple[int, str | None]]] = {"[": [], "(": []}
    place = number = 0
    while found := _BRACKET.search(text, place):
        while number < len(solid) and solid[number][1] <= found.start():
            number += 1
        if number < len(solid) and solid[number][0] <= found.start():
            place = solid[number][1]
            if text.find("\n", found.start(), place) >= 0:
                opened["["].clear()
                opened["("].clear()
            continue
        place, mark = found.end(), found[0]
        if mark == "\n":
            opened["["].clear()
            opened["("].clear()
        elif mark in opened:
            field = _IN_BRACKETS.match(text, found.start())
            opened[mark].append((place, field[1] if field and _is_predicate(field[1]) else None))
        elif mark in _CLOSING and (stack := opened[_CLOSING[mark]]):
            start, spelling = stack.pop()
            if spelling is not None:
                yield start, found.start(), spelling


def _solid_part(link: InlineLink) -> tuple[int, int]:
    """The part of a link whose brackets pair with none outside: all of a wikilink, the destination of others."""
    return (link.start, link.end) if link.destination is None else (link.label_end + 1, link.end)


def _is_within(place: int, stretches: Sequence[tuple[int, int]]) -> bool:
    number = bisect_left(stretches, (place + 1,)) - 1
    return number >= 0 and place < stretches[number][1]


def _is_predicate(word: str) -> bool:
    """Whether these are letters, digits, `_`, `-` and the marks that letters of some scripts need."""
    return _PLAIN.fullmatch(word) is not None or all(
        letter.isalnum() or letter in "_-" or unicodedata.category(letter).startswith("M") for letter in word
    )
