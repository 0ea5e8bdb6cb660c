"""A link spells its target in other upper and lower case letters than the file's name.

## Why

reme and Obsidian follow the link all the same. A web server, a Linux tool or a script that takes the target for a
path does not.

## Bad

```markdown
<!-- there is a note digest/wiki/JWT.md -->
See [[digest/wiki/jwt.md]].
```

## Good

```markdown
See [[digest/wiki/JWT.md]].
```

## Fix

Safe, of a link to a note: the target is written as the file's name is. What the link leads to stays, and so does what it
shows, as its label, unless that is a path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.respell import respelled
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.index.rows import IndexedLink
    from reme_cli.lint.survey import Survey

# what a target spells is the end of the path that it means, but for the letters' case (and `./`, `%20`, NFD)
_MAY_DIFFER: Final = """
    links.target <> '' AND coalesce(target.path, links.file) IS NOT NULL
    AND substr('/' || coalesce(target.path, links.file), -length('/' || links.target)) <> '/' || links.target
    AND substr('/' || target.path, -length('/' || links.target || '.md')) IS NOT '/' || links.target || '.md'
"""


def _check(survey: Survey) -> Iterator[Problem]:
    for found in survey.links_where(_MAY_DIFFER):
        link = found.link
        resolution = survey.names.resolve(link, found.source)
        if resolution.exact_case or resolution.path is None:
            continue
        values = {"target": link.target, "path": resolution.path}
        yield Problem(found.source, link.start, link.end, values, fix=_fix(survey, found, resolution.path))


def _fix(survey: Survey, found: IndexedLink, path: str) -> Fix | None:
    text = survey.text(found.source)
    if text is None or path not in survey.names.notes:
        return None
    replacement = respelled(
        text,
        found,
        path,
        survey.names,
        is_full=survey.is_digest(found.source),
        keeps_shown="/" not in found.link.target,
    )
    return None if replacement is None else Fix((replacement,))


RULE = Rule(
    code="L006",
    slug="wrong-case",
    severity="info",
    messages={
        "default": {
            "en": "`{target}` differs from {path} in upper and lower case; spell it like that",
            "zh": "`{target}` 与 {path} 的大小写不一致；请与之保持一致",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
