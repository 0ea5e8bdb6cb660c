"""How a vault uses its names: how common each is as plain text, and how often people made it a link.

What people linked is evidence of what they would link. Links that reme itself wrote count as plain text here: it does not learn
from itself, and what it decides stays the same when it has written.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.linking.folding import is_unspaced
from reme_cli.linking.mentions import EXACT, FREE
from reme_cli.linking.standing import STANDS, numbers_of_unspaced, standing_of, usual_standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.linking.lexicon import Lexicon, Meaning
    from reme_cli.linking.reading import Reading

Class = Literal["exact", "case", "alias", "learnt", "heading", "variant", "plural"]
"""How a mention names its note: as the note spells its own name, in other case, or by another of its names."""

_LINKS_OFTEN: Final = 2
_LINKS_MUCH: Final = 0.25
"""A note tells what people link if it links so many notes, and this share of those that it mentions: a note that
nobody has gone through yet tells nothing."""

_USUAL_RATE: Final = 0.55
"""The share of mentions that people link, over the vaults that the weights were fitted on."""
_CLASS_WEIGHT: Final = 8
_NAME_WEIGHT: Final = 2
"""So many mentions as if seen already, linked at the rate of the level above: the strength of the priors."""

_SHORTEST_NOTE: Final = 1_000
"""In a shorter note the names stand no denser than in one of so many characters."""
_SHORTEST_BODY: Final = 50

_WORD_VAULT: Final = 0.4
"""In a vault where this share of the notes is named by one word that its text uses in lower case, such words are meant."""


def class_of(meaning: Meaning, flags: int) -> Class:
    """How a mention with these flags names the note that it means."""
    origin = meaning.name.origin
    if origin == "name":
        return "exact" if flags & EXACT else "case"
    return origin


class Usage:
    """What the readings of a vault come to."""

    def __init__(self, lexicon: Lexicon, readings: Iterable[Reading]) -> None:
        count = len(lexicon.keys)
        self.notes = 0
        self.frequency = [0] * count
        """In how many notes a name occurs."""
        self.total = [0] * count
        self.free = [0] * count
        """How often it occurs, and how often of these without a word of content beside it."""
        self.lower: list[int] = [0] * count
        """How often it occurs in another than its own spelling."""
        self.linked_by_class: Counter[Class] = Counter()
        self.seen_by_class: Counter[Class] = Counter()
        self.linked_by_name = [0] * count
        self.seen_by_name = [0] * count
        """Of the names that mean one note: in how many notes that tell they occur, and how many of these link that note."""
        self.linking_notes: Counter[tuple[int, str]] = Counter()
        """How many notes link a note by a name."""
        self.telling: list[str] = []
        """The notes that tell what people link, by path."""
        self._lengths = self._densities = self._target_lengths = 0.0
        self._unspaced = numbers_of_unspaced(lexicon.keys)
        self._stood: Counter[tuple[int, int]] = Counter()
        """In how many notes a name of such a script stands so."""
        for reading in readings:
            self._add(lexicon, reading)
        # vaults differ in how long their notes are and how common their names: only the difference from this says something
        occurrences = max(1, sum(self.frequency))
        self.usual_frequency = sum(count * math.log(count) for count in self.frequency if count) / occurrences
        """Mean logarithm of the number of notes in which a name occurs, over all names of all notes;"""
        self.usual_length, self.usual_density = self._lengths / occurrences, self._densities / occurrences
        """and over the same, of the length of the note and the density of the names in it, as `extent_of` gives them."""
        self.usual_target_length = self._target_lengths / max(1, len(lexicon.targets))
        """Mean of `body_of` over the notes that can be linked."""
        self.usual_standing = usual_standing(
            (standing_of(lexicon.keys[number], self.free_share(number), flags), count)
            for (number, flags), count in self._stood.items()
        )
        """How the names of Chinese and its like stand in the vault."""
        self.words = min(1.0, _words_share(lexicon, self.lower) / _WORD_VAULT)
        """From 0 to 1: how far the notes of the vault are named by ordinary words."""
        seen, linked = sum(self.seen_by_class.values()), sum(self.linked_by_class.values())
        self._rate = (linked + _CLASS_WEIGHT * _USUAL_RATE) / (seen + _CLASS_WEIGHT)

    def habit(self, number: int, kind: Class) -> tuple[float, float]:
        """What people's links say for a mention, as log odds: of its class against all, and of this name against its class.

        0 where nobody linked anything.
        """
        if not self.telling:
            return 0.0, 0.0
        of_class = (self.linked_by_class[kind] + _CLASS_WEIGHT * self._rate) / (
            self.seen_by_class[kind] + _CLASS_WEIGHT
        )
        of_name = (self.linked_by_name[number] + _NAME_WEIGHT * of_class) / (
            self.seen_by_name[number] + _NAME_WEIGHT
        )
        return _log_odds(of_class) - _log_odds(self._rate), _log_odds(of_name) - _log_odds(of_class)

    def free_share(self, number: int) -> float:
        """The share of a name's occurrences that have no word of content beside them."""
        return self.free[number] / max(1, self.total[number])

    def _add(self, lexicon: Lexicon, reading: Reading) -> None:
        self.notes += 1
        if reading.path in lexicon.targets:
            self._target_lengths += body_of(reading.length)
        total, free, lower, frequency = self.total, self.free, self.lower, self.frequency
        seen: dict[int, int] = {}
        for number, flags in reading.names():
            if number not in seen:
                seen[number] = flags
                frequency[number] += 1
            total[number] += 1
            if flags & FREE == FREE:
                free[number] += 1
            if not flags & EXACT:
                lower[number] += 1
        if self._unspaced:
            self._stood.update(
                (number, seen[number] & STANDS) for number in self._unspaced.intersection(seen)
            )
        self.linking_notes.update(reading.named)
        length, density = extent_of(reading.length, len(seen))
        self._lengths += len(seen) * length
        self._densities += len(seen) * density
        habits = reading.habits
        if len(habits) < _LINKS_OFTEN:
            return
        mentioned = {}
        for number in seen:
            meanings = lexicon.meanings[number]
            if len(meanings) == 1 and meanings[0].path != reading.path:
                mentioned[meanings[0].path] = number
        if len(habits) < _LINKS_MUCH * len(habits.union(mentioned)):
            return
        self.telling.append(reading.path)
        for path, number in mentioned.items():
            kind = class_of(lexicon.meanings[number][0], seen[number])
            self.seen_by_class[kind] += 1
            self.seen_by_name[number] += 1
            if path in habits:
                self.linked_by_class[kind] += 1
                self.linked_by_name[number] += 1


def _words_share(lexicon: Lexicon, lower: Iterable[int]) -> float:
    """The share of the notes that are named by one word of an alphabet which the text also writes otherwise."""
    named = {
        meaning.path
        for key, meanings, count in zip(lexicon.keys, lexicon.meanings, lower, strict=True)
        if count >= 2 and " " not in key and key.isalpha() and not is_unspaced(key[0])
        for meaning in meanings
        if meaning.name.origin == "name" and any(text[0].isupper() for text in meaning.name.texts)
    }
    return len(named) / max(1, len(lexicon.targets))


def extent_of(length: int, names: int) -> tuple[float, float]:
    """Logarithms of a note's characters, 1,000 at least, and of the names in 1,000 of them."""
    size = max(_SHORTEST_NOTE, length)
    return math.log(size), math.log(1000 * max(1, names) / size)


def body_of(length: int) -> float:
    """Logarithm of a note's characters, 50 at least: how much it has to say."""
    return math.log(max(_SHORTEST_BODY, length))


def _log_odds(rate: float) -> float:
    return math.log(rate / (1 - rate))
