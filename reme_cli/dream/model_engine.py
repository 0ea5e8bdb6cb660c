"""The engine that asks a model: one structured call to extract, one conversation with guarded tools per unit."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field, WithJsonSchema

from reme_cli.config import CATCH_ALL_BUCKET
from reme_cli.dream.block import change_between
from reme_cli.dream.engine import Assignment, Desk, NotProposed, TopicRound
from reme_cli.dream.inputs import material_of
from reme_cli.dream.tools import Workbench, hits_as_text
from reme_cli.dream.unit import Extraction, Input, Proposal, Source, Topic, Unit, new_unit
from reme_cli.errors import ModelReplyUnusable, NoteError, PathRefused
from reme_cli.llm.prompts import Role, Turn, choose_language, fence, load_prompt
from reme_cli.llm.reply import parse_reply
from reme_cli.vault.note import one_line
from reme_cli.vault.paths import NOTE_SUFFIX, nfc
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reme_cli.llm.client import Model
    from reme_cli.llm.conversation import Conversation
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

MAX_TURNS = 16
MAX_CALLS = 40
NUDGE = (
    "Do it with the tools now, then answer with the JSON object. "
    "If a note says the same already, read it and end with CORROBORATE: the sources are added for you."
)
SHOWN_SOURCE = 4_000
"""Estimated tokens of each source that the first message of a unit shows at most; the model reads the rest with its tool."""
SAME_TITLE = 60
"""From this rapidfuzz ratio on a topic that the model returns is the candidate it was given, its title reworded."""


# The docstrings and descriptions of the replies go to the model, as part of the schema.
Text = Annotated[str | None, WithJsonSchema({"type": "string"})]
"""What a model is asked for as text; where it gives none, that part is missing and the rest counts."""


class UnitReply(BaseModel):
    """One reusable abstraction."""

    name: Text = None
    bucket: Text = None
    summary: Text = None
    paths: list[str] = Field(default_factory=list, description="Paths as they stand on the marker lines.")
    keywords: list[str] = Field(default_factory=list)


class TopicReply(BaseModel):
    """Something that deserves attention soon."""

    title: Text = None
    reason: Text = None
    evidence: Annotated[Text, Field(description="The one path that shows it best.")] = None
    keywords: list[str] = Field(default_factory=list)
    paths: list[str] = Field(default_factory=list, description="Paths as they stand on the marker lines.")


class ExtractReply(BaseModel):
    """What is worth remembering, and what deserves attention; either may be empty."""

    units: list[UnitReply]
    topics: list[TopicReply] = Field(default_factory=list)


class Choice(BaseModel):
    """A candidate that is chosen."""

    title: Annotated[Text, Field(description="The candidate's title, as given.")] = None
    evidence: Annotated[Text, Field(description="The candidate's evidence, as given.")] = None


class TopicsReply(BaseModel):
    """The candidates that are chosen, the most important first."""

    topics: list[Choice]


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
        # not always: tools cost tokens, change the beginning of the request that providers cache, and keep some
        # providers from following the schema
        tools = read if _leads_on(inputs, assignment.names) else ()
        reply = self._model.structured(prompt, ExtractReply, tools=tools)
        return _extraction(reply, inputs, assignment.buckets)

    def propose(self, unit: Unit, desk: Desk) -> Proposal:
        """What the model stages for the unit. Raises `NotProposed` when it neither writes nor may skip."""
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
            nudge = f"The unit is not integrated yet: {problem}. {NUDGE}"
            again = (*prompt, Turn("user", nudge))
            talk = self._model.converse(again, bench.tools(), max_turns=MAX_TURNS, max_calls=MAX_CALLS)
            proposal, problem = _outcome(talk, unit, desk, bench)
        if proposal is None:
            refusal = bench.refusal
            if refusal is not None and refusal.reason not in problem:
                problem = f"{problem}; its last change of {refusal.path} was refused: {refusal.reason}"
            raise NotProposed(f"the model did not integrate it: {problem}", refusal=refusal)
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
        # the half that is left is for what the model reads itself
        limit = min(SHOWN_SOURCE, self._vault.config.llm.max_input_tokens // (2 * len(unit.paths)))
        for path in unit.paths:
            try:
                text = material_of(self._vault, desk.read(path))
            except (NoteError, PathRefused) as error:
                yield path, f"[This note cannot be read: {error.what}]"
                continue
            size = estimate_tokens(text)
            if size > limit:
                shown = text[: len(text) * limit // size]
                lines = shown.count("\n") + 1
                text = (
                    f"{shown}\n[Shown up to line {lines}; read {path} from start_line={lines} for the rest.]"
                )
            yield path, text


def _no_search(_query: str, _limit: int) -> tuple[NodeHit, ...]:
    """Nothing: the extraction is made from the inputs, not from what is remembered."""
    return ()


def _leads_on(inputs: Sequence[Input], names: Names) -> bool:
    """Whether an input links to a note that is no input itself."""
    shown = {found.path for found in inputs}
    return any(
        found.is_note and found.path not in shown
        for source in inputs
        for link in scan(source.text).links
        if (found := names.resolve(link, source.path)).path is not None
    )


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
    """The inputs among what a model calls paths, each once, whatever it wrote around them or left off."""
    found: list[str] = []
    for told in map(nfc, paths):
        bare = told.strip(" \t\n\"'`<>").removeprefix("[[").removesuffix("]]")
        bare = bare.removeprefix("./").removeprefix("/")
        # as it stands first: a file name may hold any of these
        spelled = (told, told.strip(), bare, bare.partition("|")[0], f"{bare}{NOTE_SUFFIX}")
        found += [path for path in spelled if path in known][:1]
    return list(dict.fromkeys(found))


def _words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(one_line, words))))


def _outcome(talk: Conversation, unit: Unit, desk: Desk, bench: Workbench) -> tuple[Proposal | None, str]:
    """The proposal that a conversation came to, or what is lacking, in words for the model and for people."""
    try:
        end = parse_reply(talk.text, EndReply)
    except ModelReplyUnusable:
        end = EndReply(action="")
    action = end.action.strip().upper()
    if talk.ended in {"max_turns", "max_calls"}:
        last = next((f"; the last one was {call.answer}" for call in talk.calls[-1:] if call.refused), "")
        return None, f"it came to no end within {MAX_TURNS} turns and {MAX_CALLS} tool calls{last}"
    if bench.staged is not None:
        return bench.proposal(action), ""
    if action in {"SKIP", "CORROBORATE"} and end.path:
        return _without_a_write(action, end.path, unit, desk, bench)
    if talk.ended == "cut_off":
        return None, "the answer was cut off by the token limit, and no note was written"
    if talk.ended == "empty":
        return None, "the answer was empty, and no note was written"
    return None, "no note was written"


def _without_a_write(
    action: str, path: str, unit: Unit, desk: Desk, bench: Workbench
) -> tuple[Proposal | None, str]:
    """The proposal to leave a note as it is, or only to add the unit's sources, which needs no words of the model's."""
    try:
        note = desk.read(path)
    except (NoteError, PathRefused):
        return None, f"no note was written, and {path} does not exist"
    if not note.path.startswith(desk.digest + "/"):
        return None, f"no note was written, and {path} is no memory note"
    cited = {desk.names.resolve(link, note.path).path for link in scan(note.text).links}
    if cited.issuperset(unit.paths):
        return Proposal("SKIP", note.path, note.text, note.stamp), ""
    if action == "SKIP":
        return None, f"{path} does not cite every path of the unit, so it cannot be skipped"
    if not bench.has_read(note):
        return None, f"{path} was not read, so it is not known to say the same"
    return Proposal("CORROBORATE", note.path, note.text, note.stamp), ""


def _selected(reply: TopicsReply, candidates: Sequence[Topic]) -> tuple[Topic, ...]:
    """The candidates in the model's order, in their own words. What it returns that is no candidate is left out."""
    from rapidfuzz import fuzz  # only where topics are matched

    left = list(candidates)
    chosen: list[Topic] = []
    for told in reply.topics:
        title = one_line(told.title)
        rated = [
            (
                title == topic.title,
                fuzz.token_set_ratio(title, topic.title),
                topic.evidence == told.evidence,
                -number,
            )
            for number, topic in enumerate(left)
        ]
        if title and rated and (best := max(rated))[1] >= SAME_TITLE:
            chosen.append(left.pop(-best[3]))
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
    return hits_as_text(desk.recall) if desk.recall else "(no note is near)"


def _topics_as_json(topics: Sequence[Topic]) -> str:
    return json.dumps([asdict(topic) for topic in topics], ensure_ascii=False, indent=1)
