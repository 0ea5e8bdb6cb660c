"""Whether a sentence says that a relation holds, and when: denials, suppositions, what has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.predicates.phrases import takes_subject
from reme_cli.predicates.roles import Roles
from reme_cli.predicates.sentences import LINK
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    CONDITIONS,
    ENDED,
    HYPOTHETICAL,
    NEGATIONS,
    PRONOUNS,
    TIMES,
    UNDONE,
    words_of,
)
from reme_cli.predicates.words import SELF

if TYPE_CHECKING:
    from reme_cli.config.phrasing import Phrasing, Tense

_SHORTEST_VERB: Final = 4
_REACH: Final = 6
"""Words behind a relation within which a clause begins that takes it back."""
_DENIALS: Final = frozenset({"并没有", "没有", "并未", "不是", "并非", "不实"})
_NOTHING: Final = words_of("nothing none nobody no-one little few")
"""Subjects of which the sentence says that it holds for none of them."""
_INVERTED: Final = words_of("had were should")
"""What begins a condition without `if`: `Had [[x]] invested`."""
_MAY_SUPPOSE: Final = CONDITIONS | _INVERTED
_MODAL: Final = words_of("can cannot could will would shall should may might must n't not never")
_DURATIVE: Final = frozenset(
    {
        "works_at",
        "advises",
        "located_in",
        "responsible_for",
        "belongs_to",
        "prefers",
        "depends_on",
        "invested_in",
    }
)
"""What may end; other relations are events, or hold for ever."""


class Assertions(Roles):
    """The claims of one sentence."""

    def _condition(self) -> int:
        """Where what is only supposed begins; the sentence's end where nothing is."""
        words = self.words
        if _MAY_SUPPOSE.isdisjoint(words):
            return self.count
        for at, word in enumerate(words):
            if word in CONDITIONS or (word in _INVERTED and self._is_inverted(at)):
                return at
        return self.count

    def _is_inverted(self, at: int) -> bool:
        """Whether the auxiliary at `at` stands before its subject at the beginning of a clause."""
        words = self.words
        begins = at == 0 or words[at - 1] in COMMAS or words[at - 1] in BOUNDARIES
        return (
            begins
            and at + 1 < self.count
            and (words[at + 1] in {LINK, SELF, "the"} or words[at + 1] in PRONOUNS or self.capital[at + 1])
        )

    def _follows_link(self, at: int) -> bool:
        """Whether a link stands in the clause before `at`."""
        return LINK in self.words[self._clause_start(at) : at]

    def _begins_statement(self, place: int) -> bool:
        """Whether a verb follows at `place` of which what stands before is the subject."""
        if place >= self.count:
            return False
        word = self.words[place]
        is_present = word.endswith("s") and len(word) > _SHORTEST_VERB and takes_subject(word)
        is_verb = word in AUXILIARIES or word in _MODAL or is_present
        return is_verb and word.isascii() and not word.endswith("ing")

    def _is_denied(self, start: int, place: int, between: set[int], *, is_apart: bool) -> bool:
        """Whether the clause denies the relation, or only supposes, plans or fears it."""
        words = self.words
        first = start
        while (
            not is_apart
            and first > 0
            and words[first - 1] not in BOUNDARIES
            and words[first - 1] not in COMMAS
        ):
            first -= 1
        for number in between.union(range(first, start)):
            word = words[number]
            if word in HYPOTHETICAL:
                return True
            if word in _NOTHING:
                return True
            if word in NEGATIONS and not (
                word == "not" and words[number + 1 : number + 2] in (["only"], ["just"], ["merely"])
            ):
                if word == "no" and words[number + 1 : number + 2] == ["longer"]:
                    continue
                return True
        if self._is_taken_back(place):
            return True
        after = words[place : place + 8]
        for word in after:
            if word in BOUNDARIES or word in COMMAS or word == LINK:
                break
            if word in UNDONE:
                return True
        return False

    def _is_taken_back(self, place: int) -> bool:
        """Whether the clause behind says that it is not so: `…, which is wrong`, 「…，其实并没有」."""
        words = self.words
        comma = next(
            (at for at in range(place, min(place + _REACH, self.count)) if words[at] in COMMAS), None
        )
        if comma is None:
            return False
        behind = words[comma + 1 : comma + 6]
        if behind[:1] == ["which"]:
            return not UNDONE.isdisjoint(behind)
        denial = next((number for number, word in enumerate(behind) if word in _DENIALS), None)
        return denial is not None and (behind[denial + 1 : denial + 2] or ["，"])[0] in BOUNDARIES | COMMAS

    def _tense(self, predicate: str, phrasing: Phrasing, start: int, place: int, passed: list[int]) -> Tense:
        if predicate not in _DURATIVE or phrasing.tense == "ended":
            return phrasing.tense
        words = self.words
        near = [
            words[number] for number in passed if not (words[number] == "前" and words[number - 1] in TIMES)
        ]
        near += words[max(0, start - 2) : start]
        near += [word for word in words[place : place + 4] if word in {"until", "till", "直到", "直至"}]
        if (
            not ENDED.isdisjoint(near)
            or ("longer" in near and "no" in near)
            or ("used" in near and "to" in near)
        ):
            return "ended"
        if phrasing.tense == "past" or "was" in near or "were" in near:
            tail = words[place : place + 8]
            return "ended" if {"until", "till", "before"} & set(tail) else "past" if phrasing.tense else ""
        return ""
