"""Which places of a note's text may become a link, and the text with links there."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.managed_block import find_block
from reme_cli.vault.running_text import running_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NEVER_BEFORE: Final = frozenset("[!\\^#@/$&")
"""With these directly before it, a wikilink's brackets are escaped or mean something else, or the word is part of a tag, a path or a name on the net."""
_NEVER_BEHIND: Final = frozenset("](/@\\")
_NEVER_IN: Final = regex(r"[|\[\]\n\r`]")
_LINE_START: Final = regex(
    # a callout's title, which is a heading; a line that is a property
    r"[ \t>]*\[![^\]\n]*\]|[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\[.\][ \t])?[^\W\d][\w-]*::"
)
_OPEN_BEFORE: Final = regex(
    # a tag, a block's name, a footnote's label, an inline property, an HTML link, what a template fills in
    r"(?:#[\w/-]*|\^[\w-]*|\[\^[^\]\n]*|[\[(][^\W\d][\w-]*::[^\])\n]*|<a\b(?:(?!</a).)*|\{\{(?:(?!\}\}).)*|<%(?:(?!%>).)*)\Z"
)
_FILE_TYPE: Final = regex(r"\.[A-Za-z0-9]")
_DRAWING: Final = regex(r"^excalidraw-plugin:", 8)
_LOOK_BACK: Final = 300


class Place(NamedTuple):
    """A stretch of a note's text, as characters of the file, that may become a link."""

    start: int
    end: int
    in_cell: bool


def is_drawing(text: str) -> bool:
    """Whether a note holds a drawing, whose words are repeated in its data."""
    return (
        text.startswith("---")
        and "excalidraw-plugin" in text[:2000]
        and _DRAWING.search(text[:2000]) is not None
    )


def places_among(text: str, spans: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Place]:
    """Those of the spans, which are in order, that may become a link."""
    wanted = [span for span in spans if _may_be_linked(text, *span)]
    if not wanted:
        return {}
    running = running_text(text, [start for start, _ in wanted])
    block = find_block(text)
    found = {}
    for start, end in wanted:
        at = bisect_right(running, start, key=attrgetter("start")) - 1
        if at < 0 or running[at].end < end or (block and block[0] <= start < block[1]):
            continue
        found[start, end] = Place(start, end, running[at].in_cell)
    return found


def with_links(text: str, links: Mapping[Place, str]) -> str:
    """The text with these places linked, each to the note at a path."""
    pieces: list[str] = []
    at = 0
    for place in sorted(links):
        bar = "\\|" if place.in_cell else "|"
        pieces += (text[at : place.start], f"[[{links[place]}{bar}{text[place.start : place.end]}]]")
        at = place.end
    return "".join((*pieces, text[at:]))


def _may_be_linked(text: str, start: int, end: int) -> bool:
    """Whether nothing on the line forbids a link there. What the blocks of the note are is not looked at."""
    if start and text[start - 1] in _NEVER_BEFORE:
        return False
    if end < len(text) and (text[end] in _NEVER_BEHIND or _FILE_TYPE.match(text, end)):
        return False
    if _NEVER_IN.search(text, start, end):
        return False
    line = text.rfind("\n", 0, start) + 1
    if _LINE_START.match(text, line, start + 2):
        return False
    before = text[max(line, start - _LOOK_BACK) : start]
    return (
        not any(mark in before for mark in ("#", "^", "::", "<", "{{")) or _OPEN_BEFORE.search(before) is None
    )
