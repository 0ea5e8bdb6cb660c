"""Which notes a note mentions, and what speaks for and against a link to each."""

from __future__ import annotations

import math
from functools import lru_cache
from operator import itemgetter, mul
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from reme_cli.linking.everyday import is_everyday
from reme_cli.linking.folding import is_unspaced
from reme_cli.linking.mentions import (
    ALONE,
    CLOSED,
    EXACT,
    HYPHENATED,
    JOINED,
    LABELLED,
    LEADS,
    LINKED,
    LONGER,
    OPEN,
    PROPER,
    QUOTED,
)
from reme_cli.linking.standing import NONE, standing_of
from reme_cli.linking.usage import body_of, class_of, extent_of
from reme_cli.linking.weights import PAIR_WEIGHTS, WEIGHTS, Features, PairFeatures, probability, total_of
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from reme_cli.linking.lexicon import Lexicon, Meaning
    from reme_cli.linking.mentions import Mention
    from reme_cli.linking.reading import Reading
    from reme_cli.linking.usage import Usage

_MARK: Final = regex(r"[^\w\s\-'’.,&()/+#]")
_WORDS: Final = regex(r"\w+")
_ENDS: Final = regex(r"\A\W+|\W+\Z")


class Pair(NamedTuple):
    """A note that another one mentions and does not link, with the mentions that could be linked, in order."""

    meaning: Meaning
    mentions: tuple[Mention, ...]


class Ambiguous(NamedTuple):
    """A name in a note that several others are called by."""

    meanings: tuple[Meaning, ...]
    mentions: tuple[Mention, ...]


def pairs_in(reading: Reading, lexicon: Lexicon) -> tuple[list[Pair], list[Ambiguous]]:
    """The notes that a note mentions and does not link yet, in order of their first mention; and the ambiguous names in it."""
    by_target: dict[str, list[Mention]] = {}
    by_name: dict[int, list[Mention]] = {}
    for mention in reading.mentions():
        if mention.flags & LINKED:
            continue
        meanings = lexicon.meanings[mention.number]
        if len(meanings) == 1:
            path = meanings[0].path
            if path != reading.path and path not in reading.linked:
                by_target.setdefault(path, []).append(mention)
        elif not any(meaning.path == reading.path or meaning.path in reading.linked for meaning in meanings):
            by_name.setdefault(mention.number, []).append(mention)
    return [_pair_of(tuple(mentions), lexicon) for mentions in by_target.values()], [
        Ambiguous(lexicon.meanings[number], tuple(mentions)) for number, mentions in by_name.items()
    ]


def _mentioned(reading: Reading, lexicon: Lexicon) -> list[Pair]:
    """The notes that a note mentions, linked or not, but for ambiguous names."""
    by_target: dict[str, list[Mention]] = {}
    for mention in reading.mentions():
        meanings = lexicon.meanings[mention.number]
        if len(meanings) == 1 and meanings[0].path != reading.path:
            by_target.setdefault(meanings[0].path, []).append(mention)
    return [_pair_of(tuple(mentions), lexicon) for mentions in by_target.values()]


def _pair_of(mentions: tuple[Mention, ...], lexicon: Lexicon) -> Pair:
    return Pair(lexicon.meanings[_strongest(mentions, lexicon).number][0], mentions)


