"""What a model says of the relations that links stand for and the table of phrasings does not find."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import BaseModel, Field

from reme_cli.linking.paragraphs import PARAGRAPH
from reme_cli.llm.prompts import choose_language, fence, load_prompt
from reme_cli.predicates.inverse import INVERSES
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking
    from reme_cli.linking.l3_predicates import Plan
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Turn
    from reme_cli.vault.vault import Vault

SHOWN_TOKENS: Final = 4_000
"""Estimated tokens of a note's paragraphs that are shown."""
MOST_LINKS: Final = 60
"""Links of one note that a model is asked about."""
_FURTHER: Final = ("extends",)
"""Predicates that have a meaning and no phrasing."""


# The docstrings and descriptions go to the model, as part of the schema.
class JudgedPredicate(BaseModel):
    """The relation that the text states between the note and what one link leads to."""

    link: int = Field(description="The number of the link.")
    predicate: str = Field(description="One of the given predicates, from the note to what is linked.")


class PredicateReply(BaseModel):
    """Every link whose own sentence states one of the relations; none is a good answer."""

    predicates: list[JudgedPredicate]


class Question(NamedTuple):
    """What a model is asked about one note."""

    plan: Plan
    links: dict[int, int]
    """Ordinal in the note, by the number that the model is given."""
    paragraphs: list[str]
    """With `⟦number: text⟧` for each of these links."""


def judge_predicates(vault: Vault, index: Index, plans: Sequence[Plan], asking: Asking) -> None:
    """Adds to the plans what the model says of the links that they leave open. Names of predicates that were not offered, and
    links that were not asked about, count for nothing."""
    allowed = allowed_predicates(vault)

    def ask(model: Model, question: Question) -> dict[int, str]:
        reply = model.structured(_prompt(vault, index, question, allowed), PredicateReply)
        stated: dict[int, str] = {}
        for judged in reply.predicates:
            number = question.links.get(judged.link)
            predicate = judged.predicate.strip().lower().replace("-", "_")
            if number is not None and predicate in allowed:
                stated.setdefault(number, predicate)
        return stated

    questions = [question for plan in plans if (question := _question(plan)).links]
    for question, stated in zip(questions, asking.answers(questions, ask), strict=True):
        if stated is not None:
            asking.asked += 1
            question.plan.add(stated, "model")


def allowed_predicates(vault: Vault) -> tuple[str, ...]:
    """The predicates that a model may choose from: those of the table, their inverses, and the vault's own."""
    return tuple(sorted({*INVERSES, *INVERSES.values(), *_FURTHER, *vault.config.predicates}))


def _question(plan: Plan) -> Question:
    """The links of a note that are open, with the paragraphs in which they stand."""
    decided = {(each.line, each.col) for step in plan.steps for each in step.typed} | {
        (each.line, each.col) for each in plan.left
    }
    links = plan.found.links
    open_ones = [
        number
        for number in sorted(plan.typable & plan.targets.keys())
        if (links[number].line, links[number].col) not in decided
    ]
    text = plan.note.text
    question = Question(plan, {}, [])
    left, at = SHOWN_TOKENS, 0
    for paragraph in PARAGRAPH.finditer(text, plan.found.body_start):
        start, end = paragraph.span()
        within = []
        while at < len(open_ones) and links[open_ones[at]].start < end:
            if links[open_ones[at]].start >= start:
                within.append(open_ones[at])
            at += 1
        if not within:
            continue
        left -= estimate_tokens(text[start:end])
        if (left < 0 and question.links) or len(question.links) + len(within) > MOST_LINKS:
            break
        pieces: list[str] = []
        place = start
        for number in within:
            link = links[number]
            question.links[len(question.links) + 1] = number
            pieces += (text[place : link.start], f"⟦{len(question.links)}: {link.alias or link.target}⟧")
            place = link.end
        question.paragraphs.append("".join((*pieces, text[place:end])))
    return question


def _prompt(vault: Vault, index: Index, question: Question, allowed: Sequence[str]) -> tuple[Turn, Turn]:
    plan = question.plan
    notes = [f'{{"this note": {json.dumps(_called(index, plan.note.path), ensure_ascii=False)}}}']
    for number, ordinal in question.links.items():
        target = plan.targets[ordinal]
        told = {"link": number, "path": target, "name": _called(index, target)}
        notes.append(json.dumps(told, ensure_ascii=False))
    language = choose_language(vault.config.language, plan.note.text)
    return load_prompt(vault, "judge_predicate", language).render(
        {
            "predicates": "\n".join(f"- {name}" for name in allowed),
            "links": fence([("links", "\n".join(notes))]),
            "paragraphs": fence(
                (f"paragraph {number}", text) for number, text in enumerate(question.paragraphs, 1)
            ),
        }
    )


def _called(index: Index, path: str) -> str:
    note = index.note(path)
    return note.name if note else path
