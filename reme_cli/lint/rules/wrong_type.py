"""A known property has a value of the wrong type.

## Why

What is no text where text is expected is read as nothing, or by other programs as something else: a list under `name`, an
alias with `: ` in it (which YAML reads as a mapping), a date that no calendar has.

| property | what it holds |
|---|---|
| `name` | text; a number is the text that it is written as |
| `description`, `kind` | text |
| `aliases`, `alias` | text, or a list of texts; numbers too |
| `tags`, `tag` | text, or a list of texts |
| `date`, `created`, `updated`, `modified` | a date or time as text, or as the digits of one: a year, a timestamp |
| `confidence` | a number from 0 to 1 |
| `claims` | a list of mappings with `text` or `id`, and perhaps `status`, `confidence`, `evidence` (text or a list of texts) |

Nothing at all is right everywhere, and so is a form to be filled in, `{date}`, outside of the digest.
`confidence` and `claims` are not looked at in `daily/` and `resource/`, which make no claims.

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

from reme_cli.lint.claims import CONFIDENCE, KEY, confidence_in
from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import property_place
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.plain_yaml import scalar
from reme_cli.vault.yaml_text import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from reme_cli.lint.survey import Subject, Survey

_OF_CLAIMS: Final = frozenset({KEY, CONFIDENCE})
_CLAIM_NAMES: Final = ("id", "text")
_CLAIM_TEXTS: Final = (*_CLAIM_NAMES, "status")
_FIRST_YEAR: Final = 1000
"""A smaller number is no year, no timestamp and no date without its dashes."""
_DATE: Final = regex(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    for key, value in subject.properties.items():
        if key not in _CHECKS or value is None or value == "" or (_is_form(value) and not subject.is_digest):
            continue
        if key in _OF_CLAIMS and subject.layer not in {"digest", None}:
            continue
        message = _CHECKS[key](_as_written(subject, key, value))
        if message is not None:
            start, end = property_place(subject, key)
            yield Problem(subject.path, start, end, {"key": key}, message)


def _is_form(value: object) -> bool:
    """Whether it is `{date}`, which something fills in, and which YAML reads as a mapping."""
    return isinstance(value, dict) and list(value.values()) == [None]


def _as_written(subject: Subject, key: str, value: object) -> object:
    """A value as YAML has it: of some keys `subject.properties` has the number 3 as the text `3`."""
    block = subject.block
    if block is None or key not in frontmatter.TEXT_KEYS or not isinstance(value, str):
        return value
    if isinstance(scalar(value), str):
        return value
    return parse(subject.text[block.yaml_start : block.yaml_end])[key]


def _name(value: object) -> str | None:
    return _text(str(value) if _is_number(value) else value)


def _text(value: object) -> str | None:
    if isinstance(value, list | dict):
        return None if _is_bare_link(value) else "default"
    return None if isinstance(value, str) else "scalar"


def _aliases(value: object) -> str | None:
    return _texts(str(value) if _is_number(value) else value)


def _texts(value: object) -> str | None:
    items = value if isinstance(value, list) else [value]
    if any(isinstance(item, dict) for item in items):
        return "mapping"
    return None if isinstance(value, list | str) else "scalar"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_bare_link(value: object) -> bool:
    """Whether it may be a wikilink without quotes, which YAML reads as a list in a list: a rule of its own."""
    return isinstance(value, list) and len(value) == 1 and isinstance(value[0], list)


def _date(value: object) -> str | None:
    if isinstance(value, str):
        found = _DATE.match(value)
        return None if found is None or _is_day(*map(int, found.groups())) else "no-such-day"
    if _is_bare_link(value):
        return None
    is_date = isinstance(value, int | float) and _is_number(value) and value >= _FIRST_YEAR
    return None if is_date else "date"


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def _confidence(value: object) -> str | None:
    return "own-confidence" if confidence_in(value) is None else None


def _claims(value: object) -> str | None:
    if not isinstance(value, list) or not all(isinstance(claim, dict) for claim in value):
        return "claims"
    return next((message for claim in value if (message := _claim(claim))), None)


def _claim(claim: dict[str, object]) -> str | None:
    if any(isinstance(claim.get(key), list | dict) for key in _CLAIM_TEXTS):
        return "claims"
    if all(claim.get(key) in {None, ""} for key in _CLAIM_NAMES):
        return "nothing-claimed"
    confidence = claim.get("confidence")
    if confidence is not None and confidence_in(confidence) is None:
        return "confidence"
    evidence = claim.get("evidence")
    if isinstance(evidence, dict) or (
        isinstance(evidence, list) and any(isinstance(item, dict) for item in evidence)
    ):
        return "claims"
    return None


_CHECKS: Final[Mapping[str, Callable[[object], str | None]]] = {
    "name": _name,
    **dict.fromkeys(("description", "kind"), _text),
    **dict.fromkeys(("aliases", "alias"), _aliases),
    **dict.fromkeys(("tags", "tag"), _texts),
    **dict.fromkeys(("date", "created", "updated", "modified"), _date),
    CONFIDENCE: _confidence,
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
        "scalar": {
            "en": "`{key}` is a number, or true or false; write a text, in quotes if this is one",
            "zh": "`{key}` 是数字或真假值；请写成文本，若本来就是文本则加引号",
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
        "own-confidence": {
            "en": "`{key}` is no number from 0 to 1; write one, such as `0.7`",
            "zh": "`{key}` 不是 0 到 1 之间的数；请写成 `0.7` 这样",
        },
        "nothing-claimed": {
            "en": "a claim in `claims` has neither `text` nor `id`; write what is held true",
            "zh": "`claims` 里有一条论断既没有 `text` 也没有 `id`；请写明内容",
        },
        "confidence": {
            "en": "a `confidence` in `claims` is no number from 0 to 1; write one",
            "zh": "`claims` 里的 `confidence` 不是 0 到 1 之间的数；请改正",
        },
    },
    check_note=_check_note,
)
