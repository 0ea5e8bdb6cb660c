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

THRESHOLDS: Final[Mapping[Threshold, float]] = {"strict": 0.86, "balanced": 0.38, "eager": 0.2}
"""The score from which a mention is linked."""
WORTH_TELLING: Final = 0.1
"""A mention of one note that scores less is not even reported: it is an ordinary word."""


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
    """One of the commonest words of its language, in its own letters, in a sentence and without a capital; as far as `case` goes."""
    length: float
    """Logarithm of the name's characters, for an alphabet."""
    short: float
    """A title, in its own letters, that is a name of the mentioning note but for one word more or symbols: it may mean that note."""
    unspaced: float
    """For Chinese and its like: 1;"""
    unspaced_length: float
    """and against what is usual in the vault (`Standing`): the logarithm of the name's characters, 12 at most,"""
    unspaced_two: float
    """whether they are only two"""
    unspaced_three: float
    """or three,"""
    unspaced_free: float
    """how often the name stands free of other words in the vault,"""
    unspaced_alone: float
    """whether a mention has its line to itself,"""
    unspaced_leads: float
    """begins its line,"""
    unspaced_opened: float
    """has no word of content before it,"""
    unspaced_closed: float
    """or behind it."""
    marked: float
    """The mention repeats a name with a mark that no word has: a symbol, a quotation mark."""
    hyphenated: float
    """It repeats a name with its hyphens or underscores."""
    lower: float
    """For one word: the share of its occurrences in the vault that are in other letters than the note's own."""
    frequency: float
    """Logarithm of the number of notes in which the name occurs, against what is usual in the vault."""
    per_note: float
    """Logarithm of how often it occurs in a note that has it."""
    alone: float
    """For an alphabet: a mention has its line to itself,"""
    leads: float
    """begins its line,"""
    opened: float
    """has no word of content before it,"""
    closed: float
    """or behind it."""
    proper: float
    """A mention has a capital within a sentence,"""
    titled: float
    """and this in a vault whose notes are named by ordinary words, where only the capital tells the note from the word,"""
    labelled: float
    """or so behind something in bold: an entry of a list that is about another thing,"""
    quoted: float
    """stands in a block quote,"""
    longer: float
    """is part of a longer name: a word with a capital stands directly beside one with a capital,"""
    joined: float
    """is bound to another word by a hyphen, slash or dot. Of these four, every mention does."""
    repeated: float
    """Logarithm of how often it occurs in the note."""
    note_length: float
    """Logarithm of the note's characters, 1,000 at least,"""
    density: float
    """and of the names in 1,000 of them, both against what is usual in the vault."""
    target_length: float
    """For Chinese and its like: logarithm of the characters of the note that is named, against what is usual in the vault."""
    sections: float
    """Logarithm of one more than its headings: people link less in what is laid out as a reference."""
    common: float
    """Logarithm of the weight of the names that both notes mention, the rarer the more: the same topic."""
    mutual: float
    """The other note mentions or links this one."""
    linked_share: float
    """People's links: the share of the notes with this name that link the note by it;"""
    habit_of_class: float
    """log odds for mentions of this kind against all,"""
    habit_of_name: float
    """and for this name against its kind;"""
    level: float
    """and by how much more people link in this vault than all the other features let expect."""


BIAS: Final = 0.34
WEIGHTS: Final = Features(
    alias=-0.69,
    learnt=-1.93,
    heading=-3.42,
    variant=-2.97,
    plural=-3.15,
    case=-4.54,
    small=-0.13,
    one_word=-1.17,
    everyday=-2.07,
    length=0.07,
    short=-4.90,
    unspaced=0.43,
    unspaced_length=2.17,
    unspaced_two=-0.47,
    unspaced_three=-0.42,
    unspaced_free=1.03,
    unspaced_alone=2.12,
    unspaced_leads=0.38,
    unspaced_opened=0.09,
    unspaced_closed=0.44,
    marked=3.19,
    hyphenated=2.86,
    lower=0.97,
    frequency=-0.50,
    per_note=0.38,
    alone=0.67,
    leads=0.74,
    opened=0.71,
    closed=0.11,
    proper=0.52,
    titled=1.92,
    labelled=-4.12,
    quoted=-1.40,
    longer=-3.24,
    joined=-1.49,
    repeated=0.15,
    note_length=-0.54,
    density=0.33,
    target_length=0.30,
    sections=-0.37,
    common=0.35,
    mutual=0.77,
    linked_share=1.38,
    habit_of_class=0.41,
    habit_of_name=0.36,
    level=0.6,
)
FIXED: Final = frozenset({"level"})
"""The weights that are not fitted: it is in log odds already, and counts a little over half, as the notes that people have linked are
no fair sample of a vault."""


class PairFeatures(NamedTuple):
    """Those of the features that depend on which note the mentions are in."""

    short: float
    repeated: float
    note_length: float
    density: float
    sections: float
    common: float
    mutual: float


PAIR_WEIGHTS: Final = PairFeatures(*(getattr(WEIGHTS, name) for name in PairFeatures._fields))


def total_of(features: Features) -> float:
    """The weighted sum of features, with the bias: the logarithm of the odds that a person would link."""
    weighted: float = sum(map(mul, WEIGHTS, features))
    return BIAS + weighted


def probability(total: float) -> float:
    """What such a sum says, from 0 to 1: the score."""
    return 1 / (1 + math.exp(-total))
