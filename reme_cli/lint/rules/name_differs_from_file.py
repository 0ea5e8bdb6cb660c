"""A digest note's `name` says something else than its file name.

## Why

People find the note by its file, reme by its name. Where the two drift apart, the same thing is soon noted twice. Case,
punctuation and hyphens do not count: `jwt-rotation.md` may be named `JWT rotation`.

## Bad

```markdown
<!-- digest/wiki/jwt-rotation.md -->
---
name: Session cookies
---
```

## Good

```markdown
<!-- digest/wiki/jwt-rotation.md -->
---
name: JWT rotation
---
```

## Fix

None: whether the name or the file name is right only a person can tell. Rename the file together with its inbound
links, or write the other name under `aliases`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import property_place
from reme_cli.lint.rule import Rule
from reme_cli.vault.paths import slugify, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_NAMED_OTHERWISE: Final = """
    SELECT notes.path, names.text FROM names JOIN notes ON notes.id = names.note
    WHERE names.kind = 'name' AND notes.layer = 'digest' AND notes.id IN asked ORDER BY notes.path
"""


def _check(survey: Survey) -> Iterator[Problem]:
    for path, name in survey.rows_of_asked(_NAMED_OTHERWISE):
        stem = stem_of(path)
        if slugify(name) == slugify(stem):
            continue
        subject = survey.subject(path)
        if subject is not None:
            start, end = property_place(subject, "name")
            yield Problem(path, start, end, {"name": name, "stem": stem})


RULE = Rule(
    code="F004",
    slug="name-differs-from-file",
    severity="info",
    messages={
        "default": {
            "en": "the name `{name}` is not what the file is called (`{stem}`); make them one, or keep one as an alias",
            "zh": "名称 `{name}` 与文件名 `{stem}` 不一致；请统一，或把其中一个写成别名",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
