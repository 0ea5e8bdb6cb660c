"""What a model says of pairs of notes: whether they describe the same thing, or belong to the same topic.

Several pairs are shown in one call; whatever is answered about others counts for nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from reme_cli.errors import NoteError, PathRefused
from reme_cli.llm.prompts import choose_language, fence, load_prompt
from reme_cli.vault.note import one_line
from reme_cli.vault.wikilink import strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking
    from reme_cli.linking.duplicate_report import DuplicatePair
    from reme_cli.linking.topic_report import TopicPair
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Prompt, Turn

AT_ONCE: Final = 5
"""Pairs in one call."""
SHOWN: Final = 900
"""Characters of a note's body that are shown."""
LONGEST_SENTENCE: Final = 240

Pair = TypeVar("Pair", "DuplicatePair", "TopicPair")
PairRole: TypeAlias = Literal["judge_duplicate", "judge_same_topic"]


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

    def ask(model: Model, prompt: tuple[Turn, Turn]) -> dict[int, str]:
        reply = model.structured(prompt, DuplicateReply)
        return {judged.pair: judged.why for judged in reply.duplicates}

    confirmed = []
    for pair, told in zip(pairs, _judged(index, "judge_duplicate", pairs, asking, ask), strict=True):
        if told is None and pair.is_sure:
            confirmed.append(pair)
        elif told is not None and told.why is not None:
            confirmed.append(pair._replace(why=told.why))
    return confirmed


def judge_topics(index: Index, pairs: Sequence[TopicPair], asking: Asking) -> list[TopicPair]:
    """The pairs in their order, with the sentence of the model for those that it confirms; what it declines is left out."""

    def ask(model: Model, prompt: tuple[Turn, Turn]) -> dict[int, str]:
        reply = model.structured(prompt, TopicReply)
        return {judged.pair: judged.why for judged in reply.related}

    judged = []
    for pair, told in zip(pairs, _judged(index, "judge_same_topic", pairs, asking, ask), strict=True):
        if told is None:
            judged.append(pair)
        elif told.why:
            judged.append(pair._replace(why=told.why))
    return judged


class Told(NamedTuple):
    """What the model says of one pair."""

    why: str | None
    """`None`: it declines the pair."""


def _judged(
    index: Index,
    role: PairRole,
    pairs: Sequence[Pair],
    asking: Asking,
    ask: Callable[[Model, tuple[Turn, Turn]], dict[int, str]],
) -> list[Told | None]:
    """What the model says of each pair, now or in an earlier run; `None` where it did not judge it.

    `ask` gives the model's words for the pairs that it confirms, by their numbers from 1.
    """
    shown = [f"{_shown(index, pair.first)}\n\n{_shown(index, pair.second)}" for pair in pairs]
    digests = [asking.digest(_prompt_for(index, role, text), text) for text in shown]
    known = asking.known(digests)
    asking.remembered += sum(digest in known for digest in digests)
    left = [number for number, digest in enumerate(digests) if digest not in known]
    batches = [left[at : at + AT_ONCE] for at in range(0, len(left), AT_ONCE)]

    def answer(model: Model, batch: Sequence[int]) -> dict[bytes, str | None]:
        pieces = [(f"pair {number}", shown[each]) for number, each in enumerate(batch, 1)]
        prompt = _prompt_for(index, role, "".join(text for _, text in pieces))
        told = ask(model, prompt.render({"pairs": fence(pieces)}))
        said = {digests[each]: told.get(number) for number, each in enumerate(batch, 1)}
        asking.keep(said)
        return said

    for batch, said in zip(batches, asking.answers(batches, answer), strict=True):
        asking.asked += len(batch) if said is not None else 0
        known.update(said or {})
    return [_told(known[digest]) if digest in known else None for digest in digests]


def _told(said: object) -> Told:
    return Told(_sentence(said) if isinstance(said, str) else None)


def _prompt_for(index: Index, role: PairRole, text: str) -> Prompt:
    return load_prompt(index.vault, role, choose_language(index.vault.config.language, text))


def _shown(index: Index, path: str) -> str:
    """A note as the model sees it: what it is called, what it says of itself, and the beginning of its text, of links what they show.

    So a link that reme adds does not make it another question.
    """
    note = index.note(path)
    told = {"path": path, "name": note.name if note else "", "description": note.description if note else ""}
    try:
        body = strip_links(index.vault.read(path).body).strip()[:SHOWN]
    except (NoteError, PathRefused):
        body = ""
    return f"{json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False)}\n{body}"


def _sentence(why: str) -> str:
    """A model's words as one line of plain text, in which nothing is a link or a tag."""
    plain = one_line(why.translate(dict.fromkeys(map(ord, "[]<>`*_#|$%^~=\\{}"), "")))
    return plain[:LONGEST_SENTENCE].strip().rstrip(".。")
