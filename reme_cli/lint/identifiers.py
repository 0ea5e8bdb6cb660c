"""The names that the text of a note gives to places: `{#name}`, `<a name="name">`, `id=name`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_BRACE: Final = regex(r"\{[^{}\n]*")
_ATTRIBUTE: Final = regex(r"\b(?:id|name)\s*=\s*(?P<mark>[\"']?)", re.IGNORECASE)
_PREFIX: Final = "user-content-"
"""What a site puts before each name; a link may leave it out."""
_WORD: Final = regex(r"[^\s\"'}>]*")
_ENDS: Final = regex(r"(?=[\s\"'}>]|$)")
_LONGEST_WORD: Final = 64
"""Characters by which names are looked up: one brace may hold very many `#`, each of which begins a name."""


class Identifiers:
    """Those of one text; case makes no difference."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: dict[str, list[int]] = {}
        for start in _starts(text):
            self._add(start)
            if text[start : start + len(_PREFIX)].lower() == _PREFIX:
                self._add(start + len(_PREFIX))

    def __contains__(self, name: str) -> bool:
        """Whether some place has this name."""
        text = self._text
        return any(
            text[start : start + len(name)].lower() == name.lower() and _ENDS.match(text, start + len(name))
            for start in self._starts.get(_word_at(name, 0), ())
        )

    def _add(self, start: int) -> None:
        self._starts.setdefault(_word_at(self._text, start), []).append(start)


def _starts(text: str) -> Iterator[int]:
    """Where a name may begin."""
    for brace in _BRACE.finditer(text):
        mark = text.find("#", *brace.span())
        while mark >= 0:
            yield mark + 1
            mark = text.find("#", mark + 1, brace.end())
    for attribute in _ATTRIBUTE.finditer(text):
        yield attribute.end()
        if attribute["mark"]:
            yield attribute.start("mark")


def _word_at(text: str, start: int) -> str:
    word = _WORD.match(text, start, start + _LONGEST_WORD)
    return word[0].lower() if word else ""
