"""A link as it stands in a note's text."""

from __future__ import annotations

from typing import Literal, NamedTuple

LinkKind = Literal["wikilink", "embed", "markdown", "image", "frontmatter"]
"""`embed` is `![[…]]`, `image` is `![…](…)`, `frontmatter` is a wikilink inside the YAML block."""


class Link(NamedTuple):
    """One occurrence of a link, with its exact place.

    `start`, `end`, `target_start` and `target_end` are character offsets into the file's text, frontmatter and a
    BOM included; `line` and `col` are 1-based. `text[start:end]` is the whole link with its brackets (and `!`);
    `text[target_start:target_end]` is what a rename replaces (of a reference link: in its definition).
    """

    kind: LinkKind
    target: str
    """Literal target: trimmed, without anchor and alias; a Markdown destination is percent-decoded. Empty: same note."""
    anchor: str | None
    """What follows the first `#`, without it."""
    alias: str | None
    """The text shown: a wikilink's alias, a Markdown link's text."""
    predicate: str | None
    """Canonical: lower case, `-` written as `_`."""
    spelling: str | None
    """The predicate as the note spells it."""
    start: int
    end: int
    target_start: int
    target_end: int
    line: int
    col: int


def bare_link(target: str, kind: LinkKind = "wikilink") -> Link:
    """A link to this target that stands nowhere: to ask what it would mean."""
    return Link(
        kind=kind,
        target=target,
        anchor=None,
        alias=None,
        predicate=None,
        spelling=None,
        start=0,
        end=0,
        target_start=0,
        target_end=0,
        line=1,
        col=1,
    )


class Heading(NamedTuple):
    """A heading outside code. `text` is its content without markers; `start`, `end` span its lines; `line` is 1-based."""

    level: int
    text: str
    line: int
    start: int
    end: int


class Scan(NamedTuple):
    """What one pass over a note finds, in source order."""

    links: tuple[Link, ...]
    headings: tuple[Heading, ...]
    body_start: int
    """Offset behind the frontmatter block; after a BOM where there is no block."""
