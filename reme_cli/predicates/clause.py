"""A sentence's clauses: where they begin, what they are about, and where they speak of the note itself."""

from __future__ import annotations

from typing import Final

from reme_cli.predicates.enumeration import ITSELF, NOBODY, Enumerations, Role
from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    DEICTIC,
    FILLERS,
    GENERIC,
    OF_AUTHORS,
    OF_PERSONS,
    OF_SEVERAL,
    ORGANISATIONS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    is_adverbial,
    words_of,
)
from reme_cli.predicates.words import SELF

_HAN: Final = "\u3400"
_WHERE: Final = words_of(
    "at in from into on to after left quit joined leaving joining sold 于 在 从 离开 加入 入职 辞去 离职 毕业于"
)
"""Before a link that is no person whom a pronoun could mean."""
_WHEN: Final = frozenset({"后", "时", "期间", "之后", "之前", "前"})
_ARTICLES: Final = frozenset({"a", "an", "the"})


class Clauses(Enumerations):
    """The clauses of one sentence."""

    def subject(self) -> Role | None:
        """Whom a pronoun in the next sentence can mean: the subject, nobody known, or `None` where no one is named."""
        end = next((at for at, word in enumerate(self.words) if at and word in BOUNDARIES), self.count)
        role = self._clause_subject(end)
        if role:
            return role
        begins_with_other = any(
            self.words[at] in {LINK, NOTHING} or (self.capital[at] and not self._is_own_name(at))
            for at in range(min(4, self.count))
        )
        return NOBODY if begins_with_other else None

    def _clause_start(self, place: int) -> int:
        at = place - 1
        while at >= 0 and self.words[at] not in BOUNDARIES:
            at -= 1
        return at + 1

    def _clause_subject(self, place: int) -> Role | None:
        """The subject of the clause in which `place` stands; nobody known where something else is its subject."""
        words = self.words
        at = self._clause_start(place)
        if at < place and words[at] in PREPOSITIONS:  # `In 2019, …`
            comma = next((n for n in range(at, place) if words[n] in COMMAS), None)
            if comma is None:
                return NOBODY
            at = comma + 1
        while at < place and self._is_before_subject(at):
            at += 1
        if at >= place:
            return ITSELF if self.note.is_subject and at == place else NOBODY
        return self._subject_at(at)

    def _is_before_subject(self, at: int) -> bool:
        """Whether a clause's subject is still to come: articles, adverbs, dates."""
        words = self.words
        word = words[at]
        if word in _ARTICLES:
            return at + 1 < self.count and words[at + 1] not in GENERIC and self._own_end(at) < 0
        return (
            word in ADVERBS or word in FILLERS or is_adverbial(word) or (word in AUXILIARIES and word >= _HAN)
        )

    def _subject_at(self, at: int) -> Role:
        """Whom the noun phrase that begins at `at` means; nobody known where it is something else, or only belongs to that."""
        words = self.words
        word = words[at]
        if word == LINK:
            role, end, _ = self._list_from(at)
            return NOBODY if end < self.count and words[end] == "'s" else role
        if word != SELF and (end := self._own_end(at)) > 0 and word in _ARTICLES:
            return ITSELF if self.note.is_subject else NOBODY
        if word == SELF or self._is_own_name(at):
            end = self._run_end(at)
            is_owner = end < self.count and words[end] == "'s"
            is_own = self.note.is_subject and (word == SELF or self._is_own_run(end - 1))
            return ITSELF if is_own and not is_owner else NOBODY
        if word in PRONOUNS and (word not in POSSESSIVES or word == "其"):
            return self._pronoun(word, at)
        if word in DEICTIC and at + 1 < self.count and words[at + 1] in GENERIC:
            return self._pronoun(words[at + 1], at)
        if word >= _HAN and word in GENERIC:
            return self._pronoun(word, at)
        return ITSELF if self._is_entry_verb(at) and self.note.is_subject else NOBODY

    def _is_entry_verb(self, at: int) -> bool:
        """Whether the clause begins with a verb whose subject is left out: `Joined …, founded [[x]]`."""
        word = self.words[at]
        if at > 0 and self.words[at - 1] not in {"|", ":", "："}:
            return False
        return word.endswith("ed") or word in {"成立", "毕业", "出生", "创立", "加入", "离开"}

    def _goes_on(self, at: int) -> bool:
        """Whether a noun phrase such as `the company` goes on with the name or with whose it is."""
        return at < self.count and (self.words[at] in {LINK, "of"} or self.capital[at])

    def _earlier_person(self, at: int) -> Role | None:
        """The one link in front of a clause that begins with `she`: `talked about [[x]], she founded …`; `None` where there is none."""
        words = self.words
        begins = at - 1
        if begins < 1 or (words[begins] not in COMMAS and words[begins] not in BOUNDARIES):
            return None
        before = words[:begins]
        places = [place for place, word in enumerate(before) if word == LINK]
        is_of_note = SELF in before or any(map(self._is_own_name, range(begins)))
        if not places or is_of_note or not PRONOUNS.isdisjoint(before):
            return None
        if len(places) > 1:
            return NOBODY
        place = places[0]
        is_adjunct = before[0].endswith("ing") or before[0] in PREPOSITIONS or before[-1] in _WHEN
        if is_adjunct or not _WHERE.isdisjoint(before[max(0, place - 2) : place]):
            return None
        return (self.links[place],)

    def _pronoun(self, word: str, at: int) -> Role:
        """Whom a pronoun at `at`, or `the company`, means: what the sentence before is about, else the note itself."""
        kind = self.note.kind
        if (
            word in OF_PERSONS
            and word not in OF_AUTHORS
            and kind != "person"
            and (named := self._earlier_person(at)) is not None
        ):
            return named
        if word in OF_AUTHORS and kind != "organisation":
            return NOBODY
        if word in OF_SEVERAL and kind not in {"person", "organisation"}:
            return self.antecedent() or NOBODY
        of_person = word in OF_PERSONS
        if of_person:
            can_be_note = self.note.is_subject and kind in {"person", ""}
        elif kind == "organisation":
            can_be_note = self.note.is_subject
        elif word in ORGANISATIONS:
            can_be_note = self.note.is_subject and kind == ""
        else:
            can_be_note = self.note.is_subject and kind not in {"person", "meeting"}
        if can_be_note and kind:
            return ITSELF
        before = self.antecedent()
        if before is not None:
            return before if before != ITSELF or can_be_note else NOBODY
        return ITSELF if can_be_note else NOBODY
