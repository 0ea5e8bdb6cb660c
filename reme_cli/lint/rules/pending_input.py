"""An input of `auto_dream` has waited for a long time.

## Why

Its extraction failed, or what was extracted is not integrated yet: what it says is missing from the memory. The catalog
(`metadata/file_catalog/dream.json`) knows since when; a note that no run has read yet is not pending. `lint.pending_days`
in vault.yaml is how many days are told as nothing (7).

## Bad

```text
daily/2026-06-01/session.md waits since 2026-06-01, and it is 2026-06-20
```

## Good

```text
reme auto_dream date=2026-06-01
```

## Fix

None: run `reme auto_dream` for that day, with `--retry-quarantined` where `reme status` names the note as left alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.finding import Problem
from reme_cli.lint.pending import waiting_since
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    today = survey.now.date()
    for path, since in sorted(waiting_since(survey.vault).items()):
        days = (today - since).days
        if days > survey.config.lint.pending_days and survey.note(path) is not None:
            yield Problem(path, values={"since": since.isoformat(), "days": days})


RULE = Rule(
    code="D004",
    slug="pending-input",
    severity="info",
    messages={
        "default": {
            "en": "waits to be dreamed since {since} ({days} days); run `reme auto_dream` for its day",
            "zh": "自 {since} 起等待提炼（{days} 天）；请对当天运行 `reme auto_dream`",
        }
    },
    check=_check,
)
