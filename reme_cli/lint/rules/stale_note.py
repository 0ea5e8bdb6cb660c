"""A digest note was neither edited nor given a new source for 90 days.

## Why

What it says may not hold any more. Less than 30 days make a note fresh, less than 90 aging. When it was changed is what
git says, without a repository what the file's time says; a source in `daily/<date>` counts with its date. Where nobody
can say, as in a shallow clone, a note is never stale.

## Bad

```text
digest/wiki/rotation.md, changed in February; it is the end of June
```

## Good

```text
digest/wiki/rotation.md, changed in February, with a link to daily/2026-06-20/session.md
```

## Fix

None: look whether it still holds, and correct it or add what confirms it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.finding import Problem
from reme_cli.lint.freshness import STALE_DAYS, ages
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    for path, age in ages(survey, at_least=STALE_DAYS).items():
        if age.freshness == "stale" and age.days is not None:
            yield Problem(path, values={"days": age.days})


RULE = Rule(
    code="C007",
    slug="stale-note",
    severity="info",
    messages={
        "default": {
            "en": "not edited and no new source for {days} days; look whether it still holds",
            "zh": "已有 {days} 天没有编辑，也没有新来源；请确认内容是否仍然成立",
        }
    },
    check=_check,
)
