"""What a model says of the mentions that their scores leave open, and of those that no name gives away.

One call for each note: its paragraphs, and the notes that may be meant, found by name or recalled by what the paragraph says. The
model answers with exact spans; whatever it answers can only become a link where a mention could.
"""

from __future__ import annotations

import json
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
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reme_cli.linking.decision import Candidate, Decision
    from reme_cli.linking.placing import Place
    from reme_cli.linking.survey import Survey
    from reme_cli.llm.client import Model

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

    links: list[JudgedLink] = Field(default_factory=list)


class Paragraph(NamedTuple):
    """A paragraph of a note, as characters of the file."""

    start: int
    end: int


class Judge:
    """Asks a model about mentions. It may be shared by threads."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey

    def settle(self, model: Model, decision: Decision, undecided: Sequence[Candidate]) -> list[Candidate]:
        """Adds the links that the model wants to a decision; gives the candidates that it left. Raises `ModelError`."""
        text = decision.note.text
        if is_drawing(text):
            return list(undecided)
        taken = {link.target for link in decision.links.values()} | self._survey.readings[
            decision.note.path
        ].linked
        shown = list(self._shown(text, undecided))
        offered = self._offered(decision, shown, undecided, taken)
        if not offered:
            return list(undecided)
        prompt = load_prompt(
            self._survey.vault, "judge_mention", choose_language(self._survey.vault.config.language, text)
        ).render(
            {
                "paragraphs": fence(
                    (f"paragraph {number}", text[start:end]) for number, (start, end) in enumerate(shown, 1)
                ),
                "notes": fence(
                    [
                        (
                            "notes",
                            "\n".join(
                                self._described(path, number) for number, path in enumerate(offered, 1)
                            ),
                        )
                    ]
                ),
            }
        )
        reply = model.structured(prompt, JudgeReply)
        for link in reply.links:
            if not (1 <= link.paragraph <= len(shown) and 1 <= link.note <= len(offered)):
                continue
            target = offered[link.note - 1]
            place = (
                None
                if target in taken
                else _place(text, shown[link.paragraph - 1], link.mention.strip(), decision)
            )
            if place is not None:
                taken.add(target)
                decision.links[place] = linked(decision.note, place, target, 1.0, "model")
        return [candidate for candidate in undecided if taken.isdisjoint(candidate.targets)]

    def _shown(self, text: str, undecided: Sequence[Candidate]) -> Iterator[Paragraph]:
        """The paragraphs that the model sees, in order."""
        asked = {place.start for candidate in undecided for place in candidate.places}
        paragraphs = [Paragraph(*found.span()) for found in PARAGRAPH.finditer(text)]
        open_ones = [each for each in paragraphs if any(each.start <= place < each.end for place in asked)]
        others = [
            each
            for each in paragraphs
            if each not in open_ones
            and each.end - each.start >= _SHORTEST_PARAGRAPH
            and _has_prose(text, each)
        ]
        left = SHOWN_TOKENS
        chosen: list[Paragraph] = []
        for each in [*open_ones, *others]:
            left -= estimate_tokens(text[each.start : each.end])
            if left < 0 and chosen:
                break
            chosen.append(each)
        yield from sorted(chosen)

    def _offered(
        self, decision: Decision, shown: Sequence[Paragraph], undecided: Sequence[Candidate], taken: set[str]
    ) -> list[str]:
        """The notes that may be meant, those of open mentions first."""
        text, path = decision.note.text, decision.note.path
        found = [target for candidate in undecided for target in candidate.targets]
        for start, end in shown:
            terms = query_terms(text[start:end])
            if terms:
                matches = self._survey.index.matches(Query(terms=terms), WEIGHTS, RECALLED + len(taken) + 1)
                recalled = [
                    note.path for note in matches.candidates if note.path in self._survey.lexicon.targets
                ]
                found += [target for target in recalled if target not in taken and target != path][:RECALLED]
        return list(dict.fromkeys(found))[:MOST_NOTES]

    def _described(self, path: str, number: int) -> str:
        """A note as the model is told of it: what it is called, what it says of itself, what it links."""
        note = self._survey.index.note(path)
        reading = self._survey.readings.get(path)
        neighbours = sorted(reading.linked)[:NEIGHBOURS] if reading else []
        told: Mapping[str, object] = {
            "note": number,
            "path": path,
            "name": note.name if note else path,
            "description": note.description if note else "",
            "links to": neighbours,
        }
        return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)


def _has_prose(text: str, paragraph: Paragraph) -> bool:
    return any(
        character.isalpha() for character in text[paragraph.start : paragraph.start + _SHORTEST_PARAGRAPH]
    )


def _place(text: str, paragraph: Paragraph, mention: str, decision: Decision) -> Place | None:
    """The first place in a paragraph where these very words may become a link; `None` where there is none."""
    if not 1 < len(mention) <= LONGEST_MENTION:
        return None
    spans = []
    start = text.find(mention, paragraph.start, paragraph.end)
    while start >= 0:
        end = start + len(mention)
        is_whole = not (start and is_bound(text[start - 1], text[start])) and not (
            end < len(text) and is_bound(text[end - 1], text[end])
        )
        if is_whole and not any(place.start < end and start < place.end for place in decision.links):
            spans.append((start, end))
        start = text.find(mention, start + 1, paragraph.end)
    places = places_among(text, spans)
    return next((places[span] for span in spans if span in places), None)
