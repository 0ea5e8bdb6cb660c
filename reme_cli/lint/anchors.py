"""Whether a note has the heading, the block or the lines that an anchor names.

A heading is matched as Obsidian matches it (letters and digits count, in any case), and by the identifiers that sites and
web views make of it. In doubt it is there.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import unquote

from reme_cli.lint.identifiers import Identifiers
from reme_cli.regex import regex
from reme_cli.vault.wikilink import strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Missing = Literal["heading", "block", "lines"]

MIN_LIKENESS: Final = 80
"""From which `rapidfuzz` ratio on another heading is offered."""

_LINES: Final = regex(r"L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?")
_LINE_END: Final = regex(r"\r\n|\n|\r")
_COUNTED: Final = regex(r"(.+)[-_](\d+)", re.DOTALL)
# made by the page, not by a heading: a text fragment, a route of a single-page site, a footnote, the page's start
_OF_THE_PAGE: Final = regex(r":~:|[/!?]|fn(?:ref)?[:\-.\d]|cite|user-content-|top\Z", re.IGNORECASE)
_NOT_PLAIN: Final = regex(r"[^A-Za-z0-9]+")
_WORDS: Final = regex(r"[A-Za-z][A-Za-z0-9 ]*")
"""A heading that all spell alike."""
_TAG: Final = regex(r"<[^<>]*>")
_CODE_OR_TAG: Final = regex(r"(`[^`]*`)|(?<!\\)<[A-Za-z/!?][^<>]*>")
_BY_REFERENCE: Final = regex(r"\[([^\[\]]*)\]\[[^\[\]]*\]")
_FOOTNOTE: Final = regex(r"\[\^[^\]]*\]")
_ATTRIBUTE: Final = regex(r"(?:\s*\{[^{}]*\}|\s\^[A-Za-z0-9-]+|\s#[^\s#]+)\s*\Z")
_HTML_HEADING: Final = regex(r"<h[1-6]\b[^>]{0,1000}>(.{0,1000}?)</h[1-6]\s*>", re.IGNORECASE | re.DOTALL)
_PLAIN_BLOCK: Final = regex(r"[^\s^]+")
_BLOCK: Final = regex(r"(?<!#)\^([^\s^]+)(?!\S)")  # `#^name` is a link to it
_DRAWING: Final = regex(r"(?m)^excalidraw-plugin\s*:")


class Anchors:
    """What the anchors of links to one note can name."""

    def __init__(
        self, path: str, headings: Sequence[tuple[int, str]], read: Callable[[], str | None]
    ) -> None:
        """`headings` are the note's, as level and text, in order. `read` gives its text, which hardly any anchor needs."""
        self._path = path
        self._headings = list(headings)
        self._read = read
        # each of these is made when it is first asked for: of one note many may be
        self._places: dict[str, list[tuple[int, int]]] | None = None
        self._blocks: frozenset[str] | None = None
        self._identified: Identifiers | None = None
        self._html: frozenset[str] = frozenset()
        self._line_count: int | None = None
        self._plain: dict[str, str] | None = None

    def missing(self, anchor: str) -> Missing | None:
        """What of an anchor is not there: nothing, or what kind of place it names."""
        parts = [part.strip() for part in anchor.split("#") if part.strip()]
        if not parts or _OF_THE_PAGE.match(anchor):
            return None
        is_block = parts[-1].startswith("^")
        if not is_block and (self._has_heading(parts) or self._has_heading([anchor])):
            return None
        text = self._read()
        # the anchors of a drawing name shapes, groups and frames
        if text is None or self._path.endswith(".excalidraw.md") or _DRAWING.search(text, 0, 4000):
            return None
        if is_block:
            return None if self._has_block(text, parts[-1][1:].strip()) else "block"
        if self._identified is None:
            self._identified = Identifiers(text)
            self._html = frozenset(map(plain, _HTML_HEADING.findall(text)))
        if unquote(anchor) in self._identified or plain(anchor) in self._html:
            return None
        if lines := _LINES.fullmatch(anchor):
            last = int(lines[2] or lines[1])
            if self._line_count is None:
                self._line_count = len(_LINE_END.findall(text)) + 1
            return None if 0 < last <= self._line_count else "lines"
        return "heading"

    def nearest(self, anchor: str) -> str | None:
        """The heading that is most like the anchor; `None` where none is."""
        from rapidfuzz import fuzz, process  # only where an anchor is broken

        wanted = plain(unquote(anchor.rpartition("#")[2]))
        if self._plain is None:
            each = ((text, plain(text)) for _, text in self._headings)
            self._plain = {text: shown for text, shown in each if shown}
        found = process.extractOne(wanted, self._plain, scorer=fuzz.ratio, score_cutoff=MIN_LIKENESS)
        return None if found is None else str(found[2])

    def _has_heading(self, parts: Sequence[str]) -> bool:
        """Whether there are such headings, each below the one before it."""
        places = self._by_spelling()
        reached = [(-1, 0)]
        for part in parts:
            found = {place for spelling in _spellings_of(part) for place in places.get(spelling, ())}
            reached = list(_below(reached, sorted(found)))
        if reached or len(parts) > 1:
            return bool(reached)
        # of several headings of one text, web views count the second one as `text-1`
        counted = _COUNTED.fullmatch(parts[0])
        return counted is not None and len(places.get(plain(counted[1]), ())) > int(counted[2])

    def _has_block(self, text: str, name: str) -> bool:
        if not _PLAIN_BLOCK.fullmatch(name):
            return re.search(rf"(?<!#)\^{re.escape(name)}(?=\s|$)", text, re.IGNORECASE) is not None
        if self._blocks is None:
            self._blocks = frozenset(map(str.lower, _BLOCK.findall(text)))
        return name.lower() in self._blocks

    def _by_spelling(self) -> dict[str, list[tuple[int, int]]]:
        if self._places is None:
            self._places = {}
            for number, (level, text) in enumerate(self._headings):
                for spelling in _spellings(text):
                    self._places.setdefault(spelling, []).append((number, level))
        return self._places


