"""Whether a text with links may state a relation at all: what is asked of every note before its sentences are read.

It works on the words around the links. Of most notes one intersection of sets says that none of them belongs to any phrasing.
"""

from __future__ import annotations

import sys
from functools import cache
from itertools import pairwise
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
_PUNCTUATION: Final = b"*.,;!?()[]{}|\"'<>/\\=~#\n\r\t"
_SPACES: Final = bytes.maketrans(_PUNCTUATION, b" " * len(_PUNCTUATION))
_BREAK: Final = "\x03"
"""Stands where no sentence reaches across."""
_BLOCK_STARTS: Final = ("\n\n", "\n- ", "\n* ", "\n|", "\n#")
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

    __slots__ = ("anywhere", "bare", "beside", "closing")

    def __init__(self, anywhere: dict[_Sign, None], closing: dict[_Sign, None]) -> None:
        self.bare = anywhere.pop(_BARE, ()) is None
        """Whether it says it alone, and stands closer to the link."""
        self.anywhere = tuple(anywhere)
        self.closing = tuple(closing)
        """Of a common word, which tells only just before a link."""
        prior, following = (
            frozenset[bytes]().union(*sets) if all(sets) else frozenset[bytes]()
            for sets in ([sign.prior for sign in anywhere], [sign.next for sign in anywhere])
        )
        self.beside = _Sign(prior, following, (), frozenset()) if prior or following else None
        """What stands beside it whichever of `anywhere` is there; `None`: there is no such thing."""


_BARE: Final = _Sign(frozenset(), frozenset(), (), frozenset())
_OWNING: Final = _Sign(frozenset({_LINK, b"we", b"i", b"they", b"and"}), _TO_LINK, (), frozenset())
"""Around the verb `own`: it is an adjective more often."""


