"""A digest note names no source.

## Why

A digest note is worth as much as what it rests on. Without a link into `daily/` or `resource/` nobody can check it,
correct it, or tell how old it is. An address on the net is no source: it can go or change, so keep what it says in
`resource/`. This is signal D10 of `maintain`.

## Bad

```markdown
---
name: Key rotation
---
Two keys are valid at a time.
```

## Good

```markdown
---
name: Key rotation
---
Two keys are valid at a time.

### Sources

derived_from:: [[daily/2026-06-20/session.md|session]]
```

## Fix

None: only a person or a model that read the source can name it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.lint.sources import is_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_WITHOUT_A_NOTE: Final = """
    SELECT path FROM notes
    WHERE layer = 'digest' AND problem IS NULL AND id IN asked AND NOT EXISTS (
        SELECT 1 FROM links JOIN notes AS target ON target.id = links.resolved
        WHERE links.note = notes.id AND target.layer IN ('daily', 'resource')
    )
    ORDER BY path
"""


def _check(survey: Survey) -> Iterator[Problem]:
    for (path,) in survey.rows_of_asked(_WITHOUT_A_NOTE):
        if not any(is_source(survey, found) for found in survey.links_from(path)):
            folders = survey.config.folders
            yield Problem(path, values={"daily": folders.daily, "resource": folders.resource})


RULE = Rule(
    code="P001",
    slug="no-source",
    severity="error",
    messages={
        "default": {
            "en": "the digest note names no source; link what it rests on in {daily}/ or {resource}/, as `derived_from:: [[…]]`",
            "zh": "这篇 digest 笔记没有来源；请用 `derived_from:: [[…]]` 链接它在 {daily}/ 或 {resource}/ 里的依据",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
