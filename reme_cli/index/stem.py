"""Light English stemming: plurals, `-ed`, `-ing`, `-ly` and the final `e` or `y` that they hide.

These are the inflections only, so that `notes`, `noted` and `noting` meet while `university` and `universe` stay apart.
After Porter (1980), "An algorithm for suffix stripping", steps 1a, 1b, 1c and 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST: Final = 4
"""A shorter word stays as it is: few of them are inflected, and too little would be left of them."""

_VOWEL = regex(r"[aeiouy]")
_DOUBLED = regex(r"([bdfgmnprt])\1$")
_SHORT_SYLLABLE = regex(r"^[^aeiou]*[aeiouy][^aeiouwxy]$")
# Irregular plurals and participles that are common in notes and that no suffix rule can reach.
_IRREGULAR: Final = {
    "children": "child",
    "people": "person",
    "persons": "person",
    "women": "woman",
    "went": "go",
    "gone": "go",
    "goes": "go",
    "going": "go",
    "made": "make",
    "bought": "buy",
    "thought": "think",
    "taught": "teach",
    "written": "write",
    "wrote": "write",
    "began": "begin",
    "begun": "begin",
    "chose": "choose",
    "chosen": "choose",
    "indices": "index",
    "indexes": "index",
    "news": "news",
    "does": "do",
    "done": "do",
    "said": "say",
    "told": "tell",
    "found": "find",
    "kept": "keep",
    "held": "hold",
    "sent": "send",
    "built": "build",
    "spent": "spend",
    "felt": "feel",
    "took": "take",
    "taken": "take",
    "gave": "give",
    "given": "give",
    "came": "come",
    "knew": "know",
    "known": "know",
    "grew": "grow",
    "grown": "grow",
    "drew": "draw",
    "drawn": "draw",
    "spoke": "speak",
    "spoken": "speak",
    "broke": "break",
    "broken": "break",
    "lost": "lose",
    "paid": "pay",
    "sold": "sell",
    "won": "win",
    "met": "meet",
    "ran": "run",
    "saw": "see",
    "seen": "see",
    "left": "leave",
}


def stem(word: str) -> str:
    """The stem of a lower-case ASCII word; any other word as it is."""
    known = _IRREGULAR.get(word)
    if known is not None:
        return _without_ending(known)
    if len(word) < _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    return _without_ending(_without_inflection(_singular(word)))


def beginnings_of(stems: Iterable[str]) -> frozenset[str]:
    """How every lower-case word begins that has one of these stems; irregular ones are there as a whole."""
    wanted = frozenset(stems)
    irregular = {word for word in _IRREGULAR if stem(word) in wanted}
    # an ending changes no more of a word than the last letter of what is left
    return frozenset({word[:-1] or word for word in wanted} | irregular)


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _without_inflection(word: str) -> str:
    if word[-1] not in "dgy":
        return word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            base = word[: -len(ending)]
            if len(base) < 2 or not _VOWEL.search(base):
                return word
            if ending == "ed" and base.endswith("i"):
                return base[:-1] + "y"
            if base.endswith(("at", "bl", "iz")) or _SHORT_SYLLABLE.match(base):
                return base + "e"
            return _DOUBLED.sub(r"\1", base)
    if word.endswith("ly") and len(word) > 5:
        base = word[:-2]
        return base[:-1] + "y" if base.endswith("i") else base
    return word


def _without_ending(word: str) -> str:
    if len(word) > 4 and word.endswith("e") and not word.endswith("ee"):
        return word[:-1]
    if len(word) > 2 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word
