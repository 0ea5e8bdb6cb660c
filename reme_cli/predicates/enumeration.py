"""What is named in a sentence: runs of names, and enumerations of links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    COMPANIONS,
    CONJUNCTIONS,
    DETERMINERS,
    FILLERS,
    PREPOSITIONS,
    RELATIVE,
    STOPS,
)
from reme_cli.predicates.words import SELF

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.predicates.note_self import NoteSelf
    from reme_cli.predicates.words import Words

Role = tuple["int | None", ...]
"""Ordinals of links; `None` is the note itself. Empty: nobody that we know."""

ITSELF: Final[Role] = (None,)
NOBODY: Final[Role] = ()

_DEFINITE: Final = frozenset({"the", "this", "our", "these"})
_MOST_ADJECTIVES: Final = 2
_LONGEST_BREAK: Final = 12
"""Words of what is said of one of several, before the next is named."""


class Enumerations:
    """What one sentence names."""

    def __init__(self, sentence: Words, note: NoteSelf, antecedent: Callable[[], Role | None]) -> None:
        self.words, self.capital, self.links = sentence
        self.note = note
        self.antecedent = antecedent
        """Whom a pronoun at the beginning means by the sentence before; `None` where that tells nothing."""
        self.count = len(self.words)

    def _is_own_name(self, at: int) -> bool:
        return self.capital[at] and self.words[at] in self.note.words

    def _is_run_start(self, at: int) -> bool:
        return at == 0 or not self.capital[at - 1]

    def _run_start(self, at: int) -> int:
        while at > 0 and self.capital[at - 1]:
            at -= 1
        return at

    def _run_end(self, at: int) -> int:
        end = at + 1
        while end < self.count and self.capital[end]:
            end += 1
        return end

    def _is_own_run(self, at: int) -> bool:
        """Whether the run of capitalised words that ends at `at` names the note."""
        if not self._is_own_name(at):
            return False
        return all(self._is_own_name(place) for place in range(self._run_start(at), at))

    def _own_start(self, at: int) -> int:
        """Where the words begin that name the note and end at `at`: `Acme Robotics`, `the robotics lab`; -1 where they do not."""
        if self._is_own_run(at):
            return self._run_start(at)
        words, nouns = self.words, self.note.nouns
        if words[at] not in nouns or self.capital[at]:
            return -1
        start = at
        while start > 0 and words[start - 1] in nouns:
            start -= 1
        for before in range(start - 1, max(start - 2 - _MOST_ADJECTIVES, -1), -1):
            word = words[before]
            if word in _DEFINITE:
                return before
            if (
                not word.isascii()
                or not word.isalpha()
                or self.capital[before]
                or word in STOPS
                or word in DETERMINERS
            ):
                return -1
        return 0 if start == 0 else -1

    def _own_end(self, at: int) -> int:
        """Where the words end that name the note and begin at `at`; -1 where they do not."""
        if self._is_own_name(at) and self._is_run_start(at):
            return self._run_end(at)
        words, nouns = self.words, self.note.nouns
        if words[at] not in _DEFINITE or at + 1 >= self.count or words[at + 1] not in nouns:
            return -1
        end = at + 1
        while end < self.count and words[end] in nouns:
            end += 1
        is_whole = (
            end >= self.count or not words[end].isalpha() or words[end] in STOPS or words[end] in AUXILIARIES
        )
        return end if is_whole and words[end : end + 1] != ["'s"] else -1

    def _list_from(self, at: int, *, is_with: bool = True) -> tuple[Role, int, tuple[int, ...]]:
        """The links of an enumeration that begins with the one at `at`, and where it ends; `is_with`: companions belong to it."""
        role: list[int | None] = [self.links[at]]
        over: list[int] = []
        end = at + 1
        is_pair = at > 0 and self.words[at - 1] == "between"
        while (following := self._next_of_list(end, may_act=is_pair)) is not None:
            if not is_with and "with" in self.words[end:following]:
                break
            over += range(end, following)
            if self.words[following] == LINK:
                role.append(self.links[following])
            end = following + 1
        return tuple(role), end, tuple(over)

    def _opening_before(self, at: int) -> int:
        """Where the bracket opens that closes at `at`."""
        return next((place for place in range(at, -1, -1) if self.words[place] in {"(", "（"}), 0)

    def _next_of_list(self, place: int, *, may_act: bool = False) -> int | None:
        """Where the next link of an enumeration stands, whose last one ends at `place`; `may_act`: a verb may follow it."""
        words = self.words
        at, joined = place, False
        if at < self.count and words[at] in {"(", "（"}:
            closing = next((n for n in range(at, min(at + 10, self.count)) if words[n] in {")", "）"}), None)
            if closing is None:
                return None
            at = closing + 1
        while at < self.count and words[at] in CONJUNCTIONS:
            at += 1
            joined = True
        if joined:
            ahead = at
            while ahead < min(at + 4, self.count) and (
                words[ahead] in DETERMINERS or words[ahead] in COMPANIONS or words[ahead] in FILLERS
            ):
                ahead += 1
            if ahead < self.count and words[ahead] == LINK:
                return None if not may_act and self._begins_clause(ahead) else ahead
            if at < self.count and self._is_own_name(at):
                return None
        return self._after_break(place)

    def _begins_clause(self, at: int) -> bool:
        """Whether the link at `at` is the subject of a clause of its own: `…, and [[b]] joined later`."""
        after = at + 1
        if after >= self.count:
            return False
        word = self.words[after]
        if word == "who" or word in CONJUNCTIONS or word in PREPOSITIONS or word in BOUNDARIES:
            return False
        return word in AUXILIARIES or (word.endswith("ed") and not self.capital[after])

    def _after_break(self, place: int) -> int | None:
        """The next of an enumeration behind what is said of the one before: `a, who …, and b`, `a for … and b for …`."""
        words = self.words
        if place >= self.count:
            return None
        first = words[place]
        relative = (
            first in COMMAS
            and place + 1 < self.count
            and (words[place + 1] in RELATIVE or words[place + 1] in {"a", "an", "the"})
        )
        parallel = first in {"for", "on", "as"}
        before = words[place - 2] if place > 1 else ""
        if not relative and not parallel:
            return None
        at = place + 1
        limit = min(place + _LONGEST_BREAK * (2 if relative else 1), self.count)
        while at < limit:
            word = words[at]
            if word in {LINK, NOTHING} or word in BOUNDARIES:
                return None
            if word == "and" and at + 1 < self.count and words[at + 1] == LINK:
                after = words[at + 2] if at + 2 < self.count else "."
                if (
                    relative
                    and words[at - 1] in COMMAS
                    and (after in {",", ".", "who", "("} or after in PREPOSITIONS)
                ):
                    return at + 1
                if parallel and after in {first, "to"}:
                    return at + 1
                return None
            if (
                parallel
                and word == "and"
                and words[at + 1 : at + 2] == [before]
                and words[at + 2 : at + 3] == [LINK]
            ):
                return at + 2  # `on a for … and on b for …`
            at += 1
        return None

    def _list_to(self, at: int) -> tuple[Role, int]:
        """The links of an enumeration that ends with the one at `at`, and where it begins; the note itself may be the first."""
        words = self.words
        role: list[int | None] = [self.links[at]]
        start = at
        while (before := self._before_of_list(start)) is not None:
            if words[before] != LINK:
                return (None, *role), before if words[before] == SELF else self._run_start(before)
            role.insert(0, self.links[before])
            start = before
        return tuple(role), start

    def _before_of_list(self, start: int) -> int | None:
        """Where the one before ends in an enumeration whose next begins at `start`: a link, or a name of the note."""
        words = self.words
        at = start - 1
        while at >= 0 and (words[at] in CONJUNCTIONS or words[at] in DETERMINERS or words[at] in COMPANIONS):
            at -= 1
        if at >= 0 and words[at] in {")", "）"}:
            at = self._opening_before(at) - 1
        if at < 0 or at == start - 1:
            return None
        if words[at] == LINK:
            return at
        is_named = words[at] == SELF or (self._is_own_run(at) and "and" in words[at:start])
        return at if is_named and self.note.is_subject else None
