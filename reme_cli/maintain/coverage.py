"""Whether a note's text is found again in other texts: its words, and each of its sentences.

A text is compared as a reader sees it, so that a link counts by what it shows. A line that holds nothing but links is left out: of
edges the edge rule speaks. Addresses of pages are no edges: each must be there.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.digest.sentences import split
from reme_cli.index.tokenize import tokens_of
from reme_cli.regex import regex
from reme_cli.search.stopwords import is_stopword
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.vault.link import Scan

FACTS: Final = 3
"""A sentence of fewer content words states no fact."""
TRACE: Final = 0.6
"""The share of a sentence's content words, weighed by their rarity in the note, that must stand together elsewhere."""
WINDOW: Final = 3
"""Sentences in a row that count as standing together: a sentence may be taken apart."""

_LINE: Final = regex(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_FENCE: Final = regex(r"[ \t>]*(`{3,}|~{3,})")
_BEGINS: Final = regex(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]|[ \t]*(?:#{1,6}[ \t]|\||>|\[\^[^\]\n]+\]:|<!--)")
_HEADING: Final = regex(r"[ \t>]*#{1,6}[ \t]")
_MARKER: Final = regex(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)?")
_FIELD: Final = regex(r"[^\W\d_][\w-]*::")
_URL: Final = regex(r"https?://[^\s<>()\[\]\"'`|]+(?<![.,;:!?])")
_DIGIT: Final = regex(r"\d")


class Coverage(NamedTuple):
    """How much of a note is found again."""

    ratio: float
    """The share of its content words, each counted once."""
    lost: tuple[str, ...]
    """The sentences of it that left no trace, in order; then the addresses of pages that are found nowhere."""


class Block(NamedTuple):
    """A paragraph, a list item, a heading, a row or a line of code: `start` and `end` are characters of the text."""

    start: int
    end: int
    is_code: bool


def blocks(text: str, start: int = 0) -> Iterator[Block]:
    """The blocks of a text from a place on, in order."""
    fence = ""
    begun: int | None = None
    end = start
    for line in _LINE.finditer(text, start):
        if line.start() == line.end():
            continue
        found = _FENCE.match(line[0])
        if fence or found:
            if begun is not None:
                yield Block(begun, end, is_code=False)
                begun = None
            if found and not fence:
                fence = found[1]
            elif found and found[1].startswith(fence):
                fence = ""
            elif line[0].strip():
                yield Block(line.start(), line.end(), is_code=True)
            continue
        if begun is not None and (not line[0].strip() or _BEGINS.match(line[0])):
            yield Block(begun, end, is_code=False)
            begun = None
        if line[0].strip() and begun is None:
            begun = line.start()
        end = line.end()
        if begun is not None and _HEADING.match(line[0]):
            yield Block(begun, end, is_code=False)
            begun = None
    if begun is not None:
        yield Block(begun, end, is_code=False)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell something, as search knows them: English ones stemmed, pairs of Chinese characters."""
    return frozenset(token for token in tokens_of(text) if not is_stopword(token))


def pieces(text: str) -> int:
    """How many pieces of text a note's body has that could stand in different notes: a list, a table and a code block are one each.

    Headings and lines of nothing but links are none.
    """
    scanned = scan(text)
    bare = _bare(text, scanned)
    count, known = 0, False
    before = Block(0, 0, is_code=False)
    for block in blocks(bare):
        piece = bare[block.start : block.end]
        # a blank line parts, but in code
        if not (before.is_code and block.is_code) and bare[before.end : block.start].strip(" \t"):
            known = False
        before = block
        if _HEADING.match(piece) and not block.is_code:
            known = False
        elif not known and len(content_words(_FIELD.sub("", piece))) >= FACTS:
            count, known = count + 1, True
    return count


def words_of_body(text: str) -> frozenset[str]:
    """The content words of a note's body."""
    return content_words("\n".join(sentence for sentence, _ in _sentences(text)))


def coverage(before: str, after: Iterable[str]) -> Coverage:
    """How much of the note `before` is found again in these texts of notes."""
    after = tuple(after)
    stated = [(sentence, content_words(sentence), is_fact) for sentence, is_fact in _sentences(before)]
    wanted = frozenset().union(*(words for _, words, _ in stated))
    told = [[content_words(sentence) for sentence, _ in _sentences(text)] for text in after]
    known = frozenset().union(*(words for note in told for words in note))
    frequency = Counter(word for _, words, _ in stated for word in words)
    weight = {word: math.log1p(len(stated) / count) for word, count in frequency.items()}
    traces = _Traces(told, weight)
    lost = tuple(
        sentence
        for sentence, words, is_fact in stated
        if is_fact and len(words) >= FACTS and not traces.hold(words)
    )
    everything = "\n".join(after)
    addresses = (url for url in dict.fromkeys(_URL.findall(before)) if url not in everything)
    return Coverage(len(wanted & known) / len(wanted) if wanted else 1.0, (*lost, *addresses))


class _Traces:
    """Where the sentences of a note may be found again."""

    def __init__(self, told: Sequence[Sequence[frozenset[str]]], weight: dict[str, float]) -> None:
        self._weight = weight
        self._whole = {words for note in told for words in note}
        self._windows: dict[str, set[int]] = defaultdict(set)
        number = 0
        for note in told:
            for at in range(max(1, len(note) - WINDOW + 1)):
                for word in frozenset().union(*note[at : at + WINDOW]):
                    self._windows[word].add(number)
                number += 1

    def hold(self, words: frozenset[str]) -> bool:
        """Whether enough of these words, and every figure among them, stand together somewhere."""
        if words in self._whole:
            return True
        figures: Counter[int] = Counter()
        wanted_figures = 0
        total = math.fsum(self._weight[word] for word in words)
        shares: dict[int, float] = defaultdict(float)
        for word in sorted(words):  # in order, so that the sums are the same each time
            is_figure = _DIGIT.search(word) is not None
            wanted_figures += is_figure
            for window in self._windows.get(word, ()):
                figures[window] += is_figure
                shares[window] += self._weight[word]
        return any(
            share >= TRACE * total and figures[window] == wanted_figures for window, share in shares.items()
        )


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a note's body as a reader sees them, and whether each may state a fact: a heading only names."""
    scanned = scan(text)
    body = text[scanned.body_start :]
    shown = strip_links(text)[scanned.body_start :]
    bare = _bare(text, scanned)
    # a link does not reach over a blank line, and neither text has more lines than the other
    only_links = {
        number
        for number, (line, rest) in enumerate(zip(body.splitlines(), bare.splitlines(), strict=False))
        if line != rest and not content_words(_FIELD.sub("", rest))
    }
    kept = "\n".join("" if number in only_links else line for number, line in enumerate(shown.splitlines()))
    for block in blocks(kept):
        piece = kept[block.start : block.end]
        if block.is_code:
            yield piece.strip(), True
            continue
        is_fact = _HEADING.match(piece) is None
        marker = _MARKER.match(piece)
        for sentence in split(piece[marker.end() if marker else 0 :]):
            yield sentence, is_fact


def _bare(text: str, scanned: Scan) -> str:
    """The body without its links, but for the line breaks in them."""
    parts, at = [], scanned.body_start
    for start, end in sorted((link.start, link.end) for link in scanned.links):
        if start < at:
            continue  # of the frontmatter, or in another one's text
        parts += [text[at:start], "".join(each for each in text[start:end] if each in "\r\n")]
        at = end
    return "".join((*parts, text[at:]))
