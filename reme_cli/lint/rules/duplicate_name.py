"""A name or alias belongs to several notes.

## Why

A search for it, a mention of it and a link by it can mean any of them: `auto_link` leaves such a name alone, and
`auto_dream` may add to the wrong note. Names and aliases are compared without regard to case. That two files in
different folders are called the same is no matter of this rule, nor is what daily notes and sources are named.

## Bad

```markdown
<!-- digest/wiki/jwt.md -->
---
name: JWT
aliases: [access token]
---

<!-- digest/wiki/oauth.md -->
---
name: OAuth
aliases: [access token]
---
```

## Good

```markdown
<!-- digest/wiki/oauth.md -->
---
name: OAuth
aliases: [OAuth access token]
---
```

## Fix

None. It is told where the name is taken a second time: the note whose file is called so comes first, then the one
that sorts first.
"""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import property_place
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

# What a file is called is the name of a digest note; of other notes it counts only against what others are named.
_IS_WEAK: Final = "(names.kind = 'file' AND notes.layer IS NULL)"
_CLAIMS: Final = """
    names JOIN notes ON notes.id = names.note
    WHERE names.kind IN ('file', 'name', 'alias') AND ifnull(notes.layer, 'digest') = 'digest'
"""
_SHARED: Final = f"""
    SELECT names.key, path, names.kind, names.text, {_IS_WEAK} FROM {_CLAIMS} AND names.key IN (
        SELECT names.key FROM {_CLAIMS} AND names.key IN (SELECT names.key FROM names WHERE note IN asked)
        GROUP BY names.key HAVING count(DISTINCT path) > 1 AND NOT min({_IS_WEAK})
    )
    ORDER BY names.key, names.kind <> 'file', path
"""  # noqa: S608  constants only


_NEXT_KEY: Final = regex(r"[\r\n](?=[^\s\-\]#])")
_ON_LINES: Final = regex(r"(?:^[ \t]*-|:)[ \t]([^\r\n]+)", re.MULTILINE)
_IN_BRACKETS: Final = regex(r"([^,\[\]\r\n]+)")


def _check(survey: Survey) -> Iterator[Problem]:
    spelled: dict[tuple[str, str], _Spelled] = {}
    for _, rows in groupby(survey.rows_of_asked(_SHARED), key=itemgetter(0)):
        (_, first, _, _, first_is_weak), *others = rows
        told = {first}
        for _, path, kind, text, is_weak in others:
            if path in told or is_weak or (kind == "file" and first_is_weak):
                continue
            told.add(path)
            subject = survey.subject(path) if survey.looks_at(path) else None
            if subject is not None:
                if (path, kind) not in spelled:
                    spelled[path, kind] = _Spelled(subject, kind)
                start, end = spelled[path, kind].place(text)
                yield Problem(path, start, end, {"name": text, "other": first})


class _Spelled:
    """Where the frontmatter of a note spells names of one kind, of which it may have thousands."""

    def __init__(self, subject: Subject, kind: str) -> None:
        keys = ("aliases", "alias") if kind == "alias" else ("name",)
        self._text = subject.text
        self._line = next(filter(any, (property_place(subject, key) for key in keys)), (0, 0))
        self._items: dict[str, tuple[int, int]] = {}
        """What stands on a line of its own, or between commas, without a comment."""
        self._start = self._end = 0
        """From where to where the value is."""
        start, end = self._line
        if subject.block is not None and end:
            next_key = _NEXT_KEY.search(self._text, end, subject.block.yaml_end)
            self._start = self._text.find(":", start)
            self._end = next_key.start() if next_key else subject.block.yaml_end
            in_brackets = self._text[self._start + 1 : end].lstrip().startswith("[")
            for found in (_IN_BRACKETS if in_brackets else _ON_LINES).finditer(
                self._text, self._start + in_brackets, self._end
            ):
                item = _unquoted(found[1].partition(" #")[0].strip())
                place = found.start(1) + found[1].index(item)
                self._items.setdefault(item, (place, place + len(item)))

    def place(self, name: str) -> tuple[int, int]:
        """Where the name is spelled, else the line of its key."""
        if name in self._items:
            return self._items[name]
        found = self._text.find(name, self._start, self._end)
        return (found, found + len(name)) if found >= 0 else self._line


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


RULE = Rule(
    code="F005",
    slug="duplicate-name",
    severity="warning",
    messages={
        "default": {
            "en": "`{name}` is also a name of {other}; keep it for one of them, or merge the notes",
            "zh": "`{name}` 也是 {other} 的名称；请只留给其中一篇，或合并这两篇笔记",
        }
    },
    check=_check,
    from_notes=True,
    reach="note",
)
