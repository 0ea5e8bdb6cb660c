"""A claim, or a note as a whole, has a confidence below 0.5.

## Why

What is less likely true than not should not be built upon before it is checked.

## Bad

```markdown
---
claims:
- text: The gateway retries three times.
  confidence: 0.3
  evidence: "[[daily/2026-06-20/session.md]]"
---
```

## Good

```markdown
---
claims:
- text: The gateway retries three times.
  confidence: 0.9
  evidence:
  - "[[daily/2026-06-20/session.md]]"
  - "[[resource/gateway-config.md]]"
---
```

## Fix

None: find more evidence, or drop the claim. `confidence` is a number from 0 to 1, of a claim or of the note itself; of
any other value `wrong-type` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.claims import CONFIDENCE, claims_of, confidence_in
from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import property_place
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_LIMIT: Final = 0.5


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    block = subject.block
    if block is None or subject.text.find(CONFIDENCE, block.yaml_start, block.yaml_end) < 0:
        return
    own = confidence_in(subject.properties.get(CONFIDENCE)) if subject.layer in {"digest", None} else None
    if own is not None and own < _LIMIT:
        start, end = property_place(subject, CONFIDENCE)
        yield Problem(subject.path, start, end, values={"confidence": own}, message="note")
    for claim in claims_of(subject):
        if claim.confidence is not None and claim.confidence < _LIMIT:
            values: dict[str, str | float] = {"claim": claim.shown, "confidence": claim.confidence}
            yield Problem(claim.path, claim.start, claim.end, values)


RULE = Rule(
    code="C004",
    slug="low-confidence",
    severity="info",
    messages={
        "default": {
            "en": "the claim `{claim}` has a confidence of {confidence}; find more evidence, or drop it",
            "zh": "论断 `{claim}` 的置信度为 {confidence}；请补充证据，或将其删除",
        },
        "note": {
            "en": "the note has a confidence of {confidence}; find more evidence before building on it",
            "zh": "这篇笔记的置信度为 {confidence}；在依赖它之前请补充证据",
        },
    },
    check_note=_check_note,
)
