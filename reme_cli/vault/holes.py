"""The stretches of inline text where nothing counts: code, HTML, autolinks, math, comments, URLs.

`inline` reads with it. Each stretch begins with a mark; a mark that begins none is text. What is one follows markdown-it-py,
with Obsidian's comments, math and bare URLs added.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from reme_cli.regex import regex
from reme_cli.vault.destination import is_allowed
from reme_cli.vault.markup import AUTOLINK, BARE_URL, DECLARATION_OPENING, DELIMITED_HTML, TAG

_BACKTICKS: Final = regex(r"`++")
_POINTED: Final = regex(r"[<>]")
_DOLLAR: Final = regex(r"\\.|\$", re.DOTALL)
_SCHEME: Final = regex(r"(?<![A-Za-z0-9])(?:https?|ftp)\Z")


class Holes:
    """Those of one run of text. A step is given the place of a mark, and gives the place where reading goes on."""

    def __init__(self, text: str, *, comment_may_go_on: bool) -> None:
        self.text = text
        self.comment_may_go_on = comment_may_go_on
        self.holes: list[tuple[int, int]] = []
        """In the order in which they were found."""
        self.opens_comment = False
        """Whether a comment goes on behind the text."""
        self._backticks: dict[int, list[int]] | None = None
        """Where runs of so many of them begin; looked for at the first one."""
        self._last_terminators: dict[str, int] = {}

    def hole(self, start: int, end: int) -> int:
        """Notes a stretch; gives its end."""
        self.holes.append((start, end))
        return end

    def continued_comment(self) -> int:
        """Notes what a comment takes that began above the text; gives its end."""
        return self.hole(0, self._comment_end(0))

    def escape(self, place: int) -> int:
        return place + 2

    def code(self, place: int) -> int:
        text = self.text
        run = _BACKTICKS.match(text, place)
        end = run.end() if run else place + 1
        if self._backticks is None:
            self._backticks = {}
            for found in _BACKTICKS.finditer(text):
                self._backticks.setdefault(found.end() - found.start(), []).append(found.start())
        length = end - place
        starts = self._backticks.get(length, [])
        closing = bisect_left(starts, end)
        return self.hole(place, starts[closing] + length) if closing < len(starts) else end

    def pointed(self, place: int) -> int:
        text = self.text
        stop = _POINTED.search(text, place + 1)
        if stop is not None and stop[0] == ">":
            inside = text[place + 1 : stop.start()]
            if AUTOLINK.match(inside) and is_allowed(inside):
                return self.hole(place, stop.end())
        end = self._html_end(place)
        return place + 1 if end is None else self.hole(place, end)

    def _html_end(self, place: int) -> int | None:
        text = self.text
        for opening, whole, closing in DELIMITED_HTML:
            if text.startswith(opening, place):
                if whole and (short := whole.match(text, place)):
                    return short.end()
                return self._behind(closing, place + len(opening))
        if text.startswith("!", place + 1):
            opened = DECLARATION_OPENING.match(text, place)
            return self._behind(">", opened.end()) if opened else None
        tag = TAG.match(text, place)
        return tag.end() if tag else None

    def _behind(self, closing: str, place: int) -> int | None:
        """The place behind the first one that closes from there on. Where the last one stands is looked for once."""
        if closing not in self._last_terminators:
            self._last_terminators[closing] = self.text.rfind(closing)
        if self._last_terminators[closing] < place:
            return None
        return self.text.index(closing, place) + len(closing)

    def math(self, place: int) -> int:
        text = self.text
        if text.startswith("$$", place):
            closing = text.find("$$", place + 2)
            return self.hole(place, closing + 2) if closing >= 0 else place + 2
        if text[place + 1 : place + 2].strip() == "":
            return place + 1
        start = place + 1
        while (mark := _DOLLAR.search(text, start)) and mark[0] != "$":
            start = mark.end()
        # as Pandoc and Obsidian have it, so that an amount of money opens nothing
        if mark is None or text[mark.start() - 1].isspace() or text[mark.end() : mark.end() + 1].isdigit():
            return place + 1
        return self.hole(place, mark.end())

    def comment(self, place: int) -> int:
        end = self._comment_end(place + 2)
        if self.opens_comment and not self.comment_may_go_on:
            self.opens_comment = False
            return place + 2
        return self.hole(place, end)

    def _comment_end(self, place: int) -> int:
        closing = self.text.find("%%", place)
        self.opens_comment = closing < 0
        return len(self.text) if closing < 0 else closing + 2

    def url(self, place: int) -> int:
        scheme = _SCHEME.search(self.text, max(0, place - 6), place)
        url = BARE_URL.match(self.text, place) if scheme else None
        return self.hole(scheme.start(), url.end()) if scheme and url else place + 3
