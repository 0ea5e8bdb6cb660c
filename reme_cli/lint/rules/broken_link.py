"""A link leads to a note that does not exist.

## Why

The reader who follows it ends nowhere, and reme loses the relation: what the link says is in no graph and in no search
result. Usually the note was renamed, moved or deleted, or its name was mistyped.

A missing source of a digest note is told by `missing-source`, where that rule is run, and not once more by this one.

What a template fills in (`{{date}}`, `<% … %>`) is not looked at, nor are code, comments, math and addresses. The note that
a link stands in is never suggested for it.

## Bad

```markdown
<!-- there is a note digest/wiki/jwt-rotation.md -->
See [[digest/wiki/jwt-rotatoin.md|JWT rotation]].
```

## Good

```markdown
See [[digest/wiki/jwt-rotation.md|JWT rotation]].
```

## Fix

Safe where the note that is meant is unmistakable: it was renamed by the change that is looked at; it has this name or
alias, and no other note has; it is the only one of this long file name, in another folder; or a long name is one letter
off, and no other name is near. A label stays. Without one, a name or alias that the author chose becomes the label, a
mistyped one and the former name of a renamed note give way to the right name, as when Obsidian renames a note:

```markdown
[[JWT Rotation]], [[jwt-rotatoin]], [[jwt-rotatoin|keys]]
[[jwt-rotation|JWT Rotation]], [[jwt-rotation]], [[jwt-rotation|keys]]
```

Unsafe otherwise: the link is replaced by the text that it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.dangling import dangling
from reme_cli.lint.finding import Problem
from reme_cli.lint.repair import repair
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    for broken in dangling(survey, "note", "outside"):
        source, link = broken.found.source, broken.found.link
        known = repair(survey, broken)
        message: str = known.certainty
        if broken.meaning == "outside" and message != "renamed":
            message = "outside" if message == "default" else "outside-nearest"
        values = {"target": link.target, "nearest": known.nearest or ""}
        yield Problem(source, link.start, link.end, values, message, known.fix)


RULE = Rule(
    code="L001",
    slug="broken-link",
    severity="warning",
    messages={
        "default": {
            "en": "no note `{target}`; write it, or remove the link",
            "zh": "笔记 `{target}` 不存在；请新建该笔记，或移除链接",
        },
        "nearest": {
            "en": "no note `{target}`; is `{nearest}` meant?",
            "zh": "笔记 `{target}` 不存在；是否指 `{nearest}`？",
        },
        "renamed": {
            "en": "no note `{target}` any more: it is now `{nearest}`; link to that",
            "zh": "笔记 `{target}` 已改名为 `{nearest}`；请改为链接到新名称",
        },
        "outside": {
            "en": "`{target}` leads out of the vault; link to a note in it, or to an address",
            "zh": "`{target}` 指向知识库之外；请链接到库内的笔记，或使用网址",
        },
        "outside-nearest": {
            "en": "`{target}` leads out of the vault; is `{nearest}` meant?",
            "zh": "`{target}` 指向知识库之外；是否指 `{nearest}`？",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
)
