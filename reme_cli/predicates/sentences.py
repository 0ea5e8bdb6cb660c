"""The sentences of a note that hold links, each link as one character, with what nobody states left out.

Code, comments, struck-out text and what is quoted are no statements of the note: links in them stand for nothing. Block quotes and
questions are left out as a whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from reme_cli.vault.link import Link

LINK: Final = "\x01"
"""Stands for a link in a sentence."""
NOTHING: Final = "\x02"
"""Stands for a link that cannot take part in a relation: it is quoted, in code, or typed already."""

_MARKS: Final = frozenset("\x01\x02\x04")

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
_MAY_BE_OPAQUE: Final = frozenset('`<%~"“「『')
_QUOTES: Final = frozenset('"“「『')
_FEWEST_QUOTED: Final = 12
"""Characters; what is shorter is a name or a word in quotation marks, not what somebody said."""

_END: Final = regex(
    r"""(?P<mark>[.!?]+)["”’)\]*_]*\s+(?=["“(\[*_]*[A-Z\x01\x02\u4e00-\u9fff]) | (?P<wide>[。！？；]+)["”’」』）*_]*\s* | (?P<semi>;)\s+""",
    re.VERBOSE,
)
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
    text: str, links: Sequence[Link], body_start: int, is_telling: Callable[[str], bool]
) -> Iterator[Sentence]:
    """The sentences with links of those paragraphs of which `is_telling` holds."""
    number, count, floor = 0, len(links), body_start
    while number < count:
        link = links[number]
        if link.kind not in _KINDS:
            number += 1
            continue
        start, end = _paragraph(text, link, floor)
        floor = end
        last = number + 1
        while last < count and links[last].start < end:
            last += 1
        if (
            any(links[at].predicate is None for at in range(number, last))
            and is_telling(_around(text, start, end, link, links[last - 1]))
            and not _QUOTE.match(text, start)
        ):
            yield from _in_paragraph(text, start, end, links, range(number, last))
        number = last


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


def _around(text: str, start: int, end: int, first: Link, last: Link) -> str:
    """The part of a paragraph that holds the sentences with links: enough to see whether it is worth reading."""
    before, after = text.rfind(". ", start, first.start), text.find(". ", last.end, end)
    return text[start if before < 0 else before : end if after < 0 else after]


def _in_paragraph(
    text: str, start: int, end: int, links: Sequence[Link], numbers: range
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
            found = Sentence(sentence, ordinals[taken : taken + count], before, date)
            if LINK in sentence and not asks:
                yield found
            before = found._replace(before=before and before._replace(before=None))
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
    if not _MAY_BE_OPAQUE.isdisjoint(masked):
        masked = _OPAQUE.sub(_hidden, masked)
    return masked, tuple(ordinals)


def _plain(text: str) -> str:
    """The text without the characters that stand for links here, which no text that people write holds."""
    return text if _MARKS.isdisjoint(text) else text.translate(dict.fromkeys(map(ord, _MARKS), " "))


def _hidden(found: re.Match[str]) -> str:
    """What is opaque, as nothing that could be read; the links stay counted."""
    content = found.group()
    if (
        content[0] in _QUOTES
        and (len(content) < _FEWEST_QUOTED or " " not in content)
        and len(content) < 2 * _FEWEST_QUOTED
    ):
        return content
    # a word of its own where the quotation was, so that what stands around it does not become one clause
    return f" ‡ {NOTHING * (content.count(LINK) + content.count(NOTHING))}"


def _sentence_end(masked: str, place: int) -> tuple[int, int, bool]:
    """Where the sentence that begins at `place` ends, where the next one begins, and whether it is a question."""
    for found in _END.finditer(masked, place):
        if found["mark"] == "." and _ABBREVIATION.search(
            masked, max(place, found.start() - 5), found.start()
        ):
            continue
        mark = found["mark"] or found["wide"] or ""
        return found.start(), found.end(), "?" in mark or "？" in mark
    rest = masked[place:].rstrip()
    return place + len(rest), len(masked), rest.endswith(("?", "？"))
