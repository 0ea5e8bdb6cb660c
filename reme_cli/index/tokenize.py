"""The one tokenizer: what a note is indexed by is what a query is looked up by.

* Letters are folded: lower case, full width to half width, accents off (`Café` = `cafe`).
* A chunk is a run of letters and digits with the marks that bind them: `node_search`, `E-1`, `auto_dream.py`, `R&D`, `C++`, `.env`.
  A compound chunk gives itself and its parts, so that it is found whole and by part; `camelCase` counts as a compound.
* English words are stemmed lightly (`index.stem`).
* Scripts that write no spaces (Han, Kana, Hangul, Thai, …) give overlapping pairs of characters and, where a run ends, its last
  character alone: every word of two characters is a token, and every single character begins some token.

Full-text search gets the tokens separated by spaces; `FTS_TOKENIZER` only cuts them at the spaces again.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.stem import beginnings_of, stem
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

VERSION: Final = 1
"""Raised whenever some text is cut differently; an index of another version is rebuilt."""

FTS_TOKENIZER: Final = "ascii tokenchars '_-.&+#'"
"""To SQLite's plainest tokenizer every character outside ASCII is part of a token already."""

_LONGEST_TOKEN: Final = 64
_SLICE: Final = 1 << 20
_LONGEST_CACHED: Final = 32
_CACHED: Final = 200_000

# Han with its iteration marks, Kana, Hangul (also as Jamo and in half width), Bopomofo, Yi; Thai, Lao, Myanmar, Khmer.
_UNSPACED: Final = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u1100-\u11ff"
    "\U00020000-\U0003ffff\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
)
# Combining accents, Hebrew and Arabic vowel points, Indic vowel signs: parts of a word that `\w` leaves out.
_MARKS: Final = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_UNSPACED_RUN: Final = regex(f"([{_UNSPACED}]+)")
_POINTS: Final = regex("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]+")
_UNDECOMPOSED: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "’": "'"}
)

# A word; bound to further words by one of - . & ' + # (`_` is a word character); `C++`, `C#`. Or a dot-name such as `.env`.
_CHUNK_OF: Final = r"(?:(?<![{w}.])\.)?[{w}]+(?:[-.&'’+#][{w}]+)*(?:\+\+|\#(?![{w}#]))?"
_CHUNK: Final = regex(_CHUNK_OF.replace("{w}", rf"\w{_MARKS}"))
_ASCII_CHUNK: Final = regex(_CHUNK_OF.replace("{w}", r"\w").replace("’", ""), re.ASCII)
_JOINTS: Final = regex(r"[-_.&'+#]+")
_HUMPS: Final = regex(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z][a-z])")
_SPACE: Final = regex(r"\s")
_WORD: Final = regex("[A-Z]?[a-z]+")
"""A chunk that is one word, of which only the first letter may be a capital."""
_BEFORE_WORDS: Final = "([{\"'*"
_BEHIND_WORDS: Final = ".,;:!?)]}\"'*"
"""Marks of which no chunk has one at this end."""
_CONTRACTION: Final = regex(r"['’](?:s|t|d|m|ll|re|ve)$", re.IGNORECASE)


