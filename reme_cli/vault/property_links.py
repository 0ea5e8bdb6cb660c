"""Wikilinks in the YAML block at the head of a note; each belongs to the top-level key above it.

The block is read by lines, not as YAML: so a broken block gives its links too, and every place is exact.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.vault.inline import WIKILINK, is_wikilink

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY: Final = re.compile(
    r"""^(?:"((?:[^"\\\n]|\\.)*)"[ \t]*|'((?:[^'\n]|'')*)'[ \t]*|(?![-?][ \t])([^\s"'#&*!|>%@`\[\]{},:][^\n]*?)):(?=[ \t]|$)""",
    re.MULTILINE,
)
_BLOCK_SCALAR: Final = re.compile(
    r"^( *)[^\n]*?(?<=[:\-])[ \t]+[|>][-+0-9]{0,2}[ \t]*(?:#[^\n]*)?\n((?:\1 [^\n]*\n|[ \t]*\n)*)",
    re.MULTILINE,
)
_QUOTED_OR_COMMENT: Final = re.compile(
    r"""(?:(?<=[:\-,][ \t])|(?<=[\[{,]))(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')(?=[ \t]*(?:[,\]}\n#]|$))"""
    r"|(?:(?<=[ \t])|^)\#[^\n]*",
    re.MULTILINE | re.DOTALL,
)


class Property(NamedTuple):
    """A wikilink in a frontmatter block."""

    key: str | None
    """The top-level key it stands under; `None` where there is none above it."""
    found: re.Match[str]
    quote: str
    """The quotation mark around it, whose escapes its text may hold; empty where there is none."""


def property_links(text: str, start: int, end: int) -> Iterator[Property]:
    r"""The wikilinks of the YAML in `text[start:end]`, whose line endings are `\n`, without those in comments."""
    links = [found for found in WIKILINK.finditer(text, start, end) if is_wikilink(found[1])]
    if not links:
        return
    keys = list(_KEY.finditer(text, start, end))
    key_starts = [key.start() for key in keys]
    literal = [found.span(2) for found in _BLOCK_SCALAR.finditer(text, start, end)]
    marked = [
        found for found in _QUOTED_OR_COMMENT.finditer(text, start, end) if not _is_in(found.start(), literal)
    ]
    for found in links:
        around = _covering(found.start(), marked)
        if around is not None and around[0].startswith("#"):
            continue
        number = bisect_right(key_starts, found.start()) - 1
        key = next(filter(None, keys[number].groups()), "").strip(": \t") if number >= 0 else None
        yield Property(key or None, found, around[0][0] if around else "")


def unquoted(raw: str, quote: str) -> str:
    """What stands for itself in a YAML string with this quotation mark."""
    if quote == "'":
        return raw.replace("''", "'")
    return re.sub(r'\\(["\\/])', r"\1", raw) if quote == '"' else raw


def _is_in(place: int, stretches: list[tuple[int, int]]) -> bool:
    number = bisect_right(stretches, (place, place)) - 1
    return number >= 0 and place < stretches[number][1]


def _covering(place: int, matches: list[re.Match[str]]) -> re.Match[str] | None:
    number = bisect_right(matches, place, key=lambda found: found.start()) - 1
    return matches[number] if number >= 0 and place < matches[number].end() else None
