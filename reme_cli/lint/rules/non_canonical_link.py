"""A link in the digest layer does not name its note by the full path.

## Why

Digest notes are written and rewritten by reme, by people and by other tools. A full path means the same note to all of
them, whatever else is added, and it can be found and renamed as plain text.

## Bad

```markdown
See [[jwt-rotation]] and [key rotation](key-rotation.md).
```

## Good

```markdown
See [[digest/wiki/jwt-rotation.md|jwt-rotation]] and [[digest/wiki/key-rotation.md|key rotation]].
```

## Fix

Safe: the link is written as a wikilink with the full path of the note that it leads to; what it shows stays. A wrong case
is mended by the same fix, and not told by `wrong-case` as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.respell import as_wikilink, respelled
from reme_cli.lint.rule import Rule
from reme_cli.vault.paths import fold, nfc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_IN_DIGEST: Final = (
    "source.layer = 'digest' AND target.id IS NOT NULL AND links.target <> ''"
    " AND links.kind <> 'image' AND (links.kind = 'markdown' OR links.target <> target.path)"
)


def _check(survey: Survey) -> Iterator[Problem]:
    for found in survey.links_where(_IN_DIGEST):
        link, path = found.link, found.note
        text = survey.text(found.source)
        if path is None or text is None:
            continue
        if link.kind == "markdown":
            replacement = as_wikilink(text, found, path)
        elif fold(link.target) == fold(path) or survey.names.resolve(link, found.source).ambiguous:
            continue  # L006 or L002 tells of it, and mends it
        else:
            replacement = respelled(text, found, path, survey.names, is_full=True, keeps_shown=True)
        yield Problem(
            found.source,
            link.start,
            link.end,
            {"target": nfc(link.target), "path": path},
            fix=Fix((replacement,)) if replacement else None,
        )


RULE = Rule(
    code="L003",
    slug="non-canonical-link",
    severity="warning",
    messages={
        "default": {
            "en": "`{target}` is not the full path; write `[[{path}]]`",
            "zh": "`{target}` 不是完整路径；应写为 `[[{path}]]`",
        }
    },
    check=_check,
    instead_of=frozenset({"L006"}),
    from_notes=True,
    reach="note",
)
