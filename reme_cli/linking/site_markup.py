"""What generators of sites read in a Markdown file as no text: TOML at its head; the imports, elements and expressions of MDX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex
from reme_cli.vault.spans import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TOML: Final = regex(r"\ufeff?\+\+\+[ \t]*\r?\n(?:.*\n)*?\+\+\+[ \t]*(?:\r?\n|\Z)")
_LINE_BEGINNINGS: Final = ("import", "export", "{")
_ELEMENT: Final = regex(r"<[A-Z]")
_TOKEN: Final = regex(
    r"^[ \t>]*(?P<fence>```+|~~~+)|(?P<code>`+)|(?P<comment><!--)"
    r"|^(?P<module>import\s*[\"']|import\s[\w$*{},\s]{0,500}?[\s}]from\s*[\"']"
    r"|export\s*[{*]|export\s+(?:async|class|const|default|enum|function|interface|let|type|var)\b)"
    r"|^(?P<braces>\{)|<(?P<tag>/?[A-Z][\w.]*)(?=[\s/>])",
    re.MULTILINE,
)
_CODE: Final = regex(
    r"(?P<open>[\[({])|(?P<close>[\])}])|(?P<end>>)|(?P<blank>\r?\n[ \t]*\r?(?=\n))|(?P<fence>\n[ \t>]*(?:```|~~~))"
    r"|\"[^\"\n]*\"|'[^'\n]*'|=>|/\*(?:[^*]|\*(?!/))*(?:\*/)?"
)
"""What tells in JavaScript where something ends, and what may hold such characters without meaning them."""
_LONGEST_CODE: Final = 10_000
"""Characters in which the end of an import, a tag or an expression is looked for."""
MOST_UNCLOSED: Final = 100
"""A text with more beginnings than that without an end is no MDX, and looking for their ends would take long."""


def site_markup(text: str) -> list[tuple[int, int]]:
    """Where such markup stands in a note's text: spans of characters in order, none across another.

    An element is one whose name has a capital (a component of JSX or Vue) and that is closed; what is in it belongs to it.
    """
    head = _TOML.match(text)
    start = head.end() if head else 0
    found = [(0, start)] if head else []
    if _may_have_mdx(text, start):
        found += _mdx(text, start)
    return merged(found)


def _may_have_mdx(text: str, start: int) -> bool:
    """Whether it is worth looking for. In most notes it is not, and this takes no time to speak of."""
    return (
        text.startswith(_LINE_BEGINNINGS, start)
        or any(f"\n{beginning}" in text for beginning in _LINE_BEGINNINGS)
        or ("<" in text and _ELEMENT.search(text) is not None)
    )


def _mdx(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Imports, exports, expressions that begin a line, tags, and elements from one tag to the other."""
    opened: dict[str, list[int]] = {}
    place = start
    unclosed = 0
    while unclosed <= MOST_UNCLOSED and (token := _TOKEN.search(text, place)):
        kind = token.lastgroup or ""
        place, is_closed = _BEHIND[kind](text, token)
        unclosed += not is_closed
        if kind == "module" or (kind in {"braces", "tag"} and is_closed):
            yield token.start(), place
        if kind == "tag" and is_closed:
            name = token["tag"]
            if not name.startswith("/"):
                if text[place - 2] != "/":
                    opened.setdefault(name, []).append(token.start())
            elif starts := opened.get(name[1:]):
                yield starts.pop(), place


# Each gives where to go on behind what begins with a token, and whether that has an end.


def _behind_fence(text: str, token: re.Match[str]) -> tuple[int, bool]:
    mark = token["fence"]
    closing = re.compile(rf"\n[ \t>]*{mark}{mark[0]}*[ \t]*\r?(?=\n|\Z)").search(text, token.end())
    return closing.end() if closing else len(text), True


def _behind_backticks(text: str, token: re.Match[str]) -> tuple[int, bool]:
    mark = token["code"]
    blank = text.find("\n\n", token.end())
    closing = re.compile(rf"(?<!`){mark}(?!`)").search(text, token.end(), blank if blank >= 0 else len(text))
    return (closing or token).end(), closing is not None


def _behind_comment(text: str, token: re.Match[str]) -> tuple[int, bool]:
    end = text.find("-->", token.end())
    return end + len("-->") if end >= 0 else len(text), True


def _behind_module(text: str, token: re.Match[str]) -> tuple[int, bool]:
    """Up to a blank line; where brackets are open there, up to the one where none is."""
    depth = 0
    limit = min(len(text), token.end() + _LONGEST_CODE)
    first_blank = None
    for mark in _CODE.finditer(text, token.start(), limit):
        match mark.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "blank":
                if depth <= 0:
                    return mark.start(), True
                first_blank = first_blank or mark.start()
            case "fence":
                limit = mark.start()
                break
    return first_blank or limit, False


def _behind_braces(text: str, token: re.Match[str]) -> tuple[int, bool]:
    """Behind the brace that closes it."""
    depth = 0
    for mark in _CODE.finditer(text, token.start(), token.end() + _LONGEST_CODE):
        match mark.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
                if not depth:
                    return mark.end(), True
            case "fence":
                return mark.start(), False
    return token.end(), False


def _behind_tag(text: str, token: re.Match[str]) -> tuple[int, bool]:
    """Behind the `>` that is in no attribute; a tag does not go on behind a blank line, unless in braces."""
    depth = 0
    for mark in _CODE.finditer(text, token.end(), token.end() + _LONGEST_CODE):
        match mark.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth -= 1
            case "end" if depth <= 0:
                return mark.end(), True
            case "blank" | "fence" if depth <= 0:
                return mark.start(), False
    return token.end(), False


_BEHIND: Final[dict[str, Callable[[str, re.Match[str]], tuple[int, bool]]]] = {
    "fence": _behind_fence,
    "code": _behind_backticks,
    "comment": _behind_comment,
    "module": _behind_module,
    "braces": _behind_braces,
    "tag": _behind_tag,
}
