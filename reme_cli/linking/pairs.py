"""Which notes a note mentions, and what speaks for and against a link to each."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.everyday import is_everyday
from reme_cli.linking.folding import is_unspaced
from reme_cli.linking.mentions import ALONE, CLOSED, EXACT, HYPHENATED, JOINED, LEADS, LINKED, PROPER
from reme_cli.linking.usage import class_of, extent_of, shared_weight
from reme_cli.linking.weights import Features
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from reme_cli.linking.lexicon import Lexicon, Meaning
    from reme_cli.linking.mentions import Mention
    from reme_cli.linking.reading import Reading
    from reme_cli.linking.usage import Usage

_LONGEST_UNSPACED: Final = 12
_MARK: Final = regex(r"[^\w\s\-'’.,&()/+#]")
_WORDS: Final = regex(r"\w+")


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
        paths = {meaning.path for meaning in meanings}
        if reading.path in paths or not reading.linked.isdisjoint(paths):
            continue
        if len(meanings) == 1:
            by_target.setdefault(meanings[0].path, []).append(mention)
        else:
            by_name.setdefault(mention.number, []).append(mention)
    pairs = []
    for mentions in by_target.values():
        best = min(mentions, key=lambda mention: _strength(mention, lexicon))
        pairs.append(Pair(lexicon.meanings[best.number][0], tuple(mentions)))
    return pairs, [
        Ambiguous(lexicon.meanings[number], tuple(mentions)) for number, mentions in by_name.items()
    ]


def _strength(mention: Mention, lexicon: Lexicon) -> tuple[int, int]:
    """Sorts mentions of one note: the plainest way to name it first, then the first one."""
    kind = class_of(lexicon.meanings[mention.number][0], mention.flags)
    return _CLASSES.index(kind), mention.start


@lru_cache(maxsize=1 << 16)
def _known_of(key: str) -> tuple[bool, bool, float, bool, bool]:
    """Of a name: whether its script writes no spaces, whether it is one word of one that does, the logarithm of its length,
    whether it is an everyday word, and whether it has a mark."""
    unspaced = any(map(is_unspaced, key))
    length = math.log(min(len(key), _LONGEST_UNSPACED) if unspaced else len(key))
    one_word = not unspaced and len(_WORDS.findall(key)) == 1
    return unspaced, one_word, length, is_everyday(key), _MARK.search(key) is not None


_CLASSES: Final = ("exact", "case", "learnt", "alias", "heading", "variant", "plural")


class Weigher:
    """Finds what is known of a pair, from the readings of a vault."""

    def __init__(self, lexicon: Lexicon, usage: Usage, reading_of: Callable[[str], Reading | None]) -> None:
        self.lexicon = lexicon
        self.usage = usage
        self.reading_of = reading_of
        self._numbers: dict[str, frozenset[int]] = {}
        self._called: dict[str, set[int]] = {}
        for number, meanings in enumerate(lexicon.meanings):
            for meaning in meanings:
                self._called.setdefault(meaning.path, set()).add(number)

    def features(self, reading: Reading, pair: Pair) -> Features:
        """What is known of a pair of a note's."""
        usage = self.usage
        best = min(pair.mentions, key=lambda mention: _strength(mention, self.lexicon))
        key = self.lexicon.keys[best.number]
        meaning = pair.meaning
        kind = class_of(meaning, best.flags)
        flags = 0
        for mention in pair.mentions:
            flags |= mention.flags
        unspaced, one_word, length, everyday, marked = _known_of(key)
        exact = best.flags & EXACT != 0
        is_proper = flags & PROPER != 0 and not unspaced
        names = self._names(reading)
        note_length, density = extent_of(reading.length, len(names))
        target = self.reading_of(meaning.path)
        target_names = self._names(target) if target else frozenset()
        common = shared_weight((names & target_names) - {best.number}, usage.frequency, usage.notes)
        frequency = max(1, usage.frequency[best.number])
        of_class, of_name = usage.habit(meaning, best.number, kind)
        return Features(
            alias=kind == "alias",
            learnt=kind == "learnt",
            heading=kind == "heading",
            variant=kind == "variant",
            plural=kind == "plural",
            case=(kind in {"case", "alias"} and not exact) * (1 - usage.words),
            small=all(text == text.lower() for text in meaning.name.texts) and not unspaced,
            one_word=one_word,
            everyday=(everyday and not flags & (PROPER | ALONE)) * (1 - usage.words),
            length=0.0 if unspaced else length,
            unspaced=unspaced,
            unspaced_length=length if unspaced else 0.0,
            unspaced_two=unspaced and len(key) == 2,
            marked=exact and marked,
            hyphenated=flags & HYPHENATED != 0,
            frequency=math.log(frequency) - usage.usual_frequency,
            usually_free=usage.free[best.number] / max(1, usage.total[best.number]) if unspaced else 0.0,
            alone=flags & ALONE != 0,
            leads=flags & LEADS != 0,
            closed=flags & CLOSED != 0,
            proper=is_proper,
            titled=is_proper * usage.words,
            joined=all(mention.flags & JOINED for mention in pair.mentions),
            repeated=math.log(len(pair.mentions)),
            note_length=note_length - usage.usual_length,
            density=density - usage.usual_density,
            common=math.log1p(common),
            mutual=target is not None and self._mentions(target, reading.path),
            habit_of_class=of_class,
            habit_of_name=of_name,
        )

    def names_of(self, path: str) -> AbstractSet[int]:
        """The names that a note may be mentioned by."""
        return self._called.get(path, frozenset())

    def forget(self, path: str) -> None:
        """To be called when a note is read again."""
        self._numbers.pop(path, None)

    def _names(self, reading: Reading) -> frozenset[int]:
        names = self._numbers.get(reading.path)
        if names is None:
            names = self._numbers[reading.path] = reading.numbers()
        return names

    def _mentions(self, reading: Reading, path: str) -> bool:
        """Whether a note mentions another, or a person linked it there."""
        return path in reading.habits or not self._names(reading).isdisjoint(self.names_of(path))
