"""What a model says of the mentions that their scores leave open, and of those that no name gives away.

One call for each note: its paragraphs, and the notes that may be meant, found by name or recalled by what the paragraph says. The
model answers with exact spans; whatever it answers can only become a link where a mention could.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import BaseModel, Field

from reme_cli.index.fulltext import Query
from reme_cli.linking.decision import linked
from reme_cli.linking.folding import is_bound
from reme_cli.linking.paragraphs import PARAGRAPH
from reme_cli.linking.placing import is_drawing, places_among
from reme_cli.llm.prompts import choose_language, fence, load_prompt
from reme_cli.search.query import query_terms
from reme_cli.search.words import WEIGHTS
from reme_cli.vault.spans import overlaps
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import strip_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from reme_cli.linking.asking import Asking
    from reme_cli.linking.decision import Candidate, Decision
    from reme_cli.linking.placing import Place
    from reme_cli.linking.survey import Survey
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Prompt

RECALLED: Final = 5
"""Notes that are recalled for a paragraph."""
MOST_NOTES: Final = 40
"""Notes that are offered for one note."""
SHOWN_TOKENS: Final = 4_000
"""Estimated tokens of a note's paragraphs that are shown; those with open mentions come first."""
NEIGHBOURS: Final = 5
LONGEST_MENTION: Final = 80
_SHORTEST_PARAGRAPH: Final = 40
"""Characters; a shorter one is only shown for an open mention in it."""


# The docstrings and descriptions go to the model, as part of the schema.
class JudgedLink(BaseModel):
    """One mention that means one of the notes."""

    paragraph: int = Field(description="The number of the paragraph.")
    mention: str = Field(
        description="The words of the paragraph that mean the note, exactly as they stand there."
    )
    note: int = Field(description="The number of the note.")


class JudgeReply(BaseModel):
    """Every mention that surely means one of the notes; none is a good answer."""

    links: list[JudgedLink]


class Paragraph(NamedTuple):
    """A paragraph of a note, as characters of the file."""

    start: int
    end: int


@dataclass(slots=True)
class Question:
    """What is asked about one note."""

    decision: Decision
    undecided: Sequence[Candidate]
    prompt: Prompt
    shown: list[tuple[int, Paragraph]]
    """The paragraphs that the model sees, in order, each with its number in the note."""
    recalled: list[list[str]]
    """For each of these, the notes that it recalls, the likeliest first."""
    taken: set[str]
    """Notes that this one links, or is to link."""
    digests: dict[str, bytes]
    """By which the judgement of each note that may be meant is kept."""
    offered: list[str] = field(default_factory=list)
    """The notes that may be meant, those of open mentions first."""

    def offer(self, known: Mapping[bytes, object]) -> None:
        """Settles which notes are offered. A note that was judged and is linked by now keeps its place among those that a
        paragraph recalls, so that nothing else takes it and has to be asked about."""
        found = [target for candidate in self.undecided for target in candidate.targets]
        for recalled in self.recalled:
            counting = [path for path in recalled if path not in self.taken or self.digests[path] in known]
            found += [path for path in counting[:RECALLED] if path not in self.taken]
        self.offered = list(dict.fromkeys(found))[:MOST_NOTES]

    def is_known(self, known: Mapping[bytes, object]) -> bool:
        """Whether there is an answer for every note that is offered."""
        return all(self.digests[path] in known for path in self.offered)


