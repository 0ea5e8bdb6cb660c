"""A note says nothing.

## Why

A link to it leads nowhere useful, and search cannot find it by anything but its name. Often it was made by a click on a
link and never written.

## Bad

```markdown
---
created: 2026-06-20
tags: [idea]
---
```

## Good

```markdown
---
created: 2026-06-20
tags: [idea]
---

Rotate keys by overlap, not by date.
```

## Fix

None: write it, or remove it together with the links to it. A note is not empty where its frontmatter says more than
names, tags and dates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_SAYS_NOTHING: Final = regex(
    r"name|title|alias(es)?|tags?|kind|type|id|uid|(date[ _-]?)?(created|modified|updated)|date|cssclass(es)?|publish",
    re.IGNORECASE,
)


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    block = subject.block
    body_start = block.body_start if block else 0
    if subject.text[body_start:].lstrip("\ufeff").strip() or subject.frontmatter_error is not None:
        return
    if all(_SAYS_NOTHING.fullmatch(key) or _is_empty(value) for key, value in subject.properties.items()):
        yield Problem(subject.path)


def _is_empty(value: object) -> bool:
    return value is None or value == "" or (isinstance(value, list | dict) and not value)


RULE = Rule(
    code="S005",
    slug="empty-note",
    severity="info",
    messages={
        "default": {
            "en": "the note is empty; write it or remove it",
            "zh": "笔记是空的；请补充内容或删除",
        }
    },
    check_note=_check_note,
)
