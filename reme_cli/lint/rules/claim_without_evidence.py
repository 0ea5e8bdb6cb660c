"""A claim names no evidence.

## Why

What nobody can check can be neither defended nor given up.

## Bad

```markdown
---
claims:
- text: The gateway retries three times.
  status: confirmed
---
```

## Good

```markdown
---
claims:
- text: The gateway retries three times.
  status: confirmed
  evidence: "[[daily/2026-06-20/session.md]]"
---
```

## Fix

None. `evidence` is a text, best a link, or a list of them; that a link in it leads somewhere is the matter of
`broken-link` and `missing-source`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.claims import claims_of
from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    for claim in claims_of(subject):
        if not claim.has_evidence:
            yield Problem(claim.path, claim.start, claim.end, {"claim": claim.shown})


RULE = Rule(
    code="C005",
    slug="claim-without-evidence",
    severity="warning",
    messages={
        "default": {
            "en": 'the claim `{claim}` names no evidence; add `evidence: "[[…]]"`',
            "zh": '论断 `{claim}` 没有证据；请加上 `evidence: "[[…]]"`',
        }
    },
    check_note=_check_note,
)
