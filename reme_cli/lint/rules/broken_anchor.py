"""A link points at a heading, a block or lines that its note does not have.

## Why

The note opens, but at its top: the passage that was meant is not found. Usually the heading was reworded.

A heading is compared as Obsidian does it: letters and digits count, case and punctuation do not, and `#A#B` is a heading B
somewhere below a heading A. The identifiers that GitHub and other sites make of headings are known too.

## Bad

```markdown
<!-- the note tea.md has the heading "Brewing green tea" -->
See [[tea#Brewing]] and [[tea#^temperature]].
```

## Good

```markdown
See [[tea#Brewing green tea]] and [[tea]].
```

## Fix

None: a person knows which passage was meant.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Final

from reme_cli.lint.anchors import Anchors
from reme_cli.lint.finding import Problem
from reme_cli.lint.placeholder import Placeholders
from reme_cli.lint.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.lint.rule import Language
    from reme_cli.lint.survey import Survey

_WITH_ANCHOR: Final = "links.anchor <> '' AND (target.id IS NOT NULL OR links.target = '')"


_HEADINGS: Final = """
    SELECT path, level, heading FROM passages JOIN notes ON notes.id = passages.note
    WHERE level > 0 AND path IN (SELECT value FROM json_each(?))
    ORDER BY path, ordinal
"""


def _check(survey: Survey) -> Iterator[Problem]:
    links = survey.links_where(_WITH_ANCHOR)
    targets = sorted({found.note or found.source for found in links})
    headings: dict[str, list[tuple[int, str]]] = {}
    for path, level, heading in survey.rows(_HEADINGS, json.dumps(targets)) if targets else ():
        headings.setdefault(path, []).append((level, heading))
    known: dict[str, Anchors] = {}
    placeholders: dict[str, Placeholders] = {}
    for found in links:
        link, source, path = found.link, found.source, found.note or found.source
        if path not in known:
            known[path] = Anchors(path, headings.get(path, ()), partial(survey.text, path))
        anchor = link.anchor or ""
        missing = known[path].missing(anchor)
        if missing is None:
            continue
        if source not in placeholders:
            placeholders[source] = Placeholders(survey.text(source) or "")
        if placeholders[source].holds(link):
            continue
        # `##` in a wikilink is Obsidian's search for a heading, of which the anchor has lost one `#`
        shown = f"#{anchor}" if anchor.startswith("#") else anchor
        values, message = {"anchor": shown, "path": path}, str(missing)
        if missing == "heading" and (nearest := known[path].nearest(anchor)):
            values["nearest"], message = nearest, "nearest"
        yield Problem(source, link.start, link.end, values, message)


_HEADING: Final[Mapping[Language, str]] = {
    "en": "{path} has no heading `{anchor}`; name one that is there",
    "zh": "{path} 中没有标题 `{anchor}`；请改为现有标题",
}

RULE = Rule(
    code="L005",
    slug="broken-anchor",
    severity="warning",
    messages={
        "default": _HEADING,
        "heading": _HEADING,
        "nearest": {
            "en": "{path} has no heading `{anchor}`; is `{nearest}` meant?",
            "zh": "{path} 中没有标题 `{anchor}`；是否指 `{nearest}`？",
        },
        "block": {
            "en": "{path} has no block `{anchor}`; mark it there, or link without it",
            "zh": "{path} 中没有块 `{anchor}`；请在该处标记，或去掉块引用",
        },
        "lines": {
            "en": "{path} has no lines `{anchor}`; link to lines that are there",
            "zh": "{path} 中没有行 `{anchor}`；请改为现有的行",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
)
