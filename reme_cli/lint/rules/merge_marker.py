"""A merge left its conflict markers in a note.

## Why

git writes both versions into the file and waits for a person to choose. Committed as it is, the note says both things,
and a model reads both. Only a whole conflict counts (`<<<<<<<`, `=======` and `>>>>>>>`, each at the start of its
line), and none in code.

## Bad

```text
<<<<<<< HEAD
Tokens live for 15 minutes.
=======
Tokens live for an hour.
>>>>>>> laptop
```

## Good

```text
Tokens live for 15 minutes.
```

## Fix

None: choose one side, or keep both in a sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_OURS: Final = "<<<<<<<"
_MARKER: Final = regex(
    r"^(?:(?P<ours><{7})(?=[ \t\r\n])|(?P<parting>={7}[ \t]*\r?$)|(?P<theirs>>{7})(?=[ \t\r\n]|\Z))[^\r\n]*",
    re.MULTILINE,
)


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    if _OURS not in subject.text:
        return
    ours: re.Match[str] | None = None
    parted = False
    for found in _MARKER.finditer(subject.text):
        if found["ours"]:
            ours, parted = found, False
        elif found["parting"]:
            parted = ours is not None
        elif ours is not None and parted:
            if _is_text(subject, ours.start()):
                yield Problem(subject.path, ours.start(), ours.start() + len(ours[0].rstrip()))
            ours, parted = None, False


def _is_text(subject: Subject, place: int) -> bool:
    """Whether a place is in the frontmatter or in text that a reader sees, not in code."""
    if place < subject.scan.body_start:
        return True
    number = bisect_right(subject.prose, (place, len(subject.text) + 1)) - 1
    return number >= 0 and subject.prose[number][0] <= place < subject.prose[number][1]


RULE = Rule(
    code="E003",
    slug="merge-marker",
    severity="error",
    messages={
        "default": {
            "en": "an unresolved merge conflict; choose a side and remove the markers",
            "zh": "未解决的合并冲突；请选择一方并删除标记",
        }
    },
    check_note=_check_note,
)
