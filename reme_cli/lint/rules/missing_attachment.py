"""An image, a document or another file that a note refers to does not exist.

## Why

The reader sees a gap where the picture should be. Usually the file was moved, renamed or never copied into the vault.

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
from reme_cli.lint.rule import Rule
from reme_cli.vault.paths import fold, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    by_name: dict[str, list[str]] | None = None
    for missing in dangling(survey, "attachment"):
        if by_name is None:
            by_name = {}
            for path in sorted(survey.names.files):
                by_name.setdefault(fold(name_of(path)), []).append(path)
        link = missing.found.link
        same = by_name.get(fold(name_of(link.target)), [])
        values, message = {"target": link.target}, "default"
        if len(same) == 1:
            values["path"], message = same[0], "elsewhere"
        yield Problem(missing.found.source, link.start, link.end, values, message)


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