class Token(NamedTuple):
    """A token and the place of the text it was made from, in characters."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> str:
    """The tokens of a text in order, separated by white space: the form in which full-text search takes a document."""
    if len(text) <= _SLICE:
        return " ".join(map(_TOKENS_OF_WORD.__getitem__, text.split()))
    return " ".join(" ".join(map(_TOKENS_OF_WORD.__getitem__, piece.split())) for piece in _slices(text))


def tokens_of(text: str) -> list[str]:
    """The tokens of a text in order."""
    return tokenize(text).split()


def occurrences(text: str, wanted: Collection[str]) -> Iterator[Token]:
    """Those tokens of a text that are wanted, with their places, in order.

    A wanted single character of an unspaced script stands for all pairs that begin with it. The parts of a compound have
    the place of the whole.
    """
    exactly = frozenset(wanted)
    begun, beyond_ascii, singles = _sought(exactly)
    offset = 0
    for number, piece in enumerate([text] if text.isascii() else _UNSPACED_RUN.split(text)):
        if number % 2:
            if any(map(piece.__contains__, beyond_ascii)) or not unicodedata.is_normalized("NFKC", piece):
                for token in _placed_pairs(piece, offset):
                    if token.text in exactly or token.text.startswith(singles):
                        yield token
        elif piece.isascii():
            for start, end in _words_with(begun, piece):
                yield from _placed_chunks(_ASCII_CHUNK.finditer(piece, start, end), offset, exactly)
        elif len(piece) > _LONGEST_CACHED or not exactly.isdisjoint(_TOKENS_OF_PIECE[piece].split()):
            yield from _placed_chunks(_CHUNK.finditer(piece), offset, exactly)
        offset += len(piece)


def _placed_chunks(chunks: Iterable[re.Match[str]], offset: int, wanted: frozenset[str]) -> Iterator[Token]:
    for found in chunks:
        for part in _TOKENS_OF_CHUNK[found.group()].split():
            if part in wanted:
                yield Token(part, offset + found.start(), offset + found.end())


@lru_cache(maxsize=1)  # the notes that a search finds are all looked through for the same
def _sought(wanted: frozenset[str]) -> tuple[re.Pattern[str] | None, tuple[str, ...], tuple[str, ...]]:
    """How the words in ASCII begin, if there are any; the other tokens; of these, the single characters of unspaced scripts."""
    beyond_ascii = tuple(token for token in wanted if not token.isascii())
    singles = tuple(token for token in beyond_ascii if len(token) == 1 and is_unspaced(token))
    beginnings = sorted(beginnings_of(token for token in wanted if token.isascii()))
    begun = re.compile("|".join(map(re.escape, beginnings))) if beginnings else None
    return begun, beyond_ascii, singles


def _words_with(begun: re.Pattern[str] | None, text: str) -> Iterator[tuple[int, int]]:
    """Stretches between white space that hold all matches: what is outside of them can be passed over uncut."""
    end = 0
    for found in begun.finditer(text.lower()) if begun else ():
        if found.start() >= end:
            blank = max(text.rfind(" ", end, found.start()), text.rfind("\n", end, found.start()))
            start = max(end, blank)
            after = _SPACE.search(text, found.end())
            end = after.start() if after else len(text)
            yield start, end


def is_unspaced(character: str) -> bool:
    """Whether the character belongs to a script that writes no spaces between words."""
    return _UNSPACED_RUN.match(character) is not None


def fold(text: str) -> str:
    """The text in lower case and half width, without accents."""
    if text.isascii():
        return text.lower()
    composed = unicodedata.normalize("NFKC", text).casefold()
    bare = _POINTS.sub("", unicodedata.normalize("NFD", composed))
    return unicodedata.normalize("NFC", bare).translate(_UNDECOMPOSED)


def _slices(text: str) -> Iterator[str]:
    """The text in pieces of whole lines: a list of all the words of a very large file would take all memory."""
    at = 0
    while len(text) - at > _SLICE and (end := text.find("\n", at + _SLICE)) >= 0:
        yield text[at:end]
        at = end
    yield text[at:] if at else text


def _pairs(run: str) -> list[str]:
    run = unicodedata.normalize("NFKC", run)
    return [*map(add, run, run[1:]), run[-1]]


def _placed_pairs(run: str, offset: int) -> Iterator[Token]:
    pairs = _pairs(run)
    if len(pairs) == len(run):
        for at, pair in enumerate(pairs):
            yield Token(pair, offset + at, offset + at + len(pair))
    else:  # the run was decomposed or of half width: its characters have no places of their own any more
        for pair in pairs:
            yield Token(pair, offset, offset + len(run))


def _cut_chunk(chunk: str) -> str:
    if _WORD.fullmatch(chunk):
        return stem(chunk.lower())[:_LONGEST_TOKEN]
    chunk = _CONTRACTION.sub("", chunk)
    whole = fold(chunk)
    if whole.isalnum() and (whole == chunk or not _HUMPS.search(chunk)):
        return stem(whole)[:_LONGEST_TOKEN]
    parts = [part for piece in _JOINTS.split(chunk) for part in _HUMPS.split(piece) if part]
    if not parts:
        return ""
    tokens = [stem(fold(part))[:_LONGEST_TOKEN] for part in parts]
    if len(tokens) == 1 and whole.strip("_'") == fold(parts[0]):  # `_emphasis_`
        return tokens[0]
    if "'" not in whole:
        tokens.insert(0, stem(whole)[:_LONGEST_TOKEN])
    return " ".join(tokens)


def _cut_piece(piece: str) -> str:
    chunks = (_ASCII_CHUNK if piece.isascii() else _CHUNK).findall(piece)
    return " ".join(map(_TOKENS_OF_CHUNK.__getitem__, chunks))


def _cut_word(word: str) -> str:
    """The tokens of what stands between two white spaces, which in some scripts is a sentence."""
    if word.isascii():
        bare = word.lstrip(_BEFORE_WORDS).rstrip(_BEHIND_WORDS)
        return _TOKENS_OF_CHUNK[bare] if bare.isalnum() else _cut_piece(word)
    tokens: list[str] = []
    for number, piece in enumerate(_UNSPACED_RUN.split(word)):
        if number % 2:
            tokens += _pairs(piece)
        elif piece:
            tokens.append(_TOKENS_OF_PIECE[piece])
    return " ".join(tokens)


class _Remembered(dict[str, str]):
    """What a function makes of short texts: a vault repeats its words, so that each is cut once."""

    def __init__(self, cut: Callable[[str], str]) -> None:
        self._cut = cut

    def __missing__(self, text: str) -> str:
        tokens = self._cut(text)
        if len(text) <= _LONGEST_CACHED:
            if len(self) >= _CACHED:
                self.clear()
            self[text] = tokens
        return tokens


_TOKENS_OF_CHUNK: Final = _Remembered(_cut_chunk)
_TOKENS_OF_PIECE: Final = _Remembered(_cut_piece)
"""Of what stands between two runs of unspaced script: mostly a comma."""
_TOKENS_OF_WORD: Final = _Remembered(_cut_word)
