"""A digest note has no `name`.

## Why

The name is what search ranks first, what a model is shown, and what mentions are linked by. Without one the file name
stands in, whose hyphens nobody writes in a sentence.

## Bad

```markdown
---
description: How signing keys are rotated without an outage.
---
```

## Good

```markdown
---
description: How signing keys are rotated without an outage.
name: Key rotation
---
```

## Fix

Safe: `name` is added. It is the first heading of level 1 where that says the same as the file name, else the file
name. Every other byte stays. An empty `name:` is filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.errors import FrontmatterError
from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.properties import lacks_text, property_place
from reme_cli.lint.rewrite import replacement
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.paths import slugify, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

# at the start of a line; a pattern that begins with a letter is looked for many times faster than one that begins with `^`.
# without markup; it need not be a heading for certain, since it says what the file name says
_TITLE: Final = regex(r"#(?<!.#)[ \t]+([^\s\[\]*_`<$#][^\r\n\[\]*_`<$#]*?)[ \t]*#*[ \t]*(?![^\n])")


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    if not subject.is_digest or not lacks_text(subject, "name"):
        return
    name = _name_for(subject)
    start, end = property_place(subject, "name")
    yield Problem(subject.path, start, end, {"name": name}, fix=_fix(subject, name))


def _name_for(subject: Subject) -> str:
    stem = stem_of(subject.path)
    found = _TITLE.search(subject.text, subject.block.body_start if subject.block else 0)
    title = found[1] if found else stem
    return title if title == stem or slugify(title) == slugify(stem) else stem


def _fix(subject: Subject, name: str) -> Fix | None:
    # the head alone: a note may be 20 MB long
    block = subject.block
    end = block.body_start if block else subject.text.find("\n") + 1
    head = subject.text[: end or None]
    try:
        after = frontmatter.update(head, {"name": name})
    except FrontmatterError:
        return None
    return Fix((replacement(subject.path, head, after),))


RULE = Rule(
    code="F002",
    slug="missing-name",
    severity="warning",
    messages={
        "default": {
            "en": "the digest note has no `name`; add `name: {name}`",
            "zh": "这篇 digest 笔记没有 `name`；请加上 `name: {name}`",
        }
    },
    check_note=_check_note,
)
