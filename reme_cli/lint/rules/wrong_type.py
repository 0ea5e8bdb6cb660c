"""A known property has a value of the wrong type.

## Why

What is no text where text is expected is read as nothing: a list under `name`, an alias with `: ` in it (which YAML
reads as a mapping), a date that no calendar has.

| property | what it holds |
|---|---|
| `name`, `description`, `kind` | text |
| `aliases`, `alias`, `tags`, `tag` | text, or a list of texts |
| `date`, `created`, `updated`, `modified` | a date or time as text |
| `claims` | a list of mappings with `text`, and perhaps `id`, `status`, `confidence` (0 to 1), `evidence` (text or a list of texts) |

## Bad

```markdown
---
aliases:
- OAuth: the short story
created: 2026-02-30
---
```

## Good

```markdown
---
aliases:
- "OAuth: the short story"
created: 2026-02-28
---
```

## Fix

None.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from reme_cli.lint.claims import KEY, confidence_in
from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import property_place
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_TEXTS: Final = ("name", "description", "kind")
_LISTS: Final = ("aliases", "alias", "tags", "tag")
_DATES: Final = ("date", "created", "updated", "modified")
_CLAIM_TEXTS: Final = ("id", "text", "status")
_DATE: Final = regex(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    for key, value in subject.properties.items():
        message = _CHECKS[key](value) if key in _CHECKS else None
        if message is not None:
            start, end = property_place(subject, key)
            yield Problem(subject.path, start, end, {"key": key}, message)


def _text(value: object) -> str | None:
    return "default" if isinstance(value, list | dict) and not _is_bare_link(value) else None


def _texts(value: object) -> str | None:
    items = value if isinstance(value, list) else [value]
    return "mapping" if any(isinstance(item, dict) for item in items) else None


def _is_bare_link(value: object) -> bool:
    """Whether it may be a wikilink without quotes, which YAML reads as a list in a list: a rule of its own."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], list)


def _date(value: object) -> str | None:
    if isinstance(value, list | dict):
        return None if _is_bare_link(value) else "date"
    found = _DATE.match(value) if isinstance(value, str) else None
    if found is None:
        return None
    try:
        dt.date(*map(int, found.groups()))
    except ValueError:
        return "no-such-day"
    return None


def _claims(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(claim, dict) for claim in value):
        return "claims"
    return next((message for claim in value if (message := _claim(claim))), None)


def _claim(claim: dict[str, object]) -> str | None:
    if any(isinstance(claim.get(key), list | dict) for key in _CLAIM_TEXTS):
        return "claims"
    confidence = claim.get("confidence")
    if confidence is not None and confidence_in(confidence) is None:
        return "confidence"
    evidence = claim.get("evidence")
    if isinstance(evidence, dict) or (
        isinstance(evidence, list) and any(isinstance(item, dict) for item in evidence)
    ):
        return "claims"
    return None


_CHECKS: Final = {
    **dict.fromkeys(_TEXTS, _text),
    **dict.fromkeys(_LISTS, _texts),
    **dict.fromkeys(_DATES, _date),
    KEY: _claims,
}

RULE = Rule(
    code="F006",
    slug="wrong-type",
    severity="warning",
    messages={
        "default": {
            "en": "`{key}` is not a text; write one text, in quotes where it has brackets or `: ` in it",
            "zh": "`{key}` 不是文本；请写成一个文本，含有方括号、花括号或 `: ` 时加引号",
        },
        "mapping": {
            "en": "`{key}` holds a mapping instead of texts; put quotes around what has `: ` or braces in it",
            "zh": "`{key}` 里是键值对而不是文本；含有 `: ` 或花括号的内容要加引号",
        },
        "date": {
            "en": "`{key}` is not a date; write one as in `2026-06-20`",
            "zh": "`{key}` 不是日期；请写成 `2026-06-20` 这样",
        },
        "no-such-day": {
            "en": "`{key}` is a day that no calendar has; correct it",
            "zh": "`{key}` 是日历上没有的日子；请更正",
        },
        "claims": {
            "en": "`claims` is not a list of mappings with the texts `id`, `text`, `status` and `evidence`; write it so",
            "zh": "`claims` 不是由 `id`、`text`、`status`、`evidence` 文本组成的键值对列表；请改成这样",
        },
        "confidence": {
            "en": "a `confidence` in `claims` is no number from 0 to 1; write one",
            "zh": "`claims` 里的 `confidence` 不是 0 到 1 之间的数；请改正",
        },
    },
    check_note=_check_note,
)
