"""A note links to itself.

## Why

The link leads where the reader already is, and adds an edge that says nothing. Often another note was meant, or the text
was copied from one.

A link to a heading or block of the same note is fine.

## Bad

```markdown
<!-- in notes/tea.md -->
See also [[tea]].
```

## Good

```markdown
See also [[coffee]] and [[#Brewing]].
```

## Fix

None: a person knows which note was meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_TO_ITSELF: Final = "links.resolved = links.note AND links.target <> '' AND coalesce(links.anchor, '') = ''"


def _check(survey: Survey) -> Iterator[Problem]:
    for found in survey.links_where(_TO_ITSELF):
        link = found.link
        yield Problem(found.source, link.start, link.end, {"target": link.target})


RULE = Rule(
    code="L007",
    slug="self-link",
    severity="info",
    messages={
        "default": {
            "en": "`{target}` is this very note; link to another one, or to a heading",
            "zh": "`{target}` 就是本笔记；请链接到其他笔记或某个标题",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
