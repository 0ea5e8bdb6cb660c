"""A short link could mean several notes.

## Why

Which of them it leads to depends on where they lie and how long their paths are. A new note, or one that is moved, can
turn the link to another note without anybody touching it.

## Bad

```markdown
<!-- there are notes projects/alpha/plan.md and projects/beta/plan.md -->
See the [[plan]].
```

## Good

```markdown
See the [[projects/alpha/plan.md|plan]].
```

## Fix

Safe: the full path of the note that the link leads to now is written, and what the link shows stays. A wrong case is
mended by the same fix, and not told by `wrong-case` as well.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.respell import respelled
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

SHOWN: Final = 3
"""How many other notes the message names."""

_MAY_BE_AMBIGUOUS: Final = "links.resolved IS NOT NULL AND links.key IN (SELECT value FROM json_each(?))"
_SHARED: Final = "SELECT key FROM notes GROUP BY key HAVING count(*) > 1 ORDER BY key"


def _check(survey: Survey) -> Iterator[Problem]:
    keys = survey.everywhere.once(_shared_keys)
    for found in survey.links_where(_MAY_BE_AMBIGUOUS, json.dumps(keys)) if keys else ():
        link = found.link
        resolution = survey.names.resolve(link, found.source)
        if not resolution.ambiguous or resolution.path is None:
            continue
        others = [path for path in resolution.candidates if path != resolution.path]
        values = {
            "target": link.target,
            "path": resolution.path,
            "others": ", ".join(others[:SHOWN]) + (", …" if len(others) > SHOWN else ""),
        }
        text = survey.text(found.source)
        replacement = text and respelled(
            text, found, resolution.path, survey.names, is_full=True, keeps_shown=True
        )
        fix = Fix((replacement,)) if replacement else None
        yield Problem(found.source, link.start, link.end, values, fix=fix)


def _shared_keys(survey: Survey) -> list[str]:
    """The keys that more than one note has."""
    return [key for (key,) in survey.rows(_SHARED)]


RULE = Rule(
    code="L002",
    slug="ambiguous-link",
    severity="warning",
    messages={
        "default": {
            "en": "`{target}` leads to {path} but could mean {others}; write the full path",
            "zh": "`{target}` 指向 {path}，但也可能指 {others}；请写完整路径",
        }
    },
    check=_check,
    instead_of=frozenset({"L006"}),
    from_notes=True,
    reach="note",
)
