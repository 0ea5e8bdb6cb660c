"""The phrasing table as it is looked up: by the word that a phrasing begins with."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.config.phrasing import GAP, parse_phrasing
from reme_cli.predicates import chinese, english
from reme_cli.predicates.sentences import LINK
from reme_cli.predicates.vocabulary import AUXILIARIES, DETERMINERS, PREPOSITIONS, words_of
from reme_cli.predicates.words import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reme_cli.config.phrasing import Phrasing

Rule = tuple[str, "Phrasing"]
"""A predicate and one of its phrasings."""

# Words that stand in every other sentence: a phrasing is looked for where another of its words stands.
_COMMON: Final = (
    PREPOSITIONS
    | DETERMINERS
    | AUXILIARIES
    | words_of(
        "'s : , ： ， 、 是 由 的 为 在 有 与 和 同 跟 从 被 以 因 对 向 给 包括 up out and 任 当 做 等 最 爱 进行 提供 归 use"
    )
)
_LINK: Final = b"["
_SPACED: Final = bytes.maketrans(b"*_.,;:!?()]{}|\"'<>/\\=~#\n\r\t", b" " * 26)
_NEAR_BEFORE: Final = 10
_NEAR_BEHIND: Final = 13
"""Words within which a link stands before or behind the telling word of a phrasing."""
_SENTENCE: Final = 250
"""Words of the longest sentence that is read."""
_FOLLOWS: Final = 4
"""Words within which the next word of a phrasing stands, with fillers before it."""
_NEAR_CHARACTERS: Final = 20
"""The same in Chinese, either way."""
_WHOSE: Final = frozenset({b"its", b"his", b"her", b"their", b"our", b"my", b"your"})


class _Sign(NamedTuple):
    """What must stand around a telling word for some phrasing to be there."""

    next: frozenset[bytes]
    """One of these words follows; empty where none needs to."""
    given: frozenset[bytes]
    """One of these words stands in the sentence; empty where none needs to."""


class Table:
    """Phrasings by their first word."""

    def __init__(self, phrasings: Mapping[str, Iterable[str]]) -> None:
        rules = [
            (predicate, parse_phrasing(line)) for predicate, lines in phrasings.items() for line in lines
        ]
        self.rules: dict[str, list[Rule]] = {}
        words: set[str] = set()
        signs: dict[str, dict[bytes, dict[_Sign, None]]] = {"": {}}
        chinese: dict[str, dict[str, dict[tuple[frozenset[str], ...], None]]] = {"": {}}
        for predicate, phrasing in rules:
            groups = [step for step in phrasing.steps if isinstance(step, frozenset)]
            for word in groups[0]:
                self.rules.setdefault(word, []).append((predicate, phrasing))
            words.update(*groups, phrasing.given, phrasing.excluded)
            telling, sign = _sign(phrasing, groups)
            for word in telling:
                if word.isascii():
                    signs.setdefault(phrasing.genre, {}).setdefault(word.encode(), {})[sign] = None
                else:
                    others = tuple(group for group in groups if group is not telling)
                    chinese.setdefault(phrasing.genre, {}).setdefault(word, {})[others] = None
        for found in self.rules.values():
            # what says more, comes first
            found.sort(key=lambda rule: -sum(step != GAP for step in rule[1].steps))
        self.lexicon = Lexicon(words)
        self._signs = {
            genre: {
                word: (*signs[""].get(word, ()), *(found.get(word, ()) if genre else ()))
                for word in {**signs[""], **found}
            }
            for genre, found in signs.items()
        }
        self._words = {genre: frozenset(found) for genre, found in self._signs.items()}
        self._chinese = {
            genre: {
                word: (*chinese[""].get(word, ()), *(found.get(word, ()) if genre else ()))
                for word in {**chinese[""], **found}
            }
            for genre, found in chinese.items()
        }
        self._patterns: dict[str, re.Pattern[str]] = {}

    def is_telling(self, text: str, genre: str = "") -> bool:
        """Whether some phrasing may stand in a text with links; of most texts a look at their words says that none does.

        It is asked of every paragraph with a link, so it works on bytes, whose methods are several times as fast.
        """
        if genre not in self._words:
            genre = ""
        words = (
            text.encode("ascii", "replace")
            .lower()
            .replace(b"\x01", b" [ ")
            .replace(_LINK, b" [ ")
            .translate(_SPACED)
            .split()
        )
        hits = self._words[genre].intersection(words)
        if hits and any(map(partial(_has_sign, words, self._signs[genre]), hits)):
            return True
        if " a [" in text or " an [" in text or f" a {LINK}" in text or f" an {LINK}" in text:
            return True
        return not text.isascii() and self._has_chinese(text, genre)

    def _has_chinese(self, text: str, genre: str) -> bool:
        known = self._chinese.get(genre) or self._chinese[""]
        pattern = self._patterns.get(genre)
        if pattern is None:
            words = sorted(known, key=lambda word: (-len(word), word))
            pattern = self._patterns[genre] = re.compile("|".join(map(re.escape, words)))
        for found in pattern.finditer(text):
            near = text[max(0, found.start() - _NEAR_CHARACTERS) : found.end() + _NEAR_CHARACTERS]
            if ("[" in near or LINK in near) and any(
                all(any(word in near for word in group) for group in others)
                for others in known[found.group()]
            ):
                return True
        return False


def _sign(phrasing: Phrasing, groups: list[frozenset[str]]) -> tuple[frozenset[str], _Sign]:
    """The words of which one stands wherever a phrasing does, and what else does there."""
    # of the few notes about meetings, paragraphs may be read for a common word
    telling = min(
        (group for group in groups if phrasing.genre or group.isdisjoint(_COMMON)),
        key=_plainness,
        default=frozenset[str](),
    )
    if not telling:  # the plainest `is a` decides
        return telling, _Sign(frozenset(), frozenset())
    place = phrasing.steps.index(telling) + 1
    following = phrasing.steps[place] if place < len(phrasing.steps) else ""
    # what is no word, is not among the words that are looked at
    is_plain = isinstance(following, frozenset) and all(word[0].isalnum() for word in following)
    return telling, _Sign(
        _encoded(following) if is_plain and isinstance(following, frozenset) else frozenset(),
        _encoded(phrasing.given),
    )


def _plainness(group: frozenset[str]) -> tuple[bool, bool, int]:
    """How little a group of words tells: common words least, then single Chinese characters, then the group with most words."""
    return not group.isdisjoint(_COMMON), any(len(word) == 1 for word in group), len(group)


def _encoded(words: frozenset[str]) -> frozenset[bytes]:
    return frozenset(word.encode("ascii", "replace") for word in words)


def _has_sign(words: list[bytes], signs: Mapping[bytes, tuple[_Sign, ...]], word: bytes) -> bool:
    """Whether one of the signs of a telling word is there, and a link near it."""
    at = -1
    for _ in range(words.count(word)):
        at = words.index(word, at + 1)
        if at and words[at - 1] in _WHOSE and word == b"own":
            continue
        near = words[max(0, at - _NEAR_BEFORE) : at + _NEAR_BEHIND]
        if _LINK not in near:
            continue
        following = words[at + 1 : at + 1 + _FOLLOWS]
        for sign in signs[word]:
            if sign.next and sign.next.isdisjoint(following):
                continue
            if not sign.given or not sign.given.isdisjoint(words[max(0, at - _SENTENCE) : at + _SENTENCE]):
                return True
    return False


@cache
def table_of(added: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> Table:
    """The table with the phrasings that a vault adds, by predicate."""
    phrasings = {predicate: list(lines) for predicate, lines in standard_phrasings()}
    for predicate, lines in added:
        phrasings.setdefault(predicate, []).extend(lines)
    return Table(phrasings)


def standard_phrasings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each predicate of the table with its phrasings, English before Chinese."""
    for predicate, block in english.PHRASINGS.items():
        lines = f"{block}\n{chinese.PHRASINGS[predicate]}".splitlines()
        yield predicate, tuple(line.strip() for line in lines if line.strip())
