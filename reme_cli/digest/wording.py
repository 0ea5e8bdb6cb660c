"""The headings that reme puts into digest notes, in the language of the note."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from reme_cli.digest.sentences import CJK


@dataclass(frozen=True, slots=True)
class Wording:
    """The headings of a digest note in one language."""

    related: str
    sources: str


ENGLISH: Final = Wording("Related", "Sources")
CHINESE: Final = Wording("相关", "来源")


def wording_of(text: str) -> Wording:
    """The language of a text, by its letters: a Chinese character says as much as three Latin ones."""
    han = len(re.findall(f"[{CJK}]", text))
    return CHINESE if han * 3 > len(re.findall("[A-Za-z]", text)) else ENGLISH