_HanSign = tuple[tuple[frozenset[str], ...], frozenset[str]]
"""What must stand around a telling word in Chinese: of each set one word near it; one of the words in the sentence."""


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
        self._words = frozenset(word.encode() for word in (*known.anywhere, *known.closing) if word.isascii())
        self._signs: dict[bytes, _Signs] = {}
        """Of the telling words that were met."""
        self._heads: dict[str, list[str]] = {}
        """The telling words in Chinese, by their first two characters."""
        for word in {**known.anywhere, **known.closing}:
            if not word.isascii():
                self._heads.setdefault(word[:2], []).append(word)
        self._head_set = frozenset(self._heads)
        self._han: dict[str, tuple[_HanSign, ...]] = {}
        self._sign_of_line = _Made(_sign, phrasing)
        self._han_sign_of_line = _Made(_han_sign, phrasing)

    def near(self, text: str) -> list[int]:
        """Which of the links of a text, counted by the `LINK` that stands for each, stand where some phrasing may."""
        is_han = not text.isascii()
        if is_han:
            for mark in _HAN_ENDS:
                text = text.replace(mark, _BREAK)
        for start in _BLOCK_STARTS:
            text = text.replace(start, _BREAK)
        if not self._genre:  # all the sentences of a paragraph about a meeting may be read
            text = _SENTENCE_END.sub(_BREAK, text)
        # bytes, whose methods are several times as fast
        english = text.encode("ascii", "replace").lower().replace(b":", b" : ").translate(_SPACES)
        chinese = text.split(_BREAK) if is_han else ()
        told: list[int] = []
        number = 0
        for at, block in enumerate(english.split(_BREAK.encode())):
            count = block.count(_LINK)
            if not count:
                continue
            if len(block) > count:
                found = self._in_english(block.replace(_LINK, _SPACED_LINK).split())
                if is_han and not chinese[at].isascii():
                    found = sorted({*found, *self._in_chinese(chinese[at])})
                told += [number + at for at in found] if number else found
            number += count
        return told

    def _in_english(self, words: list[bytes]) -> list[int]:
        """The same for the words of a block."""
        told: list[int] = []
        hits = self._words.intersection(words)
        if not hits:
            return told
        place = -1
        for number in range(words.count(_LINK)):
            place = words.index(_LINK, place + 1)
            here = hits.intersection(words[max(0, place - _NEAR_BEHIND) : place + _NEAR_BEFORE])
            if here and self._has_sign(words, place, here):
                told.append(number)
        return told

    def _in_chinese(self, block: str) -> Iterator[int]:
        """The same for a block in Chinese."""
        heads = self._head_set.intersection([*block, *map("".join, pairwise(block))])
        found = [pair for head in heads for pair in self._signs_of_head(head, block)]
        if not found:
            return
        place = -1
        for number in range(block.count(LINK)):
            place = block.index(LINK, place + 1)
            start = max(0, place - _NEAR_CHARACTERS)
            near = block[start : place + _NEAR_CHARACTERS]
            if any(word in near and _is_han_there(sign, near, block, start) for word, sign in found):
                yield number

    def _has_sign(self, words: list[bytes], place: int, here: frozenset[bytes]) -> bool:
        """Whether around one of these words, which stand near the link at `place`, stands what must."""
        start = max(0, place - _NEAR_BEHIND)
        window = words[start : place + _NEAR_BEFORE]
        for word in here:
            signs = self._signs.get(word)
            if signs is None:
                signs = self._signs[word] = self._signs_of(word)
            if word == b"own" and not _is_beside(_OWNING, word, window):
                continue  # `her own [[x]]`
            if signs.bare and word in words[max(0, place - _CLOSE_BEHIND) : place + _CLOSE_BEFORE]:
                return True
            if (signs.beside is None or _is_beside(signs.beside, word, window)) and any(
                _is_there(sign, word, window, words, start) for sign in signs.anywhere
            ):
                return True
            if (
                signs.closing
                and word in words[max(0, place - _FOLLOWS) : place]
                and any(_is_there(sign, word, window, words, start) for sign in signs.closing)
            ):
                return True
        return False

    def _signs_of(self, word: bytes) -> _Signs:
        """What must stand around a telling word, for each of its phrasings."""
        anywhere, closing = (
            {self._sign_of_line[number]: None for number in self._lines_of(known.get(word.decode(), ()))}
            for known in (self._known.anywhere, self._known.closing)
        )
        if not anywhere and not closing:  # it tells in notes of another genre
            self._words -= {word}
        return _Signs(anywhere, closing)

    def _signs_of_head(self, head: str, text: str) -> Iterator[tuple[str, _HanSign]]:
        """Each word with what must stand around it, of those telling words in Chinese that begin so and stand in a text."""
        known = self._known
        for word in self._heads[head]:
            if word not in text:
                continue
            found = self._han.get(word)
            if found is None:
                numbers = self._lines_of(known.lines(word))
                found = self._han[word] = tuple({self._han_sign_of_line[number]: None for number in numbers})
            yield from ((word, sign) for sign in found)

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


def _is_there(sign: _Sign, word: bytes, window: list[bytes], words: list[bytes], start: int) -> bool:
    """Whether what a sign asks for stands around a word in a window of a block's words, which begins at `start`."""
    if (sign.prior or sign.next) and not _is_beside(sign, word, window):
        return False
    for group in sign.others:
        if group.isdisjoint(window):
            return False
    return not sign.given or not sign.given.isdisjoint(words[max(0, start - _SENTENCE) : start + _SENTENCE])


def _is_beside(sign: _Sign, word: bytes, window: list[bytes]) -> bool:
    """Whether the word stands, wherever it does, between the words that must stand beside it."""
    at = -1
    for _ in range(window.count(word)):
        at = window.index(word, at + 1)
        if (not sign.next or not sign.next.isdisjoint(window[at + 1 : at + 1 + _FOLLOWS])) and (
            not sign.prior or not sign.prior.isdisjoint(window[max(0, at - _FOLLOWS) : at])
        ):
            return True
    return False


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
