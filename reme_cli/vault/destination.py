"""Where a Markdown link leads: its destination, title and reference label, read as CommonMark reads them."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from reme_cli.regex import regex

MAX_PARENTHESES: Final = 32
"""Open parentheses in a bare destination; CommonMark asks for at least three levels, the reference takes 32."""

# what JavaScript's trim removes, but U+FEFF: the white space of the CommonMark reference
WHITESPACE: Final = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

_POINTED: Final = regex(r"<([^<>\\\n]*+(?:\\[\s\S][^<>\\\n]*+)*)>")
_BARE_STOP: Final = regex(r"[\x00-\x20\x7f()\\]")
_TITLES: Final = {
    '"': regex(r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*"'),
    "'": regex(r"'[^'\\]*+(?:\\[\s\S][^'\\]*+)*'"),
    "(": regex(r"\([^()\\]*+(?:\\[\s\S][^()\\]*+)*\)"),
}
_SPACES: Final = regex(r"[ \t\n]*+")
_WHITESPACE_RUN: Final = regex(f"[{WHITESPACE}]+")
_ESCAPE: Final = regex(r"\\([!-/:-@\[-`{-~])|&(#?[a-zA-Z0-9]{2,32});", re.ASCII)
_REFUSED_SCHEME: Final = regex(r"(?:vbscript|javascript|file|data):")
_ALLOWED_DATA: Final = regex(r"data:image/(?:gif|png|jpeg|webp);")


class Destination(NamedTuple):
    """A destination as it stands: `text[start:end]` without pointed brackets."""

    raw: str
    start: int
    end: int


class Tail(NamedTuple):
    """What follows a link's text: `(destination "title")`. `end` is behind the parenthesis."""

    destination: Destination
    end: int


def skip_spaces(text: str, start: int) -> int:
    """The first place from `start` that holds no space, tab or newline."""
    space = _SPACES.match(text, start)
    return space.end() if space else start


def read_destination(text: str, start: int) -> tuple[Destination, int] | None:
    """The destination that begins at `start`, and the place behind it; `None` where there is none."""
    if text.startswith("<", start):
        pointed = _POINTED.match(text, start)
        return (Destination(pointed[1], start + 1, pointed.end(1)), pointed.end()) if pointed else None
    depth, position, length = 0, start, len(text)
    while stop := _BARE_STOP.search(text, position):
        position, mark = stop.start(), stop[0]
        if mark == "\\" and position + 1 < length and text[position + 1] != " ":
            position += 2
            continue
        if mark == "\\" and position + 1 == length:
            position += 1
            continue
        if mark == "(" and depth < MAX_PARENTHESES:
            depth += 1
        elif mark == "(":
            return None
        elif mark == ")" and depth:
            depth -= 1
        else:
            break
        position += 1
    else:
        position = length
    if position == start or depth:
        return None
    return Destination(text[start:position], start, position), position


def read_title(text: str, start: int) -> int | None:
    """The place behind the title that begins at `start`; `None` where there is none."""
    pattern = _TITLES.get(text[start : start + 1])
    title = pattern.match(text, start) if pattern else None
    return title.end() if title else None


def read_tail(text: str, start: int) -> Tail | None:
    """The tail whose parenthesis opens at `start`; `None` where it is none."""
    position = skip_spaces(text, start + 1)
    destination = Destination("", position, position)
    if found := read_destination(text, position):
        destination, position = found
        if not is_allowed(unescape(destination.raw)):
            return None
    after_destination = position
    position = skip_spaces(text, position)
    if position > after_destination and (behind_title := read_title(text, position)) is not None:
        position = skip_spaces(text, behind_title)
    return Tail(destination, position + 1) if text.startswith(")", position) else None


def is_allowed(url: str) -> bool:
    """Whether CommonMark's reference makes a link of this destination: not of a script, a local file, most data."""
    url = url.strip().lower()
    return _REFUSED_SCHEME.match(url) is None or _ALLOWED_DATA.match(url) is not None


def label_key(label: str) -> str:
    """A reference label as labels are compared: white space collapsed, case folded."""
    return _WHITESPACE_RUN.sub(" ", label.strip(WHITESPACE)).lower().upper()


def unescape(raw: str) -> str:
    """A destination with backslash escapes and entities resolved."""
    if "\\" not in raw and "&" not in raw:
        return raw
    return _ESCAPE.sub(_unescaped, raw)


def _unescaped(found: re.Match[str]) -> str:
    """What an escape or an entity stands for; one that means nothing stands for itself."""
    escaped, entity = found.groups()
    if escaped:
        return str(escaped)
    if not entity.startswith("#"):
        # a table of two thousand names, which hardly any note needs
        from html.entities import html5

        return html5.get(f"{entity};", found[0])
    digits, base = (entity[2:], 16) if entity[1] in "xX" else (entity[1:], 10)
    try:
        code = int(digits, base)
    except ValueError:
        return found[0]
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
