"""A digest note has no `description`.

## Why

The description is the one sentence by which a person, search and a model decide whether to open the note. `auto_dream`
recalls notes by it before it makes a new one.

## Bad

```markdown
---
name: Key rotation
---
```

## Good

```markdown
---
name: Key rotation
description: How signing keys are rotated without an outage.
---
```

## Fix

None: the sentence takes someone who knows what the note is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import lacks_text, property_place
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    if not subject.is_digest or not lacks_text(subject, "description"):
        return
    start, end = property_place(subject, "description")
    yield Problem(subject.path, start, end)


RULE = Rule(
    code="F003",
    slug="missing-description",
    severity="warning",
    messages={
        "default": {
            "en": "the digest note has no `description`; say in one sentence what it is for",
            "zh": "这篇 digest 笔记没有 `description`；请用一句话说明它的用途",
        }
    },
    check_note=_check_note,
)
