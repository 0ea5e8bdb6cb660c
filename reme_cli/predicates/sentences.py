"""The sentences of a note that hold links, each link as one character, with what nobody states left out.

Code, comments, struck-out text and what is quoted are no statements of the note: links in them stand for nothing. Block quotes and
questions are left out as a whole.
"""

from __future__ import annotations

import re
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.vault.link import Link

LINK: Final = "\x01"
"""Stands for a link in a sentence."""
NOTHING: Final = "\x02"
"""Stands for a link that cannot take part in a relation: it is quoted, in code, or typed already."""

_MARKS: Final = "\x01\x02\x04"

_NEAR: Final = 120
"""Characters before or behind a link in which a word stands that says what it is linked for."""
LONGEST: Final = 1500
MOST_LINKS: Final = 40
"""What is longer than a page, or lists more links, is no sentence that one could read a relation from."""

_KINDS: Final = frozenset({"wikilink", "markdown", "embed"})
# What begins a block of its own: headings, list items, table rows, fences, rules, footnotes.
_BLOCK: Final = regex(r"[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]|\d{1,9}[.)][ \t]|\||```|~~~|---|\[\^[^\]\n]+\]:)")
_QUOTE: Final = regex(r"[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?>")
_MARKER: Final = regex(r"[ \t]*(?:#{1,6}[ \t]+|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?")
_CONTINUES: Final = regex(r"\n[ \t]*")

_OPAQUE: Final = regex(
    r"(`+)(?!`)[^\n]{0,400}?(?<!`)\1(?!`)|<!--.{0,800}?-->|%%.{0,800}?%%|~~.{0,400}?~~"
    r'|"[^"\n]{0,800}"|“[^“”\n]{0,800}”|「[^「」\n]{0,400}」|『[^『』\n]{0,400}』',
    re.DOTALL,
)
_MAY_BE_OPAQUE: Final = '`<%~"“「『'
"""Of which one stands in whatever is opaque. Each is looked for by itself: a set would be asked for every character."""
_QUOTES: Final = frozenset('"“「『')
_LONGEST_NAME: Final = 8
"""Characters of a name with a link in Chinese quotation marks."""
_FEWEST_QUOTED: Final = 12
"""Characters; what is shorter is a name or a word in quotation marks, not what somebody said."""

_END: Final = regex(
    r"""[.!?;。！？；](?:
        (?<=[.!?]) (?P<more>[.!?]*) ["”’)\]*_]*\s+(?=["“(\[*_]*(?P<next>[^"“(\[*_]))
        | (?<=[。！？；]) [。！？；]* ["”’」』）*_]*\s*
        | (?<=;) \s+ )""",
    re.VERBOSE,
)
"""It begins with one set of characters, which is looked for several times as fast as alternatives. `next` is what begins the next
sentence behind a mark that may also belong to an abbreviation."""
_BEGINS: Final = frozenset(f"{ascii_uppercase}{LINK}{NOTHING}‡")
_ABBREVIATION: Final = regex(
    r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Inc|Ltd|Corp|Co|St|Jr|Sr|vs|etc|No|[Ee]\.g|[Ii]\.e|[A-Z]\.[A-Z])\Z"
)
_DATED: Final = regex(
    r"[*_\[(]*(?P<date>\d{4}(?:[-/.年]\d{1,2}(?:[-/.月]\d{1,2}日?)?)?)[*_\])]*(?:\s*\d{1,2}:\d{2})?\s*(?:\||:|：|-|–|—|,)\s*"
)


class Sentence(NamedTuple):
    """One sentence."""

    text: str
    """With `LINK` or `NOTHING` for each link; without list markers, and without a date in front."""
    links: tuple[int, ...]
    """The ordinals of its links, in order."""
    before: Sentence | None
    """The one in front of it in the same paragraph, and that one's."""
    date: str
    """`2021-02-22` in front of an entry of a time line; empty elsewhere."""


def sentences_of(
    text: str, links: Sequence[Link], body_start: int, telling: Sequence[int], *, every: bool = False
) -> Iterator[Sentence]:
    """The sentences that hold one of the links with the ordinals `telling`; `every`: the others of their paragraphs, too."""
    count, floor, read = len(links), body_start, 0
    for number in telling:
        if number < read:
            continue
        start, end = _paragraph(text, links[number], floor)
        floor = end
        first, read = number, number + 1
        while first > 0 and links[first - 1].start >= start:
            first -= 1
        while read < count and links[read].start < end:
            read += 1
        if not _QUOTE.match(text, start):
            yield from _in_paragraph(
                text, start, end, links, range(first, read), frozenset(() if every else telling)
            )