def in_their_own_right(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Those of mentions of one note that are no part of a longer name and not bound to another word; all where there are no others."""
    if len(mentions) == 1:
        return mentions
    return tuple([each for each in mentions if not each.flags & (LONGER | JOINED)]) or mentions


def _strongest(mentions: Sequence[Mention], lexicon: Lexicon) -> Mention:
    """Of mentions of one note the one that names it in the plainest way; of several such the first one."""
    if len(mentions) == 1:
        return mentions[0]

    def strength(mention: Mention) -> tuple[float, int]:
        meaning = lexicon.meanings[mention.number][0]
        kind = class_of(meaning, mention.flags)
        if kind == "plural" and _is_titled(meaning, mention.flags):
            return _CLASSES.index("exact") + 0.5, mention.start
        return _CLASSES.index(kind), mention.start

    return min(mentions, key=strength)


def _is_titled(meaning: Meaning, flags: int) -> bool:
    """Whether a mention in the other number is in its title's own capitals where no word has them: `SLOs`, `Network Partitions`."""
    if not flags & EXACT:
        return False
    return flags & PROPER != 0 or any(
        len(text) > 2 and text.removesuffix("s").isupper() for text in meaning.name.texts
    )


@lru_cache(maxsize=1 << 16)
def _known_of(key: str) -> tuple[bool, bool, bool, bool]:
    """Of a name: whether its script writes no spaces, whether it is one word of one that does, whether it is an everyday word, and
    whether it has a mark."""
    unspaced = any(map(is_unspaced, key))
    one_word = not unspaced and len(_WORDS.findall(key)) == 1
    return unspaced, one_word, is_everyday(key), _MARK.search(key) is not None


_OF_TITLED: Final = 0.35
"""What the other number counts for where it is in the title's capitals."""
_CLASSES: Final = ("exact", "case", "learnt", "alias", "heading", "variant", "plural")
_MOST_TELLING: Final = 256
"""Notes by which the level of a vault is found, at most."""
_AS_IF_SEEN: Final = 8
"""So many pairs count as if seen already, half of them linked: the strength of the prior that the level is 0."""
_CHOSEN: Final = 0.24
"""Log odds by which people link more in the notes that tell than in all of a vault: those were chosen by having links. It is the
mean over the vaults that the weights were fitted on."""
_HIGHEST_LEVEL: Final = 4.0
_LEARNT: Final = tuple(map(Features._fields.index, ("linked_share", "habit_of_class", "habit_of_name")))
"""The features that people's links give."""
_LEARNT_WEIGHTS: Final = tuple(WEIGHTS[place] for place in _LEARNT)
_MOST_KEPT: Final = 1 << 14
"""Notes whose names are at hand as sets, and names of which is kept what is the same in every note: some 30 MB."""


class _KnownOfName(NamedTuple):
    """What is known of mentions whichever note they are in."""

    features: Features
    """Without those of `PairFeatures`, which are 0."""
    total: float
    """Their weighted sum, as `total_of` gives it."""
    may_be_short: bool
    """Whether they may be a short form of the mentioning note's own name."""


class _NamesOfNote(NamedTuple):
    """What is known of a note whichever one it mentions, or is mentioned in."""

    numbers: frozenset[int]
    length: float
    density: float
    """As `extent_of` gives them."""
    habits: frozenset[str]
    """The notes that a person linked in it."""
    total: float
    """The weighted sum of what all pairs of the note share."""


_Known: TypeAlias = tuple[_KnownOfName, bool, float, float, bool]
"""With `short`, `repeated`, `common` and `mutual` of `PairFeatures`, without their names for the sake of speed."""


def _shift(totals: Sequence[float], linked: int) -> float:
    """What must be added to these log odds for the pairs to be linked as often as they are."""
    low, high = -_HIGHEST_LEVEL, _HIGHEST_LEVEL
    while totals and high - low > 1e-4:
        middle = (low + high) / 2
        expected = _AS_IF_SEEN * probability(middle) + sum(
            probability(total + _CHOSEN + middle) for total in totals
        )
        if expected < linked + _AS_IF_SEEN / 2:
            low = middle
        else:
            high = middle
    return (low + high) / 2


class Weigher:
    """Finds what is known of a pair, from the readings of a vault."""

    def __init__(self, lexicon: Lexicon, usage: Usage, reading_of: Callable[[str], Reading | None]) -> None:
        self.lexicon = lexicon
        self.usage = usage
        self.reading_of = reading_of
        self._names = lru_cache(_MOST_KEPT)(self._find_names)
        self._short_forms = lru_cache(_MOST_KEPT)(self._find_short_forms)
        self._rarity = [math.log((usage.notes + 1) / (count + 1)) for count in usage.frequency]
        self._known_of_name = lru_cache(_MOST_KEPT)(self._find_known_of_name)
        self._called: dict[str, set[int]] = {}
        for number, meanings in enumerate(lexicon.meanings):
            for meaning in meanings:
                self._called.setdefault(meaning.path, set()).add(number)
        self._level = 0.0
        self._level = self._find_level()
        self._known_of_name.cache_clear()

    def features(self, reading: Reading, pair: Pair) -> Features:
        """What is known of a pair of a note's."""
        known, short, repeated, common, mutual = self._known(reading, pair)
        usage, note = self.usage, self._names(reading.path)
        of_pair = PairFeatures(
            short,
            repeated,
            note.length - usage.usual_length,
            note.density - usage.usual_density,
            math.log1p(reading.sections),
            common,
            mutual,
        )
        return known.features._replace(**of_pair._asdict())

    def score(self, reading: Reading, pair: Pair) -> float:
        """How sure a pair is, from 0 to 1: `probability` of its features, of which most are added up but once for a name or a note."""
        return probability(self._total(reading, self._known(reading, pair)))

    def _total(self, reading: Reading, known: _Known) -> float:
        """What `total_of` gives for a pair of a note's."""
        of_name, short, repeated, common, mutual = known
        return (
            of_name.total
            + self._names(reading.path).total
            + PAIR_WEIGHTS.short * short
            + PAIR_WEIGHTS.repeated * repeated
            + PAIR_WEIGHTS.common * common
            + PAIR_WEIGHTS.mutual * mutual
        )

    def _known(self, reading: Reading, pair: Pair) -> _Known:
        """What is known of the mentions in any note, and of those in this one `PairFeatures` but for what all of its pairs share."""
        path, mentions = reading.path, pair.mentions
        best = mentions[0]
        flags = every = best.flags
        repeated = 0.0
        if len(mentions) > 1:
            mentions = in_their_own_right(mentions)
            best = _strongest(mentions, self.lexicon)
            flags = every = best.flags
            for mention in mentions:
                flags |= mention.flags
                every &= mention.flags
            repeated = math.log(len(mentions))
        number = best.number
        known = self._known_of_name(number, best.flags, flags, every)
        target = self._names(self.lexicon.meanings[number][0].path)
        common: float = sum(map(self._rarity.__getitem__, self._names(path).numbers & target.numbers))
        if number in target.numbers:
            common -= self._rarity[number]
        return (
            known,
            known.may_be_short and self.lexicon.keys[number] in self._short_forms(path),
            repeated,
            math.log1p(common),
            # the other note mentions this one, or a person linked it there
            path in target.habits or not target.numbers.isdisjoint(self.names_of(path)),
        )

    def _find_known_of_name(self, number: int, best: int, flags: int, every: int) -> _KnownOfName:
        """What is known of mentions whichever note they are in, by the flags of the strongest one, of any, and of every one."""
        usage = self.usage
        key = self.lexicon.keys[number]
        meaning = self.lexicon.meanings[number][0]
        kind = class_of(meaning, best)
        unspaced, one_word, everyday, marked = _known_of(key)
        exact = best & EXACT != 0
        is_other_case = kind in {"case", "alias"} and not exact
        is_small = all(text == text.lower() for text in meaning.name.texts)
        is_proper = flags & PROPER != 0 and not unspaced
        frequency, total = max(1, usage.frequency[number]), max(1, usage.total[number])
        target = self.reading_of(meaning.path)
        of_class, of_name = usage.habit(number, kind)
        among = NONE
        if unspaced:
            among = standing_of(key, usage.free_share(number), flags).against(usage.usual_standing)
        features = Features(
            alias=kind == "alias",
            learnt=kind == "learnt",
            heading=kind == "heading",
            variant=kind == "variant",
            plural=(_OF_TITLED if _is_titled(meaning, best) else 1) if kind == "plural" else 0,
            case=is_other_case * (1 - usage.words),
            small=is_small and not unspaced,
            one_word=one_word,
            everyday=(everyday and not is_other_case and not flags & (PROPER | ALONE)) * (1 - usage.words),
            length=0.0 if unspaced else math.log(len(key)),
            short=0.0,
            unspaced=unspaced,
            unspaced_length=among.length,
            unspaced_two=among.two,
            unspaced_three=among.three,
            unspaced_free=among.free,
            unspaced_alone=among.alone,
            unspaced_leads=among.leads,
            unspaced_opened=among.opened,
            unspaced_closed=among.closed,
            marked=exact and marked,
            hyphenated=flags & HYPHENATED != 0,
            lower=usage.lower[number] / total if one_word else 0.0,
            frequency=math.log(frequency) - usage.usual_frequency,
            per_note=math.log(total / frequency),
            alone=flags & ALONE != 0 and not unspaced,
            leads=flags & LEADS != 0 and not unspaced,
            opened=flags & OPEN != 0 and not unspaced,
            closed=flags & CLOSED != 0 and not unspaced,
            proper=is_proper,
            titled=is_proper * usage.words,
            labelled=is_proper and every & LABELLED != 0,
            quoted=every & QUOTED != 0,
            longer=every & LONGER != 0,
            joined=every & JOINED != 0,
            repeated=0.0,
            note_length=0.0,
            density=0.0,
            target_length=body_of(target.length) - usage.usual_target_length if target and unspaced else 0.0,
            sections=0.0,
            common=0.0,
            mutual=0.0,
            linked_share=usage.linking_notes[number, meaning.path] / frequency,
            habit_of_class=of_class,
            habit_of_name=of_name,
            level=self._level,
        )
        return _KnownOfName(features, total_of(features), exact and (unspaced or not is_small))

    def _find_level(self) -> float:
        """How far what people link in the vault is from what the scores say without their links, in log odds."""
        telling = self.usage.telling
        readings = map(self.reading_of, telling[:: 1 + len(telling) // _MOST_TELLING])
        totals, linked = [], 0
        for reading in filter(None, readings):
            for pair in _mentioned(reading, self.lexicon):
                known = self._known(reading, pair)
                learnt = sum(map(mul, _LEARNT_WEIGHTS, itemgetter(*_LEARNT)(known[0].features)))
                totals.append(self._total(reading, known) - learnt)
                linked += pair.meaning.path in reading.habits
        return _shift(totals, linked)

    def names_of(self, path: str) -> AbstractSet[int]:
        """The names that a note may be mentioned by."""
        return self._called.get(path, frozenset())

    def forget(self) -> None:
        """To be called when a note is read again."""
        self._names.cache_clear()

    def _find_names(self, path: str) -> _NamesOfNote:
        reading = self.reading_of(path)
        if reading is None:
            return _NamesOfNote(frozenset(), 0.0, 0.0, frozenset(), 0.0)
        numbers, usage = reading.numbers(), self.usage
        length, density = extent_of(reading.length, len(numbers))
        total = (
            PAIR_WEIGHTS.note_length * (length - usage.usual_length)
            + PAIR_WEIGHTS.density * (density - usage.usual_density)
            + PAIR_WEIGHTS.sections * math.log1p(reading.sections)
        )
        return _NamesOfNote(numbers, length, density, reading.habits, total)

    def _find_short_forms(self, path: str) -> frozenset[str]:
        """What may be short for a note: a name of it but for symbols at its ends, what follows a Chinese dash, or its last word:
        `Acme` of `🏭 Acme Labs`, a quotation without its source."""
        keys = [self.lexicon.keys[number] for number in self.names_of(path)]
        names = [_ENDS.sub("", name) for key in keys for name in (key, key.partition("——")[0])]
        return frozenset((*names, *(name.rpartition(" ")[0] for name in names)))
