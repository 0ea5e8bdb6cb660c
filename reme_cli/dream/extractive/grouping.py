"""Passages of the day's notes ranked, near-duplicates brought together, and cut down to the lines worth keeping."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from reme_cli.digest.sentences import split
from reme_cli.dream.extractive.bucket import bucket_of
from reme_cli.dream.extractive.naming import plain
from reme_cli.dream.extractive.salience import Background, key_of, terms
from reme_cli.dream.extractive.sections import Line, Passage, display_width
from reme_cli.dream.extractive.similarity import SAME, Profile, profile_of, similarity
from reme_cli.dream.extractive.substance import announces, can_open, is_pointer, stands_alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

MIN_ENGLISH: Final = 48
"""Columns of a lone English sentence."""
MAX_COLUMNS: Final = 900
"""Of what is quoted from one passage: about 150 English words or 300 Chinese characters."""
MAX_STEPS: Final = 15
"""Steps of a procedure that are quoted; the rest stays in the source."""
MAX_JOINED: Final = 2
"""Lines that a near-duplicate passage adds to a group."""
REPEATED: Final = 88
"""rapidfuzz ratio of two sentences' tokens, 0–100, from which the second says nothing new."""
CONTAINED: Final = 92
"""Token-set ratio from which a sentence says nothing beyond a longer one."""
MIN_COLUMNS: Final = 28
"""A passage that says less is too weak a candidate, as is one of which no sentence stands alone."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with what it is compared by. `score` orders passages, the highest first."""

    passage: Passage
    name: str
    profile: Profile
    score: float


@dataclass(frozen=True, slots=True)
class Group:
    """A founding passage and its near-duplicates, best first."""

    founder: Ranked
    others: tuple[Ranked, ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All of them, the founder first."""
        return (self.founder.passage, *(other.passage for other in self.others))


def rank(
    found: Iterable[Passage], background: Background, name: Callable[[Passage], str], hint: str = ""
) -> tuple[Ranked, ...]:
    """The passages by salience, highest first, ties in the order given.

    Named passages, numbered steps and sentences that stand alone count more; a passage that shares a term with `hint` half as much again.
    """
    wanted = frozenset(terms(hint))
    ranked = []
    for passage in found:
        if not _is_strong(passage):
            continue
        called = name(passage)
        profile = profile_of(called, "\n".join(line.text for line in passage.lines))
        all_terms = [term for line in passage.lines for term in terms(line.text)] + list(
            terms(passage.heading)
        )
        score = background.salience(all_terms) * _shape(passage) * (1.5 if wanted & profile.terms else 1.0)
        if profile.terms:
            ranked.append(Ranked(passage, called, profile, score))
    return tuple(sorted(ranked, key=lambda one: -one.score))


def group(ranked: Sequence[Ranked], background: Background) -> tuple[Group, ...]:
    """Each passage with those after it that are the same memory, in rank order."""
    groups: list[tuple[Ranked, list[Ranked]]] = []
    for one in ranked:
        for founder, others in groups:
            if similarity(founder.profile, one.profile, background.weight) >= SAME:
                others.append(one)
                break
        else:
            groups.append((one, []))
    return tuple(Group(founder, tuple(others)) for founder, others in groups)


def chosen_lines(passage: Passage, background: Background) -> tuple[Line, ...]:
    """The lines of a passage to quote, in order: all of a short one, of a long one the most telling within `MAX_COLUMNS`.

    Steps are kept from the first on, since a procedure with a hole misleads.
    """
    lines = _without_loose_opening(passage.lines)
    steps = [line for line in lines if line.shape == "step"][:MAX_STEPS]
    others = [line for line in lines if line.shape != "step"]
    room = MAX_COLUMNS - sum(display_width(line.text) for line in steps)

    def appeal(place: int) -> tuple[float, int]:
        early = 1.4 if place == 0 else 1.0
        return (-background.mean_weight(terms(others[place].text)) * early, place)

    kept = set(steps)
    for place in sorted(range(len(others)), key=appeal):
        width = display_width(others[place].text)
        if width <= room or not kept:
            kept.add(others[place])
            room -= width
    ordered = [line for line in lines if line in kept]
    return tuple(
        line
        for line, following in pairwise([*ordered, Line("", "prose")])
        if not (announces(line.text) and following.shape == "prose")
    )


def is_repeated(sentence: str, said: Iterable[str]) -> bool:
    """Whether one of the sentences `said` says the same in nearly the same words."""
    from rapidfuzz.fuzz import (
        ratio,
        token_set_ratio,
    )  # a binary extension: loaded by the commands that compare

    key = key_of(sentence)
    others = [key_of(other) for other in said]
    return any(
        ratio(key, other) >= REPEATED or (len(key) <= len(other) and token_set_ratio(key, other) >= CONTAINED)
        for other in others
    )


def _without_loose_opening(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines from the first one that does not lean on what was left out before it; all of them where every one leans."""
    for place, line in enumerate(lines):
        opening = split(line.text)[0]
        if line.shape != "prose" or announces(opening) or can_open(opening):
            return lines[place:]
    return lines


def _is_strong(passage: Passage) -> bool:
    """Whether a passage says enough, and says it so that it can be understood on its own."""
    columns = sum(display_width(plain(line.text)) for line in passage.lines)
    sentences = [sentence for line in passage.lines for sentence in split(line.text)]
    if columns < MIN_COLUMNS or not any(map(stands_alone, sentences)):
        return False
    if passage.is_log and len(sentences) < 3 and bucket_of(passage, {"personal"}) != "personal":
        return False  # an entry of a log tells what was done, which is no memory
    if len(sentences) > 1:
        return True
    # A lone sentence that begins small was cut out of something; one that points elsewhere says nothing itself.
    lone = sentences[0]
    is_short = lone.isascii() and (columns < MIN_ENGLISH or lone[0].islower())
    return not (is_short or is_pointer(lone))


def _shape(passage: Passage) -> float:
    """How much more or less a passage is worth for how it is set."""
    factor = 1.15 if passage.heading else 1.0
    if sum(line.shape == "step" for line in passage.lines) >= 2:
        factor *= 1.15
    return factor
