"""What the index answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.link import Link
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Layer
    from reme_cli.vault.walk import Listing

Progress: TypeAlias = "Callable[[int, int], None]"
"""Called with the number of notes read so far and of all that are to be read."""

FrontmatterState = Literal["none", "ok", "broken"]


class Refreshed(NamedTuple):
    """What a refresh found: how many notes there are, and how many of them came, changed or went."""

    notes: int
    added: int = 0
    changed: int = 0
    removed: int = 0
    listing: Listing | None = None
    """What was on disk; `None` where another process looked and found nothing."""
    files: int = 0
    """How many attachments came or went."""

    @property
    def unchanged(self) -> bool:
        """Whether the index was up to date as to notes."""
        return not (self.added or self.changed or self.removed)


class IndexedNote(NamedTuple):
    """A note as it was when the index last read it."""

    path: str
    stamp: Stamp
    """Empty where the note cannot be read."""
    name: str
    """What it is shown as: the frontmatter's `name`, else its `title`, its first heading of the first level, its file name."""
    description: str
    layer: Layer | None
    bucket: str | None
    kind: str | None
    date: str | None
    """`YYYY-MM-DD`: the day of a daily note, else the frontmatter's `date` or `created`."""
    frontmatter: FrontmatterState
    problem: str | None
    """Why it cannot be read."""


class IndexedLink(NamedTuple):
    """One occurrence of a link, and what it leads to."""

    source: str
    link: Link
    note: str | None
    """The note it resolves to."""
    file: str | None
    """The attachment it resolves to."""


class ImpliedEdge(NamedTuple):
    """A relation that a sentence states: `source` is its subject, `target` its object, both paths of notes.

    `path:line:col` is the link by which the sentence says so, which may stand in a third note.
    """

    source: str
    predicate: str
    target: str
    path: str
    line: int
    col: int
    tense: str = ""
    """`past` where it held once, `ended` where it holds no more."""


class Candidate(NamedTuple):
    """A note that matches a query; `score` is its BM25, higher is better, 0 where the query has no words."""

    id: int
    """Its number in the index, until the next refresh."""
    path: str
    name: str
    description: str
    layer: Layer | None
    score: float


class Passage(NamedTuple):
    """A note's text from one heading to the next; lines are 1-based and inclusive, `start` and `end` are characters."""

    level: int
    """Of its heading; 0 before the first one."""
    heading: str
    line: int
    last_line: int
    start: int
    end: int
