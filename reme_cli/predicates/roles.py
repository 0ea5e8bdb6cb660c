"""Who or what stands before a word of a sentence, and behind it.

A role is filled by links or by the note itself: before a phrasing by the noun phrase that stands directly there, else by the subject of
the clause; behind it by the next noun phrase. What is neither a link nor the note is somebody else, and fills nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from reme_cli.config.phrasing import OBJECT, SUBJECT
from reme_cli.predicates.clause import Clauses
from reme_cli.predicates.enumeration import ITSELF, NOBODY, Role
from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    CONJUNCTIONS,
    COORDINATING,
    DEICTIC,
    FILLERS,
    GENERIC,
    HONORIFICS,
    HYPOTHETICAL,
    IMPERATIVES,
    NEGATIONS,
    OF_PERSONS,
    OF_RELATIVE,
    ORGANISATIONS,
    PHASES,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE,
    STOPS,
    is_adverbial,
    words_of,
)
from reme_cli.predicates.words import SELF

OF_ORGANISATIONS: Final = frozenset({"founded", "works_at", "invested_in", "advises"})
"""Relations whose object is no person."""
_OPENING: Final = frozenset("(（")
_CLOSING: Final = frozenset(")）")
_ARTICLES: Final = words_of("a an the one 一家 一个 一名 一位")
_BEFORE_TIMES: Final = words_of("in on at by 于 在")
_OF_OTHERS: Final = words_of("of about than to from at for")
_ALSO_PRONOUNS: Final = words_of("her 我 其")
_OPPOSITES: Final = (words_of("he she"), words_of("他 她"))
_LONGEST_PHRASE: Final = 8
"""Words between a phrasing and the link that fills its role."""


class Filled(NamedTuple):
    """A role's fillers, which words were passed on the way, and where its noun phrase begins and ends."""

    role: Role
    passed: tuple[int, ...]
    start: int
    end: int
    is_apart: bool = False
    """Whether what is said of it is a clause of its own: `nobody met a, who founded b`."""


