"""Many pairs of notes in little memory: each note is called by its number, each pair takes eight bytes."""

from __future__ import annotations

from array import array
from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_PART: Final = 1024
"""Notes whose pairs are put in order at a time."""
_BITS: Final = 32
_MASK: Final = (1 << _BITS) - 1


class NotePairs:
    """Pairs that come in any order, also several times, and are given back in order, each once, the lower number first."""

    def __init__(self, notes: int) -> None:
        self._parts = [array("Q") for _ in range(notes // _PART + 1)]
        """By their lower number."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for part in self._parts:
            for packed in sorted(set(part)):
                yield packed >> _BITS, packed & _MASK

    def add(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Takes in pairs, the lower number first."""
        parts = self._parts
        for first, second in pairs:
            parts[first // _PART].append(first << _BITS | second)

    def add_all_of(self, notes: Sequence[int], within: frozenset[int] | None = None) -> None:
        """Takes in every pair of these notes, which are in order: where `within` is given, those with one of them."""
        if within is None:
            self.add(combinations(notes, 2))
        elif not within.isdisjoint(notes):
            self.add(pair for pair in combinations(notes, 2) if not within.isdisjoint(pair))
