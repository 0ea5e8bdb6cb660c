"""Claims of the same `id` have different statuses.

## Why

One note takes for certain what another one doubts. Whoever reads only one of them is misled.

## Bad

```markdown
<!-- digest/wiki/jwt.md -->
---
claims:
- id: token-lifetime
  text: Access tokens live for 15 minutes.
  status: confirmed
  evidence: "[[daily/2026-06-18/review.md]]"
---

<!-- digest/wiki/gateway.md -->
---
claims:
- id: token-lifetime
  text: Access tokens live for an hour.
  status: disputed
  evidence: "[[daily/2026-06-20/session.md]]"
---
```

## Good

```markdown
<!-- digest/wiki/gateway.md -->
---
claims:
- id: token-lifetime
  text: Access tokens live for 15 minutes; those of the gateway for an hour.
  status: confirmed
  evidence: "[[daily/2026-06-20/session.md]]"
---
```

## Fix

None: which of them holds is for a person to say. It is told at each claim that differs from the first one, by path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.claims import all_claims, claimants
from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.vault.paths import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.claims import Claim
    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    first: dict[str, Claim] = {}
    for claim in all_claims(survey):
        if not claim.id or not claim.status:
            continue
        other = first.setdefault(fold(claim.id), claim)
        if fold(other.status) != fold(claim.status):
            values = {
                "id": claim.id,
                "status": claim.status,
                "other": other.path,
                "other_status": other.status,
            }
            yield Problem(claim.path, claim.start, claim.end, values)


RULE = Rule(
    code="C002",
    slug="contradicting-claims",
    severity="warning",
    messages={
        "default": {
            "en": "the claim `{id}` is `{status}` here and `{other_status}` in {other}; settle which of them holds",
            "zh": "论断 `{id}` 在此处是 `{status}`，在 {other} 中是 `{other_status}`；请确定哪个成立",
        }
    },
    check=_check,
    from_notes=True,
    concerned=claimants,
)
