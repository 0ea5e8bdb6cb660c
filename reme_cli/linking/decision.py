"""What becomes of the mentions in one note."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from reme_cli.linking.everyday import is_everyday
from reme_cli.linking.pairs import Pair, in_their_own_right, pairs_in
from reme_cli.linking.placing import Place, as_place, is_drawing, places_among, with_links
from reme_cli.linking.report import Left, Linked
from reme_cli.linking.shown import shown_text
from reme_cli.linking.spelling import near_spellings
from reme_cli.linking.weights import THRESHOLDS, WORTH_TELLING
from reme_cli.regex import regex
from reme_cli.vault.spans import overlaps
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

    from reme_cli.linking.lexicon import Meaning
    from reme_cli.linking.reading import Reading
    from reme_cli.linking.survey import Survey
    from reme_cli.linking.weights import Threshold
    from reme_cli.vault.note import Note

_NEWLINE: Final = regex("\n")

Source = Literal["name", "spelling"]
"""What shows that a note is mentioned: one of its names, or what is nearly one."""
Which = Literal["first", "section", "all"]
"""Of the mentions of one note: the first in the text, the first in each section, or all of them."""


PlainCandidate: TypeAlias = "tuple[tuple[str, ...], list[tuple[int, int, bool]], float, Source]"
"""A candidate as it goes from one process to another: a tuple with names takes five times as long on its way."""


class Candidate(NamedTuple):
    """A note that is mentioned and not linked, or several of one name, with the places that could become the link."""

    targets: tuple[str, ...]
    """More than one: ambiguous."""
    places: tuple[Place, ...]
    """In order, at least one."""
    score: float
    by: Source = "name"

    @classmethod
    def of(cls, plain: PlainCandidate) -> Self:
        """The candidate that another process made plain."""
        targets, places, score, by = plain
        # one text for each note, however often it is mentioned
        return cls(tuple(map(sys.intern, targets)), tuple(map(as_place, places)), score, by)

    @property
    def plain(self) -> PlainCandidate:
        """The same without names."""
        places = [(start, end, in_cell) for start, end, in_cell in self.places]
        return self.targets, places, self.score, self.by


@dataclass(slots=True)
class Decision:
    """The links that a note is to get, by place, and what is left."""

    note: Note
    links: dict[Place, Linked] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the note with the links."""
        return with_links(self.note.text, {place: linked.target for place, linked in self.links.items()})


class Wanted(NamedTuple):
    """A note that is mentioned and not linked, or several of one name, as far as its score without a look at the text goes."""

    meanings: tuple[Meaning, ...]
    pair: Pair
    """With the first of the meanings: of several notes of one name one stands for all, what is known of the name is the same."""
    score: float


def wanted_in(survey: Survey, reading: Reading) -> list[Wanted]:
    """What a note mentions that would be worth telling if all of its places may become a link."""
    pairs, ambiguous = pairs_in(reading, survey.lexicon)
    weigh = survey.weigher.score
    several = [(name.meanings, Pair(name.meanings[0], name.mentions)) for name in ambiguous]
    return [
        Wanted(meanings, pair, sure)
        for meanings, pair in [*(((pair.meaning,), pair) for pair in pairs), *several]
        if _is_worth_telling(survey, meanings, pair, sure := weigh(reading, pair))
    ]


def _is_worth_telling(survey: Survey, meanings: Sequence[Meaning], pair: Pair, sure: float) -> bool:
    """Whether a mention may be more than an ordinary word. A name of several notes is told however unsure, unless it is one."""
    return sure >= WORTH_TELLING or (
        len(meanings) > 1 and not is_everyday(survey.lexicon.keys[pair.mentions[0].number])
    )


def candidates_in(survey: Survey, reading: Reading, note: Note, wanted: Sequence[Wanted]) -> list[Candidate]:
    """What a note mentions in places that may become a link and is worth telling, in order of the first place."""
    misspelt = survey.misspelt.get(note.path, frozenset())
    if not (wanted or misspelt) or is_drawing(note.text):
        return []
    weigh = survey.weigher.score
    spans = reading.places()
    places = places_among(
        note.text, sorted([spans[mention] for _, pair, _ in wanted for mention in pair.mentions])
    )
    found = []
    for meanings, pair, of_all in wanted:
        # of a list: for one mention a generator takes longer
        placed = tuple([mention for mention in pair.mentions if spans[mention] in places])
        if not placed:
            continue
        sure = of_all if len(placed) == len(pair.mentions) else weigh(reading, pair._replace(mentions=placed))
        if not _is_worth_telling(survey, meanings, pair, sure):
            continue
        standing = tuple([places[spans[mention]] for mention in in_their_own_right(placed)])
        found.append(Candidate(tuple([meaning.path for meaning in meanings]), standing, sure))
    if misspelt:
        found += _misspelt_in(survey, reading, note)
    return sorted(found, key=_first_place)


