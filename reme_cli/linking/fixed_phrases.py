"""Phrases of English in which an everyday noun names nothing: no mention of a note is looked for in them.

"In case of", "at a time", "three times" are not about cases and times. The table has common idioms as dictionaries list them under
the noun, `~` standing for it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

_PHRASES: Final[Mapping[str, str]] = {
    "account": "into ~, on ~ of, on no ~, take ~ of, takes ~ of",
    "addition": "in ~",
    "advance": "in ~",
    "average": "on ~",
    "case": "in ~ of, in any ~, in this ~, in that ~, in which ~, in our ~, in no ~, just in ~, in ~, the ~ that",
    "charge": "in ~ of, free of ~",
    "common": "in ~",
    "course": "of ~, in due ~, in the ~ of",
    "day": "one ~, the other ~, at the end of the ~, to this ~",
    "days": "these ~",
    "detail": "in ~, in more ~",
    "effect": "in ~, take ~, takes ~, to this ~, to that ~",
    "end": "in the ~, to this ~, to that ~, at the ~ of, by the ~ of",
    "example": "for ~",
    "fact": "in ~, as a matter of ~, the ~ that",
    "favor": "in ~ of",
    "favour": "in ~ of",
    "front": "in ~ of, up ~",
    "general": "in ~",
    "hand": "on the one ~, on the other ~, at ~, by ~, on ~, out of ~",
    "idea": "the ~ is to, the current ~ is to, no ~",
    "kind": "~ of, of its ~",
    "light": "in ~ of, in the ~ of",
    "line": "in ~ with, bottom ~",
    "lot": "a ~ of, a ~",
    "matter": "no ~, as a ~ of, for that ~",
    "means": "by ~ of, by no ~, by all ~",
    "mind": "in ~, never ~",
    "moment": "at the ~, for the ~",
    "name": "in the ~ of",
    "number": "a ~ of, any ~ of",
    "occasion": "on ~",
    "order": "in ~ to, in ~ that, in ~, out of ~",
    "part": "in ~, take ~, takes ~, taking ~, for the most ~, on the ~ of",
    "particular": "in ~",
    "place": "take ~, takes ~, took ~, taking ~, taken ~, in ~ of, in ~, in the first ~",
    "point": "~ of view, at this ~, at that ~, at some ~, up to a ~, to the ~",
    "practice": "in ~",
    "principle": "in ~",
    "process": "in the ~ of, in the ~",
    "purpose": "on ~",
    "question": "out of the ~, in ~",
    "regard": "with ~ to, in this ~, in that ~",
    "respect": "with ~ to, in this ~, in that ~",
    "result": "as a ~",
    "return": "in ~",
    "rule": "as a ~",
    "run": "in the long ~, in the short ~",
    "sense": "make ~, makes ~, made ~, making ~, in a ~, in this ~, in that ~, in the ~ that",
    "side": "~ by side, side by ~, on the ~",
    "sort": "~ of",
    "step": "~ by step, step by ~",
    "term": "in the long ~, in the short ~",
    "terms": "in ~ of",
    "theory": "in ~",
    "time": "at a ~, at any one ~, at that ~, at this ~, over ~, at the same ~, from ~ to time, from time to ~, ~ and again, for the ~ being, in no ~,"
    " next ~, last ~, this ~, every ~, each ~, first ~, second ~, third ~, one ~, one more ~, by the ~",
    "times": "at ~, many ~, several ~, a few ~, few ~, multiple ~, countless ~, how many ~, more ~, other ~, # ~",
    "top": "on ~ of",
    "turn": "in ~",
    "view": "point of ~, in ~ of",
    "way": "by the ~, in a ~, no ~, either ~, all the ~, on the ~, under ~, in this ~, that ~, this ~, the ~ to, the other ~ around",
    "whole": "as a ~, on the ~",
    "word": "in a ~, in other ~",
    "words": "in other ~",
}
_NUMBER: Final = r"(?:\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|(?:a\s+)?hundred|(?:a\s+)?thousand)"
_LONGEST: Final = 32
"""Characters of a phrase on one side of its noun, at most."""


def is_in_phrase(text: str, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` are the noun of such a phrase; a line may end within it."""
    around = _around(text[start:end].lower())
    if around is None:
        return False
    before, after = text[max(0, start - _LONGEST) : start], text[end : end + _LONGEST]
    return any(left.search(before) is not None and right.match(after) is not None for left, right in around)


@lru_cache(maxsize=1024)
def _around(noun: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] | None:
    """What stands before and behind the noun in each of its phrases; `None` of a word that has none."""
    phrases = _PHRASES.get(noun)
    if phrases is None:
        return None
    sides = (phrase.split("~") for phrase in phrases.split(", "))
    return tuple(
        (regex(rf"(?<!\w){_words(left)}\Z", re.IGNORECASE), regex(rf"{_words(right)}(?!\w)", re.IGNORECASE))
        for left, right in sides
    )


def _words(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split(" "))).replace(r"\#", _NUMBER)
