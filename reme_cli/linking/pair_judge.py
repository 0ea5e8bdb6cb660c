"""What a model says of pairs of notes: whether they describe the same thing, or belong to the same topic.

Several pairs are shown in one call; whatever is answered about others counts for nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Literal, TypeVar

from pydantic import BaseModel, Field

from reme_cli.errors import NoteError, PathRefused
from reme_cli.llm.prompts import choose_language, fence, load_prompt
from reme_cli.vault.note import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking
    from reme_cli.linking.duplicate_report import DuplicatePair
    from reme_cli.linking.topic_report import TopicPair
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Turn

AT_ONCE: Final = 5
"""Pairs in one call."""
SHOWN: Final = 900
"""Characters of a note's body that are shown."""
LONGEST_SENTENCE: Final = 240

Pair = TypeVar("Pair", "DuplicatePair", "TopicPair")


# The docstrings and descriptions go to the model, as part of the schema.
class JudgedDuplicate(BaseModel):
    """Two notes that describe the same thing."""

    pair: int = Field(description="The number of the pair.")
    why: str = Field(default="", description="One short sentence: what both say.")


class DuplicateReply(BaseModel):
    """The pairs whose notes describe the same thing; none is a good answer."""

    duplicates: list[JudgedDuplicate]


class JudgedTopic(BaseModel):
    """Two notes of which readers of the one want to know the other."""

    pair: int = Field(description="The number of the pair.")
    why: str = Field(
        description="Half a sentence in the language of the first note, without links and without a full stop."
    )


class TopicReply(BaseModel):
    """The pairs that belong together; none is a good answer."""

    related: list[JudgedTopic]


def judge_duplicates(index: Index, pairs: Sequence[DuplicatePair], asking: Asking) -> list[DuplicatePair]:
    """The pairs that the model confirms, and the sure ones of those that it did not judge, in their order."""

    def ask(model: Model, batch: Sequence[DuplicatePair]) -> dict[int, str]:
        reply = model.structured(_prompt(index, "judge_duplicate", batch), DuplicateReply)
        return {judged.pair: _sentence(judged.why) for judged in reply.duplicates}

    confirmed = []
    batches = [pairs[at : at + AT_ONCE] for at in range(0, len(pairs), AT_ONCE)]
    for batch, told in zip(batches, asking.answers(batches, ask), strict=True):
        asking.asked += len(batch) if told is not None else 0
        for number, pair in enumerate(batch, 1):
            if told is None and pair.is_sure:
                confirmed.append(pair)
            elif told is not None and number in told:
                confirmed.append(pair._replace(why=told[number]))
    return confirmed


def judge_topics(index: Index, pairs: Sequence[TopicPair], asking: Asking) -> list[TopicPair]:
    """The pairs in their order, with the sentence of the model for those that it confirms; what it declines is left out."""

    def ask(model: Model, batch: Sequence[TopicPair]) -> dict[int, str]:
        reply = model.structured(_prompt(index, "judge_same_topic", batch), TopicReply)
        return {judged.pair: _sentence(judged.why) for judged in reply.related}

    judged = []
    batches = [pairs[at : at + AT_ONCE] for at in range(0, len(pairs), AT_ONCE)]
    for batch, told in zip(batches, asking.answers(batches, ask), strict=True):
        asking.asked += len(batch) if told is not None else 0
        for number, pair in enumerate(batch, 1):
            if told is None:
                judged.append(pair)
            elif told.get(number):
                judged.append(pair._replace(why=told[number]))
    return judged


def _prompt(
    index: Index, role: Literal["judge_duplicate", "judge_same_topic"], pairs: Sequence[Pair]
) -> tuple[Turn, Turn]:
    shown = [
        (f"pair {number}", f"{_shown(index, pair.first)}\n\n{_shown(index, pair.second)}")
        for number, pair in enumerate(pairs, 1)
    ]
    language = choose_language(index.vault.config.language, "".join(text for _, text in shown))
    return load_prompt(index.vault, role, language).render({"pairs": fence(shown)})


def _shown(index: Index, path: str) -> str:
    """A note as the model sees it: what it is called, what it says of itself, and the beginning of its text."""
    note = index.note(path)
    told = {"path": path, "name": note.name if note else "", "description": note.description if note else ""}
    try:
        body = index.vault.read(path).body.strip()[:SHOWN]
    except (NoteError, PathRefused):
        body = ""
    return f"{json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)}\n{body}"


def _sentence(why: str) -> str:
    """A model's words as one line of plain text, in which nothing is a link or a tag."""
    plain = one_line(why.translate(dict.fromkeys(map(ord, "[]<>`*_#|$%^~=\\{}"), "")))
    return plain[:LONGEST_SENTENCE].strip().rstrip(".。")
