"""Whether a text with links may state a relation at all: what is asked of every note before its sentences are read.

It works on the words around the links. Of most notes one intersection of sets says that none of them belongs to any phrasing.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from functools import cache
from operator import add
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from reme_cli.config.phrasing import GAP, OBJECT, SUBJECT
from reme_cli.predicates.sentences import LINK
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    words_of,
)
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from reme_cli.config.phrasing import Phrasing, Step

Value = TypeVar("Value")

# Words that stand in every other sentence: a phrasing is looked for where another of its words stands.
_COMMON: Final = (
    PREPOSITIONS
    | DETERMINERS
    | AUXILIARIES
    | words_of(
        "'s : , ： ， 、 是 由 的 为 在 有 与 和 同 跟 从 被 以 因 对 向 给 包括 up out and 任 当 做 等 最 爱 进行 提供 归 use all both"
        " not n't it as can would now one first such back"
    )
)
_LINK: Final = LINK.encode()
_TO_LINK: Final = frozenset({_LINK})
_SPACED_LINK: Final = b" \x01 "
_PUNCTUATION: Final = "*.,;!?()[]{}|\"'<>/\\=~#\n\r\t"
_PLAIN: Final = bytes.maketrans(
    (ascii_uppercase + _PUNCTUATION).encode(), (ascii_lowercase + " " * len(_PUNCTUATION)).encode()
)
"""Small letters, and spaces for punctuation."""
_BREAK: Final = "\x03"
"""Stands where no sentence reaches across."""
_BLOCK_START: Final = regex(r"\n(?:[\n|#]|[-*] )")
_HAN_ENDS: Final = "。！？；"
_SENTENCE_END: Final = regex(r"\. (?=[A-Z\x01])(?<=[a-z]{4}\. )")
"""Behind words too long for an abbreviation."""
_NEAR_BEFORE: Final = 10
_NEAR_BEHIND: Final = 13
"""Words within which a link stands before or behind the telling word of a phrasing."""
_CLOSE_BEFORE: Final = 7
_CLOSE_BEHIND: Final = 9
_SENTENCE: Final = 250
"""Words of the longest sentence that is read."""
_FOLLOWS: Final = 4
"""Words within which the word before or behind it in a phrasing stands, with fillers between them."""
_NEAR_CHARACTERS: Final = 24
_SENTENCE_CHARACTERS: Final = 120
"""The same in Chinese, either way."""


class _Sign(NamedTuple):
    """What must stand around a telling word for some phrasing to be there; an empty set asks for nothing."""

    prior: frozenset[bytes]
    """One of these words stands just before it."""
    next: frozenset[bytes]
    """One of these words follows."""
    others: tuple[frozenset[bytes], ...]
    """Of each set one word stands near."""
    given: frozenset[bytes]
    """One of these words stands in the sentence."""


class _Signs:
    """The signs of a telling word. No named tuple, nor are those below: making the class of one takes as long as reading a note."""

    __slots__ = ("anywhere", "bare", "beside", "closing", "first")

    def __init__(self, word: bytes, anywhere: dict[_Sign, None], closing: dict[_Sign, None]) -> None:
        self.first = _OWNING if word == b"own" else None
        """What must stand there besides any of the others."""
        self.bare = anywhere.pop(_BARE, ()) is None
        """Whether it says it alone, and stands closer to the link."""
        self.anywhere = tuple(anywhere)
        self.closing = tuple(closing)
        """Of a common word, which tells only just before a link."""
        prior, following = (
            frozenset[bytes]().union(*sets) if all(sets) else frozenset[bytes]()
            for sets in ([sign.prior for sign in anywhere], [sign.next for sign in anywhere])
        )
        self.beside = _Sign(prior, following, (), frozenset())
        """What stands beside it whichever of `anywhere` is there."""

    def stand(self, words: list[bytes], at: int, link: int) -> bool:
        """Whether around the word at `at`, which stands near the link at `link`, stands what must."""
        start, end = max(0, link - _NEAR_BEHIND), link + _NEAR_BEFORE
        if self.first and not _is_there(self.first, words, at, start, end):
            return False
        if self.bare and link - _CLOSE_BEHIND <= at < link + _CLOSE_BEFORE:
            return True
        if not self.anywhere or not _is_there(self.beside, words, at, start, end):
            return False
        return any(_is_there(sign, words, at, start, end) for sign in self.anywhere)

    def close(self, words: list[bytes], at: int, link: int) -> bool:
        """The same for what must stand there where the word tells just before the link."""
        start, end = max(0, link - _NEAR_BEHIND), link + _NEAR_BEFORE
        return any(_is_there(sign, words, at, start, end) for sign in self.closing)


_BARE: Final = _Sign(frozenset(), frozenset(), (), frozenset())
_OWNING: Final = _Sign(frozenset({_LINK, b"we", b"i", b"they", b"and"}), _TO_LINK, (), frozenset())
"""Around the verb `own`: it is an adjective more often."""

_HanSign = tuple[tuple[frozenset[str], ...], frozenset[str]]
"""What must stand around a telling word in Chinese: of each set one word near it; one of the words in the sentence."""
_HAN_BARE: Final[_HanSign] = ((), frozenset())


class Telling:
    """The words that tell of phrasings, each with the numbers of their lines, in one list for each group of synonyms that it is in."""

    __slots__ = ("anywhere", "closing")

    def __init__(self) -> None:
        self.anywhere: dict[str, list[list[int]]] = {}
        self.closing: dict[str, list[list[int]]] = {}
        """Common words, which tell only just before a link."""

    def lines(self, word: str) -> tuple[list[int], ...]:
        """The numbers of the lines that a word tells of."""
        return *self.anywhere.get(word, ()), *self.closing.get(word, ())


_NO_WORDS: Final = frozenset({SUBJECT, OBJECT, GAP})
_POSSESSIVE: Final = "'s"
_LEAST: Final = (True, True, sys.maxsize)


def tell(known: Telling, lines: Iterable[str], start: int) -> None:
    """Adds the words that tell best of each phrasing; the first line has the number `start`. `_telling` finds the same step."""
    groups: dict[tuple[str, bool], list[int]] = {}
    ranks = _Ranks()
    for number, line in enumerate(lines, start):
        best, telling, is_last = _LEAST, ("", False), True
        for step in reversed(_steps(line)):
            if step in _NO_WORDS:
                is_last = True
                continue
            rank = ranks[step]
            if rank < best:
                best, telling = rank, (step, rank[0] and is_last)
            is_last = False
        groups.setdefault(telling, []).append(number)
    for (group, is_closing), numbers in groups.items():
        words = known.closing if is_closing else known.anywhere
        for word in _group(group):
            words.setdefault(word, []).append(numbers)


def _steps(line: str) -> list[str]:
    """The steps of a phrasing as they are written."""
    steps = line.partition(";")[0].replace("’", "'").split()
    if _POSSESSIVE not in line:
        return steps
    return [part for step in steps for part in step.replace(_POSSESSIVE, f" {_POSSESSIVE}").split()]


def _group(step: str) -> frozenset[str]:
    return frozenset(filter(None, step.lower().split("/"))) or frozenset({step})


class _Ranks(dict[str, tuple[bool, bool, int]]):
    """How little each written step tells: phrasings repeat their steps."""

    def __missing__(self, step: str) -> tuple[bool, bool, int]:
        found = self[step] = _plainness(_group(step))
        return found


class Triggers:
    """The telling words of phrasings, for notes of one genre."""

    def __init__(self, known: Telling, phrasing: Callable[[int], Phrasing], genre: str) -> None:
        self._known = known
        self._phrasing = phrasing
        self._genre = genre
        self._wide = frozenset(word.encode() for word in known.anywhere if word.isascii())
        self._closing = frozenset(word.encode() for word in known.closing if word.isascii())
        self._words = self._wide | self._closing
        self._signs: dict[bytes, _Signs] = {}
        """Of the telling words that were met."""
        self._heads: dict[str, list[str]] = {}
        """The telling words in Chinese, by their first two characters."""
        for word in {**known.anywhere, **known.closing}:
            if not word.isascii():
                self._heads.setdefault(word[:2], []).append(word)
        self._head_set = frozenset(self._heads)
        self._han_signs: dict[str, tuple[_HanSign, ...]] = {}
        self._sign_of_line = _Made(_sign, phrasing)
        self._han_sign_of_line = _Made(_han_sign, phrasing)

    def near(self, text: str) -> list[int]:
        """Which of the links of a text, counted by the `LINK` that stands for each, stand where some phrasing may."""
        is_han = not text.isascii()
        if is_han:
            for mark in _HAN_ENDS:
                text = text.replace(mark, _BREAK)
        text = _BLOCK_START.sub(_BREAK, text)
        if not self._genre:  # all the sentences of a paragraph about a meeting may be read
            text = _SENTENCE_END.sub(_BREAK, text)
        blocks = [block for block in text.split(_BREAK) if LINK in block]
        if not blocks:
            return []
        # bytes, whose methods are several times as fast
        plain = _BREAK.join(blocks).encode("ascii", "replace").translate(_PLAIN)
        english = plain.replace(b":", b" : ").replace(_LINK, _SPACED_LINK).split(_BREAK.encode())
        told: list[int] = []
        number = 0
        for block, words in zip(blocks, english, strict=True):
            found = self._in_english(words.split())
            if is_han and not block.isascii():
                found = sorted({*found, *self._in_chinese(block)})
            told += [number + at for at in found] if number else found
            number += block.count(LINK)
        return told

    def _in_english(self, words: list[bytes]) -> list[int]:
        """The same for the words of a block."""
        hits = self._words.intersection(words)
        if not hits:
            return []
        links = _places(_LINK, words)
        told: set[int] = set()
        for word in hits & self._wide:
            signs = self._signs_of(word)
            for at in _places(word, words):
                first, last = bisect_right(links, at - _NEAR_BEFORE), bisect_right(links, at + _NEAR_BEHIND)
                for number in range(first, last):
                    if number not in told and signs.stand(words, at, links[number]):
                        told.add(number)
        if closing := hits & self._closing:
            for number, link in enumerate(links):
                for at in range(max(0, link - _FOLLOWS), link):
                    if words[at] in closing and self._signs_of(words[at]).close(words, at, link):
                        told.add(number)
        return sorted(told)

    def _in_chinese(self, block: str) -> list[int]:
        """The same for a block in Chinese."""
        told: list[int] = []
        heads = self._head_set.intersection([*block, *map(add, block, block[1:])])
        words = [word for head in heads for word in self._heads[head] if word in block]
        if not words:
            return told
        place = -1
        for number in range(block.count(LINK)):
            place = block.index(LINK, place + 1)
            start = max(0, place - _NEAR_CHARACTERS)
            near = block[start : place + _NEAR_CHARACTERS]
            for word in words:
                if word in near and self._is_han_near(word, near, block, start):
                    told.append(number)
                    break
        return told

    def _is_han_near(self, word: str, near: str, block: str, start: int) -> bool:
        """Whether what must stand around a word in Chinese does, near a link in a stretch of a block that begins at `start`."""
        signs = self._han_signs.get(word)
        if signs is None:
            lines = self._lines_of(self._known.lines(word))
            found = {self._han_sign_of_line[number]: None for number in lines}
            # what asks for nothing holds without a look at the others
            signs = self._han_signs[word] = (_HAN_BARE,) if _HAN_BARE in found else tuple(found)
        return any(_is_han_there(sign, near, block, start) for sign in signs)

    def _signs_of(self, word: bytes) -> _Signs:
        """What must stand around a telling word, for each of its phrasings."""
        if word in self._signs:
            return self._signs[word]
        anywhere, closing = (
            {self._sign_of_line[number]: None for number in self._lines_of(known.get(word.decode(), ()))}
            for known in (self._known.anywhere, self._known.closing)
        )
        if not anywhere and not closing:  # it tells in notes of another genre
            self._words -= {word}
        found = self._signs[word] = _Signs(word, anywhere, closing)
        return found

    def _lines_of(self, lists: Iterable[list[int]]) -> Iterator[int]:
        """The numbers of phrasings, of those that hold in notes of this genre."""
        for numbers in lists:
            for number in numbers:
                genre = self._phrasing(number).genre
                if not genre or genre == self._genre:
                    yield number


class _Made(dict[int, Value]):
    """What is made of each line when it is asked for."""

    def __init__(self, make: Callable[[Phrasing], Value], phrasing: Callable[[int], Phrasing]) -> None:
        self._make = make
        self._phrasing = phrasing

    def __missing__(self, number: int) -> Value:
        found = self[number] = self._make(self._phrasing(number))
        return found


def _places(word: bytes, words: list[bytes]) -> list[int]:
    """Where a word stands among others of which it is one."""
    at = words.index(word)
    places = [at]
    for _ in range(words.count(word) - 1):
        at = words.index(word, at + 1)
        places.append(at)
    return places


def _is_there(sign: _Sign, words: list[bytes], at: int, start: int, end: int) -> bool:
    """Whether what a sign asks for stands around the word at `at`, between `start` and `end` but for what the sentence is to have."""
    if sign.prior and sign.prior.isdisjoint(words[max(start, at - _FOLLOWS) : at]):
        return False
    if sign.next and sign.next.isdisjoint(words[at + 1 : min(end, at + 1 + _FOLLOWS)]):
        return False
    for group in sign.others:
        if group.isdisjoint(words[start:end]):
            return False
    return not sign.given or not sign.given.isdisjoint(words[max(0, start - _SENTENCE) : start + _SENTENCE])


def _is_han_there(sign: _HanSign, near: str, block: str, start: int) -> bool:
    others, given = sign
    for group in others:
        if not any(map(near.__contains__, group)):
            return False
    if not given:
        return True
    around = block[max(0, start - _SENTENCE_CHARACTERS) : start + _SENTENCE_CHARACTERS]
    return any(map(around.__contains__, given))


def _sign(phrasing: Phrasing) -> _Sign:
    """What must stand around the word that tells of a phrasing."""
    steps = phrasing.steps
    telling = _telling(phrasing)
    place = steps.index(telling)
    following = steps[place + 1] if place + 1 < len(steps) else ""
    others = (_plain(step) for number, step in enumerate(steps) if abs(number - place) > 1)
    found = _Sign(
        _plain(steps[place - 1]) if place else frozenset(),
        _plain(following) if isinstance(following, frozenset) or telling.isdisjoint(_COMMON) else _TO_LINK,
        tuple(filter(None, others)),
        _encoded(phrasing.given),
    )
    return found if any(found) else _BARE


def _han_sign(phrasing: Phrasing) -> _HanSign:
    telling = _telling(phrasing)
    others = (step for step in phrasing.steps if isinstance(step, frozenset) and step != telling)
    return tuple(others), phrasing.given


def _telling(phrasing: Phrasing) -> frozenset[str]:
    """The same step of a phrasing of which `tell` takes the words."""
    return min((step for step in reversed(phrasing.steps) if isinstance(step, frozenset)), key=_plainness)


@cache
def _plain(step: Step) -> frozenset[bytes]:
    """The words of a step, if it is one of words that are looked at: what is no word is not."""
    is_plain = isinstance(step, frozenset) and all(word[0].isalnum() or word in {":", "'s"} for word in step)
    return _encoded(step) if is_plain else frozenset()


def _encoded(words: Iterable[str]) -> frozenset[bytes]:
    return frozenset(word.removeprefix("'").encode("ascii", "replace") for word in words)


@cache
def _plainness(group: frozenset[str]) -> tuple[bool, bool, int]:
    """How little a group of words tells: common words least, then single Chinese characters, then the group with most words."""
    return (
        not group.isdisjoint(_COMMON),
        any(len(word) == 1 and not word.isascii() for word in group),
        len(group),
    )
