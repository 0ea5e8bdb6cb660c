"""What some notes are called, and how alike two of them are called."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from reme_cli.index.tokenize import tokenize
from reme_cli.linking.folding import fold_name
from reme_cli.linking.generic import is_date
from reme_cli.linking.names import is_linkable
from reme_cli.regex import regex
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.index.index import Index

MOST_OF_A_NAME: Final = 4
"""A name that more notes have says what kind of note it is, not what about."""
MOST_COMPARED: Final = 1000
"""So many pairs of names two notes may have that are all compared. Of more, each name is compared with one that has the same words,
and with those that have the rarest of its words,"""
MOST_OF_A_WORD: Final = 8
"""at most so many of them."""
_ONE_KIND: Final = 0.6
"""Likeness of names that differ in little more than a number."""
_NUMBER: Final = regex(r"\d+|第?[一二三四五六七八九十百]+(?=[季部集章卷回期版])|[终終][结結]篇")


class Titles:
    """The names of some notes, each called by its place in `paths`."""

    def __init__(self, index: Index, paths: Sequence[str]) -> None:
        places = {path: place for place, path in enumerate(paths)}
        self._numbers = [tuple(sorted(_NUMBER.findall(fold_name(stem_of(path))))) for path in paths]
        self._is_day = [is_date(fold_name(stem_of(path))) for path in paths]
        self._names: list[list[str]] = [[] for _ in paths]
        rows = index.read(
            lambda connection: connection.execute(
                "SELECT path, text FROM names JOIN notes ON notes.id = names.note WHERE names.kind != 'heading'"
                " ORDER BY path, ordinal"
            ).fetchall()
        )
        for path, text in rows:
            if path in places and is_linkable(text, key := fold_name(text)):
                self._names[places[path]].append(key)
        self._words = [[frozenset(tokenize(name).split()) for name in names] for names in self._names]
        frequency = Counter(word for names in self._words for word in frozenset().union(*names))
        self._by_word: dict[int, dict[str, list[int]]] = {}
        """By note, which of its names have a word; of those with very many names."""
        self._weight = {word: math.log((len(paths) + 1) / count) for word, count in frequency.items()}

    def same_named(self) -> set[tuple[int, int]]:
        """The pairs that have a name in common, the lower number first."""
        holders: dict[str, list[int]] = {}
        for note, names in enumerate(self._names):
            for name in dict.fromkeys(names):
                holders.setdefault(name, []).append(note)
        return {
            pair
            for notes in holders.values()
            if len(notes) <= MOST_OF_A_NAME
            for pair in combinations(notes, 2)
        }

    def likeness(self, first: int, second: int) -> float:
        """How alike the most similar names of two notes are, from 0 to 1; the order of words makes no difference."""
        names, others = self._names[first], self._names[second]
        return max(
            (
                fuzz.token_sort_ratio(names[one], others[other]) / 100
                for one, other in self._comparable(first, second)
            ),
            default=0.0,
        )

    def common(self, first: int, second: int) -> float:
        """How much of the most similar names of two notes is the same, by the weight of the words: what many notes have in their
        names (an author, "workflow") counts little. From 0 to 1."""
        words, others = self._words[first], self._words[second]
        return max(
            (self._common(words[one], others[other]) for one, other in self._comparable(first, second)),
            default=0.0,
        )

    def _comparable(self, first: int, second: int) -> Iterable[tuple[int, int]]:
        """Which names of two notes are compared, by their numbers among those of each note."""
        names, others = range(len(self._names[first])), range(len(self._names[second]))
        if len(names) * len(others) <= MOST_COMPARED:
            return product(names, others)
        return self._with_rarest_word(first, second)

    def _with_rarest_word(self, first: int, second: int) -> Iterator[tuple[int, int]]:
        if second not in self._by_word:
            by_word = self._by_word[second] = {}
            for number, words in enumerate(self._words[second]):
                for word in words:
                    by_word.setdefault(word, []).append(number)
        by_word = self._by_word[second]
        same = {words: number for number, words in enumerate(self._words[second])}
        for number, words in enumerate(self._words[first]):
            if words in same:
                yield number, same[words]
            shared = words & by_word.keys()
            if shared:
                rarest = min(shared, key=lambda word: (-self._weight[word], len(by_word[word]), word))
                for other in by_word[rarest][:MOST_OF_A_WORD]:
                    yield number, other

    def _common(self, one: frozenset[str], other: frozenset[str]) -> float:
        both = math.fsum(map(self._weight.__getitem__, one | other))
        return math.fsum(map(self._weight.__getitem__, one & other)) / both if both else 0.0

    def are_other_names(self, first: int, second: int) -> bool:
        """Whether two notes are called otherwise, with no word in common."""
        return bool(self._names[first] and self._names[second]) and not self.common(first, second)

    def is_one_a_day(self, first: int, second: int) -> bool:
        """Whether one of two notes, and not the other, is that of a day, a week, a month or a year: it quotes what was noted in it."""
        return self._is_day[first] != self._is_day[second]

    def numbers_differ(self, first: int, second: int) -> bool:
        """Whether two names of one kind have different numbers in them: two days, two versions, two seasons."""
        if self._numbers[first] == self._numbers[second]:
            return False
        if not self._names[first] and not self._names[second]:
            return True
        return self.likeness(first, second) >= _ONE_KIND
