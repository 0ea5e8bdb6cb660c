"""An image, a document or another file that a note refers to does not exist.

## Why

The reader sees a gap where the picture should be. Usually the file was moved, renamed or never copied into the vault.

A missing source of a digest note is told by `missing-source`, where that rule is run, and not once more by this one.

## Bad

```markdown
![[diagram.png]] and ![chart](img/chart.svg)
```

## Good

```markdown
![[assets/diagram.png]] and ![chart](../assets/chart.svg)
```

## Fix

None: the file has to be brought back, or the reference removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.dangling import dangling
from reme_cli.lint.finding import Problem
from reme_cli.lint.repair import repair
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    for missing in dangling(survey, "attachment"):
        source, link = missing.found.source, missing.found.link
        known = repair(survey, missing)
        values = {"target": link.target, "path": known.nearest or ""}
        message = "elsewhere" if known.nearest else "default"
        yield Problem(source, link.start, link.end, values, message)


RULE = Rule(
    code="L010",
    slug="missing-attachment",
    severity="warning",
    messages={
        "default": {
            "en": "no file `{target}`; add it to the vault, or remove the reference",
            "zh": "文件 `{target}` 不存在；请将其加入知识库，或移除引用",
        },
        "elsewhere": {
            "en": "no file `{target}`; is {path} meant?",
            "zh": "文件 `{target}` 不存在；是否指 {path}？",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
)
