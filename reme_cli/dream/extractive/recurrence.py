"""Topic candidates: phrases of the day's passages that recur across sections and days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.digest.sentences import split
from reme_cli.dream.extractive.naming import clip, is_telling, plain
from reme_cli.dream.extractive.salience import Background, Gist, Phrase, key_of, phrases, terms
from reme_cli.dream.extractive.sections import Passage, display_width
from reme_cli.dream.extractive.substance import stands_alone
from reme_cli.dream.unit import Topic

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MAX_SHARE: Final = 0.5
"""A phrase of more than this share of `MANY` days or more is part of how the person writes, no topic."""
MANY: Final = 8
HEADED: Final = 1.5
"""What a phrase that a heading holds counts more."""
MAX_KEYWORDS: Final = 5
MAX_REASON: Final = 240
"""Columns."""
MAX_WEIGHED: Final = 1_000
"""So many phrases of a day are compared with each other, the best first, and so many lines looked through for a reason."""


@dataclass(frozen=True, slots=True)
class _Recurring:
    phrase: Phrase
    places: tuple[int, ...]
    """Indices of today's passages that hold it."""
    days: int
    score: float


def recurring_topics(
    passages: Sequence[Passage], own: Sequence[Gist], background: Background, today: str, limit: int
) -> tuple[Topic, ...]:
    """The topics that today's passages share among themselves or with earlier days, the most recurrent and telling first.

    A topic's title is a phrase as the notes write it, its reason a sentence that holds it. `own` are the gists of
    `passages`, in their order; `background` holds those of the earlier days, and of the day `today`.
    """
    earlier = [gist for gist in background.gists if gist.day != today]
    day_of = [gist.day for gist in earlier]
    all_days = {gist.day for gist in background.gists}
    spellings: dict[str, dict[str, int]] = {}
    for passage in passages:
        for phrase in _phrases_of(passage):
            counts = spellings.setdefault(phrase.key, {})
            counts[phrase.shown] = counts.get(phrase.shown, 0) + 1
    headings = f" {' | '.join(key_of(passage.heading) for passage in passages)} "
    holding_now, holding_before = _holders(spellings, own), _holders(spellings, earlier)
    found: list[_Recurring] = []
    for key, counts in spellings.items():
        places = tuple(holding_now.get(key, ()))
        days = len({today, *(day_of[place] for place in holding_before.get(key, ()))})
        is_habit = len(all_days) >= MANY and days > MAX_SHARE * len(all_days)
        notes = {passages[place].path for place in places}
        if not places or is_habit or (days < 2 and len(notes) < 2):
            continue
        shown = min(counts, key=lambda spelling: (-counts[spelling], spelling))
        score = _score(shown, days, len(places), background) * (HEADED if f" {key} " in headings else 1.0)
        found.append(_Recurring(Phrase(key, shown), places, days, score))
    found.sort(key=lambda one: (-one.score, one.phrase.key))
    distinct: list[_Recurring] = []
    for one in found[:MAX_WEIGHED]:
        if not any(_overlaps(one, other) for other in distinct):
            distinct.append(one)
    ordered = _spread(distinct)
    return tuple(_topic(one, passages, background, distinct) for one in ordered[:limit])


def _holders(keys: Collection[str], gists: Sequence[Gist]) -> dict[str, list[int]]:
    """The indices of the gists that hold each key as a run of their tokens, from one pass over the tokens."""
    lengths: dict[str, set[int]] = {}
    for key in keys:
        words = key.split(" ")
        lengths.setdefault(words[0], set()).add(len(words))
    holders: dict[str, list[int]] = {}
    for place, gist in enumerate(gists):
        tokens = gist.tokens.split()
        runs = {
            " ".join(tokens[at : at + length])
            for at, token in enumerate(tokens)
            for length in lengths.get(token, ())
        }
        for key in runs:
            if key in keys:
                holders.setdefault(key, []).append(place)
    return holders


def _spread(found: Sequence[_Recurring]) -> list[_Recurring]:
    """Those that bring a passage of their own first, so that three topics are not three words of one section."""
    first: list[_Recurring] = []
    rest: list[_Recurring] = []
    covered: set[int] = set()
    for one in found:
        (rest if covered.issuperset(one.places) else first).append(one)
        covered.update(one.places)
    return first + rest


def _score(shown: str, days: int, sections: int, background: Background) -> float:
    """Days count one each and today's sections a half, times the mean weight of the phrase's terms and a bonus for being specific."""
    found = terms(shown)
    width = display_width(shown)
    specific = 1.0 + 0.04 * min(width, 16)
    weight = background.salience(found) / (len(found) or 1) if found else 0.0
    return (days + 0.5 * (sections - 1)) * weight * specific


def _phrases_of(passage: Passage) -> tuple[Phrase, ...]:
    found = [
        phrase
        for text in (passage.heading, *(line.text for line in passage.lines))
        for phrase in phrases(text)
    ]
    return tuple({phrase: None for phrase in found if _can_be_title(phrase.shown)})


def _can_be_title(shown: str) -> bool:
    """Whether a phrase is specific: telling, no abbreviation of two letters, no CJK word of two characters."""
    return 6 <= display_width(shown) <= 40 and is_telling(shown)


def _overlaps(one: _Recurring, other: _Recurring) -> bool:
    """Whether one phrase is part of the other, or shares most of its words and places with it."""
    mine, theirs = set(one.phrase.key.split()), set(other.phrase.key.split())
    return mine <= theirs or theirs <= mine or (len(mine & theirs) * 2 > min(len(mine), len(theirs)))


def _topic(
    one: _Recurring, passages: Sequence[Passage], background: Background, all_found: Sequence[_Recurring]
) -> Topic:
    holding = [passages[place] for place in one.places]
    needle = set(terms(one.phrase.shown))

    def appeal(candidate: tuple[Passage, str]) -> tuple[bool, bool, float]:
        sentence = candidate[1]
        return (
            not needle <= set(terms(sentence)),
            not stands_alone(sentence),
            -background.mean_weight(terms(sentence)),
        )

    texts = [(passage, line.text) for passage in holding for line in passage.lines]
    if len(texts) > MAX_WEIGHED:
        texts = [(passage, text) for passage, text in texts if one.phrase.shown in text] or texts
    sentences = [(passage, sentence) for passage, text in texts[:MAX_WEIGHED] for sentence in split(text)]
    source, sentence = min(sentences, key=appeal)
    beside = [
        other.phrase.shown
        for other in all_found
        if other is not one and set(other.places) & set(one.places) and not _overlaps(one, other)
    ]
    keywords = dict.fromkeys([one.phrase.shown, *beside])
    paths = tuple(sorted({passage.path for passage in holding}))
    return Topic(
        one.phrase.shown,
        clip(plain(sentence), MAX_REASON),
        source.path,
        tuple(keywords)[:MAX_KEYWORDS],
        paths,
    )
