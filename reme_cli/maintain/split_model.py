"""A model at the split of a note: it judges whether there are several topics, and writes the overview and the parts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, Field
from pydantic.json_schema import SkipJsonSchema

from reme_cli.llm.prompts import Turn, choose_language, fence, load_prompt
from reme_cli.maintain.judgement import Cluster, Judgement
from reme_cli.maintain.split_draft import Draft, PartDraft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Role
    from reme_cli.maintain.split_draft import Problem
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

_NONE: Final = "-"
"""What a prompt says where a list is empty."""
Unasked = Annotated[list[object], SkipJsonSchema()]
"""What the model is not asked for, and what is known only so that it can be refused."""


# The docstrings and descriptions of the replies go to the model, as part of the schema.
class ClusterReply(BaseModel):
    """One topic that could be a note of its own."""

    title: str
    reason: str = ""


class JudgeReply(BaseModel):
    """Whether the note holds several topics."""

    is_overloaded: bool
    clusters: list[ClusterReply] = Field(
        default_factory=list, description="The topics; empty where it is one."
    )


class PartReply(BaseModel):
    """A new note."""

    slug: str = Field(description="The file name without .md: lower-case words joined by hyphens.")
    bucket: str = Field(description="One of the buckets.")
    name: str = Field(description="What the note is about, as a short phrase.")
    description: str = Field(description="One sentence that says what the note holds.")
    body: str = Field(description="Its part of the text in Markdown, without frontmatter.")
    parts: Unasked = Field(default_factory=list)


class SplitReply(BaseModel):
    """The note's text, taken apart; no part at all where it should stay as it is."""

    overview: str = Field(description="The note's new body: what the parts have in common, a link to each.")
    parts: list[PartReply]


class ModelSplitter:
    """Asks the configured model."""

    def __init__(self, vault: Vault, model: Model) -> None:
        self._vault = vault
        self._model = model

    def judge(self, note: Note) -> Judgement:
        """Whether the note holds several topics. Raises `ModelError`."""
        reply = self._model.structured(
            self._prompt("judge_overload", note, {"note": fence([(note.path, note.text)])}), JudgeReply
        )
        clusters = tuple(
            Cluster(_on_one_line(each.title), _on_one_line(each.reason)) for each in reply.clusters
        )
        return Judgement(reply.is_overloaded, clusters)

    def draft(
        self,
        note: Note,
        clusters: Sequence[Cluster],
        anchors: Sequence[str],
        earlier: tuple[Draft, Sequence[Problem]] | None = None,
    ) -> Draft:
        """How the model takes the note apart. `anchors` are places in it that other notes link to; `earlier` is a first draft
        and what was wrong with it. Raises `ModelError`."""
        digest = self._vault.config.digest
        values = {
            "note": fence([(note.path, note.text)]),
            "path": note.path,
            "buckets": "\n".join(f"- {name}: {meaning}" for name, meaning in digest.buckets.items()),
            "limit": str(self._vault.config.maintain.overload_tokens),
            # they come from a model that read the note, and from other notes
            "clusters": _listed("topics", [f"{title}: {reason}" for title, reason in clusters]),
            "anchors": _listed("headings", anchors),
        }
        prompt = self._prompt("split", note, values)
        if earlier is not None:
            prompt = (*prompt, _correction(*earlier))
        reply = self._model.structured(prompt, SplitReply)
        return Draft(
            reply.overview,
            tuple(
                PartDraft(
                    part.slug.strip(),
                    part.bucket.strip(),
                    part.name,
                    part.description,
                    part.body,
                    len(part.parts),
                )
                for part in reply.parts
            ),
        )

    def _prompt(self, role: Role, note: Note, values: Mapping[str, str]) -> tuple[Turn, ...]:
        language = choose_language(self._vault.config.language, note.text)
        return load_prompt(self._vault, role, language).render(values)


def _listed(label: str, lines: Sequence[str]) -> str:
    return fence([(label, "\n".join(f"- {_on_one_line(line)}" for line in lines))]) if lines else _NONE


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _correction(draft: Draft, problems: Sequence[Problem]) -> Turn:
    """What the model is told of a draft that does not hold."""
    told = {
        "overview": draft.overview,
        "parts": [
            {
                key: value
                for key, value in part._asdict().items()
                if key in {"slug", "bucket", "name", "description", "body"}
            }
            for part in draft.parts
        ],
    }
    answer = json.dumps(told, ensure_ascii=False, indent=1)
    wrong = "\n".join(f"- {problem.check}: {problem.what}" for problem in problems)
    return Turn(
        "user",
        f"Your answer was:\n\n{fence([('answer', answer)])}\n\nIt cannot be used:\n\n{fence([('problems', wrong)])}\n\n"
        "Mend exactly that and answer again with the whole JSON object.",
    )
