"""A predicate written around one link, and taken away again: `[founded_by:: [[a]]]`, or `founded_by:: [[a]]` on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.linking.placing import is_drawing
from reme_cli.regex import regex
from reme_cli.vault.managed_block import find_block
from reme_cli.vault.spans import is_within, merged
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.vault.link import Link, Scan

_LIST_ITEM: Final = regex(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?")
_BLANK: Final = regex(r"[ \t\r]*")
_NO_BRACKET_BEFORE: Final = frozenset("!\\[]")
"""Directly before a bracket, each of these makes something else of it."""
_NO_BRACKET_BEHIND: Final = frozenset("([]:")
_KINDS: Final = frozenset({"wikilink", "markdown"})


def typable_links(text: str, found: Scan) -> frozenset[int]:
    """The ordinals of the links that a predicate may be written to: untyped, of the body, and in no heading.

    A heading that changes breaks the links to it. What reme writes anew (the managed block of a day's page) is left alone, and so
    are drawings.
    """
    if is_drawing(text):
        return frozenset()
    spans = [(heading.start, heading.end) for heading in found.headings]
    block = find_block(text)
    if block is not None:
        spans.append(block)
    covered = merged(spans)
    return frozenset(
        number
        for number, link in enumerate(found.links)
        if link.kind in _KINDS
        and link.predicate is None
        and link.target
        and not is_within(covered, link.start)
    )


def with_predicates(text: str, found: Scan, predicates: Mapping[int, str]) -> tuple[str, Scan] | None:
    """The text with predicates at the links of these ordinals, and what is found in it; `None` where any other link would change."""
    pieces: list[str] = []
    at = 0
    for number, predicate in sorted(predicates.items()):
        link = found.links[number]
        before, behind = text[link.start - 1 : link.start], text[link.end : link.end + 1]
        if _has_line(text, link):
            opening, closing = f"{predicate}:: ", ""
        elif (before in _NO_BRACKET_BEFORE and before) or (behind in _NO_BRACKET_BEHIND and behind):
            return None
        else:
            opening, closing = f"[{predicate}:: ", "]"
        pieces += (text[at : link.start], opening, text[link.start : link.end], closing)
        at = link.end
    written = "".join((*pieces, text[at:]))
    after = scan(written)
    return (written, after) if _differs_by(found, after, predicates) else None


def without_predicates(text: str, found: Scan) -> str:
    """The text without the predicates that stand as `with_predicates` writes them, whoever wrote them."""
    pieces: list[str] = []
    at = 0
    for link in found.links:
        if link.spelling is None or link.kind not in _KINDS or link.start < at:
            continue
        mark = f"{link.spelling}:: "
        start, end = link.start - len(mark), link.end
        if not text.startswith(mark, max(start, 0)):
            continue
        if text.startswith("]", end) and start > at and text[start - 1] == "[":
            start, end = start - 1, end + 1
        elif start < at or not _has_line(text, link, start):
            continue
        pieces += (text[at:start], text[link.start : link.end])
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _has_line(text: str, link: Link, start: int | None = None) -> bool:
    """Whether a link, or what begins at `start` with it, has a list item or a paragraph of one line to itself."""
    start = link.start if start is None else start
    line = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", link.end)
    line_end = len(text) if line_end < 0 else line_end
    if _BLANK.fullmatch(text, link.end, line_end) is None:
        return False
    if _LIST_ITEM.fullmatch(text, line, start) is not None:
        return True
    return (
        start == line
        and _is_blank_line(text, text.rfind("\n", 0, max(line - 1, 0)) + 1, line - 1)
        and _is_blank_line(text, line_end + 1, text.find("\n", line_end + 1))
    )


def _is_blank_line(text: str, start: int, end: int) -> bool:
    """Whether the line between these places is blank, or there is none."""
    return start >= len(text) or _BLANK.fullmatch(text, start, len(text) if end < 0 else end) is not None


def _differs_by(before: Scan, after: Scan, predicates: Mapping[int, str]) -> bool:
    """Whether nothing but the predicates of these links differs in what two texts say."""
    if len(before.links) != len(after.links):
        return False
    if [heading.text for heading in before.headings] != [heading.text for heading in after.headings]:
        return False
    return all(
        new.predicate == predicates.get(number, old.predicate)
        and (new.kind, new.target, new.anchor, new.alias) == (old.kind, old.target, old.anchor, old.alias)
        for number, (old, new) in enumerate(zip(before.links, after.links, strict=True))
    )
