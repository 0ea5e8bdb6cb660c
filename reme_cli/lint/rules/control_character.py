"""A note holds NUL or another control character.

## Why

It is invisible, and not meant: it comes from a terminal, a PDF or a damaged disk. git takes a file with NUL for binary,
YAML and JSON refuse control characters, and a word with one in it is not found. Tab, line endings and form feed are
none of them.

## Bad

```text
Access to<NUL>kens live for 15 minutes.
```

## Good

```text
Access tokens live for 15 minutes.
```

## Fix

None: the character may stand in the place of another. It is told once a note, where the first one stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_CONTROL: Final = regex("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
# Taking bytes out of a text is several times faster than looking for them; 0xC2 begins U+0080 to U+00BF.
_HARMLESS: Final = b"\t\n\r\f" + bytes(range(0x20, 0x7F)) + bytes(set(range(0x80, 0x100)) - {0xC2})


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    if not subject.text.encode(errors="replace").translate(None, _HARMLESS):
        return
    found = _CONTROL.search(subject.text)
    if found is None:
        return
    count = len(_CONTROL.findall(subject.text))
    values: dict[str, str | int] = {"code": f"U+{ord(found[0]):04X}", "more": count - 1}
    message = "default" if count == 1 else "several"
    yield Problem(subject.path, found.start(), found.end(), values, message)


RULE = Rule(
    code="E002",
    slug="control-character",
    severity="warning",
    messages={
        "default": {
            "en": "a control character ({code}); remove it",
            "zh": "控制字符（{code}）；请删除",
        },
        "several": {
            "en": "a control character ({code}), and {more} more in this note; remove them",
            "zh": "控制字符（{code}），这篇笔记里另有 {more} 个；请删除",
        },
    },
    check_note=_check_note,
)
