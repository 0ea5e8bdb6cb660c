"""`daily/<date>/interests.yaml`: the topics of a day, read as written and revised around what a person wrote there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.dream.unit import Topic
from reme_cli.errors import NoteError
from reme_cli.vault.yaml_text import emit, emit_pair

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Sequence

    import yaml

FILE_NAME: Final = "interests.yaml"
_TOPICS: Final = "topics"


@dataclass(frozen=True, slots=True)
class Item:
    """A member of the list `topics` as it stands: the topic it gives, `None` where it gives none, and its lines.

    `source` is empty where the list is not written as a block.
    """

    topic: Topic | None
    source: str


@dataclass(frozen=True, slots=True)
class Interests:
    """The topics of a day's file, with the text they were read from."""

    text: str
    items: tuple[Item, ...] = ()

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
            and item.source.replace("\r\n", "\n").rstrip() == _listed(item.topic).rstrip()
        )


def read(text: str, path: str) -> Interests:
    """The interests in the text of the file `path`; every scalar is text (`no`, `2026-06-20`).

    Raises `NoteError` with `path:line` where it is no YAML, no mapping, or `topics` is no list.
    """
    root = _compose(text, path)
    if root is None:
        return Interests(text)
    entries = _pairs(root)
    if entries is None:
        raise _unreadable("a mapping with `topics:` is expected", path, 1)
    listed = entries.get(_TOPICS)
    nodes = _members(listed) if listed is not None else []
    if listed is None or (nodes is None and listed.value in {"", "~", "null"}):
        return Interests(text)
    if nodes is None:
        raise _unreadable("`topics` is no list", path, int(listed.start_mark.line) + 1)
    sources = _sources(text, listed, nodes)
    return Interests(
        text, tuple(Item(_topic(node), source) for node, source in zip(nodes, sources, strict=True))
    )


def _sources(text: str, listed: yaml.Node, nodes: Sequence[yaml.Node]) -> list[str]:
    """The lines of each member of a block list, those of comments behind a member included; empty texts for another list."""
    lines = text.splitlines(keepends=True)
    starts = [int(node.start_mark.line) for node in nodes]
    if (
        not starts
        or len(set(starts)) < len(starts)
        or any(not lines[start].lstrip().startswith("- ") for start in starts)
    ):
        return [""] * len(nodes)
    # At column 0 the end is where the next key begins, else the file ends within the list.
    end = len(lines) if listed.end_mark.column else int(listed.end_mark.line)
    while re.match(r"\s*(?:#|$)", lines[end - 1]):  # comments behind the list are not its last member's
        end -= 1
    return ["".join(lines[start:stop]) for start, stop in zip(starts, [*starts[1:], end], strict=True)]


def render(date: dt.date, topic_count: int, diversity_days: int, topics: Sequence[Topic]) -> str:
    """The text of a new file."""
    return _head(date, topic_count, diversity_days) + "".join(map(_listed, topics))


def revise(
    before: Interests, date: dt.date, topic_count: int, diversity_days: int, topics: Sequence[Topic]
) -> str:
    """The text of the file with these topics instead.

    What it holds besides keeps its bytes: other keys, comments, items that give no topic, and every item whose topic stays.
    """
    if tuple(topics) == before.topics:
        return before.text
    sources = [item.source for item in before.items]
    if not all(sources) or not sources:
        return render(date, topic_count, diversity_days, topics)
    newline = "\r\n" if "\r\n" in before.text else "\n"
    start = before.text.index("".join(sources))
    head, tail = before.text[:start], before.text[start + len("".join(sources)) :]
    indent = re.match(r"[ \t]*", sources[0])
    margin = indent[0] if indent else ""
    by_mark = {item.topic.mark: item.source for item in before.items if item.topic is not None}
    items = [
        by_mark.get(topic.mark)
        or re.sub("(?m)^", margin, _listed(topic).rstrip("\n")).replace("\n", newline) + newline
        for topic in topics
    ]
    items += [item.source for item in before.items if item.topic is None]
    closed = [item if item.endswith("\n") else item + newline for item in items]
    return head + "".join(closed) + tail


def _head(date: dt.date, topic_count: int, diversity_days: int) -> str:
    return f"date: {date.isoformat()}\ntopic_count: {topic_count}\ndiversity_days: {diversity_days}\n{_TOPICS}:\n"


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
    entries = _pairs(node)
    if entries is None:
        title = _scalar(node)
        return Topic(title, "", "") if title else None
    fields = {key: _scalar(value) for key, value in entries.items()}
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
    members = _members(node)
    found = [_scalar(member) for member in members] if members is not None else [_scalar(node)]
    return tuple(text for text in found if text)


def _compose(text: str, path: str) -> yaml.Node | None:
    """The node tree of the one document in `text`: nothing is constructed, so no tag can do harm and no type is guessed."""
    import yaml  # only where YAML is read

    try:
        return yaml.compose(text.removeprefix("\ufeff"), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise _unreadable(f"invalid YAML: {problem}", path, mark.line + 1 if mark else 1) from error
    except RecursionError as error:
        raise _unreadable("invalid YAML: nested too deeply", path, 1) from error


def _unreadable(what: str, path: str, line: int) -> NoteError:
    return NoteError(
        what, where=f"{path}:{line}", hint="Mend it or remove the file; reme leaves it as it is."
    )


def _pairs(node: yaml.Node) -> dict[str, yaml.Node] | None:
    """A mapping node's values by key; the last of a repeated key. `None` for another node."""
    from yaml import MappingNode  # only where YAML is read

    return {_scalar(key): value for key, value in node.value} if isinstance(node, MappingNode) else None


def _members(node: yaml.Node) -> list[yaml.Node] | None:
    """A sequence node's members; `None` for another node."""
    from yaml import SequenceNode  # only where YAML is read

    return list(node.value) if isinstance(node, SequenceNode) else None


def _scalar(node: yaml.Node) -> str:
    """A scalar as it is spelled, on one line; empty for a collection."""
    from yaml import ScalarNode  # only where YAML is read

    return " ".join(str(node.value).split()) if isinstance(node, ScalarNode) else ""
