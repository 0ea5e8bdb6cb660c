"""What a model says of the relations that links stand for and the table of phrasings does not find."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import BaseModel, Field

from reme_cli.linking.paragraphs import PARAGRAPH
from reme_cli.linking.predicate_markup import without_predicates
from reme_cli.llm.prompts import choose_language, fence, load_prompt
from reme_cli.predicates.inverse import INVERSES
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.asking import Asking
    from reme_cli.linking.l3_predicates import Plan
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Prompt
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
    places: dict[int, tuple[str, int]]
    """By the same number the paragraph as it stands in the note, and how many links begin before this one there."""


def judge_predicates(vault: Vault, index: Index, plans: Sequence[Plan], asking: Asking) -> None:
    """Adds to the plans what the model says of the links that they leave open, now or in an earlier run. Names of predicates that
    were not offered, and links that were not asked about, count for nothing."""
    allowed = allowed_predicates(vault)

    def ask(model: Model, question: Question) -> dict[bytes, str | None]:
        prompt = _prompt_for(vault, question).render(_values(index, question, allowed))
        reply = model.structured(prompt, PredicateReply)
        stated: dict[int, str] = {}
        for judged in reply.predicates:
            stated.setdefault(judged.link, judged.predicate.strip().lower().replace("-", "_"))
        said = {digest: stated.get(number) for number, digest in digests[question.plan.note.path].items()}
        asking.keep(said)
        return said

    questions = [question for plan in plans if (question := _question(plan)).links]
    digests = {
        question.plan.note.path: _digests(vault, index, question, allowed, asking) for question in questions
    }
    known = asking.known([digest for by_link in digests.values() for digest in by_link.values()])
    open_ones = [
        question
        for question in questions
        if not known.keys() >= set(digests[question.plan.note.path].values())
    ]
    asking.remembered += len(questions) - len(open_ones)
    for said in asking.answers(open_ones, ask):
        if said is not None:
            asking.asked += 1
            known.update(said)
    for question in questions:
        stated = {
            question.links[number]: predicate
            for number, digest in digests[question.plan.note.path].items()
            if isinstance(predicate := known.get(digest), str) and predicate in allowed
        }
        question.plan.add(stated, "model")


def _digests(
    vault: Vault, index: Index, question: Question, allowed: Sequence[str], asking: Asking
) -> dict[int, bytes]:
    """By which the judgement of each link is kept: its paragraph, without predicates and with links by what they show, its number
    among the links there, and the notes at both ends."""
    plan = question.plan
    prompt = _prompt_for(vault, question)
    digests: dict[int, bytes] = {}
    plain: dict[str, str] = {}
    for number, ordinal in question.links.items():
        target = plan.targets[ordinal]
        paragraph, place = question.places[number]
        if paragraph not in plain:
            plain[paragraph] = strip_links(without_predicates(paragraph, scan(paragraph)))
        ends = (_called(index, plan.note.path), target, _called(index, target))
        digests[number] = asking.digest(prompt, *allowed, *ends, plain[paragraph], str(place))
    return digests


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
    question = Question(plan, {}, [], {})
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
            before = sum(start <= other.start < link.start for other in links)
            question.places[len(question.links)] = (text[start:end], before)
            pieces += (text[place : link.start], f"⟦{len(question.links)}: {link.alias or link.target}⟧")
            place = link.end
        question.paragraphs.append("".join((*pieces, text[place:end])))
    return question


def _prompt_for(vault: Vault, question: Question) -> Prompt:
    language = choose_language(vault.config.language, question.plan.note.text)
    return load_prompt(vault, "judge_predicate", language)


def _values(index: Index, question: Question, allowed: Sequence[str]) -> Mapping[str, str]:
    """What the prompt says of one note."""
    plan = question.plan
    notes = [f'{{"this note": {json.dumps(_called(index, plan.note.path), ensure_ascii=False)}}}']
    for number, ordinal in question.links.items():
        target = plan.targets[ordinal]
        told = {"link": number, "path": target, "name": _called(index, target)}
        notes.append(json.dumps(told, ensure_ascii=False))
    return {
        "predicates": "\n".join(f"- {name}" for name in allowed),
        "links": fence([("links", "\n".join(notes))]),
        "paragraphs": fence(
            (f"paragraph {number}", text) for number, text in enumerate(question.paragraphs, 1)
        ),
    }


def _called(index: Index, path: str) -> str:
    note = index.note(path)
    return note.name if note else path
