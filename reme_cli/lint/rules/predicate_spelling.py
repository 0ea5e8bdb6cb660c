"""A predicate is spelled in several ways in the vault.

## Why

`derived-from` and `derived_from` are one predicate to reme, but two to a person who searches and to tools such as Dataview;
`derivedFrom` is another one to reme too, so its edges are missed by who asks for `derived_from`.

Differences in case alone do not count.

## Bad

```markdown
derived_from:: [[daily/2026-06-20.md]]
derivedFrom:: [[daily/2026-06-21.md]]
```

## Good

```markdown
derived_from:: [[daily/2026-06-20.md]]
derived_from:: [[daily/2026-06-21.md]]
```

## Fix

Safe: the spelling of reme's own predicates, else the most frequent one, is written. A frontmatter key is left alone where
the note has a key of the right spelling already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.graph.conservation import EdgeKey
from reme_cli.lint.finding import Fix, Problem, Replacement
from reme_cli.lint.respell import edge_key
from reme_cli.lint.rule import Rule
from reme_cli.vault import frontmatter
from reme_cli.vault.predicate import canonical_predicate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.index.rows import IndexedLink
    from reme_cli.lint.survey import Survey

KNOWN: Final = (
    "derived_from", "related_to", "belongs_to", "caused_by", "contradicts", "evolved_from", "is_a", "extends",
)  # fmt: skip
"""The predicates that flows give a meaning (notes-and-links)."""

MAX_LINE: Final = 10_000
"""How far before a link its predicate is looked for."""


def _check(survey: Survey) -> Iterator[Problem]:
    right = _right_spellings(survey)
    told: dict[tuple[str, int], list[IndexedLink]] = {}
    for spelling in sorted(right):
        for found in survey.links_where("links.spelling = ?", spelling):
            place = _place_of(survey, found)
            if place is not None:
                told.setdefault((found.source, place), []).append(found)
    for (source, start), links in sorted(told.items(), key=lambda each: each[0]):
        spelling = links[0].link.spelling or ""
        yield Problem(
            source,
            start,
            start + len(spelling),
            {"spelling": spelling, "right": right[spelling]},
            fix=_fix(survey, links, start, right[spelling]),
        )


def _right_spellings(survey: Survey) -> dict[str, str]:
    """For each spelling that should be another one, that one."""
    groups: dict[str, dict[str, int]] = {}
    for spelling, count in survey.rows(
        "SELECT spelling, count(*) FROM links WHERE spelling IS NOT NULL GROUP BY spelling ORDER BY spelling"
    ):
        groups.setdefault(_joined(spelling), {})[spelling] = count
    known = {_joined(predicate): predicate for predicate in KNOWN}
    right: dict[str, str] = {}
    for joined, counts in groups.items():
        best = known.get(joined) or max(sorted(counts), key=lambda spelling: counts[spelling])
        if len({spelling.lower() for spelling in counts}) > 1:
            right |= {spelling: best for spelling in counts if spelling.lower() != best.lower()}
    return right


def _joined(spelling: str) -> str:
    return canonical_predicate(spelling).replace("_", "")


def _place_of(survey: Survey, found: IndexedLink) -> int | None:
    """Where the predicate of a link is spelled."""
    text, link = survey.text(found.source), found.link
    if text is None or link.spelling is None:
        return None
    word = re.escape(link.spelling)
    if link.kind == "frontmatter":
        block = frontmatter.split(text)
        keys = re.compile(rf"^{word}(?=[ \t]*:)", re.MULTILINE)
        key = keys.search(text, block.yaml_start, block.yaml_end) if block else None
        return key.start() if key else None
    place = text.rfind(f"{link.spelling}::", max(0, link.start - MAX_LINE), link.start)
    is_near = place >= 0 and not re.search(r"[\r\n]", text[place : link.start])
    return place if is_near else None


def _fix(survey: Survey, links: list[IndexedLink], start: int, right: str) -> Fix | None:
    source, link = links[0].source, links[0].link
    if link.kind == "frontmatter":
        text = survey.text(source) or ""
        block = frontmatter.split(text)
        taken = re.compile(rf"""^["']?{re.escape(right)}["']?[ \t]*:""", re.MULTILINE | re.IGNORECASE)
        if block is None or taken.search(text, block.yaml_start, block.yaml_end):
            return None
    edges = []
    for found in links:
        old = edge_key(found.link, found.note or found.file)
        new = EdgeKey(old.target, canonical_predicate(right))
        if new != old:
            edges.append((old, new))
    replacement = Replacement(source, start, start + len(link.spelling or ""), right)
    return Fix((replacement,), edges=tuple(dict.fromkeys(edges)))


RULE = Rule(
    code="L011",
    slug="predicate-spelling",
    severity="warning",
    messages={
        "default": {
            "en": "`{spelling}` is spelled `{right}` elsewhere; write `{right}`",
            "zh": "`{spelling}` 在别处写作 `{right}`；请统一写为 `{right}`",
        }
    },
    check=_check,
    from_notes=True,
)
