"""A file is the copy that a synchronisation or merge made of a note because two versions were in conflict.

## Why

Half of the truth is in each of the two. Links and search keep finding the older one, and sooner or later someone
deletes the wrong file. Known are the names given by Syncthing, Dropbox, Nextcloud, ownCloud, Seafile, Nutstore,
Obsidian Sync, Synology, by git and its merge tools (`.orig`, `_BACKUP_1234`), and by reme itself (`(reme conflict …)`); and the
`Note 2.md` that iCloud puts beside `Note.md`, where nearly every line of the two is the same.

## Bad

```text
digest/wiki/jwt.md
digest/wiki/jwt.sync-conflict-20260620-101500-ABCDEFG.md
```

## Good

```text
digest/wiki/jwt.md
```

## Fix

None: compare the two, take over what is missing, remove the copy.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault.paths import NOTE_SUFFIX, folder_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_MARKS: Final = "onflict", "冲突", "衝突", "_BACKUP_", "_BASE_", "_LOCAL_", "_REMOTE_", ".orig"
_COPY: Final = regex(
    r"""
    (?P<name>.+?)
    (?:
        \.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?                   # Syncthing
      | [ ]?\([^()]*(?:\([^()]*\)[^()]*)?conflicted[ ]copy[^()]*\)     # Dropbox, Nextcloud, Obsidian Sync
      | [ ]?[(（][^()（）]*(?:冲突|衝突)的?(?:副本|複本|拷贝)[^()（）]*[)）]  # Dropbox, Nutstore in Chinese
      | [ ]?\((?:reme[ ]|SF|[^()]*'s[ ])conflict[ ][^()]*\d[^()]*\)     # reme, Seafile, Synology
      | _conflict-\d{8}-\d{6}                                          # ownCloud
      | _[^_]+_[A-Z][a-z]{2}-\d{2}-\d{4}-\d{4}_Conflict                # Synology Drive
      | [ ]\((?:case|unicode[ ]encoding|whitespace|selective[ ]sync)[ ]conflict[^()]*\)     # Dropbox
      | (?P<tool>_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+)                    # git mergetool
    )
    (?P<suffix>\.[^./]*)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERED: Final = regex(r"(.+) [2-9]\.md")
_FEW_LINES: Final = 8
"""Of so few, most are what a template says."""


def _check(survey: Survey) -> Iterator[Problem]:
    notes = set(survey.paths)
    files = [path for (path,) in survey.rows("SELECT path FROM files ORDER BY path")]
    # hardly any vault holds one: all paths at once are looked through in no time
    together = "\n".join((*notes, *files))
    marks = [mark for mark in _MARKS if mark in together]
    for path in (*sorted(notes), *files) if marks else ():
        if any(mark in path for mark in marks) and (original := _original(path, notes)):
            yield Problem(path, values={"original": original})
    for path in sorted(path for path in notes if path[-5:-4] == " "):
        if (found := _NUMBERED.fullmatch(path)) and f"{found[1]}{NOTE_SUFFIX}" in notes:
            original = f"{found[1]}{NOTE_SUFFIX}"
            if _nearly_same(survey.text(path), survey.text(original)):
                yield Problem(path, values={"original": original}, message="numbered")


def _original(path: str, notes: set[str]) -> str | None:
    """The path of the note that a copy of this name was made of; `None` where the name is no copy's."""
    name = name_of(path)
    if name.endswith(f"{NOTE_SUFFIX}.orig"):
        return path.removesuffix(".orig")
    found = _COPY.fullmatch(name)
    if found is None or found["suffix"] != NOTE_SUFFIX:
        return None
    original = f"{folder_of(path)}/{found['name']}{NOTE_SUFFIX}".removeprefix("/")
    return None if found["tool"] and original not in notes else original


def _nearly_same(one: str | None, other: str | None) -> bool:
    lines, others = (
        {line.strip() for line in (text or "").splitlines() if line.strip()} for text in (one, other)
    )
    return len(lines) >= _FEW_LINES and len(lines & others) >= 0.9 * max(len(lines), len(others))


RULE = Rule(
    code="E004",
    slug="conflict-copy",
    severity="warning",
    messages={
        "default": {
            "en": "a conflict copy of {original}; take over what it has more, and remove it",
            "zh": "{original} 的冲突副本；请合并其中多出的内容，然后删除",
        },
        "numbered": {
            "en": "nearly the same as {original}, perhaps a copy made by a synchronisation; merge the two",
            "zh": "与 {original} 几乎相同，可能是同步产生的副本；请合并",
        },
    },
    check=_check,
    from_notes=True,
)
