"""A note's file is not valid UTF-8.

## Why

Such a note cannot be read: it is in no search, no link leads from it, and reme never writes it. Mostly it was saved by
an old editor, or is another kind of file with the name of a note.

## Bad

```text
notes.md: ISO-8859 text
```

## Good

```text
notes.md: UTF-8 Unicode text
```

## Fix

None, since the right encoding is a guess: `iconv -f GB18030 -t UTF-8 notes.md` converts, once you know it.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

from reme_cli.errors import NoteError, PathRefused
from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_HAN: Final = regex("[\u4e00-\u9fff]")
_LETTER: Final = regex("[\u00c0-\u024f]")

_UNREADABLE: Final = "SELECT path FROM notes WHERE problem IS NOT NULL AND id IN asked ORDER BY path"


def _check(survey: Survey) -> Iterator[Problem]:
    for (path,) in survey.rows_of_asked(_UNREADABLE):
        try:
            data = survey.vault.read_bytes(path)
        except (NoteError, PathRefused):
            continue
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            encoding = _likely(data)
            yield Problem(
                path,
                values={"line": line, "byte": f"0x{data[error.start]:02x}", "encoding": encoding or ""},
                message="likely" if encoding else "default",
            )


def _likely(data: bytes) -> str | None:
    """The encoding that the bytes make sense in; `None` where that is not clear."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    if b"\0" in data:
        return None
    try:
        if _HAN.search(data.decode("gb18030")) and sum(byte > 0x7F for byte in data) > 3:
            return "GB18030"
    except UnicodeDecodeError:
        pass
    return "Windows-1252" if _LETTER.search(data.decode("cp1252", errors="replace")) else None


RULE = Rule(
    code="E001",
    slug="not-utf8",
    severity="error",
    messages={
        "default": {
            "en": "not UTF-8: byte {byte} in line {line}; save the note as UTF-8",
            "zh": "不是 UTF-8：第 {line} 行有字节 {byte}；请另存为 UTF-8",
        },
        "likely": {
            "en": "not UTF-8: byte {byte} in line {line}, perhaps {encoding}; save the note as UTF-8",
            "zh": "不是 UTF-8：第 {line} 行有字节 {byte}，可能是 {encoding}；请另存为 UTF-8",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
)
