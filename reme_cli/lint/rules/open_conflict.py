"""A recorded conflict is not resolved.

## Why

Where two sources contradict each other and both could be right, `auto_dream` records that instead of deciding: a callout
`> [!conflict]` with both statements, and an edge `contradicts::`. Until somebody decides, the note says two things.

## Bad

```markdown
> [!conflict] How long access tokens live
> 15 minutes, from [[daily/2026-01-10/a.md|10 January]].
> An hour, from [[daily/2026-03-02/b.md|2 March]].

contradicts:: [[daily/2026-03-02/b.md]]
```

## Good

```markdown
> [!conflict] How long access tokens live
> 15 minutes, from [[daily/2026-01-10/a.md|10 January]].
> An hour, from [[daily/2026-03-02/b.md|2 March]].
> Resolved: an hour since the gateway of March.

contradicts:: [[daily/2026-03-02/b.md]]
```

## Fix

None: remove the conflict, or say how it was resolved. What resolves it:

- of a callout, a line in it (or its title) that begins with `Resolved:`, `resolved::` or `已解决：`, or
  `> [!conflict|resolved]`
- of an edge `contradicts`, that its target is linked in such a callout of the same note, or `(resolved:: …)` on its
  line; of one in the frontmatter, a property `resolved`

An edge whose target is linked in an open callout is told with the callout, once. Notes in `resource/` are not looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.lint.excerpt import excerpt
from reme_cli.lint.finding import Problem
from reme_cli.lint.indexed import links_in
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.lint.survey import Subject, Survey
    from reme_cli.vault.link import Link

_PREDICATE: Final = "contradicts"
_QUOTE: Final = r"(?:(?:[-*+]|\d+[.)])[ \t]+)*>[ \t>]*"
_OPENING: Final = regex(
    rf"^[ \t]*{_QUOTE}(?P<mark>\[!conflict(?:\|(?P<more>[^\]\r\n]*))?\])[+-]?(?P<title>[^\r\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_GOING_ON: Final = regex(r"(?:\r\n|\n|\r)[ \t]*>[ \t>]*(?P<content>[^\r\n]*)")
_RESOLVED: Final = regex(r"[ \t>*_(\[✅]*(?:resolved|已解决)[*_]*[ \t]*[:：]", re.IGNORECASE)
_WORD: Final = regex(r"\w+")
_REST: Final = regex(r"[^\r\n]*")
_RESOLVED_ON_LINE: Final = regex(r"[(\[][ \t]*resolved[ \t]*::|已解决[ \t]*[:：]", re.IGNORECASE)


class _Callout(NamedTuple):
    start: int
    end: int
    mark_start: int
    title: str
    is_resolved: bool


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    text = subject.text
    if subject.layer == "resource":
        return
    callouts = list(_callouts(subject)) if "[!" in text else []
    for callout in callouts:
        if not callout.is_resolved:
            title = excerpt(callout.title)
            end = text.index("]", callout.mark_start) + 1
            message = "default" if title else "untitled"
            yield Problem(subject.path, callout.mark_start, end, {"title": title}, message)
    if "ontradicts" in text or "ONTRADICTS" in text:
        yield from _edges(subject, links_in(subject, survey, _PREDICATE), callouts)


def _callouts(subject: Subject) -> Iterator[_Callout]:
    text = subject.text
    for found in _OPENING.finditer(text):
        if not _is_text(subject, found.start("mark")):
            continue
        end = found.end()
        is_resolved = "resolved" in _WORD.findall((found["more"] or "").lower()) or bool(
            _RESOLVED.match(found["title"])
        )
        while line := _GOING_ON.match(text, end):
            end = line.end()
            is_resolved = is_resolved or bool(_RESOLVED.match(line["content"]))
        yield _Callout(found.start(), end, found.start("mark"), found["title"], is_resolved)


def _is_text(subject: Subject, place: int) -> bool:
    """Whether a place is in text that a reader sees, not in code or a comment."""
    number = bisect_right(subject.prose, (place, len(subject.text) + 1)) - 1
    return number >= 0 and subject.prose[number][0] <= place < subject.prose[number][1]


def _edges(subject: Subject, links: Sequence[Link], callouts: Sequence[_Callout]) -> Iterator[Problem]:
    """The contradictions that no callout of the note has, each target once."""
    told = _targets_in(links, callouts)
    for link in links:
        target = nfc(link.target)
        if link.predicate == _PREDICATE and target and target not in told and not _is_resolved(subject, link):
            told.add(target)
            yield Problem(subject.path, link.start, link.end, {"target": target}, "edge")


def _targets_in(links: Iterable[Link], callouts: Sequence[_Callout]) -> set[str]:
    """What is linked in callouts, which come in order."""
    found: set[str] = set()
    number = end = 0
    for link in sorted(links, key=lambda link: link.start):
        while number < len(callouts) and callouts[number].start <= link.start:
            end = max(end, callouts[number].end)
            number += 1
        if link.start < end:
            found.add(nfc(link.target))
    return found


def _is_resolved(subject: Subject, link: Link) -> bool:
    if link.kind == "frontmatter":
        return bool(subject.properties.get("resolved"))
    text = subject.text
    start = text.rfind("\n", 0, link.start) + 1
    start = max(start, text.rfind("\r", start, link.start) + 1)
    rest = _REST.match(text, link.end)
    return _RESOLVED_ON_LINE.search(text, start, rest.end() if rest else link.end) is not None


RULE = Rule(
    code="C001",
    slug="open-conflict",
    severity="warning",
    messages={
        "default": {
            "en": "the conflict `{title}` is open; decide it, and say so in it: `> Resolved: …`",
            "zh": "冲突 `{title}` 尚未解决；请作出判断，并在其中写明：`> 已解决：…`",
        },
        "untitled": {
            "en": "a conflict is open; decide it, and say so in it: `> Resolved: …`",
            "zh": "有冲突尚未解决；请作出判断，并在其中写明：`> 已解决：…`",
        },
        "edge": {
            "en": "the contradiction with `{target}` is open; decide it, and say so on its line: `(resolved:: …)`",
            "zh": "与 `{target}` 的矛盾尚未解决；请作出判断，并在同一行写明：`(resolved:: …)`",
        },
    },
    check_note=_check_note,
)
