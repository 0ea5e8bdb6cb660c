"""A note cut at its headings into passages: what stands under one meaningful heading, or one list item on its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.digest.sentences import CJK, one_line, split
from reme_cli.dream.extractive.cues import (
    COMMIT_HEADING,
    LOG_HEADINGS,
    PLAN_HEADINGS,
    TEMPLATE_HEADING,
    TEMPLATE_HEADINGS,
)
from reme_cli.dream.extractive.substance import MIN_WORDS, announces, is_prose
from reme_cli.errors import RemeError
from reme_cli.vault.frontmatter import read as read_frontmatter
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markdown_it import MarkdownIt

Shape = Literal["prose", "item", "step"]

ITEM_MIN_WORDS: Final = 3
MAX_NAME: Final = 72
"""Characters of a heading that can be a name, a CJK character counting double."""


_TASK = re.compile(r"^\[[ xX]\]\s+")
# each character may begin or end but one part of it: a heading may be as long as a note
_FILE_BEHIND = re.compile(r"(?<!\s)\s*\((?:[^\s()/]*/[^\s()]*|[^\s()/]+\.\w{1,5})\)\s*$")
_MARKS_BEHIND = re.compile(r"(?<![\s:：#])[\s:：#]+$")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of running text, or a whole list item, on one line with its markup. `step`: of a numbered list."""

    text: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Passage:
    """What a note says under one heading.

    `heading` is clean of markup and empty where nothing names the passage; `is_log`: it stands under a heading for
    what was done.
    """

    path: str
    heading: str
    lines: tuple[Line, ...]
    is_log: bool = False


@dataclass(frozen=True, slots=True)
class _Chunk:
    """A leaf of the block structure: its text, how it is set, and the outermost list item and list that hold it."""

    text: str
    shape: Shape
    item: int | None
    depth: int
    numbered: bool
    is_task: bool


@dataclass(frozen=True, slots=True)
class _Head:
    number: int
    level: int
    text: str


def heading_key(heading: str) -> str:
    """A heading for comparison: small letters, digits as `#`, no markup, no punctuation at its ends."""
    return re.sub(r"\d", "#", one_line(clean_heading(heading)).casefold()).strip(" .:：。!！?？-–—*_~#、，,")


def clean_heading(heading: str) -> str:
    """A heading without link and emphasis markup, file path in parentheses, date, clock time, number and final colon."""
    text = one_line(strip_links(heading))
    text = re.sub(r"`+|\*\*|__|~~|==|(?<!\w)[*_]|[*_](?!\w)", "", text)
    text = _FILE_BEHIND.sub("", text)
    text = re.sub(
        r"^(?:\[[ xX]\]\s*)?(?:\d{1,2}[:：]\d\d(?:\s*[-–]\s*\d{1,2}[:：]\d\d)?\s*[-–—|]?\s*)", "", text
    )
    text = re.sub(r"^\d{4}-\d\d-\d\d\b[\s:：,–—-]*(?=\S)", "", text)
    text = re.sub(r"^(?:\(?\d+(?:\.\d+)*[.)、]|[一二三四五六七八九十]+、)\s*", "", text)
    return _MARKS_BEHIND.sub("", text).strip()


def is_template(heading: str) -> bool:
    """Whether a heading is one that says nothing of its content, by the table: `Notes`, `今天的灵感`, a date."""
    folded = heading_key(heading)
    if not folded.strip("#-/. 年月日") or folded in TEMPLATE_HEADINGS or TEMPLATE_HEADING.search(folded):
        return True
    return _FILE_BEHIND.search(heading) is not None and COMMIT_HEADING.match(folded) is not None


def display_width(text: str) -> int:
    """Columns: a CJK character or full-width sign takes two."""
    return sum(2 if "\u2e80" <= character <= "\uffef" else 1 for character in text)


def can_name(heading: str) -> bool:
    """Whether a clean heading can stand as a name: short, mostly words, no code."""
    letters = sum(character.isalpha() for character in heading)
    compact = heading.replace(" ", "")
    return (
        1 < display_width(heading) <= MAX_NAME
        and letters >= 2
        and letters >= 0.6 * len(compact)
        and not re.search(r"https?://|[={}<>|\\]|::|^[-+$&@#]|\w\(", heading)
    )


