"""Which topics a day ends up with: what a person wrote stays, the rest competes, near-duplicates go.

The same policy for both engines; only the ranking differs. A topic is a person's when reme did not write it: the catalog keeps the
`mark` of every topic that reme wrote into a day's `interests.yaml`, and any other there was added or edited by hand. So was one
whose item holds more than reme writes: a key or a comment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.dream.engine import TopicRound
from reme_cli.dream.unit import Topic
from reme_cli.index.tokenize import tokens_of

if TYPE_CHECKING:
    import datetime as dt

SAME_TITLE: Final = 85
"""rapidfuzz token-sort ratio of two titles, 0–100, from which they are one topic."""
CONTAINED_TITLE: Final = 95
"""Token-set ratio from which one title is a shorter form of the other; the keywords must then agree by `SOME_KEYWORDS`."""
SOME_KEYWORDS: Final = 0.4
SAME_KEYWORDS: Final = 0.75
"""Share of common keywords (Jaccard) from which titles that are half alike are one topic."""
HALF_ALIKE: Final = 50

Select = Callable[[Sequence[Topic], TopicRound], tuple[Topic, ...]]
"""How an engine ranks topics: those worth keeping, best first."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a day's topics are settled beside.

    `existing` is what its `interests.yaml` holds, `written` the marks of those that are just as reme wrote them, `recent`
    the topics of the last `diversity_days` days.
    """

    date: dt.date
    count: int
    diversity_days: int
    existing: tuple[Topic, ...] = ()
    written: frozenset[str] = frozenset()
    recent: tuple[Topic, ...] = ()


def settle(candidates: Sequence[Topic], standing: Standing, select: Select) -> tuple[Topic, ...]:
    """The topics of the day: at most `standing.count`, or all of a person's where they are more.

    A person's topics stay, in their order. reme's own earlier ones and the candidates, freed of near-duplicates of
    those, of recent ones and of each other (an earlier one wins over a candidate), are ranked by `select` for the places left. Without
    candidates the existing ones stay as they are.
    """
    if not candidates:
        return standing.existing
    kept = tuple(topic for topic in standing.existing if topic.mark not in standing.written)
    earlier = [topic for topic in standing.existing if topic.mark in standing.written]
    pool = distinct([*earlier, *candidates], beside=[*kept, *standing.recent])
    room = max(standing.count - len(kept), 0)
    around = TopicRound(standing.date, room, standing.diversity_days, kept, standing.recent)
    offered = {topic.mark for topic in pool}
    ranked = [topic for topic in select(pool, around) if topic.mark in offered] if room and pool else []
    chosen = distinct(ranked, beside=())[:room]
    stays = [topic for topic in standing.existing if topic in kept or topic in chosen]
    return (*stays, *(topic for topic in chosen if topic not in stays))


def distinct(topics: Sequence[Topic], *, beside: Collection[Topic]) -> tuple[Topic, ...]:
    """The topics, each unless it is nearly one before it or one of `beside`."""
    found: list[Topic] = []
    for topic in topics:
        if not any(is_same_topic(topic, other) for other in (*beside, *found)):
            found.append(topic)
    return tuple(found)


def is_same_topic(one: Topic, other: Topic) -> bool:
    """Whether two topics are one, by title and keywords in any script; symmetric."""
    from rapidfuzz import fuzz  # a binary extension: loaded by the commands that compare

    # The tokens are the index's: letters of every script, case and width folded; CJK as pairs of characters.
    mine, theirs = tokens_of(one.title), tokens_of(other.title)
    if not mine or not theirs:
        return one.title.strip() == other.title.strip()
    titles = " ".join(mine), " ".join(theirs)
    shared = _agreement(one.keywords, other.keywords)
    if fuzz.token_sort_ratio(*titles) >= SAME_TITLE:
        return True
    contained = fuzz.token_set_ratio(*titles)
    return (contained >= CONTAINED_TITLE and shared >= SOME_KEYWORDS) or (
        contained >= HALF_ALIKE and shared >= SAME_KEYWORDS
    )


def _agreement(one: Sequence[str], other: Sequence[str]) -> float:
    """The Jaccard index of two keyword lists, compared as tokens; 0 where either is empty."""
    mine = {" ".join(tokens_of(keyword)) for keyword in one} - {""}
    theirs = {" ".join(tokens_of(keyword)) for keyword in other} - {""}
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0
