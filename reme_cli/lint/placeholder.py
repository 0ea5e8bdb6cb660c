"""Links that a template fills in: what they lead to is not known before."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.vault.link import Link

# Templater; Obsidian's own templates and Handlebars; Liquid and Jinja. What is longer was meant otherwise: LaTeX has `{{`.
_EXPRESSIONS: Final = (("<%", "%>", 8000), ("{{", "}}", 1000), ("{%", "%}", 1000))
_MARK: Final = regex(r"\{\{|\}\}|<%|%>|\{%|%\}|\$\{")
# `[[…]]`, `[[<title>]]`, `[[YYYY-MM-DD]]` show a form
_FORM: Final = regex(r"(?!\.{1,2}\Z)[.…?*_\s-]+|<[^<>]+>|.*\b(?:YYYY|GGGG)\b.*")


class Placeholders:
    """The expressions of one note that a template engine replaces."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans = sorted(span for marks in _EXPRESSIONS for span in _spans(text, *marks))

    @property
    def is_template(self) -> bool:
        """Whether there are any: then what is left empty is to be filled in, too."""
        return bool(self._spans)

    def holds(self, link: Link) -> bool:
        """Whether the link is, holds or stands in such an expression, or merely shows the form of a link."""
        return _FORM.fullmatch(link.target) is not None or self.cover(link.start, link.end)

    def cover(self, start: int, end: int) -> bool:
        """Whether what stands there holds a mark of such an expression, or is in one."""
        if _MARK.search(self._text, start, end):
            return True
        number = bisect_right(self._spans, (start, len(self._text))) - 1
        return number >= 0 and start < self._spans[number][1]


def _spans(text: str, opening: str, closing: str, longest: int) -> Iterator[tuple[int, int]]:
    place = end = 0
    while (start := text.find(opening, place)) >= 0:
        place = start + len(opening)
        if end < place:
            end = text.find(closing, place)
            if end < 0:
                return
        if end - start <= longest:
            place = end + len(closing)
            yield start, place
