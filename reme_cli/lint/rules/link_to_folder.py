"""A link leads to a folder instead of a note.

## Why

A folder is not a note: the link is no edge, and what opens depends on the program. Obsidian offers to make a note of
that name; a web view lists the folder.

## Bad

```markdown
See [the guides](guides/) and [[projects/alpha/]].
```

## Good

```markdown
See [the guides](guides/README.md) and [[projects/alpha/alpha.md|alpha]].
```

## Fix

Unsafe, where the folder has exactly one note that stands for it (named like the folder, `index.md`, `_index.md` or
`README.md`): the link leads to that note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.dangling import dangling
from reme_cli.lint.finding import Fix, Problem
from reme_cli.lint.respell import edge_key, respelled
from reme_cli.lint.rule import Rule
from reme_cli.vault.paths import fold, folder_of, name_of, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.dangling import Dangling
    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    of_folders: dict[str, list[str]] | None = None
    for broken in dangling(survey, "folder"):
        of_folders = of_folders or _notes_of_folders(survey)
        notes = of_folders.get(broken.folder or "", [])
        link = broken.found.link
        values, message, fix = {"target": link.target}, "default", None
        if len(notes) == 1:
            values["note"], message = notes[0], "note"
            fix = _fix(survey, broken, notes[0])
        yield Problem(broken.found.source, link.start, link.end, values, message, fix)


def _fix(survey: Survey, broken: Dangling, note: str) -> Fix | None:
    link = broken.found.link
    is_full = survey.is_digest(broken.found.source)
    replacement = respelled(broken.text, broken.found, note, survey.names, is_full=is_full)
    if replacement is None:
        return None
    return Fix((replacement,), is_safe=False, edges=((edge_key(link), edge_key(link, note)),))


def _notes_of_folders(survey: Survey) -> dict[str, list[str]]:
    """For each folder the notes that stand for it."""
    found: dict[str, list[str]] = {}
    for path in survey.paths:
        folder = folder_of(path)
        if fold(stem_of(path)) in {fold(name_of(folder)), "index", "_index", "readme"}:
            found.setdefault(folder, []).append(path)
    return found


RULE = Rule(
    code="L009",
    slug="link-to-folder",
    severity="warning",
    messages={
        "default": {
            "en": "`{target}` is a folder; link to a note in it",
            "zh": "`{target}` 是文件夹；请链接到其中的笔记",
        },
        "note": {
            "en": "`{target}` is a folder; link to {note}",
            "zh": "`{target}` 是文件夹；请链接到 {note}",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
)
