"""The topics of a day, `daily/<date>/interests.yaml`, cannot be read.

## Why

`auto_dream` leaves such a file as it is, so no topic of that day is ever added, and `proactive` tells none. An item
without a title is passed over.

## Bad

```yaml
topics:
- title: Rotation: when?
- reason: it came up twice
```

## Good

```yaml
topics:
- title: "Rotation: when?"
  reason: it came up twice
```

## Fix

None: what was meant is for a person to say. A file that says nothing of value can be removed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.errors import NoteError, PathRefused
from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import line_place
from reme_cli.lint.rule import Rule
from reme_cli.vault.topic_list import FILE_NAME, Flaw, pairs, read_list, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from reme_cli.lint.survey import Survey


def _check(survey: Survey) -> Iterator[Problem]:
    daily = survey.config.folders.daily
    for (path,) in survey.rows("SELECT path FROM files WHERE path LIKE ? ORDER BY path", f"%/{FILE_NAME}"):
        day = survey.vault.day(path)
        if day is None or path != f"{daily}/{day.isoformat()}/{FILE_NAME}":
            continue
        text = survey.text(path)
        if text is not None:
            yield from _in_text(path, text)
        elif _is_other_encoding(survey, path):
            yield Problem(path, message="encoding")


def _in_text(path: str, text: str) -> Iterator[Problem]:
    found = read_list(text)
    if isinstance(found, Flaw):
        start, end = line_place(text, found.line)
        message = "default" if found.kind == "yaml" else found.kind
        yield Problem(path, start, end, {"detail": found.detail}, message)
        return
    for item in found.members or ():
        if not _has_title(item):
            start, end = line_place(text, int(item.start_mark.line) + 1)
            yield Problem(path, start, end, message="item")


def _has_title(item: yaml.Node) -> bool:
    """Whether an item is a mapping with a title, or a bare title."""
    entries = pairs(item)
    title = item if entries is None else entries.get("title")
    return title is not None and bool(scalar(title))


def _is_other_encoding(survey: Survey, path: str) -> bool:
    """Whether a file that gives no text can be read all the same."""
    try:
        survey.vault.read_bytes(path)
    except (NoteError, PathRefused):
        return False
    return True


RULE = Rule(
    code="D001",
    slug="invalid-interests",
    severity="error",
    messages={
        "encoding": {
            "en": "the topics of the day are not UTF-8; convert the file",
            "zh": "当天的主题文件不是 UTF-8 编码；请转换编码",
        },
        "default": {
            "en": "invalid YAML: {detail}; mend it (a value with `: ` or `#` in it needs quotes)",
            "zh": "YAML 无效：{detail}；请修复（含有 `: ` 或 `#` 的值要加引号）",
        },
        "mapping": {
            "en": "no mapping; write `topics:` and a list below it",
            "zh": "不是键值对；请写 `topics:`，并在下面写一个列表",
        },
        "list": {
            "en": "`topics` is no list; write `- title: …` for each topic",
            "zh": "`topics` 不是列表；每个主题请写成 `- title: …`",
        },
        "item": {
            "en": "a topic without a title; add `title: …`",
            "zh": "主题没有标题；请加上 `title: …`",
        },
    },
    check=_check,
)
