"""The guarded tools with which a model integrates one unit.

They read the vault and stage a text of one subject note; none of them writes. A refusal says why, and what to do.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, TypeVar

from pydantic import BaseModel, Field, WithJsonSchema

from reme_cli.digest import note as digest_note
from reme_cli.dream.engine import Refusal
from reme_cli.dream.unit import Proposal
from reme_cli.errors import FrontmatterError, NoteError, Refused
from reme_cli.graph.conservation import edge_keys
from reme_cli.llm.prompts import fence
from reme_cli.llm.tool import Tool, ToolRefused
from reme_cli.vault import frontmatter
from reme_cli.vault.note import Note, one_line
from reme_cli.vault.stamp import ABSENT
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reme_cli.dream.engine import Desk
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.vault import Vault

T = TypeVar("T")

LONGEST_READING = 6_000
"""Estimated tokens of a note that one `read` shows; the rest is asked for by lines."""


class NodeSearch(BaseModel):
    query: str = Field(description="What to look for: a name, key terms, or a whole sentence.")
    limit: int = Field(default=20, ge=1, le=50)


class Read(BaseModel):
    path: str = Field(description="Vault-relative path of a note, with .md.")
    start_line: int | None = Field(default=None, ge=1, description="First line to show, counted from 1.")
    end_line: int | None = Field(default=None, ge=1, description="Last line to show.")


class FrontmatterRead(BaseModel):
    path: str = Field(description="Vault-relative path of a note, with .md.")


class Write(BaseModel):
    path: str = Field(description="digest/<bucket>/<slug>.md, which must not exist yet.")
    name: str = Field(description="The abstraction's name.")
    description: str = Field(description="One sentence that says what the note holds.")
    content: str = Field(description="The body in Markdown, without frontmatter.")


class Edit(BaseModel):
    path: str = Field(description="A digest note that was read before.")
    old: str = Field(description="Text that occurs exactly once in the note's body.")
    new: str = Field(description="What to put in its place. Every link of the old text must stay.")


_KEYS = {
    "type": "object",
    # some providers refuse an object without named properties
    "properties": {
        "name": {"type": "string"},
        "description": {"type": "string"},
        "aliases": {"type": "array", "items": {"type": "string"}},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "additionalProperties": True,
}
"""The usual keys of a note, for a model to choose from; others are taken as well."""


class FrontmatterUpdate(BaseModel):
    path: str = Field(description="A digest note that was read before.")
    values: Annotated[dict[str, object], WithJsonSchema(_KEYS)] = Field(
        description="Keys to set; all other keys stay as they are."
    )


class Workbench:
    """What is staged for one unit: at most one note."""

    def __init__(self, vault: Vault, desk: Desk) -> None:
        self._vault = vault
        self._desk = desk
        self._read: dict[str, Note] = {}
        self._subject: Note | None = None
        self._path: str | None = None
        self._text = ""
        self.refusal: Refusal | None = None
        """The last text that could not be staged, unless one was staged since."""

    @property
    def staged(self) -> tuple[str, str] | None:
        """The path and text that are staged, if any."""
        return None if self._path is None else (self._path, self._text)

    def has_read(self, note: Note) -> bool:
        """Whether this text of the note was read here."""
        read = self._read.get(note.path)
        return read is not None and read.stamp == note.stamp

    def proposal(self, action: str) -> Proposal:
        """The staged text as a proposal. `action` counts where it fits: a new note is a `CREATE`, an old one never."""
        assert self._path is not None
        if self._subject is None:
            return Proposal("CREATE", self._path, self._text, ABSENT)
        stamp = self._subject.stamp
        if action == "CORROBORATE":
            return Proposal("CORROBORATE", self._path, self._text, stamp)
        if action == "CORRECT":
            return Proposal("CORRECT", self._path, self._text, stamp)
        return Proposal("REFINE", self._path, self._text, stamp)

    def tools(self) -> tuple[Tool, ...]:
        """All six, in the order of the contract."""
        return (*self.reading_tools(), *self._writing_tools())

    def reading_tools(self) -> tuple[Tool, ...]:
        """The three that only look."""
        return (
            Tool(
                "node_search",
                "Find digest notes by meaning and words. One row per note.",
                NodeSearch,
                self._node_search,
            ),
            Tool("read", "Read a note of the vault, whole or some lines of it.", Read, self._read_note),
            Tool(
                "frontmatter_read",
                "Read a note's frontmatter as a mapping.",
                FrontmatterRead,
                self._frontmatter,
            ),
        )

    def _writing_tools(self) -> tuple[Tool, ...]:
        return (
            Tool("write", "Make a new digest note. Only for a path that does not exist.", Write, self._write),
            Tool(
                "edit",
                "Replace one piece of text in the body of a digest note that you have read. No link may be lost.",
                Edit,
                self._edit,
            ),
            Tool(
                "frontmatter_update",
                "Set frontmatter keys of a digest note that you have read.",
                FrontmatterUpdate,
                self._update_frontmatter,
            ),
        )

    def _node_search(self, query: NodeSearch) -> str:
        hits = self._desk.search(query.query, query.limit)
        if not hits:
            return "No digest note matches."
        return fence([("digest notes", hits_as_text(hits))])

    def _read_note(self, wanted: Read) -> str:
        note = self._note(wanted.path)
        text = self._text if note.path == self._path else note.text
        lines = text.splitlines(keepends=True)
        first = min(wanted.start_line or 1, len(lines) or 1)
        last = min(wanted.end_line or len(lines), len(lines))
        shown: list[str] = []
        used = 0
        for line in lines[first - 1 : last]:
            used += estimate_tokens(line)
            if shown and used > LONGEST_READING:
                break
            shown.append(line)
        end = first + len(shown) - 1
        label = f"{note.path}, lines {first}-{end} of {len(lines)}"
        rest = f"\nAsk for start_line={end + 1} to read on." if end < last else ""
        return fence([(label, "".join(shown)[: LONGEST_READING * 4])]) + rest

    def _frontmatter(self, wanted: FrontmatterRead) -> str:
        note = self._note(wanted.path)
        try:
            values = frontmatter.read(self._text if note.path == self._path else note.text)
        except FrontmatterError as error:
            raise ToolRefused(f"the frontmatter of {note.path} is broken: {error.what}") from error
        return fence([(note.path, json.dumps(values, ensure_ascii=False, default=str))])

    def _write(self, wanted: Write) -> str:
        path = _or_refuse(lambda: digest_note.new_path(self._vault, wanted.path))
        if self._subject is not None or self._path not in {None, path}:
            raise self._second_target(path)
        if self._path is None and path in self._desk.names.notes:
            raise ToolRefused(f"{path} exists. Read it and edit it, or choose another name.")
        if not wanted.name.strip() or not wanted.description.strip():
            raise ToolRefused("name and description must not be empty.")
        if frontmatter.split(wanted.content) is not None:
            raise ToolRefused(
                "content is the body alone: reme writes the frontmatter from name and description."
            )
        if not wanted.content.strip():
            raise ToolRefused("content must not be empty.")
        text = digest_note.compose(one_line(wanted.name), one_line(wanted.description), wanted.content)
        return self._stage(path, text, None)

    def _edit(self, wanted: Edit) -> str:
        note, text = self._target(wanted.path)
        block = frontmatter.split(text)
        start = block.body_start if block else 0
        body = text[start:]
        count = body.count(wanted.old) if wanted.old else 0
        if count != 1:
            told = f"occurs {count} times" if count else "does not occur"
            raise ToolRefused(
                f"`old` {told} in the body of {wanted.path}; it must occur exactly once. Read the note and quote more of it."
            )
        return self._stage(wanted.path, text[:start] + body.replace(wanted.old, wanted.new, 1), note)

    def _update_frontmatter(self, wanted: FrontmatterUpdate) -> str:
        note, text = self._target(wanted.path)
        for key in ("name", "description"):
            if key in wanted.values and not one_line(wanted.values[key]):
                raise ToolRefused(f"{key} must be text and not empty.")
        try:
            changed = frontmatter.update(text, wanted.values)
        except (FrontmatterError, ValueError, TypeError) as error:
            raise ToolRefused(f"the frontmatter cannot be changed: {error}") from error
        return self._stage(wanted.path, changed, note)

    def _target(self, path: str) -> tuple[Note | None, str]:
        """The note to change as it was read (`None`: made in this conversation), and its staged text."""
        if path == self._path:
            return self._subject, self._text
        if self._path is not None:
            raise self._second_target(path)
        if not path.startswith(self._desk.digest + "/"):
            raise ToolRefused(f"{path} is not in {self._desk.digest}/; only digest notes can be changed.")
        note = self._read.get(path)
        if note is None:
            exists = path in self._desk.names.notes
            raise ToolRefused(
                f"Read {path} first." if exists else f"{path} does not exist; use write to make it."
            )
        return note, note.text

    def _stage(self, path: str, text: str, subject: Note | None) -> str:
        before = subject.text if subject else ""
        names = self._desk.names.with_changes(added=[path])
        stamp = subject.stamp if subject else ABSENT
        if broken := digest_note.unresolved(path, before, text, names):
            reason = f"these links lead to no note: {', '.join(broken)}"
            self.refusal = Refusal(path, stamp, reason)
            raise ToolRefused(f"{reason}. Link to a path that exists, or write plain text.")
        if lost := sorted(map(str, edge_keys(path, before, names) - edge_keys(path, text, names))):
            reason = f"the change would lose these links: {', '.join(lost)}"
            self.refusal = Refusal(path, stamp, reason, tuple(lost))
            raise ToolRefused(f"{reason}. Keep every link with its predicate, and call again.")
        self.refusal = None
        self._path, self._text, self._subject = path, text, subject
        return f"Staged {path}. If nothing is left to do, answer with the JSON object: then it is written."

    def _note(self, path: str) -> Note:
        """The note as it was first read: edits are planned on that text."""
        if path == self._path and self._subject is None:
            return Note(path, self._text, ABSENT)
        note = _or_refuse(lambda: self._desk.read(path))
        if note.path != self._path:
            self._read[note.path] = note
        return note

    def _second_target(self, path: str) -> ToolRefused:
        return ToolRefused(
            f"{self._path} is already the one note of this unit; {path} cannot be written too. "
            "Put everything there, or finish."
        )


def hits_as_text(hits: Iterable[NodeHit]) -> str:
    """A table for a model: one row per note, best first."""
    rows = [
        f"{hit.path} | {one_line(hit.name)} | {one_line(hit.description)} | {hit.score:.2f}" for hit in hits
    ]
    return "\n".join(["path | name | description | score", *rows])


def _or_refuse(act: Callable[[], T]) -> T:
    try:
        return act()
    except (NoteError, Refused) as error:
        raise ToolRefused(error.one_line) from error
