"""A digest note is in no bucket that the vault knows.

## Why

A digest note is `digest/<bucket>/<name>.md`; the buckets are those of `digest.buckets` in vault.yaml. A note beside
them is in no bucket's listing, and `auto_dream` makes none there.

## Bad

```text
digest/jwt-rotation.md
digest/wikis/jwt-rotation.md
```

## Good

```text
digest/wiki/jwt-rotation.md
```

## Fix

None: the note has to be moved together with the links to it, or the bucket to be added to vault.yaml.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final

from reme_cli.lint.finding import Problem
from reme_cli.lint.rule import Rule, no_notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Survey


_IN_NO_BUCKET: Final = "SELECT path FROM notes WHERE layer = 'digest' AND bucket IS NULL ORDER BY path"


def _check(survey: Survey) -> Iterator[Problem]:
    digest, buckets = survey.config.folders.digest, list(survey.config.digest.buckets)
    for (path,) in survey.rows(_IN_NO_BUCKET):
        folder, slash, _ = path.removeprefix(f"{digest}/").partition("/")
        listed = ", ".join(buckets)
        if not slash:
            yield Problem(path, values={"digest": digest, "buckets": listed}, message="no-bucket")
            continue
        near = difflib.get_close_matches(folder.casefold(), buckets, n=1)
        values = {"folder": f"{digest}/{folder}", "buckets": listed, "near": f"{digest}/{(near or [''])[0]}"}
        yield Problem(path, values=values, message="near" if near else "default")


RULE = Rule(
    code="S001",
    slug="unknown-bucket",
    severity="warning",
    messages={
        "default": {
            "en": "`{folder}` is no bucket; move the note to one of {buckets}, or add the bucket to vault.yaml",
            "zh": "`{folder}` 不是已知的分类；请把笔记移到 {buckets} 之一，或在 vault.yaml 里添加该分类",
        },
        "near": {
            "en": "`{folder}` is no bucket; move the note to `{near}`, or add the bucket to vault.yaml",
            "zh": "`{folder}` 不是已知的分类；请把笔记移到 `{near}`，或在 vault.yaml 里添加该分类",
        },
        "no-bucket": {
            "en": "the note is directly in `{digest}`; move it to one of {buckets}",
            "zh": "笔记直接放在 `{digest}` 里；请移到 {buckets} 之一",
        },
    },
    check=_check,
    from_notes=True,
    concerned=no_notes,
)
