"""Prose cut into sentences, English and Chinese mixed as people write them."""

from __future__ import annotations

import re
from typing import Final

ABBREVIATIONS: Final = frozenset(
    [
        "e.g",
        "i.e",
        "etc",
        "vs",
        "cf",
        "approx",
        "resp",
        "incl",
        "excl",
        "dr",
        "mr",
        "mrs",
        "ms",
        "prof",
        "st",
        "no",
        "fig",
        "figs",
        "eq",
        "sec",
        "vol",
        "pp",
        "ed",
        "al",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "est",
        "min",
        "max",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
    ]
)
"""What a full stop belongs to without ending a sentence, lower case, without the stop."""

CJK: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
"""Han, Kana and Hangul, for use inside a character class."""

# A stop inside one of these ends nothing.
_UNBROKEN = re.compile(
    r"(?<!`)(?P<ticks>`++)(?:(?!(?P=ticks)).)+(?P=ticks)"
    r"|\[\[[^\[\]]*\]\]"
    r"|\[[^\[\]]*\]\([^()\s]*\)"
    r"|https?://[^\s<>\u3000-\u303f\uff00-\uffef]+(?<![.,;:!?\])])",
    re.DOTALL,
)
_CLOSERS = "\"'”’」』》）)\\]*_~"
_STOP = re.compile(
    rf"[。！？；]+[{_CLOSERS}]*"  # ends a sentence whatever follows
    rf"|(?<![.!?])[.!?]+[{_CLOSERS}]*(?=\s|$)"  # ends one only before a space, and not behind an abbreviation
    rf"|(?<![.!?])[.!?]+(?=[{CJK}])"
)
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘]+$")
_LONGEST_WORD: Final = 32
"""Characters before a stop that are looked at: more than an abbreviation or a list number has."""
_SPACE = re.compile(r"\s+")


def one_line(text: str) -> str:
    """`text` with every run of white space as one space, none at the ends."""
    return _SPACE.sub(" ", text).strip()


def split(text: str) -> tuple[str, ...]:
    """The sentences of `text` in order, each on one line, with their punctuation and markup.

    Joined by the white space between them they give `one_line(text)` back. Stops inside code spans, links and URLs,
    behind abbreviations, initials and list numbers, and before a small letter end no sentence.
    """
    line = one_line(text)
    masked = _UNBROKEN.sub(lambda match: "\x00" * len(match[0]), line)
    sentences = []
    start = 0
    for stop in _STOP.finditer(masked):
        if stop[0][0] in ".!?" and not _ends_sentence(masked, start, stop):
            continue
        sentences.append(line[start : stop.end()].strip())
        start = stop.end()
    sentences.append(line[start:].strip())
    return tuple(sentence for sentence in sentences if sentence)


def _ends_sentence(masked: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the Western stop matched ends the sentence that begins at `start`."""
    # white space is single spaces here; a slice of all the rest would be a copy of it for every stop
    rest = masked[stop.end() : stop.end() + 2].lstrip()
    if rest and rest[0].islower():
        return False
    if stop[0] != ".":
        return True
    before = _WORD_BEFORE.search(masked, max(start, stop.start() - _LONGEST_WORD), stop.start())
    word = before[0] if before else ""
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    is_number_of_item = word.isdigit() and before is not None and before.start() == start
    return not (is_initial or is_number_of_item or word.lower() in ABBREVIATIONS)
