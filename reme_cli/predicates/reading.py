"""Reading one sentence: which phrasings stand in it, who fills their roles, and whether it says that this is so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.config.phrasing import GAP, OBJECT, SUBJECT
from reme_cli.predicates.assertion import Assertions
from reme_cli.predicates.enumeration import ITSELF, Role
from reme_cli.predicates.kinds import EXCLUDED
from reme_cli.predicates.phrases import takes_subject
from reme_cli.predicates.roles import OF_ORGANISATIONS, OF_THINGS, Filled
from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    DETERMINERS,
    FILLERS,
    PREPOSITIONS,
    RELATIVE,
    is_adverbial,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.config.phrasing import Phrasing, Step, Tense
    from reme_cli.predicates.note_self import NoteSelf
    from reme_cli.predicates.table import Table
    from reme_cli.predicates.words import Words

_LONGEST_GAP: Final = 6
_JOINED: Final = frozenset({"joined", "joins", "joining", "join", "加入"})
"""Who joins a company works there, who joins a meeting attends it."""
_COPULAS: Final = frozenset({"is", "was", "是", "为"})
_ONE_OF_A_KIND: Final = frozenset({"a", "an", "一种", "一个", "一类", "一款"})
_PASSIVE: Final = frozenset({"was", "were", "been", "being", "is", "are"})


class Relation(NamedTuple):
    """A relation that a sentence states."""

    subject: int | None
    predicate: str
    object: int | None
    tense: Tense
    explicit: bool
    """Whether it does not rest on what kind of note it stands in."""


class _Spelled(NamedTuple):
    """Where the words of a phrasing stand."""

    roles: dict[str, Role]
    passed: list[int]
    """Words between them."""
    own: set[int]
    end: int


class Reader(Assertions):
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
        words = self.words
        present = frozenset(words)
        rules = self.table.rules(present)
        if not rules:
            return []
        condition = self._condition()
        for at, word in enumerate(words[:condition]):
            if word not in rules:
                continue
            taken: set[str] = set()
            for _, _, predicate, phrasing, _ in rules[word]:
                if predicate in taken:
                    continue
                if phrasing.genre and phrasing.genre != self.note.kind:
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
        found = (
            None
            if self._is_said_of_object(predicate, phrasing, at)
            else self._words_of(predicate, phrasing, at)
        )
        if found is None:
            return None
        roles, passed, own, place = found
        start, is_apart = at, False
        if not phrasing.lead and predicate in OF_THINGS and self._follows_link(at):
            return None  # what it is said of stands before it: `the rest of [[x]] conflicts with [[y]]`
        if phrasing.lead:
            filled = self._before(at, phrasing.lead, predicate)
            if filled is None or not filled.role or (filled.is_fragment and not self._ends_phrase(place)):
                return None
            if at == 0 and self._begins_statement(place) and not takes_subject(self.words[0]):
                return None  # `Part of [[x]] was …` is no fragment, it speaks of something else
            roles[phrasing.lead] = filled.role
            passed += filled.passed
            start, is_apart = filled.start, filled.is_apart
        for role in (SUBJECT, OBJECT):
            if role not in roles:
                if self._names_another(place) or not self.note.is_subject:
                    return None
                roles[role] = ITSELF
        if (
            predicate == "works_at"
            and phrasing.lead
            and self.words[at] in _JOINED
            and self._is_meeting(roles[OBJECT])
        ):
            predicate = "attended"
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

    def _is_meeting(self, role: Role) -> bool:
        return all(one is not None and self.kind_of(one) == "meeting" for one in role)

    def _words_of(self, predicate: str, phrasing: Phrasing, at: int) -> _Spelled | None:
        """The words of a phrasing of which the first stands at `at`, with the roles between and behind them."""
        steps = phrasing.steps
        roles: dict[str, Role] = {}
        passed: list[int] = []
        own, end = {at}, at + 1
        for number, step in enumerate(steps[1:], start=1):
            if step == GAP:
                after = self._over_gap(end, steps[number + 1] if number + 1 < len(steps) else "")
                if after is None:
                    return None
                passed += range(end, after)
                end = after
            elif isinstance(step, frozenset):
                place = self._over_fillers(end, step)
                if place >= self.count or self.words[place] not in step:
                    return None
                own.add(place)
                end = place + 1
            else:
                filled = self._role_behind(predicate, steps, number, end)
                if filled is None:
                    return None
                roles[step] = filled.role
                passed += filled.passed
                end = filled.end
        return _Spelled(roles, passed, own, end)

    def _role_behind(self, predicate: str, steps: tuple[Step, ...], number: int, place: int) -> Filled | None:
        """Who fills the role that is a phrasing's step with this number, if it is somebody we know."""
        step, before = steps[number], steps[number - 1]
        is_last = number == len(steps) - 1
        if (
            predicate != "is_a"
            and self.words[place : place + 1]
            and self.words[place] in _ONE_OF_A_KIND
            and not _COPULAS.isdisjoint(before)
        ):
            return None  # `its predecessor was a [[kind of thing]]`
        filled = self._behind(
            place,
            of_persons=predicate in OF_ORGANISATIONS and step == OBJECT,
            # `the founder of Y, X`: the comma does not go on with Y
            is_one=not is_last and not COMMAS.isdisjoint(steps[number + 1]),
        )
        if filled is None or not filled.role or (is_last and self._belongs_to_other(filled.end, str(step))):
            return None
        return filled

    def _is_said_of_object(self, predicate: str, phrasing: Phrasing, at: int) -> bool:
        """Whether a verb that is looked for in the active voice stands in the passive: `[[x]] was presented at [[y]]`."""
        steps = phrasing.steps
        is_active = phrasing.lead == SUBJECT and (
            len(steps) == 1 or steps[1] == OBJECT or (predicate == "attended" and steps[-1] == OBJECT)
        )
        return is_active and self._is_passive(at)

    def _is_passive(self, at: int) -> bool:
        """Whether the participle at `at` is that of a passive."""
        words = self.words
        if not words[at].endswith("ed"):
            return False
        before = at - 1
        while before >= 0 and words[before] in ADVERBS:
            before -= 1
        return before >= 0 and words[before] in _PASSIVE

    def _ends_phrase(self, place: int) -> bool:
        """Whether no verb follows of which the phrase before would be the subject."""
        word = self.words[place] if place < self.count else ","
        return (
            word in COMMAS
            or word in PREPOSITIONS
            or word in RELATIVE
            or word in BOUNDARIES
            or word in {"and", "(", "since", "who"}
        )

    def _over_gap(self, place: int, step: object) -> int | None:
        """Where the next step begins, not further than a gap may be long."""
        is_han = isinstance(step, frozenset) and any(word >= "\u3400" for word in step)
        for at in range(place, min(place + _LONGEST_GAP * (1 + is_han) + 1, self.count)):
            word = self.words[at]
            if isinstance(step, frozenset):
                if word in step:
                    return at
            elif word == LINK:
                return at
            if word in {LINK, NOTHING} or word in BOUNDARIES or word == "，":
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
        excluded = EXCLUDED.get((predicate, role))
        if excluded is None:
            return filled
        return tuple(
            one for one in filled if (self.note.kind if one is None else self.kind_of(one)) not in excluded
        )


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
