"""Something is written like a link, but is none, or not the one that was meant.

## Why

`[[name]` and `[[]]` stay plain text, a wikilink that runs over a line's end is none, in a table the pipe of `[[name|label]]`
parts two cells, `[[https://…]]` opens no page, and `[text](www.example.com)` is a file called `www.example.com`. Nobody
notices until a reader clicks.

Code, comments, math, escaped brackets and what a template fills in are not looked at.

## Bad

```markdown
See [[tea] and [[]] and [[green
tea]] and [[https://example.com]] and [a page](www.example.com).
```

## Good

```markdown
See [[tea]] and [[green tea]] and <https://example.com> and [a page](https://www.example.com).
```

## Fix

Safe, of a pipe in a table, below its head: a backslash is put before it. None otherwise: what was meant is not certain.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from reme_cli.lint.dangling import dangling
from reme_cli.lint.excerpt import cut
from reme_cli.lint.finding import Fix, Problem, Replacement
from reme_cli.lint.placeholder import Placeholders
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault.table_rows import TableRows

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from reme_cli.lint.survey import Subject, Survey

# a pattern that begins with letters is looked for many times faster: of an embed, the `!` is taken in afterwards
_WHOLE: Final = regex(r"\[\[[^\[\]\n\r \t#|][^\[\]\n\r]*\]\]")
_EMPTY: Final = regex(r"\[\[[ \t]*(?:[#|][^\[\]\n\r]*)?\]\]")
_UNCLOSED: Final = regex(r"\[\[([^\[\]\n\r]+)\](?!\])")
_BROKEN: Final = regex(r"\[\[([^\[\]\n\r]+)(\r\n|\n|\r)([^\[\]\n\r]+)\]\](?!\()")
_PARTED: Final = regex(r"\[\[[^\[\]|\n\r]*[^\[\]|\n\r\\](?P<pipe>\|)[^\[\]|\n\r]+\]\]")
_LINE: Final = regex(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_HEAD: Final = regex(r"[ \t>*+\-0-9.)]*[-:|][-:| \t]*(?![^\r\n])")
"""What the line below a table's head looks like."""
_WORD: Final = regex(r"[^\W\d_]")
# an escape, or an address that goes on
_TAKEN: Final = regex(r"\\\Z|://\S*\Z")
_BRACKET: Final = regex(r"\\.|[\[\]\n\r]")

MAX_LABEL: Final = 1000
"""How far behind a bracket another one is looked for that closes it."""


def _check(survey: Survey) -> Iterator[Problem]:
    for wrong in dangling(survey, "address", "citation"):
        link = wrong.found.link
        message = "address"
        if wrong.meaning == "citation":
            message = "citation"
        elif link.kind in {"markdown", "image"}:
            message = "scheme"
        yield Problem(wrong.found.source, link.start, link.end, {"target": link.target}, message)


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    text = subject.text
    opened = text.count("[[")
    if not opened:
        return
    found: list[tuple[re.Match[str], str]] = []
    # each `[[` that opens something is one of those that are counted: where as many links are whole, none is malformed
    if len(_WHOLE.findall(text)) < opened:
        found += [
            *((match, "empty") for match in _EMPTY.finditer(text) if _is_empty(match[0])),
            *((match, "default") for match in _unclosed(text)),
            *((match, "newline") for match in _BROKEN.finditer(text) if _WORD.search(match[1])),
        ]
    found += ((match, "pipe") for match in _parted(text))
    if not found:
        return
    placeholders = Placeholders(text)
    for match, message in sorted(found, key=lambda each: each[0].start()):
        start, end = match.span()
        start -= text.endswith("!", 0, start)
        if not _is_prose(subject.prose, start, end, is_parted=message == "pipe") or _TAKEN.search(
            text, max(0, start - 200), start
        ):
            continue
        if placeholders.cover(start, end) or (message == "empty" and placeholders.is_template):
            continue
        fix = _escape(subject.path, match) if message == "pipe" else None
        yield Problem(subject.path, start, end, {"text": cut(text[start:end])}, message, fix)


def _is_empty(written: str) -> bool:
    """Whether it names nothing: `[[#heading]]` does."""
    inside = written[2:-2]
    return not inside.partition("|")[0].strip(" \t#")


