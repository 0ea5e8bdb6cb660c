"""A note's text as an embedding model is given it: its passages, the long ones cut."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.index.rows import Passage

VERSION: Final = 1
"""Raised when notes are cut otherwise: what is known of them is then cut anew."""

EMBEDDED_CHARS: Final = 400_000
"""How much of a note is given to a model; a longer file is data or a log more often than prose."""

# Where a long text is cut, the best places first: between paragraphs, lines, sentences, words.
_ENDS: Final = (
    regex(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)\s*"),
    regex(r"\r\n|\n|\r"),
    regex(r"(?<=[.!?;])\s+|(?<=[。！？；…])"),
    regex(r"\s+|(?<=[，、,])"),
)
_WORD: Final = regex(r"\w")


class Piece(NamedTuple):
    """A passage, or a part of one."""

    passage: int
    """The passage's number in its note."""
    text: str
    digest: bytes
    """What tells it from every other text."""


def digest_of(text: str) -> bytes:
    """16 bytes that tell a text from every other."""
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def pieces_of(text: str, passages: Sequence[Passage], max_tokens: int) -> Iterator[Piece]:
    """The pieces of a note's text, in order, each of at most so many estimated tokens; none for a passage without words."""
    for number, passage in enumerate(passages):
        if passage.start >= EMBEDDED_CHARS:
            return
        for part in _parts(text[passage.start : min(passage.end, EMBEDDED_CHARS)], max_tokens, 0):
            stripped = part.strip()
            if _WORD.search(stripped):
                yield Piece(number, stripped, digest_of(stripped))


def _parts(text: str, max_tokens: int, level: int) -> Iterator[str]:
    """The text in parts that are short enough and not needlessly so, cut at the best places that do."""
    if len(text) < 2 or _fits(text, max_tokens):
        yield text
        return
    if level == len(_ENDS):
        half = len(text) // 2
        yield from _parts(text[:half], max_tokens, level)
        yield from _parts(text[half:], max_tokens, level)
        return
    cuts = [0, *(end.end() for end in _ENDS[level].finditer(text)), len(text)]
    begin, tokens = 0, 0
    for start, end in pairwise(cuts):
        more = estimate_tokens(text[start:end])
        if tokens and tokens + more > max_tokens:
            yield text[begin:start]
            begin, tokens = start, 0
        tokens += more
        if tokens > max_tokens:  # this stretch alone
            yield from _parts(text[start:end], max_tokens, level + 1)
            begin, tokens = end, 0
    if begin < len(text):
        yield text[begin:]


def _fits(text: str, max_tokens: int) -> bool:
    # a token is a character at least, but for those beyond ASCII
    return (text.isascii() and len(text) <= max_tokens) or estimate_tokens(text) <= max_tokens
