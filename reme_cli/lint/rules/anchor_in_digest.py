"""A link between two digest notes points at a heading or block.

## Why

Digest notes are rewritten, merged and split as memory grows, so headings and blocks come and go. A link to the note
itself outlives that.

## Bad

```markdown
See [[digest/wiki/jwt.md#Rotation|how keys rotate]].
```

## Good

```markdown
See [[digest/wiki/jwt.md|how keys rotate]].
```

## Fix

None: whether the whole note is meant, or the passage should be a note of its own, is for a person to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_WITH_ANCHOR: Final = (
    "links.anchor <> '' AND links.target <> '' AND source.layer = 'digest' AND target.layer = 'digest'"
    " AND source.id <> target.id"
)


def _check(survey: Survey) -> Iterator[Problem]:
    for found in survey.links_where(_WITH_ANCHOR):
        link = found.link
        values = {"path": found.note or link.target, "anchor": link.anchor or ""}
        yield Problem(found.source, link.start, link.end, values)


RULE = Rule(
    code="L004",
    slug="anchor-in-digest",
    severity="warning",
    messages={
        "default": {
            "en": "digest notes are rewritten and `#{anchor}` may go; link to {path} without it",
            "zh": "digest 笔记会被改写，`#{anchor}` 可能消失；请直接链接到 {path}",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
