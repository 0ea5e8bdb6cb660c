"""The engine that asks a model: one structured call to extract, one conversation with guarded tools per unit."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from reme_cli.config import CATCH_ALL_BUCKET
from reme_cli.dream.block import change_between
from reme_cli.dream.engine import Assignment, Desk, TopicRound
from reme_cli.dream.inputs import material_of
from reme_cli.dream.tools import Workbench
from reme_cli.dream.unit import Extraction, Input, Proposal, Source, Topic, Unit, new_unit
from reme_cli.errors import ModelReplyUnusable, NoteError, PathRefused
from reme_cli.llm.prompts import Role, Turn, choose_language, fence, load_prompt
from reme_cli.llm.reply import parse_reply
from reme_cli.vault.note import one_line
from reme_cli.vault.paths import nfc
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reme_cli.llm.client import Model
    from reme_cli.llm.conversation import Conversation
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.vault import Vault

MAX_TURNS = 16
MAX_CALLS = 40
SHOWN_SOURCE = 4_000
"""Estimated tokens of each source that the first message of a unit shows; the model reads the rest with its tool."""
SAME_TITLE = 60
"""From this rapidfuzz ratio on a topic that the model returns is the candidate it was given, its title tightened."""


class UnitReply(BaseModel):
    """A unit as a model words it. Parts that are missing are empty: such a unit is dropped, the others count."""

    name: str | None = None
    bucket: str | None = None
    summary: str | None = None
    paths: list[str] = Field(default_factory=list)
    keywords: list[str] = Field(default_factory=list)


class TopicReply(BaseModel):
    """A topic as a model words it."""

    title: str | None = None
    reason: str | None = None
    evidence: str | None = None
    keywords: list[str] = Field(default_factory=list)
    paths: list[str] = Field(default_factory=list)


class ExtractReply(BaseModel):
    """The answer of the role `extract`."""

    units: list[UnitReply]
    topics: list[TopicReply] = Field(default_factory=list)


class TopicsReply(BaseModel):
    """The answer of the role `topics`."""

    topics: list[TopicReply]


class EndReply(BaseModel):
    """The last words of the role `integrate`."""

    action: str
    path: str | None = None
    reason: str | None = None


class ModelEngine:
    """Asks the configured model. It may be shared by threads."""

    name = "llm"

    def __init__(self, vault: Vault, model: Model) -> None:
        self._vault = vault
        self._model = model
        self.parallel = max(1, vault.config.llm.concurrency)
        self.max_input_tokens: int | None = vault.config.llm.max_input_tokens

    def extract(self, inputs: Sequence[Input], assignment: Assignment) -> Extraction:
        """The units and topics that the model finds, those that do not hold left out with a warning."""
        prompt = self._prompt(
            "extract",
            "\n".join(found.text for found in inputs),
            {
                "date": assignment.date.isoformat(),
                "hint": assignment.hint,
                "buckets": _listed(assignment.buckets),
                "max_units": str(assignment.max_units),
                "material": fence((found.path, _material(found)) for found in inputs),
            },
        )
        desk = Desk((), self._vault.read, _no_search, assignment.names)
        read = [tool for tool in Workbench(self._vault, desk).reading_tools() if tool.name == "read"]
        linked = any(scan(found.text).links for found in inputs)
        reply = self._model.structured(prompt, ExtractReply, tools=read if linked else ())
        return _extraction(reply, inputs, assignment.buckets)

    def propose(self, unit: Unit, desk: Desk) -> Proposal:
        """What the model stages for the unit. Raises `ModelReplyUnusable` when it neither writes nor may skip."""
        bench = Workbench(self._vault, desk)
        prompt: tuple[Turn, ...] = self._prompt(
            "integrate",
            unit.summary,
            {
                "buckets": _listed(self._vault.config.digest.buckets),
                "unit": fence([("unit", _unit_as_json(unit))]),
                "recall": fence([("recall", _recall_as_text(desk))]),
                "sources": fence(self._sources(unit, desk)),
            },
        )
        if desk.remark:
            prompt = (*prompt, Turn("user", desk.remark))
        talk = self._model.converse(prompt, bench.tools(), max_turns=MAX_TURNS, max_calls=MAX_CALLS)
        proposal, problem = _outcome(talk, unit, desk, bench)
        if proposal is None and talk.ended in {"answered", "cut_off"}:
            nudge = f"{problem} Do it with the tools now, then answer with the JSON object."
            again = (*prompt, Turn("user", nudge))
            talk = self._model.converse(again, bench.tools(), max_turns=MAX_TURNS, max_calls=MAX_CALLS)
            proposal, problem = _outcome(talk, unit, desk, bench)
        if proposal is None:
            raise ModelReplyUnusable(f"the model did not integrate {unit.name!r}: {problem}")
        return proposal

    def select_topics(self, candidates: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        """The candidates that the model prefers. Without anything to weigh it is not asked."""
        if len(candidates) <= around.count and not around.recent:
            return tuple(candidates)
        prompt = self._prompt(
            "topics",
            "\n".join(topic.title + topic.reason for topic in candidates),
            {
                "date": around.date.isoformat(),
                "topic_count": str(around.count),
                "diversity_days": str(around.diversity_days),
                "candidates": fence([("candidates", _topics_as_json(candidates))]),
                "kept": fence([("kept", _topics_as_json(around.kept))]),
                "recent": fence([("recent", _topics_as_json(around.recent))]),
            },
        )
        return _selected(self._model.structured(prompt, TopicsReply), candidates)

    def _prompt(self, role: Role, material: str, values: Mapping[str, str]) -> tuple[Turn, Turn]:
        language = choose_language(self._vault.config.language, material)
        return load_prompt(self._vault, role, language).render(values)

    def _sources(self, unit: Unit, desk: Desk) -> Iterable[tuple[str, str]]:
        for path in unit.paths:
            try:
                text = material_of(self._vault, desk.read(path))
            except (NoteError, PathRefused) as error:
                yield path, f"[This note cannot be read: {error.what}]"
                continue
            size = estimate_tokens(text)
            if size > SHOWN_SOURCE:
                shown = text[: len(text) * SHOWN_SOURCE // size]
                lines = shown.count("\n") + 1
                text = (
                    f"{shown}\n[Shown up to line {lines}; read {path} from start_line={lines} for the rest.]"
                )
            yield path, text


def _no_search(_query: str, _limit: int) -> tuple[NodeHit, ...]:
    """Nothing: the extraction is made from the inputs, not from what is remembered."""
    return ()


def _material(found: Input) -> str:
    """The text of an input, or what changed of it, with what the model must know about it in a line before."""
    remarks = []
    text = found.text
    if found.parts > 1:
        remarks.append(f"part {found.part} of {found.parts} of this note")
    if found.previous is not None:
        change = change_between(found.previous, found.text, strip_links)
        remarks.append("only what changed since this note was last read")
        text = change.added
        if change.removed:
            gone = "\n".join(f"- {block}" for block in change.removed)
            text = f"{text.rstrip()}\n\n[No longer in the note:]\n{gone}"
    if found.cited_by:
        remarks.append(f"already cited by {', '.join(found.cited_by)}")
    return f"[{'; '.join(remarks)}]\n\n{text}" if remarks else text


def _extraction(reply: ExtractReply, inputs: Sequence[Input], buckets: Mapping[str, str]) -> Extraction:
    stamps = {found.path: found.stamp for found in inputs}
    warnings: list[str] = []
    units: list[Unit] = []
    for number, told in enumerate(reply.units, 1):
        name, summary = one_line(told.name), (told.summary or "").strip()
        paths = _known_paths(told.paths, stamps)
        if not (name and summary and paths):
            lacking = "a name" if not name else "a summary" if not summary else "a path among the inputs"
            warnings.append(
                f"unit {number} of the extraction ({name or 'nameless'}) is dropped: it has not {lacking}"
            )
            continue
        bucket = (told.bucket or "").strip()
        units.append(
            new_unit(
                name,
                bucket if bucket in buckets else CATCH_ALL_BUCKET,
                summary,
                (Source(path, stamps[path]) for path in paths),
                keywords=_words(told.keywords),
            )
        )
    topics: list[Topic] = []
    for number, proposed in enumerate(reply.topics, 1):
        title, reason = one_line(proposed.title), one_line(proposed.reason)
        paths = _known_paths([*proposed.paths, proposed.evidence or ""], stamps)
        if not (title and reason and paths):
            lacking = "a title" if not title else "a reason" if not reason else "a path among the inputs"
            warnings.append(
                f"topic {number} of the extraction ({title or 'untitled'}) is dropped: it has not {lacking}"
            )
            continue
        evidence = next(iter(_known_paths([proposed.evidence or ""], stamps)), paths[0])
        topics.append(Topic(title, reason, evidence, _words(proposed.keywords), tuple(paths)))
    return Extraction(tuple(units), tuple(topics), tuple(warnings))


def _known_paths(paths: Iterable[str], known: Mapping[str, object]) -> list[str]:
    """The inputs among what a model calls paths, each once: brackets, an alias and a leading slash do not matter."""
    found = (
        nfc(path).strip().removeprefix("[[").removesuffix("]]").partition("|")[0].removeprefix("/")
        for path in paths
    )
    return list(dict.fromkeys(path for path in found if path in known))


def _words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(one_line, words))))


def _outcome(talk: Conversation, unit: Unit, desk: Desk, bench: Workbench) -> tuple[Proposal | None, str]:
    """The proposal that a conversation came to, or what is lacking in words for the model."""
    try:
        end = parse_reply(talk.text, EndReply)
    except ModelReplyUnusable:
        end = EndReply(action="")
    action = end.action.strip().upper()
    if bench.staged is not None:
        if talk.ended in {"max_turns", "max_calls"}:
            return None, f"it did not come to an end within {MAX_TURNS} turns and {MAX_CALLS} calls."
        return bench.proposal(action), ""
    if talk.ended in {"max_turns", "max_calls"}:
        return None, f"nothing was staged within {MAX_TURNS} turns and {MAX_CALLS} calls."
    if action == "SKIP" and end.path:
        try:
            note = desk.read(end.path)
        except (NoteError, PathRefused):
            return None, f"Nothing was staged, and {end.path} does not exist."
        cited = {desk.names.resolve(link, note.path).path for link in scan(note.text).links}
        if note.path.startswith(desk.digest + "/") and cited.issuperset(unit.paths):
            return Proposal("SKIP", note.path, note.text, note.stamp), ""
        return (
            None,
            f"Nothing was staged, and {end.path} does not cite every path of the unit, so it may not be skipped.",
        )
    return None, "Nothing was staged."


def _selected(reply: TopicsReply, candidates: Sequence[Topic]) -> tuple[Topic, ...]:
    """The candidates in the model's order, in their own words. What it returns that is no candidate is left out."""
    from rapidfuzz import fuzz  # only where topics are matched

    left = list(candidates)
    chosen: list[Topic] = []
    for told in reply.topics:
        title = one_line(told.title)
        rated = [
            (fuzz.token_set_ratio(title, topic.title) + (topic.evidence == told.evidence), -number)
            for number, topic in enumerate(left)
        ]
        if title and rated and max(rated)[0] >= SAME_TITLE:
            chosen.append(left.pop(-max(rated)[1]))
    return tuple(chosen)


def _listed(buckets: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {meaning}" for name, meaning in buckets.items())


def _unit_as_json(unit: Unit) -> str:
    told = {
        "name": unit.name,
        "bucket": unit.bucket,
        "summary": unit.summary,
        "keywords": unit.keywords,
        "paths": unit.paths,
    }
    return json.dumps(told, ensure_ascii=False, indent=1)


def _recall_as_text(desk: Desk) -> str:
    rows = [f"{hit.path} | {hit.name} | {hit.description} | {hit.score:.2f}" for hit in desk.recall]
    return "\n".join(rows) or "(no note is near)"


def _topics_as_json(topics: Sequence[Topic]) -> str:
    return json.dumps([asdict(topic) for topic in topics], ensure_ascii=False, indent=1)
