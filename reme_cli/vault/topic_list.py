"""`daily/<date>/interests.yaml` as YAML nodes: which list of topics it has, or why it has none that can be read.

Nothing is constructed, so no tag can do harm and no type is guessed: `no` and `2026-06-20` are texts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    import yaml

FILE_NAME: Final = "interests.yaml"
TOPICS: Final = "topics"


class TopicList(NamedTuple):
    """The nodes of a file."""

    root: yaml.Node | None
    """The whole mapping; `None` where the file says nothing."""
    listed: yaml.Node | None = None
    """What stands behind `topics:`; `None` where it is left out."""
    members: list[yaml.Node] | None = None
    """The items of the list; `None` where there is no list, or nothing stands behind `topics:`."""


class Flaw(NamedTuple):
    """Why a file has no list of topics that can be read; `line` is 1-based."""

    kind: Literal["yaml", "mapping", "list"]
    line: int
    detail: str = ""
    """What the parser says, where it is no YAML."""


def read_list(text: str) -> TopicList | Flaw:
    """The list of topics in the text of a file; a flaw where it is no YAML, no mapping, or `topics` is no list."""
    import yaml  # only where YAML is read

    try:
        root = yaml.compose(text.removeprefix("\ufeff"), Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        return Flaw("yaml", mark.line + 1 if mark else 1, problem)
    except RecursionError:
        return Flaw("yaml", 1, "nested too deeply")
    if root is None:
        return TopicList(None)
    entries = pairs(root)
    if entries is None:
        return Flaw("mapping", 1)
    listed = entries.get(TOPICS)
    found = members(listed) if listed is not None else None
    is_empty = listed is None or (isinstance(listed, yaml.ScalarNode) and listed.value in {"", "~", "null"})
    if listed is not None and found is None and not is_empty:
        return Flaw("list", int(listed.start_mark.line) + 1)
    return TopicList(root, listed, found)


def pairs(node: yaml.Node) -> dict[str, yaml.Node] | None:
    """A mapping node's values by key; the last of a repeated key. `None` for another node."""
    from yaml import MappingNode  # only where YAML is read

    return {scalar(key): value for key, value in node.value} if isinstance(node, MappingNode) else None


def members(node: yaml.Node) -> list[yaml.Node] | None:
    """A sequence node's members; `None` for another node."""
    from yaml import SequenceNode  # only where YAML is read

    return list(node.value) if isinstance(node, SequenceNode) else None


def is_flow(node: yaml.Node) -> bool:
    """Whether a collection is written in brackets or braces."""
    from yaml import CollectionNode  # only where YAML is read

    return isinstance(node, CollectionNode) and bool(node.flow_style)


def scalar(node: yaml.Node) -> str:
    """A scalar as it is spelled, on one line; empty for a collection."""
    from yaml import ScalarNode  # only where YAML is read

    return " ".join(str(node.value).split()) if isinstance(node, ScalarNode) else ""