def _unclosed(text: str) -> Iterator[re.Match[str]]:
    """What looks like a name in brackets of which the line closes one too few, as `[[a] b]` does not."""
    named = [match for match in _UNCLOSED.finditer(text) if _WORD.search(match[1])]
    closed = _closed_behind(text, [match.end() for match in named])
    return (match for match in named if match.end() not in closed)


def _closed_behind(text: str, places: Sequence[int]) -> set[int]:
    """Those of the places, which are in order, behind which the line closes one bracket more than it opens, and not far from there."""
    closed: set[int] = set()
    waiting: list[list[int]] = [[]]  # one for each bracket that is open, and one for the line
    at = 0
    for bracket in _BRACKET.finditer(text, places[0] if places else len(text)):
        while at < len(places) and places[at] <= bracket.start():
            waiting[-1].append(places[at])
            at += 1
        match bracket[0]:
            case "[":
                waiting.append([])
            case "]":
                closed.update(place for place in waiting.pop() if bracket.start() < place + MAX_LABEL)
                waiting = waiting or [[]]
            case "\n" | "\r":
                waiting = [[]]
    return closed


def _parted(text: str) -> Iterator[re.Match[str]]:
    """What looks like a link in a row of a table and has its pipe, which parts two cells, in the middle."""
    rows = TableRows(text)
    found = list(_PARTED.finditer(text)) if rows else ()
    if not found:
        return
    text = text.replace("\r\n", " \n").replace("\r", "\n")  # the same places
    line, counted = 1, 0
    for match in found:
        line += text.count("\n", counted, match.start())
        counted = match.start()
        before = text[text.rfind("\n", 0, counted) + 1 : counted]
        if line in rows and before.count("`") % 2 == 0:
            yield match


def _escape(path: str, match: re.Match[str]) -> Fix | None:
    """A backslash before the pipe; `None` in the head of a table, which has as many cells as the line below it says."""
    line = _LINE.match(match.string, match.end())
    if line is not None and _HEAD.match(match.string, line.end()):
        return None
    place = match.start("pipe")
    return Fix((Replacement(path, place, place, "\\"),))


def _is_prose(spans: Sequence[tuple[int, int]], start: int, end: int, *, is_parted: bool) -> bool:
    """Whether a reader sees a place as text; of one that is parted, its beginning."""
    number = bisect_right(spans, start, key=lambda span: span[0]) - 1
    return number >= 0 and (start + 2 if is_parted else end) <= spans[number][1]


RULE = Rule(
    code="L008",
    slug="malformed-link",
    severity="warning",
    messages={
        "default": {
            "en": "`{text}` lacks a closing bracket; write `]]`",
            "zh": "`{text}` 缺少右方括号；请写 `]]`",
        },
        "empty": {
            "en": "`{text}` links to nothing; name a note, or remove it",
            "zh": "`{text}` 没有链接目标；请写上笔记名，或将其移除",
        },
        "newline": {
            "en": "`{text}` runs over a line's end, so it is no link; write it on one line",
            "zh": "`{text}` 跨了行，因此不是链接；请写在同一行",
        },
        "pipe": {
            "en": "the pipe in `{text}` parts two cells of a table; write a backslash before it",
            "zh": "`{text}` 中的竖线会把表格分成两格；请在它前面加反斜杠",
        },
        "address": {
            "en": "`{target}` is an address, not a note; write `<{target}>` or `[text]({target})`",
            "zh": "`{target}` 是网址而不是笔记；应写为 `<{target}>` 或 `[文字]({target})`",
        },
        "scheme": {
            "en": "`{target}` is read as a file of the vault; write `https://{target}`",
            "zh": "`{target}` 会被当作库内文件；应写为 `https://{target}`",
        },
        "citation": {
            "en": "`[[{target}]]` before a parenthesis is a link to a note; write `[\\[{target}\\]](…)`",
            "zh": "括号前的 `[[{target}]]` 会被当作笔记链接；应写为 `[\\[{target}\\]](…)`",
        },
    },
    check=_check,
    check_note=_check_note,
    from_notes=True,
    reach="note",
)
