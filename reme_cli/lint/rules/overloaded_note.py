"""A digest note is so long that it may hold several topics (D3).

## Why

A digest note is one reusable thought. Long ones are found by everything and answer nothing, cost a model its input,
and collect what belongs elsewhere. The limit is `maintain.overload_tokens` in vault.yaml (2000 estimated tokens, about
1500 English words). Whether the note really holds several topics, a person or `reme maintain` judges.

## Bad

```text
digest/wiki/everything-about-tokens.md    about 5300 tokens
```

## Good

```text
digest/wiki/tokens.md                     an overview that links each part with a sentence
digest/wiki/token-rotation.md
digest/wiki/token-storage.md
```

## Fix

None: split it, or raise the limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.vault.tokens import estimate_tokens, may_exceed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    limit = survey.config.maintain.overload_tokens
    if not subject.is_digest or not may_exceed(subject.text, limit):
        return
    tokens = estimate_tokens(subject.text)
    if tokens > limit:
        yield Problem(subject.path, values={"tokens": tokens, "limit": limit})


RULE = Rule(
    code="S004",
    slug="overloaded-note",
    severity="warning",
    messages={
        "default": {
            "en": "about {tokens} tokens, more than {limit}; split it if it holds several topics",
            "zh": "约 {tokens} 个 token，超过 {limit}；如果包含多个主题，请拆分",
        }
    },
    check_note=_check_note,
)
