"""Two files have paths that are the same without regard to case or Unicode form.

## Why

Windows and macOS hold only one of them: a clone or a synchronisation to such a system overwrites one with the other.
Of two names that differ only in their Unicode form, reme too takes only one.

## Bad

```text
digest/wiki/JWT.md
digest/wiki/jwt.md
```

## Good

```text
digest/wiki/jwt.md
digest/wiki/jwt-header.md
```

## Fix

None: rename or merge them by hand. It is told at each but the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule, no_notes
from reme_cli.vault.paths import fold, nfc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey

_SAME_NFC: Final = "another name on disk is the same after NFC"
"""As `vault.walk` says it."""
_ALL: Final = "SELECT path FROM notes UNION SELECT path FROM files ORDER BY path"


def _check(survey: Survey) -> Iterator[Problem]:
    firsts: dict[str, str] = {}
    for (path,) in survey.rows(_ALL):
        first = firsts.setdefault(fold(path), path)
        if first != path:
            yield Problem(path, values={"other": first})
    for skipped in survey.listing.skipped:
        if skipped.reason == _SAME_NFC:
            yield Problem(nfc(skipped.path), message="form")


RULE = Rule(
    code="S003",
    slug="colliding-paths",
    severity="error",
    messages={
        "default": {
            "en": "Windows and macOS take this for {other}; rename one of them",
            "zh": "Windows 和 macOS 会把它与 {other} 当成同一个文件；请给其中一个改名",
        },
        "form": {
            "en": "two names on disk differ only in their Unicode form (NFC, NFD), and reme takes one; rename the other",
            "zh": "磁盘上有两个名称只有 Unicode 形式（NFC、NFD）不同，reme 只读取其中一个；请给另一个改名",
        },
    },
    check=_check,
    from_notes=True,
    concerned=no_notes,
)
