"""Wikilinks in the YAML block at the head of a note; each belongs to the top-level key it stands under.

The block is read by its marks, not as YAML: so a broken block gives its links too, and every place is exact.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.inline import is_wikilink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LINK: Final = regex(
    r"\[\[(?!\[)((?:[^\[\]\n]|\[(?!\[)|\](?!\])|\n(?=[ \t]+[^\s#]))+)\]\]"
)  # as in the body, but a longer value may be wrapped between two words of a target
_FIRST_LINE: Final = regex(r"^( *+)([^\s#])", re.MULTILINE)
_KEY: Final = regex(
    r"""^( *+)(?:("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')[ \t]*|(?![-?][ \t])([^\s"'#&*!|>%@`\[\]{},:][^\n]*?)):(?=[ \t]|$|["']|!?\[\[)""",
    re.MULTILINE,
)  # without a blank behind its colon it is no key to YAML, but the link is not one of the key above either
_BRACE_PART: Final = regex(
    r""""[^"\\]*+(?:\\.[^"\\]*+)*"|'[^']*+(?:''[^']*+)*'(?!')|[{}\[\],:]|[^\s"'{}\[\],:][^{}\[\],:]*""",
    re.DOTALL,
)
_BLOCK_SCALAR: Final = regex(
    r"""
    ^([ ]*+) [^\n]*? (?<=[:\-]) [ \t]++ (?:[&!][^\s]*[ \t]+)* ([|>]) (?:([1-9][-+]?|[-+][1-9])|[-+]?) [ \t]* (?:\#[^\n]*)? \n
    (  (?(3) | (?:[ \t]*\n)* (\1[ ]+) (?=\S) [^\n]*\n )      # its first line says how far it is indented, or a digit does
       (?: (?(3)\1[ ]|\5) [^\n]*\n | [ \t]*\n )*
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
_QUOTED_OR_COMMENT: Final = regex(
    r"""(?:^[ \t]*+|[:\-][ \t]++|[\[{,][ \t]*+)(?:[&!][^\s,\[\]{}]*[ \t]++)*("[^"\\]*+(?:\\.[^"\\]*+)*"|'[^']*+(?:''[^']*+)*'(?!'))(?=[ \t]*(?:[,\]}\n#]|$))"""
    r"|(?:(?<=[ \t])|^)(\#[^\n]*)",
    re.MULTILINE | re.DOTALL,
)
_NOT_WRAPPED: Final = regex(r":[ \t\n]|[ \t]#|\n[ \t]+[-?][ \t]")
"""What no plain text that goes on over a line ending holds."""
_VALUE: Final = regex(r":(?=[ \t\n])|^[ \t]*+(?:-[ \t]++)+", re.MULTILINE)
"""Behind it a value begins."""
_BEFORE_VALUE: Final = regex(r"(?:\s|\#[^\n]*+|[&!]\S*+)*")
"""Blanks, comments, an anchor or a tag."""
_WRAP: Final = r"[ \t]*\n[ \t]*"
_DOUBLE_QUOTED: Final = regex(
    rf"""\\(?:x([0-9A-Fa-f]{{2}})|u([0-9A-Fa-f]{{4}})|U([0-9A-Fa-f]{{8}})|([tnrN_LP "/\\])|\n[ \t]*)|{_WRAP}"""
)
_NAMED: Final = {"t": "\t", "n": "\n", "r": "\r", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029"}


class Property(NamedTuple):
    """A wikilink in a frontmatter block."""

    key: str | None
    """The top-level key it stands under; `None` where there is none above it."""
    found: re.Match[str]
    content: str
    """What stands between its brackets to a reader of YAML: escapes resolved, wrapped lines joined."""


class _Stretch(NamedTuple):
    """A part of the block in which marks mean nothing; `mark` is its quotation mark, `#`, `|` or `>`."""

    start: int
    end: int
    mark: str


def property_links(text: str, start: int, end: int) -> Iterator[Property]:
    r"""The wikilinks of the YAML in `text[start:end]`, whose line endings are `\n`, without those in comments."""
    links = [found for found in _LINK.finditer(text, start, end) if is_wikilink(found[1])]
    if not links:
        return
    blocks = [_Stretch(*found.span(4), found[2]) for found in _BLOCK_SCALAR.finditer(text, start, end)]
    marked = [
        _Stretch(*found.span(found.lastindex or 0), found[found.lastindex or 0][0])
        for found in _QUOTED_OR_COMMENT.finditer(text, start, end)
        if _around(found.start(), blocks) is None
    ]
    keys = [key for key in _top_level_keys(text, start, end) if _around(key[0], marked) is None]
    wraps = any("\n" in found[1] for found in links)
    values = [found.end() for found in _VALUE.finditer(text, start, end)] if wraps else []
    for found in links:
        around = _around(found.start(), marked) or _around(found.start(), blocks)
        if (around and around.mark == "#") or ("\n" in found[1] and not _may_wrap(found, around, values)):
            continue
        number = bisect_right(keys, found.start(), key=lambda key: key[0]) - 1
        quote = around.mark if around and around.mark in "\"'" else ""
        content = _unquoted(found[1], quote)
        if content and "\n" not in content and is_wikilink(content):
            yield Property(keys[number][1] or None if number >= 0 else None, found, content)


def _unquoted(raw: str, quote: str) -> str:
    """What stands for itself in a YAML string with this quotation mark; a line ending in it stands for a space."""
    if quote == '"' and ("\\" in raw or "\n" in raw):
        # of a pair of escapes for one character, each alone is no character
        halves = _DOUBLE_QUOTED.sub(_character, raw).encode("utf-16", "surrogatepass")
        return halves.decode("utf-16", "replace")
    if "\n" in raw:
        raw = re.sub(_WRAP, " ", raw)
    return raw.replace("''", "'") if quote == "'" else raw


def _character(found: re.Match[str]) -> str:
    *codes, name = found.groups()
    if name:
        return _NAMED.get(name, name)
    if digits := next(filter(None, codes), None):
        code = int(digits, 16)
        return chr(code) if 0 < code < 0x110000 else "\ufffd"
    return "" if found[0].startswith("\\") else " "


def _top_level_keys(text: str, start: int, end: int) -> list[tuple[int, str]]:
    """The keys of the block's own mapping with their places."""
    first = _FIRST_LINE.search(text, start, end)
    if first is None:
        return []
    if first[2] == "{":
        return list(_keys_in_braces(text, first.start(2), end))
    return [
        (key.start(), _key(key[2] or key[3]))
        for key in _KEY.finditer(text, start, end)
        if len(key[1]) <= len(first[1])
    ]


def _keys_in_braces(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    depth, key_start = 0, -1
    for part in _BRACE_PART.finditer(text, start, end):
        mark = part[0]
        depth += (mark in "{[") - (mark in "}]")
        if depth == 1 and mark in "{,":
            key_start = part.end()
        elif depth == 1 and mark == ":" and key_start >= 0:
            yield key_start, _key(text[key_start : part.start()])
            key_start = -1


def _key(raw: str) -> str:
    raw = raw.strip(" \t\n")
    return _unquoted(raw[1:-1], raw[0]) if raw[:1] in {'"', "'"} else raw.strip(": \t")


def _may_wrap(found: re.Match[str], around: _Stretch | None, values: Sequence[int]) -> bool:
    """Whether the line endings in a link are ones that YAML reads as spaces; `values` are the places behind which values begin."""
    if around is None:
        return _NOT_WRAPPED.search(found[1]) is None and not ("," in found[1] and _is_list(found, values))
    return around.mark != "|" and found.end() <= around.end


def _is_list(found: re.Match[str], values: Sequence[int]) -> bool:
    """Whether the brackets of a link without quotation marks are lists, so that a comma parts two of their items.

    They are where the value begins with them, or with those of a list or mapping that they are in; else they are text.
    """
    text, start = found.string, found.start()
    number = bisect_right(values, start) - 1
    if number < 0:
        return True
    first = _BEFORE_VALUE.match(text, values[number], start)
    at = first.end() if first else start
    return at == start or text[at] in "[{"


def _around(place: int, stretches: list[_Stretch]) -> _Stretch | None:
    number = bisect_right(stretches, place, key=lambda stretch: stretch.start) - 1
    return stretches[number] if number >= 0 and place < stretches[number].end else None
