"""YAML as notes need it: read without guessing at types, emitted so that every reader gets the same text back.

`no`, `2026-06-20`, `1_000`, `0o17` and `007` are strings here; only `true`, `false`, `null` and JSON's numbers are
values. What is emitted reads back equally in this reader, in a YAML 1.1 reader (PyYAML) and in a YAML 1.2 one.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from reme_cli.errors import FrontmatterError
from reme_cli.regex import regex
from reme_cli.vault.plain_yaml import BOOLEAN, FLOAT, INTEGER, NULL, read_plain, scalar, text_scalar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    import yaml

_Node: TypeAlias = Any
"""A `yaml.Node`; the stubs do not know its `id`, nor that a parsed node always has marks."""

MAX_NESTING: Final = 100
"""Levels of nested collections; more are an attack or an accident."""
MAX_VALUES: Final = 100_000
"""Values in one document with every alias expanded: a few lines of aliases of aliases can stand for billions."""

_TAG: Final = "tag:yaml.org,2002:"
_TYPES: Final = (
    (_TAG + "null", NULL, ("n", "N", "~", "")),
    (_TAG + "bool", BOOLEAN, ("t", "T", "f", "F")),
    (_TAG + "int", INTEGER, tuple("-0123456789")),
    (_TAG + "float", FLOAT, tuple("-0123456789")),
)
# Anything that some version of YAML takes for a number, a date or a time.
_LIKE_A_NUMBER: Final = regex(r"[-+]?(?:\.?[0-9][0-9_.,:+\-eExXoObTZa-fA-F ]*|\.(?:inf|nan))", re.IGNORECASE)
_LIKE_A_WORD: Final = regex(r"y|n|yes|no|on|off|true|false|null|~|=|<<", re.IGNORECASE)
# Words that no version of YAML takes for anything but text: the longest that one does has five letters, and none is Chinese.
_SIMPLE: Final = regex(
    r"(?:(?=.{6})[A-Za-z]|[\u4e00-\u9fff])[A-Za-z0-9\u4e00-\u9fff_-]*(?: [A-Za-z0-9\u4e00-\u9fff_-]+)*"
)
_SIMPLE_KEY: Final = regex(r"[a-z][a-z_]{3,}(?<!null)(?<!true)(?<!false)")
_ESCAPED: Final = regex('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufff0-\ufffc\ufffe\uffff]')
_SURROGATE: Final = regex("[\ud800-\udfff]")
_SHORT_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def parse(document: str, *, text_keys: Collection[str] = (), first_line: int = 1) -> dict[str, object]:
    """The mapping that a YAML document holds; empty for an empty document. Every scalar of `text_keys` is text.

    Raises `FrontmatterError` with the line, counted from `first_line`, where the YAML is broken, is no mapping,
    repeats a key, or is nested or multiplied by aliases beyond all reason.
    """
    plain = read_plain(document, text_keys)
    return _parsed(document, text_keys, first_line) if plain is None else plain


def _parsed(document: str, text_keys: Collection[str], first_line: int) -> dict[str, object]:
    """As `parse`, by the YAML parser."""
    import yaml  # with python-frontmatter a noticeable part of the start-up time
    from frontmatter.default_handlers import YAMLHandler

    try:
        root = YAMLHandler().load(document, Loader=_loader())
        return {} if root is None else _Reader(frozenset(text_keys), first_line).mapping(root)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = first_line + (mark.line if mark else 0)
        what = ", ".join(part for part in (error.context, error.problem) if part)
        raise broken(what, line) from error
    except yaml.reader.ReaderError as error:
        # Its position counts bytes or characters, depending on the parser; the offending character is certain.
        character = chr(error.character) if isinstance(error.character, int) else str(error.character)
        before = document.partition(character)[0]
        raise broken(f"a control character ({character!r})", first_line + before.count("\n")) from error
    except (yaml.YAMLError, UnicodeError, RecursionError) as error:
        raise broken(str(error).partition("\n")[0], first_line) from error


def broken(what: str, line: int) -> FrontmatterError:
    """The error for YAML that cannot be read, with the way out."""
    return FrontmatterError(
        f"invalid YAML: {what}",
        line=line,
        hint="Mend it by hand; a value with `: ` or `#` in it needs quotes.",
    )


@cache
def _loader() -> type[yaml.SafeLoader]:
    """A loader that stops at the node tree and knows no types but those of `_TYPES`."""
    import yaml  # only where YAML is read

    resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for tag, pattern, first_characters in _TYPES:
        for character in first_characters:
            resolvers.setdefault(character, []).append((tag, pattern))
    base: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return type(
        "NodeLoader",
        (base,),
        {"yaml_implicit_resolvers": resolvers, "get_single_data": base.get_single_node},
    )


class _Reader:
    """Makes values of nodes, within the limits. No tag can make it construct anything but text, numbers, lists, mappings."""

    def __init__(self, text_keys: frozenset[str], first_line: int) -> None:
        self._text_keys = text_keys
        self._first_line = first_line
        self._values = 0

    def mapping(self, root: _Node) -> dict[str, object]:
        if root.id != "mapping":
            raise broken("not a mapping of keys to values", self._line(root))
        return {
            key: self._value(value, 1, as_text=key in self._text_keys) for key, value in self._pairs(root)
        }

    def _pairs(self, node: _Node) -> Iterator[tuple[str, _Node]]:
        seen: set[str] = set()
        for key, value in node.value:
            if key.id != "scalar":
                raise broken("a key that is no text, as in `{{…}}` without quotes", self._line(key))
            if key.value in seen:
                raise broken(f"the key `{key.value}` is there twice", self._line(key))
            seen.add(key.value)
            yield key.value, value

    def _value(self, node: _Node, level: int, *, as_text: bool = False) -> object:
        self._values += 1
        if level > MAX_NESTING or self._values > MAX_VALUES:
            raise broken("nested too deep, or too many aliases", self._line(node))
        if node.id == "sequence":
            return [self._value(item, level + 1, as_text=as_text) for item in node.value]
        if node.id == "mapping":
            return {key: self._value(value, level + 1) for key, value in self._pairs(node)}
        return _scalar(node, as_text=as_text)

    def _line(self, node: _Node) -> int:
        return self._first_line + int(node.start_mark.line)


def _scalar(node: _Node, *, as_text: bool) -> object:
    spelled = str(node.value)
    if all(node.tag != tag for tag, _, _ in _TYPES):  # quoted, or with a tag of its own
        return spelled
    return text_scalar(spelled) if as_text else scalar(spelled)


def is_filled(value: object) -> bool:
    """Whether a value is a list or mapping with something in it, which takes lines of its own."""
    return isinstance(value, list | tuple | dict) and len(value) > 0


def emit(value: object, *, flow: bool = False) -> str:
    """A value as YAML, without a line ending at its end: a scalar on one line, a list or mapping as block lines.

    `flow` writes collections on one line, as `[a, b]`. Keys keep their order; text is never folded or escaped without need.
    """
    if is_filled(value):
        return _dump(value, flow=flow).removesuffix("\n")
    return emit_pair("k", value).removeprefix("k: ")


def emit_pair(key: str, value: object) -> str:
    """`key: value` as one or more lines of YAML, without a line ending at the end."""
    if isinstance(value, str) and _SIMPLE.fullmatch(value) and _SIMPLE_KEY.fullmatch(key):
        return f"{key}: {value}"  # as the emitter would write it, which takes long to say so
    return _dump({key: value}).removesuffix("\n")


def _dump(value: object, *, flow: bool = False) -> str:
    import yaml  # only where YAML is written

    return str(
        yaml.dump(
            value,
            Dumper=_dumper(),
            default_flow_style=flow,
            sort_keys=False,
            allow_unicode=True,
            width=sys.maxsize,
        )
    )


@cache
def _dumper() -> type[yaml.SafeDumper]:
    import yaml  # only where YAML is written

    class NoteDumper(yaml.SafeDumper):
        """PyYAML's emitter, which decides what may be plain, with quotes that keep wikilinks and all scripts readable."""

        def ignore_aliases(self, _data: object) -> bool:
            return True

        def write_double_quoted(self, text: str, _split: bool = True) -> None:
            self.write_indicator(f'"{_ESCAPED.sub(_escape, text)}"', True)

    def represent_text(dumper: NoteDumper, text: str) -> yaml.ScalarNode:
        if _SURROGATE.search(text):
            raise FrontmatterError("text that is not valid Unicode (a lone surrogate)")
        return dumper.represent_scalar(_TAG + "str", text, style=_style(text, dumper.analyze_scalar(text)))

    def represent_list(dumper: NoteDumper, items: tuple[object, ...]) -> yaml.SequenceNode:
        return dumper.represent_sequence(_TAG + "seq", items)

    NoteDumper.add_representer(str, represent_text)
    NoteDumper.add_representer(tuple, represent_list)
    return NoteDumper


def _style(text: str, analysis: Any) -> str | None:
    """Plain where every reader takes it for this very text, else the quotes inside of which the text needs no escape."""
    typed = _LIKE_A_NUMBER.fullmatch(text) or _LIKE_A_WORD.fullmatch(text)
    if text and not typed and analysis.allow_flow_plain and analysis.allow_block_plain:
        return None
    # Unescaped where possible: a wikilink in the text is also found by readers that know no YAML.
    escaped = set(_ESCAPED.findall(text))
    single = escaped and escaped <= {'"', "\\"} and "'" not in text and analysis.allow_single_quoted
    return "'" if single else '"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _SHORT_ESCAPES.get(character) or f"\\u{ord(character):04x}"
