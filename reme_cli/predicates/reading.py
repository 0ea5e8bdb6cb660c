"""Reading one sentence: which phrasings stand in it, who fills their roles, and whether it says that this is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.config.phrasing import GAP, OBJECT, SUBJECT
from reme_cli.predicates.enumeration import ITSELF, Role
from reme_cli.predicates.roles import OF_ORGANISATIONS, Roles
from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    CONDITIONS,
    DETERMINERS,
    ENDED,
    FILLERS,
    HYPOTHETICAL,
    NEGATIONS,
    UNDONE,
    is_adverbial,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.config.phrasing import Phrasing, Tense
    from reme_cli.predicates.note_self import NoteSelf
    from reme_cli.predicates.table import Table
    from reme_cli.predicates.words import Words

_LONGEST_GAP: Final = 6
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
_EXCLUDED: Final = {
    ("founded", SUBJECT): frozenset({"meeting"}),
    ("founded", OBJECT): frozenset({"person", "meeting"}),
    ("works_at", SUBJECT): frozenset({"organisation", "meeting"}),
    ("works_at", OBJECT): frozenset({"person", "meeting"}),
    ("invested_in", SUBJECT): frozenset({"meeting"}),
    ("invested_in", OBJECT): frozenset({"person", "meeting"}),
    ("advises", SUBJECT): frozenset({"meeting"}),
    ("advises", OBJECT): frozenset({"meeting"}),
    ("attended", SUBJECT): frozenset({"organisation", "meeting"}),
    ("attended", OBJECT): frozenset({"person", "organisation"}),
}
"""Kinds that cannot fill a role; what is of no known kind can fill any."""


class Relation(NamedTuple):
    """A relation that a sentence states."""

    subject: int | None
    predicate: str
    object: int | None
    tense: Tense
    explicit: bool
    """Whether it does not rest on what kind of note it stands in."""


class Reader(Roles):
    """The reading of one sentence."""

    def __init__(
        self,
        sentence: Words,
        note: NoteSelf,
        table: Table,
        kind_of: Callable[[int], str],
        antecedent: Callable[[], Role | None],
    ) -> None:
        super().__init__(sentence, note, antecedent)
        self.table = table
        self.kind_of = kind_of
        """What a link leads to, as far as the folder in its target says so."""

    def relations(self) -> list[Relation]:
        """The relations that the sentence states."""
        found: list[tuple[int, int, Relation]] = []
        rules = self.table.rules
        words = self.words
        condition = next((at for at, word in enumerate(words) if word in CONDITIONS), self.count)
        present = frozenset(words)
        for at, word in enumerate(words[:condition]):
            taken: set[str] = set()
            for predicate, phrasing in rules.get(word, ()):
                if predicate in taken:
                    continue
                if phrasing.genre and phrasing.genre != self.note.kind:
                    continue
                if phrasing.given and present.isdisjoint(phrasing.given):
                    continue
                if not present.isdisjoint(phrasing.excluded):
                    continue
                match = self._match(predicate, phrasing, at)
                if match is None:
                    continue
                taken.add(predicate)
                found.extend(match)
        return _longest(found)

    # phrasings

    def _match(self, predicate: str, phrasing: Phrasing, at: int) -> list[tuple[int, int, Relation]] | None:
        steps = phrasing.steps
        roles: dict[str, Role] = {}
        passed: list[int] = []
        own = {at}
        start, place = at, at + 1
        is_apart = False
        number = 1
        while number < len(steps):
            step = steps[number]
            if step == GAP:
                number += 1
                after = self._over_gap(place, steps[number] if number < len(steps) else "")
                if after is None:
                    return None
                passed += range(place, after)
                place = after
                continue
            if isinstance(step, frozenset):
                place = self._over_fillers(place, step)
                if place >= self.count or self.words[place] not in step:
                    return None
                own.add(place)
                place += 1
            else:
                is_last = number == len(steps) - 1
                filled = self._behind(
                    place,
                    of_persons=predicate in OF_ORGANISATIONS and step == OBJECT,
                    # `the founder of Y, X`: the comma does not go on with Y
                    is_one=not is_last and not COMMAS.isdisjoint(steps[number + 1]),
                )
                if (
                    filled is None
                    or not filled.role
                    or (is_last and self._belongs_to_other(filled.end, step))
                ):
                    return None
                roles[step] = filled.role
                passed += filled.passed
                place = filled.end
            number += 1
        if phrasing.lead:
            filled = self._before(at, phrasing.lead, predicate)
            if filled is None or not filled.role:
                return None
            roles[phrasing.lead] = filled.role
            passed += filled.passed
            start = filled.start
            is_apart = filled.is_apart
        for role in (SUBJECT, OBJECT):
            if role not in roles:
                if self._names_another(place) or not self.note.is_subject:
                    return None
                roles[role] = ITSELF
        subjects = self._possible(predicate, SUBJECT, roles[SUBJECT])
        objects = self._possible(predicate, OBJECT, roles[OBJECT])
        if (
            not subjects
            or not objects
            or self._is_denied(
                at if is_apart else start, place, {*passed, *range(at, place)} - own, is_apart=is_apart
            )
        ):
            return None
        tense = self._tense(predicate, phrasing, start, place, passed)
        return [
            (start, place, Relation(subject, predicate, obj, tense, not phrasing.genre))
            for subject in subjects
            for obj in objects
            if subject != obj
        ]

    def _over_gap(self, place: int, step: object) -> int | None:
        """Where the next step begins, not further than a gap may be long."""
        for at in range(place, min(place + _LONGEST_GAP + 1, self.count)):
            word = self.words[at]
            if isinstance(step, frozenset):
                if word in step:
                    return at
            elif word == LINK:
                return at
            if word in {LINK, NOTHING} or word in BOUNDARIES:
                return None
        return None

    def _over_fillers(self, place: int, step: frozenset[str]) -> int:
        """The first word from `place` on that says something, unless one of the step itself comes before."""
        while place < self.count and (word := self.words[place]) not in step:
            is_of_time = (
                word in {"in", "于", "在"} and place + 1 < self.count and is_adverbial(self.words[place + 1])
            )
            if not (
                is_of_time
                or word in DETERMINERS
                or word in FILLERS
                or is_adverbial(word)
                or word in AUXILIARIES
            ):
                break
            place += 1
        return place

    def _names_another(self, place: int) -> bool:
        """Whether an object that the phrasing leaves out is named behind it: `joined as advisor to Initech`."""
        if place >= self.count or self.words[place] not in {
            "to",
            "of",
            "at",
            "for",
            "in",
            "into",
            "with",
            "'s",
        }:
            return False
        at = place + 1
        while at < self.count and (self.words[at] in DETERMINERS or self.words[at] in ADVERBS):
            at += 1
        if at >= self.count:
            return False
        if self.words[place] == "with" or self._is_own_name(at):
            return False
        return self.words[at] in {LINK, NOTHING} or self.capital[at]

    def _possible(self, predicate: str, role: str, filled: Role) -> Role:
        """Those that are not known to be of a kind that the relation cannot have there."""
        excluded = _EXCLUDED.get((predicate, role))
        if excluded is None:
            return filled
        return tuple(
            one for one in filled if (self.note.kind if one is None else self.kind_of(one)) not in excluded
        )

    # truth and time

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
            if word in NEGATIONS and not (
                word == "not" and words[number + 1 : number + 2] in (["only"], ["just"], ["merely"])
            ):
                if word == "no" and words[number + 1 : number + 2] == ["longer"]:
                    continue
                return True
        after = words[place : place + 8]
        for word in after:
            if word in BOUNDARIES or word in COMMAS or word == LINK:
                break
            if word in UNDONE:
                return True
        return False

    def _tense(self, predicate: str, phrasing: Phrasing, start: int, place: int, passed: list[int]) -> Tense:
        if predicate not in _DURATIVE or phrasing.tense == "ended":
            return phrasing.tense
        words = self.words
        near = [words[number] for number in passed]
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


def _longest(found: list[tuple[int, int, Relation]]) -> list[Relation]:
    """The relations, each once; one that leaves an end to the note gives way to one that names it with the same words."""
    named = [
        (start, end, relation.predicate)
        for start, end, relation in found
        if relation.subject is not None and relation.object is not None
    ]
    kept = [
        relation
        for start, end, relation in found
        if None not in {relation.subject, relation.object}
        or not any(
            predicate == relation.predicate and first < end and start < last and (first, last) != (start, end)
            for first, last, predicate in named
        )
    ]
    return list(dict.fromkeys(kept))
