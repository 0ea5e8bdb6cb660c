"""A question is written down as open.

## Why

So that it is not forgotten: the report of `reme lint --format=markdown` lists them all.

## Bad

```markdown
### Open questions

- Which key signs a token during the overlap?
```

## Good

```markdown
### Open questions

- [x] Which key signs a token during the overlap? The new one.
```

## Fix

None: answer it. What counts as an open question:

- an item of a list under a heading `Open questions` or `Unresolved questions` (`待解决问题`, `未解决的问题`, `开放问题`, …), up
  to the next heading that is not below it; of nested items the outermost; not under a heading `Answered` or `Resolved`
  (`已解决`, `已回答`, …) below it
- a task that begins with a question mark, `- [ ] ? …`, or with `[?]` as its mark
- a line `Q: …?` (`问：…？`) that no text follows up to the next such line, heading or the end

A task that is done, and an item that is struck through, is answered. Notes in `resource/` are not looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from reme_cli.lint.excerpt import excerpt
from reme_cli.lint.finding import Problem
from reme_cli.lint.indexed import passages_in
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault.wikilink import prose_spans

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.index.rows import Passage
    from reme_cli.lint.survey import Subject, Survey

_TITLE: Final = regex(
    r"[\W\d_]*(?:(?:open|unresolved|unanswered|outstanding)\s+questions?"
    r"|(?:待解|待解决|未解决|尚未解决|未决|开放|开放性|待回答|待定|悬而未决)的?(?:问题|疑问))[\W_]*",
    re.IGNORECASE,
)
_WORDS: Final = ("uestion", "问")
"""Each title has one of them."""
_SETTLED: Final = regex(
    r"[\W\d_]*(?:(?:answered|resolved|closed|settled|done)(?:\s+questions?)?"
    r"|(?:已解决|已回答|已关闭|已确定|已完成)的?(?:问题|疑问)?)[\W_]*",
    re.IGNORECASE,
)
_ITEM: Final = regex(
    r"^(?P<indent>[ \t>]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[(?P<task>[^\]\r\n])\][ \t]+)?(?P<text>\S[^\r\n]*)",
    re.MULTILINE,
)
_TASK: Final = regex(
    r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[ \][ \t]+[?？][ \t]*|\[\?\][ \t]+)(?P<text>[^\s?？][^\r\n]*)",
    re.MULTILINE,
)
_ASKED: Final = regex(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?(?:Q|问)(?:\*\*)?[:：](?:\*\*)?[ \t]*(?P<text>\S[^\r\n]*[?？])[*_]*[ \t]*$",
    re.MULTILINE,
)
_OPEN_TASKS: Final = frozenset({None, " ", "?"})
_HIDING: Final = regex(r"[`~<%$]")
_INDENT: Final = regex(r"^[ \t>]*(?: {4}|\t)", re.MULTILINE)
_HEADING: Final = regex(r" {0,3}#{1,6}(?:[ \t]|$)")
_LINE: Final = regex(r"[^\r\n]+")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    if subject.layer == "resource":
        return
    found = dict([*_under_headings(subject, survey), *_elsewhere(subject)])
    for start, end in sorted(found.items()):
        yield Problem(subject.path, start, end, {"question": excerpt(subject.text[start:end])})


def _under_headings(subject: Subject, survey: Survey) -> Iterator[tuple[int, int]]:
    """The items under headings that announce open questions."""
    text = subject.text
    if not ("uestion" in text or "UESTION" in text or "问" in text):
        return
    passages = passages_in(subject, survey, _WORDS)
    for number, passage in enumerate(passages):
        if passage.level and _TITLE.fullmatch(passage.heading):
            yield from _items(text, passage)
            settled = 0
            for part in passages[number + 1 :]:
                if part.level <= passage.level:
                    break
                if settled and part.level > settled:
                    continue
                settled = part.level if _SETTLED.fullmatch(part.heading) else 0
                if not settled:
                    yield from _items(text, part)


def _elsewhere(subject: Subject) -> Iterator[tuple[int, int]]:
    """Tasks that ask, and questions that nothing follows."""
    text = subject.text
    found: list[tuple[int, int]] = []
    # one letter is looked for many times faster than some
    if ("?" in text or "？" in text) and ("[ ] ?" in text or "[ ] ？" in text or "[?] " in text):
        found += (task.span("text") for task in _TASK.finditer(text))
    if ("Q" in text and ("Q:" in text or "Q*" in text or "Q：" in text)) or "问" in text:
        asked = _ASKED.finditer(_unified(text))
        found += (question.span("text") for question in asked if _is_unanswered(subject, question))
    return (place for place in found if _is_text(subject.prose, *place))


def _unified(text: str) -> str:
    """The text with line endings that `$` knows, at the same places."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def _items(text: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """The open ones of the outermost items of a passage."""
    outermost: int | None = None
    prose: Sequence[tuple[int, int]] | None = None
    for found in _ITEM.finditer(text, passage.start, passage.end):
        indent = len(found["indent"].expandtabs(4))
        if outermost is not None and indent > outermost + 1:
            continue
        outermost = indent
        if found["task"] not in _OPEN_TASKS or found["text"].startswith("~~"):
            continue
        start, end = found.span("text")
        if prose is None and _may_hide(text, passage.start, passage.end):
            # a heading ends all that was open, so the passage can be read for itself
            prose = prose_spans(text[passage.start : passage.end])
        if prose is None or _is_text(prose, start - passage.start, end - passage.start):
            yield start, end


def _may_hide(text: str, start: int, end: int) -> bool:
    """Whether there may be code, a comment or math."""
    if _HIDING.search(text, start, end):
        return True
    is_indented = text.find("    ", start, end) >= 0 or text.find("\t", start, end) >= 0
    return is_indented and _INDENT.search(text, start, end) is not None


def _is_unanswered(subject: Subject, found: re.Match[str]) -> bool:
    """Whether the next line with something on it is another question, a heading, or not there."""
    line = next((line[0] for line in _LINE.finditer(subject.text, found.end()) if line[0].strip()), None)
    return line is None or _ASKED.match(line) is not None or _HEADING.match(line) is not None


def _is_text(prose: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a reader sees some of a place as text, rather than code or a comment."""
    number = bisect_right(prose, (end, -1)) - 1
    return number >= 0 and prose[number][1] > start


RULE = Rule(
    code="C006",
    slug="open-question",
    severity="info",
    messages={
        "default": {
            "en": "open question: {question}",
            "zh": "待解问题：{question}",
        }
    },
    check_note=_check_note,
)
