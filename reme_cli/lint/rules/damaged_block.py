"""The block that reme manages in the page of a day is damaged.

## Why

`auto_dream` keeps the list of the day's notes between two marker comments, each alone on its line, in
`daily/<date>.md`. Where a marker went, was doubled, is indented or has text behind it, the list is not found: a second one
is added below, and the old one stays for ever. With text before it a marker is taken for one that is only told of.

## Bad

```markdown
# 2026-06-20

<!-- reme:day:start -->
- [[daily/2026-06-20/session.md|Session]]

What I thought of it.
```

## Good

```markdown
# 2026-06-20

<!-- reme:day:start -->
- [[daily/2026-06-20/session.md|Session]]
<!-- reme:day:end -->

What I thought of it.
```

## Fix

Safe: a marker gets its line for itself; the missing one of two is put where the list of that day's notes begins or
ends; a marker besides those of the block is removed, and so is a second block that says nothing which the first does not
say. What stands outside the markers is kept as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Fix, Problem, Replacement
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault.managed_block import END, START, block_among, displaced_markers, markers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.lint.survey import Subject, Survey

    Span = tuple[int, int]

_MARK: Final = "<!-- reme:day:"
_LINE_END: Final = regex(r"\r\n|\n|\r")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    if _MARK not in subject.text:
        return
    day = survey.vault.day(subject.path)
    folder = survey.config.folders.daily
    if day is None or subject.path != f"{folder}/{day.isoformat()}.md":
        return
    page = _Page(subject.path, subject.text, f"{folder}/{day.isoformat()}/")
    displaced = displaced_markers(page.text)
    if displaced:
        yield from (page.displaced(marker) for marker in displaced)
        return
    markers = markers_in(page.text)
    block = block_among(page.text, markers)
    if block is not None:
        yield from page.strays(block, [marker for marker in markers if not _is_in(marker, block)])
    elif len(markers) == 1:
        yield page.half(markers[0])
    elif markers:
        yield page.problem(markers[0], "order")


def _is_in(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


class _Page:
    """The page of a day; `folder` is that of its notes, with `/` at the end."""

    def __init__(self, path: str, text: str, folder: str) -> None:
        self.path = path
        self.text = text
        self._own = re.compile(
            rf"- (?:\[\[{re.escape(folder)}|\[[^\]]*\]\(/{re.escape(folder)}|{re.escape(folder)})"
        )

    def problem(self, place: Span, message: str, *replacements: Replacement) -> Problem:
        """A problem with a marker, or with a whole block."""
        fix = Fix(replacements) if replacements else None
        start, end = place
        shown = END if self.text.startswith(END, start) else START
        return Problem(self.path, start, end, {"marker": shown}, message, fix)

    def displaced(self, marker: Span) -> Problem:
        """A marker that shares its line: it gets one for itself."""
        start, end = marker
        line_start, line_end = self._line(start)
        replacements = []
        if line_start < start:
            replacements.append(Replacement(self.path, line_start, start, ""))
        if self.text[end:line_end].strip(" \t"):
            replacements.append(Replacement(self.path, end, end, self._newline()))
        return self.problem(marker, "displaced", *replacements)

    def half(self, marker: Span) -> Problem:
        """The only marker of a page: the other one goes to the far end of the list of the day's notes."""
        start, end = marker
        newline = self._newline()
        if self.text[start:end] == END:
            place = start
            while place > 0:
                line_start, line_end = self._line(self._before(place))
                if not self._own.match(self.text, line_start, line_end):
                    break
                place = line_start
            return self.problem(marker, "default", Replacement(self.path, place, place, START + newline))
        _, place = self._line(start)
        while (following := self._behind(place)) < len(self.text):
            line_start, line_end = self._line(following)
            if not self._own.match(self.text, line_start, line_end):
                break
            place = line_end
        return self.problem(marker, "default", Replacement(self.path, place, place, newline + END))

    def strays(self, block: Span, markers: Sequence[Span]) -> Iterator[Problem]:
        """Markers outside of the block; two that make a block of their own are told as one."""
        number = 0
        while number < len(markers):
            pair = markers[number : number + 2]
            if pair[0][0] > block[1] and block_among(self.text, pair) is not None:
                yield self._second(block, (pair[0][0], pair[1][1]))
                number += 2
            else:
                yield self.problem(markers[number], "stray", self._without(markers[number]))
                number += 1

    def _second(self, first: Span, second: Span) -> Problem:
        known = set(self._items(first))
        says_more = any(line not in known or not self._own.match(line) for line in self._items(second))
        return self.problem(second, "second", *(() if says_more else (self._without(second),)))

    def _items(self, block: Span) -> list[str]:
        """What stands between the markers of a block, line by line."""
        lines = _LINE_END.split(self.text[block[0] + len(START) : block[1] - len(END)])
        return [line.strip() for line in lines if line.strip()]

    def _without(self, place: Span) -> Replacement:
        """Takes away the whole lines of a place."""
        start, _ = self._line(place[0])
        _, line_end = self._line(place[1])
        end = self._behind(line_end)
        return Replacement(self.path, start, end, "")

    def _line(self, place: int) -> Span:
        """The line of a place, without its ending."""
        start = self.text.rfind("\n", 0, place) + 1
        start = max(start, self.text.rfind("\r", start, place) + 1)
        ending = _LINE_END.search(self.text, place)
        return start, ending.start() if ending else len(self.text)

    def _behind(self, line_end: int) -> int:
        """Where the line after the one that ends here begins."""
        ending = _LINE_END.match(self.text, line_end)
        return ending.end() if ending else len(self.text)

    def _before(self, line_start: int) -> int:
        """The end of the line before the one that begins here."""
        return line_start - (2 if self.text.endswith("\r\n", 0, line_start) else 1)

    def _newline(self) -> str:
        found = _LINE_END.search(self.text)
        return found[0] if found else "\n"


RULE = Rule(
    code="D002",
    slug="damaged-block",
    severity="error",
    messages={
        "displaced": {
            "en": "`{marker}` is not alone on its line, so it does not count; give it a line of its own",
            "zh": "`{marker}` 没有独占一行，因此不起作用；请让它独占一行",
        },
        "default": {
            "en": "`{marker}` stands alone: the other marker of the block is missing; put it back",
            "zh": "只有 `{marker}`，缺少区块的另一个标记；请补上",
        },
        "order": {
            "en": "the markers make no block, as `{marker}` here; leave one start and one end, in this order",
            "zh": "这些标记（如此处的 `{marker}`）构不成区块；请依次只保留一个开始和一个结束标记",
        },
        "stray": {
            "en": "`{marker}` belongs to no block; remove it",
            "zh": "`{marker}` 不属于任何区块；请删除",
        },
        "second": {
            "en": "a second block, which is never refreshed; remove what the first one says as well",
            "zh": "第二个区块，不会再被刷新；请删除其中与第一个区块重复的内容",
        },
    },
    check_note=_check_note,
)
