"""YAML read as text with places: every scalar stays what was typed, every key and value knows its line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reme_cli.config.redaction import masked
from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yaml.nodes import MappingNode, Node, ScalarNode

KeyPath = tuple[str, ...]

MAX_BYTES = 1_000_000
MAX_NODES = 20_000
"""Aliases are expanded; beyond this many values a document is a bomb, not a configuration."""

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Plain(str):
    """A scalar typed without quotes (or in a variable): may be read as a number, which a quoted one may not."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Document:
    """`values` holds mappings, lists, `Plain`, `str` and `None`; `lines` the 1-based line of each key path."""

    values: dict[str, object] = field(default_factory=dict)
    lines: dict[KeyPath, int] = field(default_factory=dict)


def parse_document(data: bytes, name: str) -> Document:
    """The mapping that these bytes hold; an empty file holds an empty one. `name` is used in errors, as `name:line`.

    Raises `ConfigError` for what is not UTF-8, not YAML, not one mapping, or has a key twice.
    """
    if len(data) > MAX_BYTES:
        raise ConfigError(
            f"larger than {MAX_BYTES:,} bytes", where=name, hint="This is no configuration file."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            "not valid UTF-8", where=f"{name}:{line}", hint="Save the file as UTF-8."
        ) from error
    root = _compose(text, name)
    if root is None:
        return Document()
    document = Document()
    value = _Reader(name, document.lines).value(root, ())
    if value is None:
        return Document()
    if not isinstance(value, dict):
        raise ConfigError(
            "the file must hold `key: value` pairs",
            where=f"{name}:{root.start_mark.line + 1}",
            hint="For example: `timezone: Europe/Berlin`.",
        )
    document.values.update(value)
    return document


def parse_value(text: str, name: str) -> object:
    """One value from a variable or an option: a flow list or mapping where it looks like one, else the text itself."""
    if text.startswith(("[", "{")):
        try:
            root = _compose(text, name)
            if root is not None:
                return _Reader(name, {}).value(root, ())
        except ConfigError as error:
            # a variable has no lines; without its cause, as below
            raise ConfigError(error.what, where=name, hint=error.hint) from None
    return None if text in _NULLS else Plain(text)


def _compose(text: str, name: str) -> Node | None:
    # YAML takes longer to import than a warm search takes; the validated result is cached
    import yaml

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        # told without its cause: a traceback would show the line, which may hold a key
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        lines = text.splitlines()
        if "\t" in _indentation(lines[line] if line < len(lines) else ""):
            raise ConfigError(
                "the line is indented with a tab",
                where=f"{name}:{line + 1}",
                hint="YAML allows only spaces there: replace each tab by two spaces.",
            ) from None
        problem = masked(error.problem or error.context or "not valid YAML")
        raise ConfigError(
            f"not valid YAML: {problem}",
            where=f"{name}:{line + 1}",
            hint='A value with `: `, `#`, or a leading `*`, `&`, `@`, `%` needs "quotes".',
        ) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            "holds a control character", where=f"{name}:{line}", hint="Remove the character."
        ) from error
    except RecursionError as error:
        raise ConfigError("nested too deeply", where=name) from error


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


class _Reader:
    """Turns YAML nodes into values and notes their lines; counts them, since aliases multiply."""

    def __init__(self, name: str, lines: dict[KeyPath, int]) -> None:
        self.name = name
        self.lines = lines
        self.seen = 0

    def value(self, node: Node, path: KeyPath) -> object:
        import yaml

        self.seen += 1
        # a key path this long is deeper than any configuration and may be an alias that contains itself
        if self.seen > MAX_NODES or len(path) > 32:
            raise ConfigError(
                "aliases (`*name`) expand without end", where=self._where(node), hint="Write the value out."
            )
        if isinstance(node, yaml.ScalarNode):
            text = self.text(node)
            if node.style is not None:
                return text
            return None if text in _NULLS else Plain(text)
        if isinstance(node, yaml.SequenceNode):
            return [self.item(child, path, number) for number, child in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return dict(self.pairs(node, path))
        raise ConfigError("not a value", where=self._where(node))

    def text(self, node: ScalarNode) -> str:
        value = str(node.value)
        # YAML reads "\ud83d\ude00", as JSON writes an emoji, as two halves of a character
        whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if "\ufffd" in whole and "\ufffd" not in value:
            raise ConfigError(
                "holds half a character", where=self._where(node), hint="Write the character itself."
            )
        return whole

    def item(self, node: Node, path: KeyPath, number: int) -> object:
        here = (*path, str(number))
        self.lines[here] = node.start_mark.line + 1
        return self.value(node, here)

    def pairs(self, node: MappingNode, path: KeyPath) -> Iterator[tuple[str, object]]:
        import yaml

        keys: set[str] = set()
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise ConfigError("a key must be plain text", where=self._where(key_node))
            key = self.text(key_node)
            if key in keys:
                raise ConfigError(
                    f"the key `{masked(key)}` stands here twice",
                    where=self._where(key_node),
                    hint="Remove one of them.",
                )
            keys.add(key)
            here = (*path, key)
            self.lines[here] = key_node.start_mark.line + 1
            yield key, self.value(value_node, here)

    def _where(self, node: Node) -> str:
        return f"{self.name}:{node.start_mark.line + 1}"
