"""How near notes are in meaning, by the vectors that `reme index` made of their passages (`docs/models.md`).

A note's vector is the direction between those of its passages. How high the cosine of two notes on nothing in common is differs from model
to model, so it is told on the scale of the vault: 0 is what two of its notes have on average, 1 is the same direction.

Up to `MOST_COMPARED` notes are compared all with all, by the signs of their numbers. Of more, those are that agree in a band of signs
(random hyperplanes: Charikar, 2002), a band being as long as the number of notes asks for: so the pairs grow with the notes, not with
their square.
"""

from __future__ import annotations

import struct
from heapq import nlargest
from itertools import combinations
from operator import mul
from typing import TYPE_CHECKING, Final

from reme_cli.errors import RemeError
from reme_cli.index.vectors import Vectors
from reme_cli.search.semantic import mean_direction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.index.index import Index

NEAR: Final = 0.5
"""Notes that are so near are compared;"""
NEAREST: Final = 3
"""of those of one note, so many."""
FAINT: Final = 0.3
"""Notes that are so near count when it is asked whether a pair stands out."""
STANDS_OUT: Final = 0.6
"""Of two notes that stand out, each is no farther from the other than this share of its distance to the next one. The ratio is the
same whatever cosines a model gives (Lowe, 2004, who tells features of images apart so, by 0.8)."""
MOST_COMPARED: Final = 1_500
MOST_BANDS: Final = 96
LARGEST_BUCKET: Final = 20
"""Notes that agree in a band; more of them have it in common with everything."""
_FEWEST: Final = 3
"""Notes that an average can be taken of."""


class Meaning:
    """The vectors of some notes, each called by its place in `paths`: two bytes for each number of it."""

    def __init__(self, index: Index, paths: Sequence[str]) -> None:
        self._packed: dict[int, bytes] = {}
        self._size = 0
        self._usual = 0.0
        config = index.vault.config.embedding
        if not config.model:
            return
        try:
            with Vectors.open(index.vault, index.warn) as vectors:
                space = vectors.space(config.model, config.dimensions or 0)
                if space is not None:
                    self._size = space.size
                    stamps = index.stamps()
                    for place, path in enumerate(paths):
                        found = vectors.of_content(space, stamps[path]) if path in stamps else []
                        if found:
                            self._packed[place] = struct.pack(f"<{space.size}e", *mean_direction(found))
        except RemeError as error:
            index.warn(f"compared by words only: {error.one_line}")
            return
        if without := len(paths) - len(self._packed):
            told = "1 note has" if without == 1 else f"{without} notes have"
            index.warn(f"vectors: {told} none; `reme index` makes them")
        self._middle = self._settle()

    def _settle(self) -> tuple[float, ...]:
        """The mean of all vectors; its length tells the cosine that two notes have on average."""
        sums = [0.0] * self._size
        for place in self._packed:
            sums = [total + number for total, number in zip(sums, self._vector(place), strict=True)]
        count = len(self._packed)
        if count >= _FEWEST:
            square = sum(map(mul, sums, sums))
            self._usual = min(0.99, max(0.0, (square - count) / (count * (count - 1))))
        return tuple(total / max(1, count) for total in sums)

    def nearness(self, first: int, second: int) -> float:
        """How near two notes are, from 0 to 1; 0 where one has no vector."""
        if first not in self._packed or second not in self._packed:
            return 0.0
        cosine: float = sum(map(mul, self._vector(first), self._vector(second)))
        on_scale = (cosine - self._usual) / (1 - self._usual)
        return min(1.0, max(0.0, on_scale))

    def candidates(self, least: float = NEAR) -> dict[tuple[int, int], float]:
        """The pairs that are so near at least, the lower number first, and how near they are: `NEAREST` for a note at most."""
        near: dict[int, list[tuple[float, int]]] = {}
        for first, second in self._agreeing():
            nearness = self.nearness(first, second)
            if nearness >= least:
                near.setdefault(first, []).append((nearness, -second))
                near.setdefault(second, []).append((nearness, -first))
        return {
            (min(note, -other), max(note, -other)): nearness
            for note, others in sorted(near.items())
            for nearness, other in nlargest(NEAREST, others)
        }

    def _agreeing(self) -> set[tuple[int, int]]:
        """The pairs whose signs agree well."""
        signs = {place: self._signs(place) for place in self._packed}
        if len(signs) <= MOST_COMPARED:
            best: set[tuple[int, int]] = set()
            for place, own in signs.items():
                differing = sorted(
                    ((own ^ theirs).bit_count(), other) for other, theirs in signs.items() if other != place
                )
                best.update((min(place, other), max(place, other)) for _, other in differing[: 2 * NEAREST])
            return best
        width = len(signs).bit_length()
        found: set[tuple[int, int]] = set()
        for start in range(0, min(self._size // width, MOST_BANDS) * width, width):
            found.update(_in_one_band(signs, start, (1 << width) - 1))
        return found

    def _vector(self, place: int) -> tuple[float, ...]:
        return struct.unpack(f"<{self._size}e", self._packed[place])

    def _signs(self, place: int) -> int:
        """A bit for each number, set where it is greater than the mean: what all vectors of a model have in common says nothing."""
        pairs = zip(self._vector(place), self._middle, strict=True)
        return int("".join("1" if number > middle else "0" for number, middle in pairs) or "0", 2)


def mutual(near: dict[tuple[int, int], float]) -> set[tuple[int, int]]:
    """The pairs of which neither note has a nearer one."""
    best: dict[int, float] = {}
    for pair, nearness in near.items():
        for note in pair:
            best[note] = max(best.get(note, 0.0), nearness)
    return {pair for pair, nearness in near.items() if all(best[note] <= nearness for note in pair)}


def standing_out(near: dict[tuple[int, int], float]) -> set[tuple[int, int]]:
    """The pairs that are much nearer to each other than either is to anything else; `near` has what is at least `FAINT`."""
    others: dict[int, list[float]] = {}
    for pair, nearness in near.items():
        for note in pair:
            others.setdefault(note, []).append(nearness)

    def distance_of_next(note: int) -> float:
        return 1 - max([*sorted(others[note])[:-1][-1:], FAINT])

    return {
        pair
        for pair in mutual(near)
        if all(1 - near[pair] <= STANDS_OUT * distance_of_next(note) for note in pair)
    }


def _in_one_band(signs: dict[int, int], start: int, mask: int) -> Iterator[tuple[int, int]]:
    buckets: dict[int, list[int]] = {}
    for place, own in signs.items():
        buckets.setdefault(own >> start & mask, []).append(place)
    for notes in buckets.values():
        if len(notes) <= LARGEST_BUCKET:
            yield from combinations(notes, 2)
