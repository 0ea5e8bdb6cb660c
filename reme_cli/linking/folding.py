"""The form in which names and texts are compared: case, width, hyphens and normal form make no difference."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
# hyphens, dashes of that width, the underscore, and spaces that look like one; quotes as keyboards have them
_ALIKE: Final = dict.fromkeys(map(ord, "-_\u00a0\u2010\u2011\u202f\u3000\uff0d\uff3f"), " ") | {
    0x2019: "'",
    0x3C2: "σ",
}
_TO_PLAIN: Final = {chr(code): chr(plain) for code, plain in _FULL_WIDTH.items()} | {
    chr(code): plain for code, plain in _ALIKE.items()
}
_UNPLAIN: Final = regex("[\u00a0\u03c2\u2010\u2011\u2019\u202f\u3000\uff01-\uff5e]")
_FIRST_COMBINING: Final = "\u0300"
_CLUSTER: Final = regex(
    "[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]+|[\u1100-\u115f][\u1160-\u11ff]+"
)
"""A letter with accents, a Kana with its mark, or a Hangul syllable in parts: what normal form C writes as one character."""

# Scripts that write no spaces between words: Han, Kana, Hangul, Bopomofo, Yi, Thai, Lao, Myanmar, Khmer.
UNSPACED: Final = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u1100-\u11ff"
    "\U00020000-\U0003ffff\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1050-\u109d\u1780-\u17d3"
)
_UNSPACED: Final = regex(f"[{UNSPACED}]")
BEFORE_UNSPACED: Final = "\u0e00"
"""No character of these scripts comes before it: a test that spares most of the calls of `is_unspaced`."""


class Folded(NamedTuple):
    """A text as it is compared, and where its characters stand in the text that it was made from."""

    text: str
    """In normal form C."""
    folded: str
    """The same, character by character, as it is compared."""
    places: Sequence[int] | None
    """Of each character of these two, and of their end; `None` where the places are the same."""


def folded(text: str) -> Folded:
    """A text as it is compared."""
    places: list[int] | None = None
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text, places = _composed(text)
    return Folded(text, fold_name(text), places)


def fold_name(text: str) -> str:
    """A text in normal form C as it is compared: character by character, so that the length stays."""
    lowered = text.lower()
    if len(lowered) != len(text):  # only of İ two characters are made
        lowered = "".join(character.lower()[0] for character in text)
    if not lowered.isascii():
        # few different ones stand in a text, and to replace them one by one takes a tenth of what `str.translate` does
        for character in set(_UNPLAIN.findall(lowered)):
            lowered = lowered.replace(character, _TO_PLAIN[character])
    return lowered.replace("-", " ").replace("_", " ")


def is_unspaced(character: str) -> bool:
    """Whether words of the character's script stand beside each other without a space."""
    return character > BEFORE_UNSPACED and (
        "\u4e00" <= character <= "\u9fff" or _UNSPACED.match(character) is not None  # nearly always Han
    )


def is_bound(before: str, after: str) -> bool:
    """Whether two characters that stand beside each other belong to one word."""
    if after >= _FIRST_COMBINING and unicodedata.combining(after):
        return True
    return (
        before.isalnum()
        and after.isalnum()
        and not (before > BEFORE_UNSPACED and is_unspaced(before))
        and not (after > BEFORE_UNSPACED and is_unspaced(after))
    )


def _composed(text: str) -> tuple[str, list[int]]:
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for cluster in _CLUSTER.finditer(text):
        start, end = cluster.span()
        pieces.append(text[at:start])
        places.extend(range(at, start))
        piece = unicodedata.normalize("NFC", cluster[0])
        pieces.append(piece)
        places.extend([start] * len(piece))
        at = end
    pieces.append(text[at:])
    places.extend(range(at, len(text) + 1))
    return "".join(pieces), places