def passages(path: str, text: str, is_common: Callable[[str], bool] = lambda _: False) -> tuple[Passage, ...]:
    """The passages of a note with substance, in order.

    A heading of the template table, or one that `is_common` knows from many days, names nothing: what stands under it
    belongs to the heading above it, and where there is none, each item of a bulleted list is a passage of its own.
    """
    found: dict[tuple[str, int], tuple[str, bool, list[_Chunk]]] = {}
    title = _title(path, text)
    heads = [_Head(0, 0, title)] if title else []
    paragraph_key: tuple[str, int] | None = None
    for number, part in enumerate(_parts(text), start=1):
        if isinstance(part, _Head):
            heads = [*(head for head in heads if head.level < part.level), part]
            paragraph_key = None
            continue
        nearest = heading_key(heads[-1].text) if heads else ""
        is_log = nearest in LOG_HEADINGS
        if nearest in PLAN_HEADINGS or (is_log and part.is_task):
            continue
        named = next((head for head in reversed(heads) if _names(head.text, is_common)), None)
        if named is not None:
            key = ("heading", named.number)
        elif part.item is not None and paragraph_key is None and not part.numbered:
            key = ("item", part.item)
        else:
            key = paragraph_key or ("paragraph", number)
        if part.item is None and named is None:
            paragraph_key = key if announces(part.text) else None
        heading = clean_heading(named.text) if named else ""
        found.setdefault(key, (heading, is_log and named is None, []))[2].append(part)
    made = (Passage(path, heading, _lines(chunks), is_log) for heading, is_log, chunks in found.values())
    return tuple(passage for passage in made if _has_substance(passage))


def headings(text: str) -> tuple[str, ...]:
    """The folded headings of a note, each once, in order."""
    return tuple(dict.fromkeys(heading_key(heading.text) for heading in scan(text).headings))


def _names(heading: str, is_common: Callable[[str], bool]) -> bool:
    cleaned = clean_heading(heading)
    return can_name(cleaned) and not is_template(heading) and not is_common(heading_key(heading))


def _title(path: str, text: str) -> str:
    """What the note calls itself: its frontmatter's name or title, else its file name where that reads as words."""
    try:
        values = read_frontmatter(text)
    except RemeError:
        values = {}
    for key in ("name", "title"):
        value = values.get(key)
        if isinstance(value, str) and can_name(clean_heading(value)):
            return value
    stem = re.sub(r"\d{4}-\d\d-\d\d|^\d+\b", "", path.rsplit("/", 1)[-1].removesuffix(".md")).strip(" -_")
    words = re.sub(r"[-_]+", " ", stem)
    return words if " " in words or re.search(f"[{CJK}]", words) else ""


def _lines(chunks: list[_Chunk]) -> tuple[Line, ...]:
    """The sentences and list items worth quoting. A colon's line stays only when a list item of its own follows."""
    whole_is_one_item = len({chunk.item for chunk in chunks}) == 1 and chunks[0].item is not None
    drafts: list[Line] = []
    for chunk in chunks:
        is_running = chunk.shape == "prose" or (
            whole_is_one_item and chunk.depth == 1 and chunk.shape == "item"
        )
        if is_running:
            drafts.extend(Line(text, "prose") for text in split(chunk.text) if is_prose(text))
        else:
            text = one_line(chunk.text)
            least = ITEM_MIN_WORDS if len(chunks) > 1 else MIN_WORDS
            if is_prose(text, min_words=least) and not announces(text):
                drafts.append(Line(text, chunk.shape))
    lines: dict[Line, None] = {}
    for index, line in enumerate(drafts):
        following = drafts[index + 1] if index + 1 < len(drafts) else None
        if announces(line.text) and (following is None or following.shape == "prose"):
            continue
        lines[line] = None
    return tuple(lines)


def _has_substance(passage: Passage) -> bool:
    """A sentence, or two steps, or two list items that are as good as sentences."""
    shapes = [line.shape for line in passage.lines if line.shape != "item" or is_prose(line.text)]
    return "prose" in shapes or len(shapes) >= 2


def _parts(text: str) -> Iterator[_Head | _Chunk]:
    """Headings and leaf blocks in source order; code, HTML and tables are left out."""
    body = text[scan(text).body_start :]
    lists: list[bool] = []
    items: list[int] = []
    items_seen = heads_seen = level = 0
    in_table = False
    for token in _parser().parse(body):
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            lists.append(token.type == "ordered_list_open")
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            lists.pop()
        elif token.type == "list_item_open":
            items_seen += 1
            items.append(items_seen)
        elif token.type == "list_item_close":
            items.pop()
        elif token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type in {"table_open", "table_close"}:
            in_table = token.type == "table_open"
        elif token.type == "inline" and level:
            heads_seen += 1
            yield _Head(heads_seen, level, token.content)
            level = 0
        elif token.type == "inline" and not in_table:
            content = _TASK.sub("", token.content) if items else token.content
            is_task = content != token.content
            content = re.sub(r"(?m)^\[!\w[^\]]*\][-+]?.*$", "", content)  # the title of a callout is a label
            shape: Shape = "prose" if not items else "step" if lists[-1] else "item"
            yield _Chunk(
                content, shape, items[0] if items else None, len(items), bool(lists and lists[0]), is_task
            )


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # slow to import, and only a dream without a model needs it here

    # Tables are recognised so that their cells can be left out; inline structure is not needed.
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.disable("inline")
    return parser
