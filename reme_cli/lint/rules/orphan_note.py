"""A digest note is reached by nothing and links nothing.

## Why

What nothing leads to is found by search alone, and what leads nowhere teaches nothing about its surroundings. A link
that is broken counts as a link, one to the note itself does not.

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
Two keys are valid at a time, as [[digest/wiki/jwt.md|JWT]] allows.
```

## Fix

None. `reme auto_link` finds the mentions and relations that are not linked yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

# an attachment is no note, but one among the sources is a source
_ALONE: Final = """
    SELECT path FROM notes
    WHERE layer = 'digest' AND problem IS NULL
    AND NOT EXISTS (
        SELECT 1 FROM links WHERE links.note = notes.id AND links.resolved IS NOT notes.id AND (
            links.is_note OR substr(links.file, 1, length(?)) = ? OR substr(links.file, 1, length(?)) = ?
        )
    )
    AND NOT EXISTS (SELECT 1 FROM links WHERE links.resolved = notes.id AND links.note <> notes.id)
    ORDER BY path
"""


def _check(survey: Survey) -> Iterator[Problem]:
    folders = survey.config.folders
    daily, resource = f"{folders.daily}/", f"{folders.resource}/"
    for (path,) in survey.rows(_ALONE, daily, daily, resource, resource):
        yield Problem(path)


RULE = Rule(
    code="P003",
    slug="orphan-note",
    severity="warning",
    messages={
        "default": {
            "en": "the digest note is linked from nowhere and links to nothing; link it with what it belongs to",
            "zh": "这篇 digest 笔记既没有被链接，也不链接任何笔记；请把它与相关笔记链接起来",
        }
    },
    check=_check,
    from_notes=True,
)
