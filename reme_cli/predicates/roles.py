"""Who or what stands before a word of a sentence, and behind it.

A role is filled by links or by the note itself: before a phrasing by the noun phrase that stands directly there, else by the subject of
the clause; behind it by the next noun phrase. What is neither a link nor the note is somebody else, and fills nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from reme_cli.config.phrasing import OBJECT, SUBJECT
from reme_cli.predicates.enumeration import ITSELF, NOBODY, Role
from reme_cli.predicates.phrases import ARTICLES, LONGEST_PHRASE, Phrases, takes_subject
from reme_cli.predicates.sentences import LINK
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    CONJUNCTIONS,
    COORDINATING,
    DEICTIC,
    GENERIC,
    HONORIFICS,
    IMPERATIVES,
    NEGATIONS,
    OF_PERSONS,
    ORGANISATIONS,
    POSSESSIVES,
    PRONOUNS,
    RELATIVE,
    STOPS,
    words_of,
)
from reme_cli.predicates.words import SELF

_JOINTS: Final = COORDINATING | BOUNDARIES | COMMAS | {"or", "nor"}
OF_ORGANISATIONS: Final = frozenset({"founded", "works_at", "invested_in", "advises"})
"""Relations whose object is no person."""
_OPENING: Final = frozenset("(（")
_CLOSING: Final = frozenset(")）")
_OF_OTHERS: Final = words_of("of about than to from at for 为 给 对 向 被 把 将 让 帮 替 陪")
_LEFT: Final = words_of("left leaves leaving quit quits departed")
_DONE: Final = words_of("了 过")
"""What makes the word before a verb, whose object the noun phrase behind is: 「[[x]]的助理参加了[[y]]」."""
_ALSO_PRONOUNS: Final = words_of("her 我 其")
_OPPOSITES: Final = (words_of("he she"), words_of("他 她"))
OF_CONTENTS: Final = frozenset({"contradicts", "derived_from", "depends_on"})
"""Relations that a text has by what stands in it."""
OF_THINGS: Final = frozenset(
    {
        "is_a",
        "belongs_to",
        "caused_by",
        "derived_from",
        "evolved_from",
        "contradicts",
        "depends_on",
        "located_in",
    }
)
"""Relations that are rather between things than of people."""


class Filled(NamedTuple):
    """A role's fillers, which words were passed on the way, and where its noun phrase begins and ends."""

    role: Role
    passed: tuple[int, ...]
    start: int
    end: int
    is_fragment: bool = False
    """Whether it is said by a noun phrase alone, of which nothing else may be said: `A kind of [[x]].`"""
    is_apart: bool = False
    """Whether what is said of it is a clause of its own: `nobody met a, who founded b`."""


