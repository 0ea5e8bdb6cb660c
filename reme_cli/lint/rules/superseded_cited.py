"""A note that another one replaced is still cited.

## Why

A note that says `evolved_from` or `supersedes` takes the place of the one it names; so does the one that a note names as
`superseded_by`. Whoever follows a link to the old one gets what does not hold any more.

## Bad

```markdown
<!-- digest/wiki/rotation-v2.md -->
evolved_from:: [[digest/wiki/rotation-v1.md]]

<!-- digest/wiki/gateway.md -->
Keys change by [[digest/wiki/rotation-v1.md|rotation]].
```

## Good

```markdown
<!-- digest/wiki/gateway.md -->
Keys change by [[digest/wiki/rotation-v2.md|rotation]].
```

## Fix

None: the new note may say something else about the matter. A note that links the new one as well knows of the change, and
is left alone; so are daily notes and sources, which tell what was true then.
"""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reme_cli.lint.survey import Survey

# CROSS JOIN: the few links first
_REPLACED: Final = """
    SELECT target.path, source.path, links.predicate = 'superseded_by'
    FROM links CROSS JOIN notes AS source ON source.id = links.note CROSS JOIN notes AS target ON target.id = links.resolved
    WHERE links.predicate IN ('evolved_from', 'supersedes', 'superseded_by') AND source.id <> target.id
    AND ifnull(source.layer, 'digest') = 'digest' AND ifnull(target.layer, 'digest') = 'digest'
    ORDER BY source.path, links.ordinal
"""


# of links to any of these notes
_CITING: Final = """
    SELECT target.path, source.path, links.start, links."end"
    FROM links JOIN notes AS source ON source.id = links.note JOIN notes AS target ON target.id = links.resolved
    WHERE links.resolved IN (SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(?)))
    AND ifnull(source.layer, 'digest') = 'digest'
    ORDER BY source.path, links.ordinal
"""


def _check(survey: Survey) -> Iterator[Problem]:
    direct: dict[str, list[str]] = {}
    for target, source, is_inverse in survey.rows(_REPLACED):
        old, new = (source, target) if is_inverse else (target, source)
        direct.setdefault(old, []).append(new)
    involved = sorted({*direct, *chain.from_iterable(direct.values())})
    citing: dict[str, dict[str, tuple[int, int]]] = {}
    for target, source, start, end in survey.rows(_CITING, json.dumps(involved)) if involved else ():
        citing.setdefault(target, {}).setdefault(source, (start, end))
    for old in sorted(direct):
        newer = _closure(direct, direct[old])
        if old in newer:  # each replaces the other: neither is out of date
            continue
        for source, (start, end) in citing.get(old, {}).items():
            if source == old or source in newer or any(source in citing.get(new, ()) for new in newer):
                continue
            yield Problem(source, start, end, {"old": old, "new": direct[old][0]})


def _closure(direct: Mapping[str, Iterable[str]], start: Iterable[str]) -> set[str]:
    """All that replaced a note, or what replaced it."""
    found: set[str] = set()
    todo = list(start)
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += direct.get(path, ())
    return found


RULE = Rule(
    code="C003",
    slug="superseded-cited",
    severity="warning",
    messages={
        "default": {
            "en": "{old} was replaced by {new}; link to that, or to both",
            "zh": "{old} 已被 {new} 取代；请改为链接到后者，或同时链接两者",
        }
    },
    check=_check,
    from_notes=True,
)
