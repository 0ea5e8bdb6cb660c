"""How names of Chinese and its like stand in running text: what is usual in a vault, against which one name is weighed.

Such names are mostly words of the language, so that neither their length nor what is beside them says in itself that a person would
link them. Notes named by two characters are ordinary in one vault and an exception in the next.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.folding import is_unspaced
from reme_cli.linking.mentions import ALONE, CLOSED, LEADS, OPEN

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_UNSPACED: Final = 12
"""Characters beyond which a name is no rarer for being longer."""
STANDS: Final = ALONE | LEADS | OPEN | CLOSED
"""The flags of a mention that are weighed against what is usual."""


class Standing(NamedTuple):
    """What is known of such a name and its mentions; or the mean of that over the names of all notes of a vault."""

    length: float
    """Logarithm of the name's characters, 12 at most."""
    two: float
    """Whether they are two,"""
    three: float
    """or three."""
    free: float
    """The share of its occurrences that have no word of content beside them."""
    alone: float
    """Whether a mention has its line to itself,"""
    leads: float
    """begins its line,"""
    opened: float
    """has no word of content before it,"""
    closed: float
    """or behind it."""

    def against(self, usual: Standing) -> Standing:
        """How far it is from what is usual."""
        return Standing(*(own - mean for own, mean in zip(self, usual, strict=True)))


USUAL: Final = Standing(1.46, 0.28, 0.14, 0.43, 0.29, 0.37, 0.57, 0.62)
"""The means of oldwinter-zh, the one vault in such a script that the weights were fitted on."""
NONE: Final = Standing(0, 0, 0, 0, 0, 0, 0, 0)
"""Of names in other scripts."""
_AS_IF_SEEN: Final = 20
"""So many names count as if seen already, standing as usual: the strength of the prior."""


def numbers_of_unspaced(keys: tuple[str, ...]) -> frozenset[int]:
    """The numbers of the names with a character of such a script."""
    return frozenset(
        number for number, key in enumerate(keys) if not key.isascii() and any(map(is_unspaced, key))
    )


def standing_of(key: str, free: float, flags: int) -> Standing:
    """How a name stands, by the share of its occurrences that stand free and the flags of its mentions in a note."""
    size = len(key)
    return Standing(
        math.log(min(size, LONGEST_UNSPACED)),
        size == 2,
        size == 3,
        free,
        flags & ALONE != 0,
        flags & LEADS != 0,
        flags & OPEN != 0,
        flags & CLOSED != 0,
    )


def usual_standing(seen: Iterable[tuple[Standing, int]]) -> Standing:
    """The mean of how names stand, each with the number of notes in which it does."""
    sums, count = [mean * _AS_IF_SEEN for mean in USUAL], _AS_IF_SEEN
    for standing, times in seen:
        count += times
        for place, value in enumerate(standing):
            sums[place] += value * times
    return Standing(*(total / count for total in sums))
