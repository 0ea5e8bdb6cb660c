"""How a text shows on a screen: what of it is escaped, how many columns it takes, and in which style."""

from __future__ import annotations

import unicodedata
from typing import Literal

from reme_cli.regex import regex

Style = Literal["plain", "heading", "faint", "error", "warning", "info"]
"""How a piece of a line looks on a terminal."""

# a note's title must not be able to move the cursor or rename the terminal's window
_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


def escaped(text: str) -> str:
    """Text in which no control character is left but newlines and tabs."""
    if text.isprintable():  # by far most texts, and quickly told
        return text
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


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
