"""`daily/<date>/interests.yaml`: the topics of a day, read as written and revised around what a person wrote there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING, Final

from reme_cli.dream.unit import Topic
from reme_cli.errors import NoteError
from reme_cli.vault.topic_list import TOPICS, Flaw, is_flow, members, pairs, read_list, scalar
from reme_cli.vault.yaml_text import emit, emit_pair

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Sequence

    import yaml

_FLAWS: Final = {
    "yaml": "invalid YAML: {detail}",
    "mapping": "a mapping with `topics:` is expected",
    "list": "`topics` is no list",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A member of the list `topics`: the topic it gives, `None` where it gives none, and its lines, as they stand or as they would in a block list."""

    topic: Topic | None
    source: str


@dataclass(frozen=True, slots=True)
class Interests:
    """The topics of a day's file, with the text they were read from."""

    text: str
    path: str
    items: tuple[Item, ...] = ()
    frame: tuple[str, str] | None = None
    """What stands before and behind the items; `None` where reme cannot tell without losing something."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """What of the list can be understood: an item needs a title, nothing else."""
        return tuple(item.topic for item in self.items if item.topic is not None)

    def untouched(self, written: Collection[str]) -> frozenset[str]:
        """Of the marks of topics that reme wrote, those whose item is still just as reme writes it: no key or comment was added."""
        return frozenset(
            item.topic.mark
            for item in self.items
            if item.topic is not None
            and item.topic.mark in written
            and dedent(item.source.replace("\r\n", "\n")).rstrip() == _listed(item.topic).rstrip()
        )


def read(text: str, path: str) -> Interests:
    """The interests in the text of the file `path`; every scalar is text (`no`, `2026-06-20`).

    Raises `NoteError` with `path:line` where it is no YAML, no mapping, or `topics` is no list.
    """
    found = read_list(text)
    if isinstance(found, Flaw):
        raise _unreadable(_FLAWS[found.kind].format(detail=found.detail), path, found.line)
    root, listed, nodes = found
    if root is None:
        return Interests(text, path, frame=_appended(text))
    if is_flow(root):  # `{topics: …}`: its list can be no block
        frame = None
    else:
        frame = _appended(text) if listed is None else _around(text, listed)
    if listed is None or nodes is None:
        return Interests(text, path, frame=frame)
    if nodes and not is_flow(listed):
        frame, sources = _block_sources(text, listed, nodes)
    else:
        sources = _flow_sources(text, listed, nodes)
        frame = frame if all(sources) else None
    items = tuple(Item(_topic(node), source) for node, source in zip(nodes, sources, strict=True))
    return Interests(text, path, items, frame)


def _appended(text: str) -> tuple[str, str]:
    """The frame of a list that is added at the end; the text with nothing in it, of a whole file."""
    if not text.strip("\ufeff \t\r\n"):
        return "", ""
    newline = _newline(text)
    return f"{text}{'' if text.endswith(chr(10)) else newline}{TOPICS}:{newline}", ""


def _around(text: str, listed: yaml.Node) -> tuple[str, str]:
    """The frame of a block list in the place of a flow list or of nothing: what stands behind the value comes behind the key."""
    start, end = _span(text, listed)
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop + 1
    behind = text[end:stop].rstrip("\r\n")
    return f"{text[:start].rstrip()}{behind}{_newline(text)}", text[stop:]


def _span(text: str, node: yaml.Node) -> tuple[int, int]:
    """Where a node stands in `text`: marks count without a BOM."""
    shift = len(text) - len(text.removeprefix("\ufeff"))
    return int(node.start_mark.index) + shift, int(node.end_mark.index) + shift


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _block_sources(
    text: str, listed: yaml.Node, nodes: Sequence[yaml.Node]
) -> tuple[tuple[str, str] | None, list[str]]:
    """The frame of a block list, and the lines of each member, those of comments behind a member included."""
    lines = text.splitlines(keepends=True)
    dash = re.compile(rf"\ufeff?[ ]{{{int(listed.start_mark.column)}}}-(?:\s|$)")
    starts = []
    for node in nodes:
        start = int(node.start_mark.line)
        while start > int(listed.start_mark.line) and not dash.match(lines[start]):
            start -= 1  # `-` alone, its member below
        starts.append(start)
    # an alias stands where its anchor does
    if sorted(set(starts)) != starts or not all(dash.match(lines[start]) for start in starts):
        return None, [""] * len(nodes)
    # At column 0 the end is where the next key begins, else the file ends within the list.
    end = len(lines) if listed.end_mark.column else int(listed.end_mark.line)
    while re.match(r"\s*(?:#|$)", lines[end - 1]):  # comments behind the list are not its last member's
        end -= 1
    sources = ["".join(lines[start:stop]) for start, stop in zip(starts, [*starts[1:], end], strict=True)]
    return ("".join(lines[: starts[0]]), "".join(lines[end:])), sources


def _flow_sources(text: str, listed: yaml.Node, nodes: Sequence[yaml.Node]) -> list[str]:
    """Each member of a flow list as it would stand in a block list; empty texts where that would lose a comment or an anchor."""
    place, last = _span(text, listed)
    place += 1
    sources: list[str] = []
    for node in nodes:
        start, end = _span(text, node)
        if text[place:start].strip(" \t\r\n,") or not place <= start <= end < last:
            return [""] * len(nodes)
        sources.append("- " + text[start:end].replace("\n", "\n  ") + _newline(text))
        place = end
    return [""] * len(nodes) if text[place : last - 1].strip(" \t\r\n,") else sources


def render(date: dt.date, topic_count: int, diversity_days: int, topics: Sequence[Topic]) -> str:
    """The text of a new file."""
    return _head(date, topic_count, diversity_days) + "".join(map(_listed, topics))


def revise(
    before: Interests, date: dt.date, topic_count: int, diversity_days: int, topics: Sequence[Topic]
) -> str:
    """The text of the file with these topics instead.

    What it holds besides keeps its bytes: other keys, comments, items that give no topic, and every item whose topic stays.
    Raises `NoteError` where that cannot be done.
    """
    if tuple(topics) == before.topics:
        return before.text
    if before.frame is None:
        raise _irrevisable(before)
    head, tail = before.frame
    newline = _newline(before.text)
    indent = re.match(r"[ \t]*", before.items[0].source if before.items else "")
    margin = indent[0] if indent else ""
    by_mark = {item.topic.mark: item.source for item in before.items if item.topic is not None}
    items = [
        by_mark.get(topic.mark)
        or re.sub("(?m)^", margin, _listed(topic).rstrip("\n")).replace("\n", newline) + newline
        for topic in topics
    ]
    items += [item.source for item in before.items if item.topic is None]
    closed = [item if item.endswith("\n") else item + newline for item in items]
    text = (head or _head(date, topic_count, diversity_days)) + "".join(closed) + tail
    try:
        revised = read(text, before.path)
    except NoteError:
        raise _irrevisable(before) from None
    if revised.topics != tuple(topics):
        raise _irrevisable(before)
    return text


def _irrevisable(before: Interests) -> NoteError:
    return NoteError(
        "new topics have no place in it: it is written in an unusual way",
        where=before.path,
        hint="Write `topics:` as a block list, `- title: …` for each; reme leaves the file as it is.",
    )


def _head(date: dt.date, topic_count: int, diversity_days: int) -> str:
    return (
        f"date: {date.isoformat()}\ntopic_count: {topic_count}\ndiversity_days: {diversity_days}\n{TOPICS}:\n"
    )


def _listed(topic: Topic) -> str:
    """One item of the list, in the contract's shape."""
    pairs = [
        emit_pair("title", topic.title),
        emit_pair("reason", topic.reason),
        emit_pair("evidence", topic.evidence),
        f"keywords: {emit(list(topic.keywords), flow=True)}",
        f"paths: {emit(list(topic.paths), flow=True)}",
    ]
    block = "\n".join(pairs)
    return "- " + block.replace("\n", "\n  ") + "\n"


def _topic(node: yaml.Node) -> Topic | None:
    """The topic of an item: a mapping with a title, or a bare title."""
    entries = pairs(node)
    if entries is None:
        title = scalar(node)
        return Topic(title, "", "") if title else None
    fields = {key: scalar(value) for key, value in entries.items()}
    title = fields.get("title", "")
    if not title:
        return None
    return Topic(
        title,
        fields.get("reason", ""),
        fields.get("evidence", ""),
        _texts(entries.get("keywords")),
        _texts(entries.get("paths")),
    )


def _texts(node: yaml.Node | None) -> tuple[str, ...]:
    """The texts of a list, or of one scalar; empty for anything else."""
    if node is None:
        return ()
    listed = members(node)
    found = [scalar(member) for member in listed] if listed is not None else [scalar(node)]
    return tuple(text for text in found if text)


def _unreadable(what: str, path: str, line: int) -> NoteError:
    return NoteError(
        what, where=f"{path}:{line}", hint="Mend it or remove the file; reme leaves it as it is."
    )