class Roles(Phrases):
    """The noun phrases of one sentence."""

    # roles before a word

    def _before(self, place: int, role: str, predicate: str) -> Filled | None:
        """The noun phrase that the word at `place` is said of; with an empty role, or `None`, where it is somebody else."""
        words = self.words
        passed: list[int] = []
        is_verb = role == SUBJECT and takes_subject(words[place])
        is_apart = is_fragment = False
        if words[place] == "to":  # `left a to found b`
            return self._coordinated(place, passed, place)
        at = place - 1
        if at >= 0 and role == OBJECT and words[at] in {"a", "an", "the"}:
            at -= 1
        while True:
            at = self._over_adverbs(at, passed)
            if at < 0:
                is_advice = words[place] in IMPERATIVES and not passed
                omitted = None if is_advice else self._omitted(passed, place)
                return omitted._replace(is_fragment=is_fragment) if omitted else None
            filled = self._ending_at(at, passed, place, role, predicate)
            if filled is not None:
                return filled._replace(is_apart=is_apart)
            word = words[at]
            if word in _JOINTS:
                return self._behind_joint(at, passed, place, is_verb=is_verb, role=role)
            if word in RELATIVE or word in _OPENING:
                at = self._antecedent_end(at)
                is_verb, is_apart = False, True
            elif word in HONORIFICS and at > 0 and words[at - 1] in {LINK, SELF}:
                at -= 1
            elif word in _CLOSING:
                at = self._opening_before(at) - 1
            elif is_apart:
                return None  # `the woman who founded [[x]]`
            elif words[place] not in CONJUNCTIONS and (subject := self._over_chinese(at)) is not None:
                passed += range(subject + 1, at + 1)
                at = subject
            elif predicate in OF_THINGS and (own := self._deictic_start(at)) >= 0:
                return self._itself(tuple(passed), own, place)
            else:
                described = self._over_description(at)
                if described is None or (
                    described < 0 and not self._is_fragment(place, role, of_thing=predicate in OF_THINGS)
                ):
                    return None  # somebody else, or `the outage`, which is not the note
                is_fragment = described < 0 and role == SUBJECT
                passed += range(described + 1, at + 1)
                at = described

    def _behind_joint(
        self, at: int, passed: list[int], place: int, *, is_verb: bool, role: str
    ) -> Filled | None:
        """What a word is said of that stands behind a comma or `and`, or at the beginning of a clause."""
        if self.words[at] in COMMAS:
            return self._across_comma(at, passed, place, is_verb=is_verb, role=role)
        if self.words[at] not in BOUNDARIES or self.words[at] in COORDINATING:
            return self._coordinated(at, passed, place)
        return self._omitted(passed, place) if self.words[at] in {"|", ":", "："} else None

    def _ending_at(self, at: int, passed: list[int], place: int, role: str, predicate: str) -> Filled | None:
        """The noun phrase that ends with the word at `at`; `None` where that is no noun that we know."""
        words = self.words
        word = words[at]
        over = tuple(passed)
        if predicate in OF_CONTENTS and (whole := self._whole_of_content(at)) >= 0:
            return Filled((self.links[whole],), (*over, *range(whole + 1, at + 1)), whole, place)
        if word == LINK:
            found, start = self._list_to(at)
            if role == SUBJECT and "to" in (words[number] for number in passed) and words[start - 1] in _LEFT:
                # `left [[x]] to join [[y]]`
                subject = self._clause_subject(start - 1) if start > 1 else self._omitted(passed, place)
                return (
                    subject if isinstance(subject, Filled) else Filled(subject or NOBODY, over, start, place)
                )
            is_other = (
                start > 0 and words[start - 1] in _OF_OTHERS
            )  # `a rival of [[x]] invested`, `为 [[x]] 担任顾问`
            return Filled(NOBODY if is_other else found, over, start, place)
        if word in {"'s", "的"}:
            return self._owner(at, over, place)
        if word in PRONOUNS or word in POSSESSIVES or word == "this":
            is_owner = word in POSSESSIVES and word not in _ALSO_PRONOUNS
            is_person = predicate in OF_ORGANISATIONS and role == OBJECT and word in OF_PERSONS
            # `their investors include` is the note's, `her advisor` is not her; nor is `he` the note where `she` is
            is_other = is_person or (is_owner and role == SUBJECT) or not self._others(word).isdisjoint(words)
            return Filled(NOBODY if is_other else self._pronoun(word, at), over, at, place)
        start = at if word == SELF else self._own_start(at)
        if start >= 0:
            return self._itself(over, start, place)
        if word in GENERIC and at > 0 and words[at - 1] in DEICTIC:
            return Filled(self._pronoun(word, at), over, at - 1, place)
        if word in GENERIC and at == 0 and word >= "\u3400":
            return Filled(self._pronoun(word, at), over, at, place)
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

    def _owner(self, at: int, over: tuple[int, ...], place: int) -> Filled:
        """The noun phrase before a possessive mark."""
        before = at - 1
        word = self.words[before] if before >= 0 else ""
        if word == LINK:
            found, start = self._list_to(before)
            return Filled(found, over, start, place)
        own = before if word == SELF else self._own_start(before) if word else -1
        if own >= 0:
            return self._itself(over, own, place)
        if word in PRONOUNS or (word in GENERIC and before > 0 and self.words[before - 1] in DEICTIC):
            return Filled(self._pronoun(word, before), over, before, place)
        return Filled(NOBODY, over, at, place)

    def _itself(self, over: tuple[int, ...], start: int, end: int) -> Filled:
        """The note itself, unless it is about no one thing."""
        return Filled(ITSELF if self.note.is_subject else NOBODY, over, start, end)

    def _omitted(self, passed: list[int], place: int) -> Filled | None:
        """A role that the beginning of an entry leaves out is the note's."""
        return Filled(ITSELF, tuple(passed), 0, place) if self.note.is_subject else None

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
        own = -1 if before < 0 else before if words[before] == SELF else self._own_start(before)
        if own >= 0:
            return self._itself(tuple(passed), own, place)
        if subject:
            return Filled(subject, tuple(passed), at, place)
        is_entry = at == 0 or (role == OBJECT and self._is_adjunct(at))
        return self._omitted(passed, place) if is_entry else None

    # roles behind a word

    def _behind(self, place: int, *, of_persons: bool = False, is_one: bool = False) -> Filled | None:
        """The noun phrase behind a word: links, one or several, or the note itself."""
        words = self.words
        passed: list[int] = []
        at = place
        while at < self.count and at - place <= LONGEST_PHRASE:
            word = words[at]
            if word == LINK:
                if is_one:
                    return Filled((self.links[at],), tuple(passed), at, at + 1)
                role, end, over = self._list_from(at, is_with=not of_persons)
                return Filled(role, (*passed, *over), at, end)
            end = at + 1 if word == SELF else self._own_end(at)
            if end > 0:
                return self._itself(tuple(passed), at, end)
            if (
                word in DEICTIC
                and at + 1 < self.count
                and words[at + 1] in GENERIC
                and not self._goes_on(at + 2)
            ):
                if of_persons and words[at + 1] not in ORGANISATIONS:
                    return None
                role = self._pronoun(words[at + 1], at)
                return Filled(role, tuple(passed), at, at + 2)
            if word in PRONOUNS and word not in POSSESSIVES:
                if of_persons and word in OF_PERSONS:
                    return None
                return Filled(self._pronoun(word, at), tuple(passed), at, at + 1)
            if word in POSSESSIVES and not self._leads_to_link(at):
                return None
            if word in STOPS and word not in NEGATIONS and not (word == ":" and at == place):
                return None
            if (word in COMMAS or word in ARTICLES or word in _DONE) and at > place:
                return None
            passed.append(at)
            at += 1
        return None