def _below(upper: Sequence[tuple[int, int]], lower: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Those of some headings that stand behind one of others and are of a lower level; each is number and level, in order."""
    at, highest = 0, None
    for number, level in lower:
        while at < len(upper) and upper[at][0] < number:
            highest = upper[at][1] if highest is None else min(highest, upper[at][1])
            at += 1
        if highest is not None and highest < level:
            yield number, level


def plain(text: str) -> str:
    """The letters and digits of a heading or an anchor, without accents and case; of one that has none, the text itself."""
    if text.isascii():
        return _NOT_PLAIN.sub("", text).lower() or text.strip()
    letters = [
        character
        for character in unicodedata.normalize("NFKD", text)
        if unicodedata.category(character)[0] in "LN"
    ]
    return "".join(letters).casefold() or unicodedata.normalize("NFC", text.strip())


def _spellings_of(anchor: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((plain(anchor), plain(unquote(anchor)))))


def _spellings(heading: str) -> Iterator[str]:
    """How an anchor may spell a heading: as it stands in the text, as a reader sees it, as identifiers leave it."""
    if _WORDS.fullmatch(heading):
        yield plain(heading)
        return
    # `## Tea {#green} #drink ^b1`, with each of these and without
    texts = [heading]
    while (less := _ATTRIBUTE.sub("", texts[-1])) != texts[-1]:
        texts.append(less)
    for text in tuple(texts):
        bare = _FOOTNOTE.sub("", text)
        # some sites take a generic type for a tag
        for tagless in dict.fromkeys((_CODE_OR_TAG.sub(r"\1", bare), _TAG.sub("", bare))):
            shown = html.unescape(tagless)
            texts.append(_BY_REFERENCE.sub(r"\1", strip_links(shown)) if "[" in shown else shown)
    spelled = dict.fromkeys(map(plain, texts))
    # kramdown and Pandoc drop the digits that an identifier would begin with
    spelled |= dict.fromkeys(spelling.lstrip("0123456789") for spelling in tuple(spelled))
    yield from filter(None, spelled)
