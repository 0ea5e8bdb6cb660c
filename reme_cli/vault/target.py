"""What a link says between its brackets: its literal target, the anchor in it, and the text shown for it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import unquote

from reme_cli.regex import regex
from reme_cli.vault.destination import WHITESPACE, unescape

_SCHEME: Final = regex(r"[A-Za-z][A-Za-z0-9+.\-]*:|//")
_FRAGMENT: Final = regex(r"\\.|&#?[A-Za-z0-9]+;|#", re.DOTALL)


class Target(NamedTuple):
    """The literal target and its place, anchor and alias."""

    target: str
    anchor: str | None
    alias: str | None
    start: int
    end: int


def wiki_parts(content: str) -> Target:
    """What stands between a wikilink's brackets; places are offsets into it."""
    path, alias, anchor = content, None, None
    if "|" in content:
        path, _, alias = content.partition("|")
        path, alias = path.removesuffix("\\"), alias.strip(WHITESPACE) or None
    if "#" in path:
        path, _, anchor = path.partition("#")
        anchor = anchor.strip(WHITESPACE)
    target = path.strip(WHITESPACE)
    start = path.index(target)
    return Target(target, anchor, alias, start, start + len(target))


def markdown_parts(raw: str) -> tuple[str, str | None, int] | None:
    """Target and anchor of a Markdown destination, and how many of its characters spell the target.

    `None` where it leads to no place in the vault.
    """
    if _SCHEME.match(unescape(raw).strip()):
        return None
    mark = next((found for found in _FRAGMENT.finditer(raw) if unescape(found[0]) == "#"), None)
    path = raw[: mark.start()] if mark else raw
    target = _percent_decoded(unescape(path)).strip(WHITESPACE)
    anchor = _percent_decoded(unescape(raw[mark.end() :])).strip(WHITESPACE) if mark else None
    return (target, anchor, len(path)) if target or anchor else None


def _percent_decoded(path: str) -> str:
    if "%" not in path:
        return path
    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError:
        return path
