"""The day's page: a managed block that lists the day's notes, in a page that is otherwise the user's.

The block is rebuilt from the notes each time and never read as data. It stands between two marker comments, each
alone on its line. Where the markers were damaged or duplicated, the first start marker that an end marker follows
without another marker between is the block; all else is the user's text and stays as it is.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from reme_cli.dream.citation import link_to
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

START = "<!-- reme:day:start -->"
END = "<!-- reme:day:end -->"

_MARKER = re.compile(rf"^(?:{re.escape(START)}|{re.escape(END)})(?=[ \t]*$)", re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\n|\r")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listed:
    """A note of the day as the block shows it."""

    path: str
    name: str
    description: str = ""


def find_block(text: str) -> tuple[int, int] | None:
    """Where the managed block stands, from its start marker to the end of its end marker; `None` where there is none."""
    # `$` of a regular expression knows only "\n"; the same length keeps the offsets true
    unified = text.replace("\r\n", " \n").replace("\r", "\n")
    fences = _fences(unified)
    markers = [
        match
        for match in _MARKER.finditer(unified)
        if not any(start < match.start() < end for start, end in fences)
    ]
    for start, end in pairwise(markers):
        if start[0] == START and end[0] == END:
            return start.start(), end.end()
    return None


def _fences(text: str) -> list[tuple[int, int]]:
    """The spans of code fences that are closed. An unclosed one hides nothing, or a block behind it were never found again."""
    spans: list[tuple[int, int]] = []
    opening: re.Match[str] | None = None
    for line in _FENCE.finditer(text):
        if opening is None:
            opening = line
        elif line[1].startswith(opening[1]) and not line[2].strip():
            spans.append((opening.start(), line.end()))
            opening = None
    return spans


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


def has_stray_markers(text: str) -> bool:
    """Whether the page holds markers besides those of its block."""
    return text.count(START) + text.count(END) > (2 if find_block(text) else 0)


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