def _first_place(candidate: Candidate) -> Place:
    return candidate.places[0]


def _misspelt_in(survey: Survey, reading: Reading, note: Note) -> Iterator[Candidate]:
    """The notes that a note names with a slip of the pen, and neither links nor names otherwise."""
    # also a name that is not sure enough: the slip is no surer
    named = {
        meaning.path for mention in reading.mentions() for meaning in survey.lexicon.meanings[mention.number]
    }
    shown = shown_text(note.text, [link for link in survey.links(note.path) if link.kind != "frontmatter"])
    for number in sorted(survey.misspelt[note.path]):
        (meaning,) = survey.lexicon.meanings[number]
        if meaning.path in reading.linked or meaning.path in named or meaning.path == note.path:
            continue
        near = [
            (shown.original(start), shown.original(end - 1) + 1, likeness)
            for start, end, likeness in near_spellings(survey.lexicon.keys[number], shown.folded)
            if not overlaps(shown.regions, start, end)
        ]
        places = places_among(note.text, [(start, end) for start, end, _ in near])
        if places:
            likeness = max(likeness for _, _, likeness in near)
            yield Candidate((meaning.path,), tuple(sorted(places.values())), likeness, "spelling")


def decide(
    note: Note, candidates: Sequence[Candidate], threshold: Threshold, which: Which
) -> tuple[Decision, list[Candidate]]:
    """The links that the scores alone give, with what is left; and the candidates that a model could still decide."""
    decision = Decision(note)
    open_ones = []
    for candidate in candidates:
        if len(candidate.targets) == 1 and candidate.score >= THRESHOLDS[threshold]:
            for place in chosen(note.text, candidate.places, which):
                decision.links[place] = linked(
                    note, place, candidate.targets[0], candidate.score, candidate.by
                )
        else:
            open_ones.append(candidate)
    return decision, open_ones


def leave(decision: Decision, candidates: Sequence[Candidate], *, judged: bool = False) -> None:
    """Notes that these candidates are not linked, and why: a model judged them, or their scores did."""
    for candidate in candidates:
        place = candidate.places[0]
        line, col = position(decision.note.text, place.start)
        decision.left.append(
            Left(
                decision.note.path,
                line,
                col,
                sys.intern(decision.note.text[place.start : place.end]),
                candidate.targets,
                candidate.score,
                "declined" if judged else "ambiguous" if len(candidate.targets) > 1 else "weak",
            )
        )


def chosen(text: str, places: Sequence[Place], which: Which) -> list[Place]:
    """Those of a target's places, which are in order, that become links."""
    if which == "all":
        return list(places)
    if which == "first":
        return [places[0]]
    starts = [heading.start for heading in scan(text).headings]
    by_section: dict[int, Place] = {}
    for place in places:
        by_section.setdefault(bisect_right(starts, place.start), place)
    return list(by_section.values())


def linked(
    note: Note, place: Place, target: str, score: float, by: Literal["name", "spelling", "model"]
) -> Linked:
    """A link in the report."""
    line, col = position(note.text, place.start)
    return Linked(note.path, line, col, sys.intern(note.text[place.start : place.end]), target, score, by)


def position(text: str, place: int) -> tuple[int, int]:
    """Line and column of a place, from 1."""
    starts = _line_starts(text)
    line = bisect_right(starts, place)
    return line, place - starts[line - 1] + 1


@lru_cache(
    maxsize=64
)  # the notes of a batch are decided one after the other, and then what is left of each is told
def _line_starts(text: str) -> Sequence[int]:
    """Where the lines of a text begin; kept for the next mention in it, of which a long note may have very many."""
    return array("Q", (0, *(found.end() for found in _NEWLINE.finditer(text))))
