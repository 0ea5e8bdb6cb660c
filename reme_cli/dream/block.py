"""A note's text cut where a reader would cut it, without losing a character."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph-like run of lines, or a whole code fence, each with the blank lines behind it.

    `level` is 1–6 for a heading and 0 otherwise.
    """

    text: str
    level: int


def blocks(text: str) -> Iterator[Block]:
    """The blocks of `text` in order; their texts joined are `text`."""
    lines: list[str] = []
    fence = ""
    level = 0
    ended = False
    for line in text.splitlines(keepends=True):
        opening = _FENCE.match(line)
        if fence:
            lines.append(line)
            if (
                opening
                and line.strip() == line.strip()[0] * len(line.strip())
                and opening[1].startswith(fence)
            ):
                fence = ""
            continue
        blank = not line.strip()
        heading = _HEADING.match(line)
        if not blank and (ended or heading or level) and lines:
            yield Block("".join(lines), level)
            lines, level, ended = [], 0, False
        if heading:
            level = len(heading[1])
        elif opening:
            fence = opening[1]
        lines.append(line)
        ended = blank
    if lines:
        yield Block("".join(lines), level)


@dataclass(frozen=True, slots=True)
class Change:
    """What a note gained, each block under the headings it stands under, and the blocks that are no longer there."""

    added: str
    removed: tuple[str, ...]


def change_between(previous: str, text: str, shown: Callable[[str], str]) -> Change:
    """What changed from `previous` to `text`, block by block.

    Blocks are compared as `shown` gives them, with white space collapsed: a link that was added to a word, or a
    block that moved, is no change.
    """

    def key(block: Block) -> str:
        return " ".join(shown(block.text).split())

    before = Counter(key(block) for block in blocks(previous))
    removed = Counter(before)
    added: list[str] = []
    headings: list[Block] = []
    for block in blocks(text):
        known = removed[key(block)] > 0
        if known:
            removed[key(block)] -= 1
        if block.level:
            headings = [heading for heading in headings if heading.level < block.level]
        if not known and key(block):
            added += [heading.text for heading in headings]
            headings = []
            added.append(block.text)
        elif block.level:
            headings.append(block)
    return Change("".join(added), tuple(gone for gone in (+removed) if gone))


def split(text: str, limit: int, measure: Callable[[str], int]) -> list[str]:
    """`text` in parts of at most `limit` by `measure`, cut before headings where possible, else between blocks, else lines.

    The parts joined are `text`. A single line above the limit is cut by length.
    """
    parts: list[str] = []
    current: list[str] = []
    used = 0
    for piece in _pieces(text, limit, measure):
        size = measure(piece)
        if current and used + size > limit:
            parts.append("".join(current))
            current, used = [], 0
        current.append(piece)
        used += size
    if current:
        parts.append("".join(current))
    return parts


def _pieces(text: str, limit: int, measure: Callable[[str], int]) -> Iterator[str]:
    """Sections, blocks, lines or slices of a line: the largest that fit."""
    for section in _sections(text):
        if measure(section) <= limit:
            yield section
            continue
        for block in blocks(section):
            if measure(block.text) <= limit:
                yield block.text
                continue
            for line in block.text.splitlines(keepends=True):
                size = measure(line)
                if size <= limit:
                    yield line
                    continue
                # The densest text still has fewer than two tokens to a character.
                step = max(1, limit // 2)
                yield from (line[start : start + step] for start in range(0, len(line), step))


def _sections(text: str) -> Iterator[str]:
    """Runs of blocks, each starting at a heading."""
    current: list[str] = []
    for block in blocks(text):
        if block.level and current:
            yield "".join(current)
            current = []
        current.append(block.text)
    if current:
        yield "".join(current)
