"""Which places of a note's text may become a link, and the text with links there."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.fixed_phrases import is_in_phrase
from reme_cli.linking.site_markup import site_markup
from reme_cli.regex import regex
from reme_cli.vault.managed_block import find_block
from reme_cli.vault.markup import BARE_URL
from reme_cli.vault.running_text import running_text
from reme_cli.vault.spans import is_within
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

_NEVER_BEFORE: Final = frozenset("[!\\^#@/$&")
"""With these directly before it, a wikilink's brackets are escaped or mean something else, or the word is part of a tag, a path or a name on the net."""
_NEVER_BEHIND: Final = frozenset("](/@\\>")
_NOTHING_BEHIND: Final = frozenset(" ,;!?)\n\r，。、；：！？）」")
"""With these directly behind it, nothing behind it matters."""
_LINK: Final = regex(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_LINK_OPENING: Final = regex(r"\[\[(?:[^\[\]|\n]*\|)?")
_LABEL: Final = regex(r"\[[^\[\]]*[^\[\]\s][^\[\]]*\]\Z")
"""What may refer to a definition; with a link's brackets behind it, it would refer to theirs."""
_NEVER_IN: Final = regex(r"[|\[\]\n\r`]|::|\\\Z")
# Each part has a bound: it is looked for at every mention, and a line may be as long as the note.
_LINE_START: Final = regex(
    # a callout's title, which is a heading, and a directive's; a folder's listing as a tree; a line that is a property
    r"[ \t>]{0,500}+(?:\[![^\]\n]{0,200}\]|:::|[│ \t]{0,500}+[├└][─ ])"
    r"|[ \t>]{0,500}+(?:[-*+]|\d{1,9}[.)])?[ \t]{0,500}+(?:\[.\][ \t])?[^\W\d][\w-]{0,200}+::"
)
_KEY_BEHIND: Final = regex(r"[\w\-\u0300-\u1fff\u2070-\u2fff\u3040-\ufeff\ufff0-\U0010ffff]{0,200}+::")
"""The mention is a property's key, or a part of it: letters, with the marks that some scripts need, no punctuation."""
_HTML: Final = "a|button|code|iframe|kbd|math|option|pre|samp|script|select|style|svg|textarea|title|tt|var"
"""Elements whose text is a link already, code, or no text."""
_OPEN_BEFORE: Final = regex(
    # a tag, a block's name, a footnote's label, an inline property, what a template fills in, an attribute of Pandoc's or Kramdown's
    r"(?:#[\w/-]*|\^[\w-]*|\[\^[^\]\n]*|[\[(][^\W\d][\w-]*::[^\])\n]*|\{\{(?:(?!\}\}).)*|\{%(?:(?!%\}).)*|<%(?:(?!%>).)*"
    r"|\{:?[ \t]*[.:][^}\n]*|\\\((?:(?!\\\)).)*|\\\[(?:(?!\\\]).)*)\Z"
)
_MARKS: Final = ("#", "^", "::", "{", "<%", "\\(", "\\[")
"""One of these is in every text in which `_OPEN_BEFORE` finds something, as it is shown;"""
_SIGNS: Final = ("::", "#", "^", ":", "{", "<", "\\")
"""one of these, of a character each but for the first, where that or `_ends_in_url` does, even if a link stands within a mark."""
_OPEN_ELEMENT: Final = regex(
    rf"<({_HTML})(?:\s[^<>]*)?(?<!/)>(?:(?!</\1\b|\n[ \t]*\r?\n).)*\Z", re.IGNORECASE | re.DOTALL
)
_FILE_TYPE: Final = regex(r"\.[A-Za-z0-9]")
_DRAWING: Final = regex(r"^excalidraw-plugin:", 8)
_LOOK_BACK: Final = 300
_LOOK_AHEAD: Final = 10_000
"""Characters in which a closing brace is looked for: a line may be as long as the note, and have as many opening ones."""


class Place(NamedTuple):
    """A stretch of a note's text, as characters of the file, that may become a link."""

    start: int
    end: int
    in_cell: bool


as_place: Final = partial(tuple.__new__, Place)
"""The place of a tuple with its three values: of very many made in a third of the time that their names would take."""


def is_drawing(text: str) -> bool:
    """Whether a note holds a drawing, whose words are repeated in its data."""
    return (
        text.startswith("---")
        and "excalidraw-plugin" in text[:2000]
        and _DRAWING.search(text[:2000]) is not None
    )


def places_among(text: str, spans: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Place]:
    """Those of the spans, which are in order, that may become a link."""
    wanted = []
    signs = [sign for sign in _SIGNS if sign in text]
    defines = "]:" in text
    line = seen = int(text.startswith("\ufeff"))
    has_returns = "\r" in text
    for start, end in spans:
        # no further back than the last place: a line may be as long as the note
        line = max(line, text.rfind("\n", seen, start) + 1)
        if has_returns:
            line = max(line, text.rfind("\r", seen, start) + 1)
        seen = start
        if _may_be_linked(text, line, start, end, signs, defines=defines) and not is_in_phrase(
            text, start, end
        ):
            wanted.append((start, end))
    if not wanted:
        return {}
    running = running_text(text, [start for start, _ in wanted])
    markup = site_markup(text)
    block = find_block(text)
    found = {}
    at, last = 0, len(running) - 1
    for start, end in wanted:
        while at < last and running[at + 1].start <= start:
            at += 1
        if at > last or not running[at].start <= start < end <= running[at].end:
            continue
        if (block and block[0] <= start < block[1]) or (markup and is_within(markup, start)):
            continue
        found[start, end] = Place(start, end, running[at].in_cell)
    return _without_predicates(text, found) if _is_near_key(text, found) else found


def with_links(text: str, links: Mapping[Place, str]) -> str:
    """The text with these places linked, each to the note at a path."""
    pieces: list[str] = []
    at = 0
    for place in sorted(links):
        bar = "\\|" if place.in_cell else "|"
        pieces += (text[at : place.start], f"[[{links[place]}{bar}{text[place.start : place.end]}]]")
        at = place.end
    return "".join((*pieces, text[at:]))


def _may_be_linked(
    text: str, line: int, start: int, end: int, signs: Collection[str], *, defines: bool
) -> bool:
    """Whether nothing on the line, which begins at `line`, forbids a link there. What the blocks of the note are is not looked at.

    `signs` are those of `_SIGNS` that are in the text; `defines`: whether it may hold a definition.
    """
    before = text[max(0, start - _LOOK_BACK) : start]
    # beside a link what it shows counts, so that it makes no difference whether a run has made it already
    left = before.removesuffix("]]")[-1:]
    if left in _NEVER_BEFORE or (defines and before.endswith("]") and _LABEL.search(before)):
        return False
    if text[end : end + 1] not in _NOTHING_BEHIND and _is_barred_behind(text, before, end, "::" in signs):
        return False
    if _NEVER_IN.search(text, start, end) or _LINE_START.match(text, line, start):
        return False
    if "<" in before and _OPEN_ELEMENT.search(_shown(before)):
        return False
    before = before[max(0, len(before) - (start - line)) :]
    if not any(map(before.__contains__, signs)):
        return True
    before = _shown(before)
    if any(map(before.__contains__, _MARKS)) and _OPEN_BEFORE.search(before):
        return False
    if before.count("{") > before.count("}") and _is_in_braces(text, end):
        return False
    return not _ends_in_url(before)


def _is_barred_behind(text: str, before: str, end: int, has_keys: bool) -> bool:
    """Whether what stands behind a place, together with what stands before it, forbids a link."""
    link = _LINK_OPENING.match(text, end) if text.startswith("[[", end) else None
    behind = link.end() if link else end
    mark = text[behind : behind + 1]
    if mark in _NEVER_BEHIND or (mark == "." and _FILE_TYPE.match(text, behind)):
        return True
    if has_keys and _KEY_BEHIND.match(text, end):
        return True
    return before.endswith(":") and text.startswith(":", end)  # an emoji's name


def _is_in_braces(text: str, end: int) -> bool:
    """Whether what an opening brace stands before is closed on its line: an expression of MDX, or what some other language fills in."""
    closing = text.find("}", end, end + _LOOK_AHEAD)
    return closing >= 0 and text.find("\n", end, closing) < 0


def _shown(text: str) -> str:
    """A part of a line with its wikilinks as they are shown."""
    return _LINK.sub(r"\1", text) if "[[" in text else text


def _ends_in_url(before: str) -> bool:
    """Whether a text ends in a bare URL that would go on into a wikilink."""
    at = before.rfind("://")
    if at < 0:
        return False
    url = BARE_URL.match(f"{before}[[x]]", at)
    return url is not None and url.end() > len(before)


def _is_near_key(text: str, found: Iterable[tuple[int, int]]) -> bool:
    """Whether one of the spans, which are in order, is in a paragraph that holds the mark of a key. No other gets a predicate from its key."""
    starts = [start for start, _ in found]
    mark = text.find("::")
    while mark >= 0:
        start = text.rfind("\n\n", 0, mark) + 1
        end = text.find("\n\n", mark)
        end = len(text) if end < 0 else end
        if bisect_left(starts, start) < bisect_left(starts, end):
            return True
        mark = text.find("::", end)
    return False


def _without_predicates(text: str, found: dict[tuple[int, int], Place]) -> dict[tuple[int, int], Place]:
    """Those of the places where a link gets no predicate from what is around it."""
    typed = {
        link.start
        for link in scan(with_links(text, dict.fromkeys(found.values(), "x"))).links
        if link.predicate
    }
    kept = {}
    moved = 0
    for span, place in found.items():
        if place.start + moved not in typed:
            kept[span] = place
        moved += len("[[x\\|]]" if place.in_cell else "[[x|]]")
    return kept
