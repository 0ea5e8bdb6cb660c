"""A source of a digest note does not exist.

## Why

The note rests on something that cannot be looked at any more. Any link of a digest note into `daily/` or `resource/`
names a source, and so does a `derived_from` that does not say that it leads into `digest/`. This is signal D10 of `maintain`.

That the link leads nowhere would also be told by `broken-link` or `missing-attachment` (D1). Of one link one rule tells, the
graver one: those two are silent where this one is run, unless a comment or `vault.yaml` switches this one off there.

## Bad

```markdown
derived_from:: [[daily/2026-06-20/sesion.md]]
```

## Good

```markdown
derived_from:: [[daily/2026-06-20/session.md]]
```

## Fix

As of `broken-link`: safe where it is beyond doubt which note is meant, else unsafe, to the text that the link shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.dangling import dangling
from reme_cli.lint.finding import Problem
from reme_cli.lint.repair import repair
from reme_cli.lint.rule import Rule
from reme_cli.lint.sources import is_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_NOWHERE: Final = (
    "source.layer = 'digest' AND links.resolved IS NULL AND links.file IS NULL AND links.target <> ''"
)


def _check(survey: Survey) -> Iterator[Problem]:
    missing = {
        (found.source, found.link.start) for found in survey.links_where(_NOWHERE) if is_source(survey, found)
    }
    # what leads nowhere and should is costly to tell
    for broken in dangling(survey, "note", "outside", "attachment") if missing else ():
        source, link = broken.found.source, broken.found.link
        if (source, link.start) in missing:
            known = repair(survey, broken)
            values = {"target": link.target, "nearest": known.nearest or ""}
            yield Problem(source, link.start, link.end, values, known.certainty, known.fix)


RULE = Rule(
    code="P002",
    slug="missing-source",
    severity="error",
    messages={
        "default": {
            "en": "the source `{target}` does not exist; restore it, or name what the note rests on",
            "zh": "来源 `{target}` 不存在；请恢复它，或改为这篇笔记真正的依据",
        },
        "nearest": {
            "en": "the source `{target}` does not exist; is `{nearest}` meant?",
            "zh": "来源 `{target}` 不存在；是否指 `{nearest}`？",
        },
        "renamed": {
            "en": "the source `{target}` does not exist any more: it is now `{nearest}`; link to that",
            "zh": "来源 `{target}` 已改名为 `{nearest}`；请改为链接到新名称",
        },
    },
    instead_of=frozenset({"L001", "L010"}),
    check=_check,
    from_notes=True,
    reach="note",
)
