"""Which of many sets of words have so much in common that they are worth comparing, without comparing each with each."""

from __future__ import annotations

import math
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def pairs_sharing(sets: Sequence[frozenset[str]], share: float) -> Iterator[tuple[int, int]]:
    """Each pair, by number, of which the smaller set may have this share of its words in the other one; none of these is missed.

    With that many words in common, two sets have one of what is left of the smaller one without as many, less one. Those that are most
    frequent are left out, so few are looked at that share no more than these (Chaudhuri, Ganti, Kaushik: A Primitive Operator for
    Similarity Joins in Data Cleaning, 2006).
    """
    frequency = Counter(chain.from_iterable(sets))
    holders: dict[str, list[int]] = {}
    for number in sorted(range(len(sets)), key=lambda each: -len(sets[each])):
        words = sorted(sets[number], key=lambda word: (frequency[word], word))
        telling = words[: len(words) - math.ceil(share * len(words)) + 1]
        for other in dict.fromkeys(each for word in telling for each in holders.get(word, ())):
            yield min(number, other), max(number, other)
        for word in words:
            holders.setdefault(word, []).append(number)
