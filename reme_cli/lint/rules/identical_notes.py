"""Several notes have the same body.

## Why

A copy drifts from its original as soon as one of them is edited, and search finds the same thing twice. The
frontmatter is not compared. Bodies of a few words, of headings, code or comments only (those of MDX, `{/* … */}`, too)
are no copies: that is what templates leave.

## Bad

```text
digest/wiki/jwt.md            Access tokens live for 15 minutes; refresh tokens are rotated …
resource/tokens.md            Access tokens live for 15 minutes; refresh tokens are rotated …
```

## Good

```text
digest/wiki/jwt.md            Access tokens live for 15 minutes; refresh tokens are rotated …
resource/tokens.md            See [[digest/wiki/jwt.md|JWT]].
```

## Fix

None: keep one, and let the links to the others lead to it. It is told at each but the first.
"""

from __future__ import annotations

import hashlib
import json
from itertools import chain
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.vault.spans import is_within, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

MIN_BYTES: Final = 60
"""Letters and digits in running text, as UTF-8: twelve English words, twenty Chinese characters."""

_MDX_COMMENT: Final = ("{/*", "*/}")

# Equal bodies have as many passages under as long headings, and all but the outer ones are as long; blank lines around
# the body are no part of it. They have as many words, too. The words of these are compared before any note is read.
_SIZES: Final = "SELECT id, sz FROM fulltext_docsize ORDER BY id"
_SHAPES: Final = """
    SELECT note, count(*), sum(length(heading)), max(ordinal),
        sum((level > 0) * ("end" - start)) - (level > 0) * ("end" - start)
    FROM passages WHERE note IN (SELECT value FROM json_each(?)) GROUP BY note
"""
_WORDS: Final = """
    SELECT notes.path, fulltext.body FROM notes JOIN fulltext ON fulltext.rowid = notes.id
    WHERE notes.id IN (SELECT value FROM json_each(?)) ORDER BY notes.path
"""


def _check(survey: Survey) -> Iterator[Problem]:
    for paths in survey.once(_alike):
        yield from _same(survey, paths)


def _concerned(survey: Survey) -> tuple[str, ...]:
    return tuple(sorted(chain.from_iterable(survey.once(_alike))))


def _alike(survey: Survey) -> tuple[list[str], ...]:
    """The notes that have the same words as others, with these; only where one of them is looked at."""
    sizes = {note: _last_size(size) for note, size in survey.rows(_SIZES)}
    asked = {sizes[note] for (note,) in survey.rows_of_asked("SELECT id FROM asked") if note in sizes}
    some = [note for note, size in sizes.items() if size in asked]
    by_shape: dict[tuple[object, ...], list[int]] = {}
    for note, number, titles, _, middle in survey.rows(_SHAPES, json.dumps(some)):
        by_shape.setdefault((number, titles, middle, sizes[note]), []).append(note)
    alike = [note for notes in by_shape.values() if len(notes) > 1 for note in notes]
    by_words: dict[bytes, list[str]] = {}
    for path, words in survey.rows(_WORDS, json.dumps(alike)) if alike else ():
        if len(words) * 3 >= MIN_BYTES:
            by_words.setdefault(hashlib.sha256(words.encode()).digest(), []).append(path)
    return tuple(paths for paths in by_words.values() if len(paths) > 1 and any(map(survey.looks_at, paths)))


def _last_size(sizes: bytes) -> bytes:
    """The last of the numbers that FTS5 keeps of a note: how many words the body has, as a varint."""
    start = len(sizes) - 1
    while start > 0 and sizes[start - 1] & 0x80:
        start -= 1
    return sizes[start:]


def _same(survey: Survey, paths: list[str]) -> Iterator[Problem]:
    firsts: dict[str, str] = {}
    for path in paths:
        subject = survey.subject(path)
        if subject is None:
            continue
        block = subject.block
        body = subject.text[block.body_start if block else 0 :].lstrip("\ufeff").strip()
        first = firsts.setdefault(body, path)
        if first != path and _says_something(subject):
            yield Problem(path, values={"other": first})


def _says_something(subject: Subject) -> bool:
    headings = ((heading.start, heading.end) for heading in subject.scan.headings)
    silent = merged(chain(headings, _comments(subject.text)))
    size = 0
    for start, end in subject.prose:
        if not is_within(silent, start):
            size += sum(
                len(character.encode(errors="replace"))
                for character in subject.text[start:end]
                if character.isalnum()
            )
            if size >= MIN_BYTES:
                return True
    return False


def _comments(text: str) -> Iterator[tuple[int, int]]:
    """Where comments of MDX stand."""
    opening, closing = _MDX_COMMENT
    start = text.find(opening)
    while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        yield start, end + len(closing)
        start = text.find(opening, end + len(closing))


RULE = Rule(
    code="S006",
    slug="identical-notes",
    severity="warning",
    messages={
        "default": {
            "en": "the body is the same as that of {other}; keep one, and link it",
            "zh": "正文与 {other} 完全相同；请只保留一份并链接到它",
        }
    },
    check=_check,
    from_notes=True,
    concerned=_concerned,
)
