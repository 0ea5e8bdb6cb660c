"""How sure it is that a mention is meant as its note: a logistic score over a few features, with every weight in one table.

The weights were fitted offline (`benchmarks/autolink.py --fit`), on vaults whose links had been turned into text, to the links
that people had made there. Nothing is fitted at run time; what a vault's own links show comes in as features.
"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Threshold = Literal["strict", "balanced", "eager"]

THRESHOLDS: Final[Mapping[Threshold, float]] = {"strict": 0.8, "balanced": 0.38, "eager": 0.2}
"""The score from which a mention is linked."""
WORTH_TELLING: Final = 0.1
"""A mention that scores less is not even reported: it is an ordinary word."""


class Features(NamedTuple):
    """What is known of the mentions of one note in another. Without a unit: 0 or 1, a share, or a natural logarithm."""

    alias: float
    """Named by an alias,"""
    learnt: float
    """by a text that people link it by,"""
    heading: float
    """by its first heading where that is none of its names,"""
    variant: float
    """without the qualifier, date or mark that its name has,"""
    plural: float
    """or in the other number. Else by its own name."""
    case: float
    """Not in its own letters, as far as the vault is not one whose notes are named by ordinary words."""
    small: float
    """The note never writes its name with a capital: it is a file name rather than a title."""
    one_word: float
    """One word of an alphabet."""
    everyday: float
    """One of the commonest words of its language, in a sentence and without a capital; as far as `case` goes."""
    length: float
    """Logarithm of the name's characters, for an alphabet;"""
    unspaced: float
    """for Chinese and its like: 1,"""
    unspaced_length: float
    """and the logarithm of the name's characters, 12 at most,"""
    unspaced_two: float
    """and whether they are only two."""
    marked: float
    """The mention repeats a name with a mark that no word has: a symbol, a quotation mark."""
    hyphenated: float
    """It repeats a name with its hyphens or underscores."""
    frequency: float
    """Logarithm of the number of notes in which the name occurs, against what is usual in the vault."""
    usually_free: float
    """For Chinese and its like: how often the name stands free of other words in the vault."""
    alone: float
    """A mention has its line to itself,"""
    leads: float
    """begins its line,"""
    closed: float
    """has no word of content behind it,"""
    proper: float
    """has a capital within a sentence,"""
    titled: float
    """and this in a vault whose notes are named by ordinary words, where only the capital tells the note from the word,"""
    joined: float
    """is bound to another word by a hyphen, slash or dot."""
    repeated: float
    """Logarithm of how often it occurs in the note."""
    note_length: float
    """Logarithm of the note's characters, 1,000 at least,"""
    density: float
    """and of the names in 1,000 of them, both against what is usual in the vault."""
    common: float
    """Logarithm of the weight of the names that both notes mention, the rarer the more: the same topic."""
    mutual: float
    """The other note mentions or links this one."""
    habit_of_class: float
    """People's links: log odds for mentions of this kind against all,"""
    habit_of_name: float
    """and for this name against its kind."""


BIAS: Final = 0.20
WEIGHTS: Final = Features(
    alias=-0.60,
    learnt=-1.19,
    heading=-3.51,
    variant=-2.92,
    plural=-2.82,
    case=-4.13,
    small=-0.76,
    one_word=-0.76,
    everyday=-1.43,
    length=0.16,
    unspaced=-3.80,
    unspaced_length=1.57,
    unspaced_two=-0.93,
    marked=2.66,
    hyphenated=2.92,
    frequency=-0.40,
    usually_free=1.15,
    alone=1.32,
    leads=0.51,
    closed=0.24,
    proper=0.52,
    titled=1.32,
    joined=-2.89,
    repeated=0.34,
    note_length=-0.78,
    density=0.26,
    common=0.41,
    mutual=0.89,
    habit_of_class=0.64,
    habit_of_name=0.49,
)


def score(features: Features) -> float:
    """The probability that a person would link, from 0 to 1."""
    total = BIAS + sum(map(mul, WEIGHTS, features))
    return 1 / (1 + math.exp(-total))
