"""The day's page: a managed block that lists the day's notes, in a page that is otherwise the user's.

The block is rebuilt from the notes each time and never read as data; `vault.managed_block` tells where it stands.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reme_cli.digest.citation import link_to
from reme_cli.vault.managed_block import END, START, find_block
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Listed:
    """A note of the day as the block shows it."""

    path: str
    name: str
    description: str = ""


def own_text(text: str) -> str:
    """What of a day's page is the user's: the text without the managed block and the white space around it."""
    span = find_block(text)
    if span is None:
        return text.rstrip()
    head, tail = text[: span[0]].rstrip(), text[span[1] :].strip()
    return f"{head}\n\n{tail}" if head and tail else head + tail


def with_block(text: str | None, date: str, notes: Iterable[Listed]) -> str:
    """The page's text with its block rebuilt; a new page (`None`) gets the date as its title.

    Everything outside the block stays as it is. A page without a block gets it at its end.
    """
    ending = _LINE_END.search(text) if text is not None else None
    newline = ending[0] if ending else "\n"
    block = newline.join([START, *(_line(note) for note in notes), END])
    if text is None:
        return f"# {date}{newline}{newline}{block}{newline}"
    span = find_block(text)
    if span is not None:
        return text[: span[0]] + block + text[span[1] :]
    gap = "" if not text.strip("\ufeff") else newline if text.endswith(("\n", "\r")) else newline * 2
    return f"{text}{gap}{block}{newline}"


def block_span(before: str | None, after: str) -> Callable[[str], tuple[int, int] | None]:
    """The span finder for the writer's `block` rule: where in `before` and in `after` the block stands, its surroundings included."""

    def span(text: str) -> tuple[int, int] | None:
        if text != after or (before is not None and find_block(before) is not None):
            return find_block(text)
        return len(before or ""), len(after)

    return span


def _line(note: Listed) -> str:
    """One list item. Data that would become markup, a second link or a marker is shown as text or, at worst, left out."""
    name = _plain(note.name)
    description = _plain(note.description)
    link = link_to(note.path, name)
    for line in (f"- {link} — {description}" if description else "", f"- {link}", f"- {link_to(note.path)}"):
        if line and _links_once(line):
            return line
    return f"- {html.escape(note.path)}"


def _links_once(line: str) -> bool:
    return len(scan(line).links) == 1


def _plain(value: str) -> str:
    """One line of text without links, comments and HTML."""
    shown = " ".join(strip_links(value).split())
    return shown.replace("<", "&lt;").replace(">", "&gt;").replace("%%", "%").replace("[[", "[ [")
