"""How a text shows on a screen: what of it is escaped, how many columns it takes, and in which style."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Literal

from reme_cli.regex import regex

if TYPE_CHECKING:
    import re

Style = Literal["plain", "heading", "faint", "error", "warning", "info"]
"""How a piece of a line looks on a terminal."""

# a note's title must not be able to move the cursor or rename the terminal's window
_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
# nor may a file's name make two lines of one
_CONTROL_IN_LINE = regex(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def escaped(text: str) -> str:
    """Text of any number of lines in which no control character is left but newlines and tabs."""
    return (
        text if text.isprintable() else _CONTROL.sub(_escape, text)
    )  # by far most texts are, and quickly told


def escaped_line(text: str) -> str:
    """Text of one line, in which no control character is left."""
    return text if text.isprintable() else _CONTROL_IN_LINE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode()


def text_width(text: str) -> int:
    """Columns on a terminal: Chinese, Japanese and Korean letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(map(_WIDTHS.__getitem__, text))


def is_wide(letter: str) -> bool:
    """Whether a letter takes two columns."""
    return unicodedata.east_asian_width(letter) in "WF"


class _Widths(dict[str, int]):
    """Columns by letter, each found out when it is first asked for."""

    def __missing__(self, letter: str) -> int:
        width = self[letter] = 0 if unicodedata.combining(letter) else 2 if is_wide(letter) else 1
        return width


_WIDTHS = _Widths()