def _paragraph(text: str, link: Link, body_start: int) -> tuple[int, int]:
    """The stretch of lines that belong to the block around a link, from `body_start` on; very long ones are cut."""
    start = text.rfind("\n", body_start, link.start) + 1 or body_start
    end = text.find("\n", link.end)
    end = len(text) if end < 0 else end
    while start > body_start and text[start - 2] != "\n" and not _BLOCK.match(text, start):
        above = text.rfind("\n", body_start, start - 1) + 1 or body_start
        line = text[above : start - 1]
        if not line.strip() or line.lstrip().startswith(("#", "|", "```", "~~~", "---")) or start - above < 1:
            break
        if _QUOTE.match(line) and not _QUOTE.match(text, start):
            return above, end  # a lazy continuation of the quote
        start = above
        if end - start > LONGEST * 4:
            break
    while end < len(text) and not text.startswith("\n", end + 1):
        following = text.find("\n", end + 1)
        following = len(text) if following < 0 else following
        if (
            not text[end + 1 : following].strip()
            or _BLOCK.match(text, end + 1)
            or _QUOTE.match(text, end + 1)
        ):
            break
        end = following
        if end - start > LONGEST * 4:
            break
    return start, end


def near_links(text: str, links: Sequence[Link], start: int) -> tuple[str, list[int]]:
    """The text around the links from `start` on, `LINK` for each that can take part in a relation, and their ordinals."""
    pieces: list[str] = []
    numbers: list[int] = []
    at = start
    if LINK in text:  # one that somebody wrote
        text = text.replace(LINK, " ")
    for number, link in enumerate(links):
        first = link.start
        if first < at or link.kind not in _KINDS:
            continue
        if first - at > 2 * _NEAR:
            pieces += (text[at : at + _NEAR], "\n", text[first - _NEAR : first])
        else:
            pieces.append(text[at:first])
        at = link.end
        if link.predicate:
            pieces.append(NOTHING)
        else:
            pieces.append(LINK)
            numbers.append(number)
    pieces.append(text[at : at + _NEAR])
    return "".join(pieces), numbers


def _in_paragraph(
    text: str, start: int, end: int, links: Sequence[Link], numbers: range, telling: frozenset[int]
) -> Iterator[Sentence]:
    masked, ordinals = _masked(text, start, end, links, numbers)
    marker = _MARKER.match(masked)
    masked = masked[marker.end() :] if marker else masked
    dated = _DATED.match(masked)
    date = dated["date"] if dated else ""
    place = dated.end() if dated else 0
    taken = 0
    before: Sentence | None = None
    while place < len(masked):
        stop, following, asks = _sentence_end(masked, place)
        sentence = masked[place:stop]
        count = sentence.count(LINK) + sentence.count(NOTHING)
        is_readable = len(sentence) <= LONGEST and count <= MOST_LINKS
        if is_readable:
            found = ordinals[taken : taken + count]
            if not asks and (not telling or not telling.isdisjoint(found)):
                yield Sentence(sentence, found, before, date)
            before = Sentence(sentence, found, before and before._replace(before=None), date)
        else:
            before = None
        taken += count
        place = following


def _masked(
    text: str, start: int, end: int, links: Sequence[Link], numbers: range
) -> tuple[str, tuple[int, ...]]:
    """The paragraph with one character for each link, and the ordinals of those links."""
    pieces: list[str] = []
    ordinals: list[int] = []
    at = start
    for number in numbers:
        link = links[number]
        if link.start < at:  # within the text of another link
            continue
        pieces += (
            _plain(text[at : link.start]),
            LINK if link.kind in _KINDS and not link.predicate else NOTHING,
        )
        ordinals.append(number)
        at = link.end
    pieces.append(_plain(text[at:end]))
    masked = "".join(pieces)
    if "\n" in masked or "\r" in masked:
        masked = _CONTINUES.sub(" ", masked.replace("\r", ""))
    if any(map(masked.__contains__, _MAY_BE_OPAQUE)):
        masked = _OPAQUE.sub(_hidden, masked)
    return masked, tuple(ordinals)


def _plain(text: str) -> str:
    """The text without the characters that stand for links here, which no text that people write holds."""
    if any(map(text.__contains__, _MARKS)):
        return text.translate(dict.fromkeys(map(ord, _MARKS), " "))
    return text


def _hidden(found: re.Match[str]) -> str:
    """What is opaque, as nothing that could be read; the links stay counted."""
    content = found.group()
    says = LINK in content and len(content) > _LONGEST_NAME and not content.isascii()
    if (
        not says
        and content[0] in _QUOTES
        and (len(content) < _FEWEST_QUOTED or " " not in content)
        and len(content) < 2 * _FEWEST_QUOTED
    ):
        return content
    # a word of its own where the quotation was, so that what stands around it does not become one clause
    return f" ‡ {NOTHING * (content.count(LINK) + content.count(NOTHING))}"


def _sentence_end(masked: str, place: int) -> tuple[int, int, bool]:
    """Where the sentence that begins at `place` ends, where the next one begins, and whether it is a question."""
    for found in _END.finditer(masked, place):
        mark, start = found.group(), found.start()
        following = found["next"]
        if following and not (following in _BEGINS or "\u4e00" <= following <= "\u9fff"):
            continue
        if (
            mark[0] == "."
            and not found["more"]
            and _ABBREVIATION.search(masked, max(place, start - 5), start)
        ):
            continue
        return start, found.end(), "?" in mark or "？" in mark
    rest = masked[place:].rstrip()
    return place + len(rest), len(masked), rest.endswith(("?", "？"))
