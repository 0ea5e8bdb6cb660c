"""The phrasing table as it is looked up: by the words of a sentence that tell of a relation.

A phrasing is taken apart when its telling word is met for the first time: most notes meet few, and every process would pay for all.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from reme_cli.config.phrasing import GAP, parse_phrasing
from reme_cli.predicates import english
from reme_cli.predicates.trigger import Telling, Triggers, tell
from reme_cli.predicates.words import Lexicon, is_han

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from reme_cli.config.phrasing import Phrasing

Line = tuple[str, str]
"""A predicate and one of its phrasings as the table writes it."""
Rule = tuple[int, int, str, "Phrasing", "tuple[frozenset[str], ...]"]
"""How few words it has and its number, by which rules are put in order; predicate; phrasing; sets of words of each of which one stands
in the sentence."""


class Table:
    """Phrasings by the words that tell of them."""

    def __init__(self, lines: Iterable[Line], chinese: Callable[[], Iterable[Line]]) -> None:
        self._lines: list[Line] = []
        self._phrasings: dict[int, Phrasing] = {}
        self._known = Telling()
        self._tellers: frozenset[str] = frozenset()
        self._rules: dict[str, tuple[Rule, ...]] = {}
        self._triggers: dict[str, Triggers] = {}
        self._chinese = chinese
        """Asked for when the first text is Chinese."""
        self._is_chinese = False
        self.lexicon = Lexicon(self._chinese_words)
        self._add(lines)

    def telling(self, text: str, genre: str = "") -> list[int]:
        """Which links of a text may be part of a phrasing, counted by the `LINK` that stands for each."""
        if not self._is_chinese and is_han(text):
            self._is_chinese = True
            self._add(self._chinese())
        triggers = self._triggers.get(genre)
        if triggers is None:
            triggers = self._triggers[genre] = Triggers(self._known, self._phrasing, genre)
        return triggers.near(text)

    def rules(self, present: frozenset[str]) -> dict[str, list[Rule]]:
        """The phrasings all of whose words are among those of a sentence, by their first word; what says more, comes first."""
        found: dict[int, Rule] = {}
        for word in self._tellers.intersection(present):
            rules = self._rules.get(word)
            if rules is None:
                rules = self._rules[word] = tuple(self._rules_of(word))
            for rule in rules:
                for group in rule[4]:
                    if group.isdisjoint(present):
                        break
                else:
                    found[rule[1]] = rule
        ordered: dict[str, list[Rule]] = {}
        for rule in sorted(found.values()) if len(found) > 1 else found.values():
            first = rule[3].steps[0]
            for word in present.intersection(first):
                ordered.setdefault(word, []).append(rule)
        return ordered

    def _add(self, lines: Iterable[Line]) -> None:
        start = len(self._lines)
        self._lines += lines
        tell(self._known, (line for _, line in self._lines[start:]), start)
        self._tellers = frozenset((*self._known.anywhere, *self._known.closing))
        self._rules.clear()
        self._triggers.clear()

    def _phrasing(self, number: int) -> Phrasing:
        found = self._phrasings.get(number)
        if found is None:
            found = self._phrasings[number] = parse_phrasing(self._lines[number][1])
        return found

    def _rules_of(self, word: str) -> Iterator[Rule]:
        for number in chain.from_iterable(self._known.lines(word)):
            phrasing = self._phrasing(number)
            groups = [step for step in phrasing.steps if isinstance(step, frozenset) and word not in step]
            length = sum(step != GAP for step in phrasing.steps)
            needed = (*groups, *filter(None, (phrasing.given,)))
            yield -length, number, self._lines[number][0], phrasing, needed

    def _chinese_words(self) -> list[str]:
        text = " ".join(line for _, line in self._chinese())
        return text.translate({ord("/"): " ", ord(";"): " "}).split()


@cache
def table_of(added: tuple[tuple[str, tuple[str, ...]], ...] = ()) -> Table:
    """The table with the phrasings that a vault adds, by predicate."""
    lines = [(predicate, line) for predicate, found in added for line in found]

    def chinese() -> Iterator[Line]:
        yield from _standard_chinese()
        yield from (line for line in lines if is_han(line[1]))

    return Table((*_standard_english(), *(line for line in lines if not is_han(line[1]))), chinese)


def standard_phrasings() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each predicate of the table with its phrasings, English before Chinese."""
    lines = (*_standard_english(), *_standard_chinese())
    for predicate in english.PHRASINGS:
        yield predicate, tuple(line for of, line in lines if of == predicate)


def _standard_english() -> Iterator[Line]:
    return _lines_of(english.PHRASINGS)


def _standard_chinese() -> Iterator[Line]:
    from reme_cli.predicates import chinese  # many notes are in English only

    return _lines_of(chinese.PHRASINGS)


def _lines_of(blocks: Mapping[str, str]) -> Iterator[Line]:
    for predicate, block in blocks.items():
        for line in block.splitlines():
            if stripped := line.strip():
                yield predicate, stripped
