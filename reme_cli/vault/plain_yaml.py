"""The YAML that most notes have (keys, scalars, lists of scalars), read line by line, without a YAML parser.

Loading a parser takes longer than reading a note. A test holds this reader equal to it; what is not certainly plain
is left to it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Collection

NULL: Final = regex(r"(?:null|Null|NULL|~|)\Z")
BOOLEAN: Final = regex(r"(?:true|True|TRUE|false|False|FALSE)\Z")
INTEGER: Final = regex(r"-?(?:0|[1-9][0-9]{0,17})\Z")
"""At most 18 digits: a longer one is an identifier, and JSON readers would round it."""
FLOAT: Final = regex(
    r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,30}(?:[eE][-+]?[0-9]{1,4})?|[eE][-+]?[0-9]{1,4})\Z"
)

_TYPED: Final = frozenset("nNtTfF~-0123456789")
"""What begins with none of these is text."""
_NULLS: Final = frozenset({"n", "N", "~", ""})

_CONTROL: Final = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
# Plain text begins with nothing that has a meaning in YAML, and holds no `: ` and no ` #`.
_TEXT: Final = (
    rf"""[^\s\-?:,\[\]{{}}#&*!|>'"%@`{_CONTROL}](?:[^{_CONTROL}:#]|:(?=[^\s{_CONTROL}])|(?<=\S)#)*"""
)
_QUOTED: Final = rf"""(?:"[^"\\{_CONTROL}]*"|'[^'{_CONTROL}]*')"""
# Spaces at the end are taken by `_TEXT` or by ` *`, never by one after the other: that would be quadratic.
_SCALAR: Final = rf"(?:(?P<quoted>{_QUOTED}) *|(?P<plain>{_TEXT}))"
_WORD: Final = rf"(?:{_QUOTED}|[^\W_][\w./-]*(?: [\w./-]+)*)"
_LIST: Final = rf"\[ *+(?P<words>{_WORD}(?: *, *{_WORD})*|) *\] *"
_PAIR: Final = regex(
    rf"(?P<key>[^\W_][\w-]{{0,60}}(?: [\w-]{{1,60}}){{0,4}}):(?: +(?:{_SCALAR}|{_LIST})| *)\Z"
)
_WORDS: Final = regex(_WORD)
_ITEM: Final = regex(rf"(?P<indent> *)- +{_SCALAR}\Z")
_UNPRINTABLE: Final = regex(f"[{_CONTROL}]")
_LINE_END: Final = regex(r"\r\n|\n")


def scalar(spelled: str) -> object:
    """What a plain scalar stands for: `null`, `true`, `false` and JSON's numbers are values, everything else is text."""
    if spelled and spelled[0] not in _TYPED:
        return spelled
    if NULL.match(spelled):
        return None
    if BOOLEAN.match(spelled):
        return spelled.lower() == "true"
    if INTEGER.match(spelled):
        return int(spelled)
    if FLOAT.match(spelled) and math.isfinite(float(spelled)):
        return float(spelled)
    return spelled


def text_scalar(spelled: str) -> str | None:
    """What a plain scalar of a text key stands for: itself, unless it is null."""
    return None if spelled[:1] in _NULLS and NULL.match(spelled) else spelled


def read_plain(document: str, text_keys: Collection[str]) -> dict[str, object] | None:
    """The mapping that a document holds whose every line is plain; `None` for all others, broken ones included."""
    mapping: dict[str, object] = {}
    items: list[object] | None = None  # of the key above, where that has no value on its line
    indent: str | None = None
    key = ""
    for line in _LINE_END.split(document):
        if not line or line[0] == "#":
            if line and _UNPRINTABLE.search(line):
                return None
            continue
        if pair := _PAIR.match(line):
            key, quoted, plain, words = pair.groups()
            if key in mapping:
                return None
            text = key in text_keys
            if words is None:
                spelled = quoted or plain
                mapping[key] = None if spelled is None else _value(spelled.rstrip(" "), text=text)
                items = [] if spelled is None else None
            else:
                mapping[key] = [_value(word, text=text) for word in _WORDS.findall(words)]
                items = None
            indent = None
        elif (item := _ITEM.match(line)) and items is not None and indent in {None, item["indent"]}:
            indent = item["indent"]
            spelled = item["quoted"] or item["plain"]
            items.append(_value(spelled.rstrip(" "), text=key in text_keys))
            mapping[key] = items
        else:
            return None
    return mapping


def _value(spelled: str, *, text: bool) -> object:
    if spelled[0] in "'\"":
        return spelled[1:-1]
    return text_scalar(spelled) if text else scalar(spelled)
