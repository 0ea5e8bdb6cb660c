"""A link leads to a note that does not exist.

## Why

The reader who follows it ends nowhere, and reme loses the relation: what the link says is in no graph and in no search
result. Usually the note was renamed, moved or deleted, or its name was mistyped.

What a template fills in (`{{date}}`, `<% … %>`) is not looked at, nor are code, comments, math and addresses.

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
off, and no other name is near.

Unsafe otherwise: the link is replaced by the text that it shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.dangling import dangling
from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.nearest import Nearest, Suggestion
from reme_cli.lint.respell import edge_key, respelled, unlinked
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.dangling import Dangling
    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    for broken in dangling(survey, "note", "outside"):
        found = broken.found
        values = {"target": found.link.target}
        message = "outside" if broken.meaning == "outside" else "default"
        suggestion = None
        if successor := survey.successor(found.link, found.source):
            suggestion, message = Suggestion(successor, "moved", is_certain=True), "renamed"
        else:
            suggestion = survey.once(Nearest).find(found.link, found.source)
            if suggestion is not None:
                message = "outside-nearest" if broken.meaning == "outside" else "nearest"
        if suggestion is not None:
            values["nearest"] = suggestion.path
        link = found.link
        yield Problem(
            found.source, link.start, link.end, values, message, fix=_fix(survey, broken, suggestion, message)
        )


def _fix(survey: Survey, broken: Dangling, suggestion: Suggestion | None, message: str) -> Fix | None:
    found, text, link = broken.found, broken.text, broken.found.link
    # what leads out of the vault, or from a site's root, may well exist there
    is_elsewhere = message == "outside-nearest" or (link.kind == "markdown" and link.target.startswith("/"))
    if suggestion is not None and suggestion.is_certain and (message == "renamed" or not is_elsewhere):
        replacement = respelled(
            text,
            found,
            suggestion.path,
            survey.names,
            is_full=survey.is_digest(found.source),
            # a name that somebody chose for the text stays there; a slip of the hand does not
            keeps_shown=suggestion.way == "named",
        )
        if replacement is not None:
            return Fix((replacement,), edges=((edge_key(link), edge_key(link, suggestion.path)),))
    shown = unlinked(text, found)
    return None if shown is None else Fix((shown,), is_safe=False, edges=((edge_key(link), None),))


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