class Judge:
    """Asks a model about mentions. It may be shared by threads."""

    def __init__(self, survey: Survey, asking: Asking) -> None:
        self._survey = survey
        self._asking = asking

    def questions(self, decisions: Sequence[tuple[Decision, Sequence[Candidate]]]) -> list[Question]:
        """What there is to ask about some notes; nothing is offered yet."""
        return [self._question(*each) for each in decisions if not is_drawing(each[0].note.text)]

    def _question(self, decision: Decision, undecided: Sequence[Candidate]) -> Question:
        survey, text, path = self._survey, decision.note.text, decision.note.path
        prompt = load_prompt(
            survey.vault, "judge_mention", choose_language(survey.vault.config.language, text)
        )
        taken = {link.target for link in decision.links.values()} | survey.readings[path].linked
        shown = list(self._shown(text, undecided))
        recalled = [self._recalled(path, text[start:end], taken) for _, (start, end) in shown]
        plain = strip_links(text)
        may_be_meant = {target for candidate in undecided for target in candidate.targets}.union(*recalled)
        digests = {
            target: self._asking.digest(prompt, path, plain, json.dumps(self._called(target)))
            for target in sorted(may_be_meant)
        }
        return Question(decision, undecided, prompt, shown, recalled, taken, digests)

    def ask(self, model: Model, question: Question) -> dict[bytes, object]:
        """What the model says of each note that is offered: the number of a paragraph and the words there, or nothing.
        Raises `ModelError`."""
        text, offered = question.decision.note.text, question.offered
        notes = "\n".join(self._described(path, number) for number, path in enumerate(offered, 1))
        paragraphs = fence(
            (f"paragraph {number}", text[start:end])
            for number, (_, (start, end)) in enumerate(question.shown, 1)
        )
        prompt = question.prompt.render({"paragraphs": paragraphs, "notes": fence([("notes", notes)])})
        reply = model.structured(prompt, JudgeReply)
        said: dict[bytes, object] = dict.fromkeys((question.digests[path] for path in offered), None)
        for link in reply.links:
            if 1 <= link.paragraph <= len(question.shown) and 1 <= link.note <= len(offered):
                digest = question.digests[offered[link.note - 1]]
                if said[digest] is None:
                    said[digest] = [question.shown[link.paragraph - 1][0], link.mention.strip()]
        return said

    def settle(self, question: Question, said: Mapping[bytes, object]) -> list[Candidate]:
        """Adds the links that the model wants to the decision; gives the candidates that it left."""
        decision, text = question.decision, question.decision.note.text
        paragraphs = dict(question.shown)
        for target in question.offered:
            match said[question.digests[target]]:
                case [int(number), str(mention)] if number in paragraphs and target not in question.taken:
                    place = _place(text, paragraphs[number], mention, decision)
                    if place is not None:
                        question.taken.add(target)
                        decision.links[place] = linked(decision.note, place, target, 1.0, "model")
        return [each for each in question.undecided if question.taken.isdisjoint(each.targets)]

    def _shown(self, text: str, undecided: Sequence[Candidate]) -> Iterator[tuple[int, Paragraph]]:
        """The paragraphs that the model sees, in order, each with its number among all."""
        asked = sorted(place.start for candidate in undecided for place in candidate.places)
        paragraphs = [Paragraph(*found.span()) for found in PARAGRAPH.finditer(text)]
        open_ones = [
            each for each in paragraphs if bisect_left(asked, each.start) < bisect_left(asked, each.end)
        ]
        others = [
            each
            for each in sorted(set(paragraphs).difference(open_ones))
            if each.end - each.start >= _SHORTEST_PARAGRAPH and _has_prose(text, each)
        ]
        left = SHOWN_TOKENS
        chosen: list[Paragraph] = []
        for each in [*open_ones, *others]:
            left -= estimate_tokens(text[each.start : each.end])
            if left < 0 and chosen:
                break
            chosen.append(each)
        numbers = {paragraph: number for number, paragraph in enumerate(paragraphs, 1)}
        yield from ((numbers[each], each) for each in sorted(chosen))

    def _recalled(self, path: str, paragraph: str, taken: AbstractSet[str]) -> list[str]:
        """The notes that a paragraph recalls, the likeliest first; enough of them, were those that are taken left out."""
        terms = query_terms(paragraph)
        if not terms:
            return []
        matches = self._survey.index.matches(Query(terms=terms), WEIGHTS, RECALLED + len(taken) + 1)
        targets = self._survey.lexicon.targets
        return [note.path for note in matches.candidates if note.path in targets and note.path != path]

    def _described(self, path: str, number: int) -> str:
        """A note as the model is told of it: what it is called, what it says of itself, what it links."""
        reading = self._survey.readings.get(path)
        neighbours = sorted(reading.linked)[:NEIGHBOURS] if reading else []
        told: Mapping[str, object] = {"note": number, **self._called(path), "links to": neighbours}
        return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)

    def _called(self, path: str) -> dict[str, str]:
        note = self._survey.index.note(path)
        return {
            "path": path,
            "name": note.name if note else path,
            "description": note.description if note else "",
        }


def _has_prose(text: str, paragraph: Paragraph) -> bool:
    return any(
        character.isalpha() for character in text[paragraph.start : paragraph.start + _SHORTEST_PARAGRAPH]
    )


def _place(text: str, paragraph: Paragraph, mention: str, decision: Decision) -> Place | None:
    """The first place in a paragraph where these very words may become a link; `None` where there is none."""
    if not 1 < len(mention) <= LONGEST_MENTION:
        return None
    spans = []
    taken = sorted(decision.links)
    start = text.find(mention, paragraph.start, paragraph.end)
    while start >= 0:
        end = start + len(mention)
        is_whole = not (start and is_bound(text[start - 1], text[start])) and not (
            end < len(text) and is_bound(text[end - 1], text[end])
        )
        if is_whole and not overlaps(taken, start, end):
            spans.append((start, end))
            start = end - 1  # none across another: 哈哈 in 哈哈哈
        start = text.find(mention, start + 1, paragraph.end)
    places = places_among(text, spans)
    return next((places[span] for span in spans if span in places), None)
