"""Which notes say nearly the same: candidates that share rare words or many shingles, and how much of two notes is the same.

Words are the tokens of the index: stemmed English, overlapping pairs of Chinese characters. No pair of all notes is compared:

* notes that share some of their rarest words, each of which few notes have;
* notes that share a band of their sketch: a MinHash over pairs of neighbouring words, by one permutation that is cut into bins
  (Li, Owen, Zhang: One Permutation Hashing, 2012), which finds the pairs whose words are all common ones.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from functools import partial
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Final
from zlib import crc32

from reme_cli.index.fulltext import contents
from reme_cli.index.tokenize import tokenize
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.index.index import Index

RARE: Final = 24
"""A note is looked for by so many of its rarest words,"""
MOST_WITH_WORD: Final = 40
"""each of which at most so many notes have."""
SHARED: Final = 4
"""So many of them two notes share that are compared."""
BINS: Final = 64
BAND: Final = 2
"""Bins of a sketch that have to be alike; the pairs with a third of their shingles in common are found with 95 %."""
LARGEST_BUCKET: Final = 20
"""What more notes have in common is a template's text."""
_EMPTY: Final = 0xFFFFFFFF
_AT_ONCE: Final = 500


class Likeness:
    """The words of some notes."""

    def __init__(self, index: Index, paths: Sequence[str]) -> None:
        self.paths = paths
        """In order; a note is called by its place in them."""
        self._numbers: dict[str, int] = {}
        self.words: list[array[int]] = []
        """The numbers of the distinct words of each note, ascending."""
        self._sketches: list[array[int]] = []
        frequency: Counter[int] = Counter()
        for body in _bodies(index, paths):
            tokens = body.split()
            numbers = sorted({self._numbers.setdefault(token, len(self._numbers)) for token in tokens})
            frequency.update(numbers)
            self.words.append(array("I", numbers))
            self._sketches.append(_sketch(tokens))
        self._frequency = [frequency[number] for number in range(len(self._numbers))]
        count = len(paths) + 1
        self._weight = [math.log(count / each) for each in self._frequency]
        self.weights = [math.fsum(map(self._weight.__getitem__, words)) for words in self.words]
        """What the words of each note weigh: the sum of their inverse document frequencies."""
        self._asked: tuple[int, frozenset[int]] = (-1, frozenset())
        """The note that was compared last, and its words."""

    def candidates(self) -> Iterator[tuple[int, int]]:
        """The pairs worth comparing, the lower number first; some come more than once."""
        yield from self._with_rare_words()
        yield from self._with_shingles()

    def common(self, first: int, second: int) -> tuple[float, float]:
        """What two notes have in common, as a share of both together and of the smaller one, by the weight of the words."""
        if self._asked[0] != first:  # pairs come in order
            self._asked = (first, frozenset(self.words[first]))
        # exact, so that the order of a set makes no difference
        weight = math.fsum(map(self._weight.__getitem__, self._asked[1].intersection(self.words[second])))
        both = self.weights[first] + self.weights[second] - weight
        least = min(self.weights[first], self.weights[second])
        return (weight / both if both else 0.0, weight / least if least else 0.0)

    def shingles(self, first: int, second: int) -> float:
        """The share of the pairs of neighbouring words that two notes have in common, as their sketches tell."""
        bins = [
            (one, other)
            for one, other in zip(self._sketches[first], self._sketches[second], strict=True)
            if not one == other == _EMPTY
        ]
        return sum(one == other for one, other in bins) / len(bins) if bins else 0.0

    def tell_apart(self, first: int, second: int) -> bool:
        """Whether each text speaks of what its note is named, and not of what the other one is: a form, filled in for two things."""
        one, other = (frozenset(tokenize(stem_of(self.paths[note])).split()) for note in (first, second))
        return self._is_of(one - other, first, second) and self._is_of(other - one, second, first)

    def _is_of(self, name: frozenset[str], note: int, other: int) -> bool:
        numbers = {self._numbers.get(token, -1) for token in name}
        return bool(numbers) and numbers.issubset(self.words[note]) and numbers.isdisjoint(self.words[other])

    def _with_rare_words(self) -> Iterator[tuple[int, int]]:
        holders: dict[int, list[int]] = {}
        for note, words in enumerate(self.words):
            telling = sorted(
                (self._frequency[word], word)
                for word in words
                if 2 <= self._frequency[word] <= MOST_WITH_WORD
            )
            seen: Counter[int] = Counter()
            for _, word in telling[:RARE]:
                seen.update(holders.setdefault(word, []))
                holders[word].append(note)
            needed = min(SHARED, max(2, len(telling) // 2))
            yield from ((other, note) for other, count in seen.items() if count >= needed)

    def _with_shingles(self) -> Iterator[tuple[int, int]]:
        for start in range(0, BINS, BAND):  # band by band: the buckets of one are in memory at a time
            buckets: dict[tuple[int, ...], list[int]] = {}
            for note, sketch in enumerate(self._sketches):
                band = tuple(sketch[start : start + BAND])
                if _EMPTY not in band:
                    buckets.setdefault(band, []).append(note)
            for notes in buckets.values():
                if len(notes) <= LARGEST_BUCKET:
                    yield from combinations(notes, 2)


def _sketch(tokens: Iterable[str]) -> array[int]:
    """For each bin the least hash of a shingle that falls into it."""
    bins = [_EMPTY] * BINS
    for first, second in set(pairwise(tokens)):
        value = crc32(f"{first} {second}".encode())
        place = value % BINS
        bins[place] = min(bins[place], value)
    return array("I", bins)


def _bodies(index: Index, paths: Sequence[str]) -> Iterator[str]:
    """The words of each note's text as the index holds them, in the order of the paths."""
    numbers = index.read(lambda connection: dict(connection.execute("SELECT path, id FROM notes")))
    for at in range(0, len(paths), _AT_ONCE):
        some = paths[at : at + _AT_ONCE]
        found = index.read(partial(contents, notes=[numbers[path] for path in some]))
        for path in some:
            yield found[numbers[path]][-1] if numbers[path] in found else ""