class Roles(Clauses):
    """The noun phrases of one sentence."""

    # roles before a word

    def _before(self, place: int, role: str, predicate: str) -> Filled | None:
        """The noun phrase that the word at `place` is said of; with an empty role, or `None`, where it is somebody else."""
        words = self.words
        passed: list[int] = []
        is_verb = role == SUBJECT and _is_verb(words[place])
        is_apart = False
        if words[place] == "to":  # `left a to found b`
            return self._coordinated(place, passed, place)
        at = place - 1
        if at >= 0 and role == OBJECT and words[at] in {"a", "an", "the"}:
            at -= 1
        while True:
            at = self._over_adverbs(at, passed)
            if at < 0:
                is_advice = words[place] in IMPERATIVES and not passed
                return None if is_advice else self._omitted(passed, place)
            filled = self._ending_at(at, passed, place, role, predicate)
            if filled is not None:
                return filled._replace(is_apart=is_apart)
            word = words[at]
            if word in COMMAS:
                return self._across_comma(at, passed, place, is_verb=is_verb, role=role)
            if word in COORDINATING or word in {"or", "nor"}:
                return self._coordinated(at, passed, place)
            if word in BOUNDARIES:
                return self._omitted(passed, place) if word in {"|", ":", "："} else None
            if word in RELATIVE or word in _OPENING:
                at = self._antecedent_end(at)
                is_verb, is_apart = False, True
            elif word in HONORIFICS and at > 0 and words[at - 1] in {LINK, SELF}:
                at -= 1
            elif word in _CLOSING:
                at = self._opening_before(at) - 1
            elif is_apart:
                return None  # `the woman who founded [[x]]`
            else:
                described = self._over_description(at)
                if described is None or (described < 0 and (role == SUBJECT or words[0] not in {"a", "an"})):
                    return None  # somebody else, or `the outage`, which is not the note
                passed += range(described + 1, at + 1)
                at = described

    def _ending_at(self, at: int, passed: list[int], place: int, role: str, predicate: str) -> Filled | None:
        """The noun phrase that ends with the word at `at`; `None` where that is no noun that we know."""
        words = self.words
        word = words[at]
        over = tuple(passed)
        if word == LINK:
            found, start = self._list_to(at)
            is_other = start > 0 and words[start - 1] in _OF_OTHERS  # `a rival of [[x]] invested`
            return Filled(NOBODY if is_other else found, over, start, place)
        if word in {"'s", "的"}:
            return self._owner(at, over, place)
        if word in PRONOUNS or word in POSSESSIVES or word == "this":
            is_owner = word in POSSESSIVES and word not in _ALSO_PRONOUNS
            is_person = predicate in OF_ORGANISATIONS and role == OBJECT and word in OF_PERSONS
            # `their investors include` is the note's, `her advisor` is not her; nor is `he` the note where `she` is
            is_other = is_person or (is_owner and role == SUBJECT) or not self._others(word).isdisjoint(words)
            return Filled(NOBODY if is_other else self._pronoun(word), over, at, place)
        if word == SELF or self._is_own_run(at):
            return self._itself(over, self._run_start(at), place)
        if word in GENERIC and at > 0 and words[at - 1] in DEICTIC:
            return Filled(self._pronoun(word), over, at - 1, place)
        if word in GENERIC and at == 0 and word >= "\u3400":
            return Filled(self._pronoun(word), over, at, place)
        return None

    @staticmethod
    def _others(pronoun: str) -> frozenset[str]:
        """The pronouns that in the same sentence mean somebody else."""
        return next((two - {pronoun} for two in _OPPOSITES if pronoun in two), frozenset())

    def _coordinated(self, at: int, passed: list[int], place: int) -> Filled | None:
        """The subject of a verb that stands behind `and`: the clause's."""
        found = self._clause_subject(at)
        if not found:
            return None
        over = (*passed, *range(self._clause_start(at), at)) if self._inherits(place) else tuple(passed)
        return Filled(found, over, at, place)

    def _over_adverbs(self, at: int, passed: list[int]) -> int:
        """The place of the last word that is no auxiliary, adverb or date."""
        words = self.words
        while at >= 0:
            word = words[at]
            if (
                word in AUXILIARIES
                or word in PHASES
                or word in FILLERS
                or word in NEGATIONS
                or word in HYPOTHETICAL
                or word == "to"
                or is_adverbial(word)
                or (word in _BEFORE_TIMES and passed and self._is_light(passed[-1]))
            ):
                passed.append(at)
            else:
                break
            at -= 1
        return at

    def _is_light(self, at: int) -> bool:
        """Whether a preposition before this word is part of an adverb: `in 2019`, `on to`."""
        word = self.words[at]
        return is_adverbial(word) or word in HYPOTHETICAL or word == "to"

    def _over_description(self, at: int) -> int | None:
        """What stands before `a robotics startup`, if that is what ends at `at`."""
        words = self.words
        start = at
        while at >= 0 and start - at < _LONGEST_PHRASE:
            word = words[at]
            if word in _ARTICLES:
                return at - 1
            if word in {"of", "and", "or"} and at < start:
                at -= 1
                continue
            if (
                word in STOPS
                or word in {LINK, NOTHING, SELF}
                or word in COMMAS
                or self.capital[at]
                or word >= "\u3400"
            ):
                break
            at -= 1
        if at >= 0 and at < start and (words[at] in AUXILIARIES or words[at] == "as"):
            return at
        return None

    def _owner(self, at: int, over: tuple[int, ...], place: int) -> Filled:
        """The noun phrase before a possessive mark."""
        before = at - 1
        word = self.words[before] if before >= 0 else ""
        if word == LINK:
            found, start = self._list_to(before)
            return Filled(found, over, start, place)
        if word == SELF or (word and self._is_own_run(before)):
            return self._itself(over, self._run_start(before), place)
        if word in PRONOUNS or (word in GENERIC and before > 0 and self.words[before - 1] in DEICTIC):
            return Filled(self._pronoun(word), over, before, place)
        return Filled(NOBODY, over, at, place)

    def _itself(self, over: tuple[int, ...], start: int, end: int) -> Filled:
        """The note itself, unless it is about no one thing."""
        return Filled(ITSELF if self.note.is_subject else NOBODY, over, start, end)

    def _omitted(self, passed: list[int], place: int) -> Filled | None:
        """A role that the beginning of an entry leaves out is the note's."""
        return Filled(ITSELF, tuple(passed), 0, place) if self.note.is_subject else None

    def _antecedent_end(self, at: int) -> int:
        """The last word of what `who` or `both of whom` goes back to."""
        at -= 1
        while at >= 0 and self.words[at] in OF_RELATIVE:
            at -= 1
        while at >= 0 and self.words[at] in COMMAS:
            at -= 1
        return at

    def _across_comma(
        self, at: int, passed: list[int], place: int, *, is_verb: bool, role: str
    ) -> Filled | None:
        """What a phrase behind a comma is said of: a verb has the clause's subject, another phrase what stands before it."""
        words = self.words
        before = at - 1
        subject = self._clause_subject(at)
        if words[at] == "，" or is_verb:
            if subject:
                return Filled(subject, tuple(passed), at, place)
            if is_verb:
                return None
        described = self._over_description(before) if before >= 0 else None
        if described is not None and described >= 0:
            before = described - (words[described] in COMMAS)
            while before >= 0 and words[before] in AUXILIARIES:
                before -= 1
        if before >= 0 and words[before] == LINK:
            found, start = self._list_to(before)
            return Filled(found, tuple(passed), start, place)
        if before >= 0 and (words[before] == SELF or self._is_own_run(before)):
            return self._itself(tuple(passed), before, place)
        if subject:
            return Filled(subject, tuple(passed), at, place)
        is_entry = at == 0 or (role == OBJECT and self._is_adjunct(at))
        return self._omitted(passed, place) if is_entry else None

    def _is_adjunct(self, comma: int) -> bool:
        """Whether only a time or place stands before the comma."""
        return self.words[0] in PREPOSITIONS and LINK not in self.words[:comma] and comma < 6

    # roles behind a word

    def _behind(self, place: int, *, of_persons: bool = False, is_one: bool = False) -> Filled | None:
        """The noun phrase behind a word: links, one or several, or the note itself."""
        words = self.words
        passed: list[int] = []
        at = place
        while at < self.count and at - place <= _LONGEST_PHRASE:
            word = words[at]
            if word == LINK:
                if is_one:
                    return Filled((self.links[at],), tuple(passed), at, at + 1)
                role, end, over = self._list_from(at)
                return Filled(role, (*passed, *over), at, end)
            if word == SELF or (self._is_own_name(at) and self._is_run_start(at)):
                return self._itself(tuple(passed), at, self._run_end(at))
            if (
                word in DEICTIC
                and at + 1 < self.count
                and words[at + 1] in GENERIC
                and not self._goes_on(at + 2)
            ):
                if of_persons and words[at + 1] not in ORGANISATIONS:
                    return None
                role = self._pronoun(words[at + 1])
                return Filled(role, tuple(passed), at, at + 2)
            if word in PRONOUNS and word not in POSSESSIVES:
                if of_persons and word in OF_PERSONS:
                    return None
                return Filled(self._pronoun(word), tuple(passed), at, at + 1)
            if word in POSSESSIVES and not self._leads_to_link(at):
                return None
            if word in STOPS and word not in NEGATIONS and not (word == ":" and at == place):
                return None
            if (word in COMMAS or word in _ARTICLES) and at > place:
                return None
            passed.append(at)
            at += 1
        return None

    def _leads_to_link(self, at: int) -> bool:
        """Whether a possessive belongs to a description of a link: `his co-founder [[x]]`."""
        for after in range(at + 1, min(at + 5, self.count)):
            word = self.words[after]
            if word == LINK:
                return True
            if word in STOPS:
                return False
        return False

    def _belongs_to_other(self, end: int, role: str) -> bool:
        """Whether the noun phrase that ends at `end` only describes another one: `[[x]]'s rival`, `[[x]] veteran Bob`."""
        words = self.words
        if end >= self.count:
            return False
        if words[end] == "'s":
            ahead = words[end + 1 : end + 5]
            return role == SUBJECT or not any(
                word in {"round", "seed", "series", "board", "team", "financing", "extension"}
                for word in ahead
            )
        if words[end] == "的" and role == SUBJECT:
            return False
        return (
            end + 1 < self.count
            and words[end][0].isalpha()
            and words[end].isascii()
            and not self.capital[end]
            and words[end] not in STOPS
            and words[end] not in CONJUNCTIONS
            and self.capital[end + 1]
        )

    def _inherits(self, place: int) -> bool:
        """Whether a verb behind `and` depends on what governs the one before: `plans to hire and invest`."""
        return not self.words[place].endswith(("ed", "s", "ing", "by"))


def _is_verb(word: str) -> bool:
    """Whether a word is a verb that takes a subject of its own."""
    return (
        word.endswith("ed")
        or (word.endswith("s") and not word.endswith("rs"))
        or word in _VERBS
        or word >= "\u3400"
    )


_VERBS: Final = words_of(
    "led wrote left quit put took bought ran oversaw spoke came went sat stuck gave said"
)
