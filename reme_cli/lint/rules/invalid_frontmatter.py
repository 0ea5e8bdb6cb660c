"""The YAML between the `---` lines at the head of a note cannot be read.

## Why

A note whose frontmatter is broken has no name, no description, no aliases and no tags: it is found by its file name
only, and reme does not touch the block. Links in it still count. The line that is told is the one where reading
stopped; the mistake may stand above it.

A `---` on the first line opens frontmatter also where a rule across the page was meant: with a blank line above it, it is
one.

What a template fills in later (`{{date}}`, `<% … %>`, `{% … %}`) is no mistake, except in the digest, where nothing
is a template.

## Bad

```markdown
---
name: Tokens: how they rotate
---
```

## Good

```markdown
---
name: "Tokens: how they rotate"
---
```

## Fix

None: only the author knows what was meant. Most often a value with `: ` or ` #` in it lacks quotes, a tab indents a
line, or the closing `---` is missing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.errors import FrontmatterError
from reme_cli.lint.finding import Problem
from reme_cli.lint.properties import line_place
from reme_cli.lint.rule import Rule
from reme_cli.regex import regex
from reme_cli.vault import frontmatter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.lint.survey import Subject, Survey

_BROKEN: Final = "SELECT path FROM notes WHERE frontmatter = 'broken' AND id IN asked ORDER BY path"
_PLACEHOLDER: Final = regex(r"\{\{|<%")
_STATEMENT: Final = regex(r"\{%")
_CLOSING: Final = {"{{": "}}", "<%": "%>", "{%": "%}"}
# What reme's own reader of YAML says, which is told in the vault's language.
_REASONS: Final = (
    ("twice", regex(r"invalid YAML: the key `(?P<key>.*)` is there twice", re.DOTALL)),
    ("no-mapping", regex(r"invalid YAML: not a mapping of keys to values")),
    ("braces", regex(r"invalid YAML: a key that is no text.*")),
    ("tab", regex(r"invalid YAML: .*that cannot start any token")),
    ("control", regex(r"invalid YAML: (?P<reason>a control character.*)", re.DOTALL)),
    ("default", regex(r"(?:invalid YAML: )?(?P<reason>.*)", re.DOTALL)),
)
# Lines below an opening `---` that only frontmatter has.
_KNOWN_PROPERTY: Final = regex(
    r"(?:name|title|description|tags?|alias(?:es)?|kind|type|date|created|updated|author|layout|cssclass(?:es)?|publish"
    r"|id|uid|status|category|categories|draft):(?:[ \t]|$)"
)
_LIKE_A_PROPERTY: Final = regex(r"[^\W_][\w -]*:(?:[ \t]|$)|[ \t]+\S|- |#")


def _check(survey: Survey) -> Iterator[Problem]:
    for (path,) in survey.rows_of_asked(_BROKEN):
        subject = survey.subject(path)
        if subject is None or subject.frontmatter_error is None or _is_template(subject):
            continue
        error = subject.frontmatter_error
        start, end = line_place(subject.text, error.line)
        for message, pattern in _REASONS:
            found = pattern.fullmatch(error.what)
            if found and (message != "tab" or "\t" in subject.text[max(0, start - 1) : end]):
                yield Problem(path, start, end, found.groupdict(), message)
                break


def _is_template(subject: Subject) -> bool:
    """Whether the block can be read once its placeholders are filled in."""
    block = subject.block
    if subject.is_digest or block is None:
        return False
    head = subject.text[: block.body_start]
    filled = _filled(_filled(head, _STATEMENT, ""), _PLACEHOLDER, "x")
    if filled == head:
        return False
    try:
        frontmatter.read(filled)
    except FrontmatterError:
        return False
    return True


def _filled(text: str, opening: re.Pattern[str], value: str) -> str:
    """The text with a value for each expression that begins so and is closed."""
    pieces: list[str] = []
    unclosed: set[str] = set()
    at = place = 0
    while mark := opening.search(text, place):
        closing = _CLOSING[mark[0]]
        end = -1 if closing in unclosed else text.find(closing, mark.end())
        if end < 0:
            unclosed.add(closing)
            place = mark.start() + 1
        else:
            pieces += (text[at : mark.start()], value)
            at = place = end + len(closing)
    return "".join((*pieces, text[at:]))


def _check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
    del survey
    text = subject.text
    if not text.startswith(("---", "\ufeff---")) or subject.block is not None:
        return
    opening, *lines = text.split("\n", 100)
    if opening.lstrip("\ufeff").rstrip() != "---":
        return
    known = False
    for number, line in enumerate(lines, start=2):
        content = line.rstrip()
        if not _LIKE_A_PROPERTY.match(content):
            if known:
                start, end = line_place(text, 1)
                yield Problem(subject.path, start, end, {"line": number}, "unclosed")
            return
        known = known or _KNOWN_PROPERTY.match(content) is not None


RULE = Rule(
    code="F001",
    slug="invalid-frontmatter",
    severity="error",
    messages={
        "default": {
            "en": "the frontmatter is not valid YAML: {reason}; mend it by hand (a value with `: ` or ` #` needs quotes)",
            "zh": "frontmatter 不是有效的 YAML：{reason}；请手工修正（含有 `: ` 或 ` #` 的值要加引号）",
        },
        "no-mapping": {
            "en": "the text between the `---` lines is not `key: value` pairs; write it as YAML, or put a blank line above it",
            "zh": "`---` 之间的内容不是 `键: 值`；请写成 YAML，或在它上面加一个空行",
        },
        "twice": {
            "en": "the frontmatter has the key `{key}` twice; keep one",
            "zh": "frontmatter 里的键 `{key}` 出现两次；请只保留一个",
        },
        "braces": {
            "en": "the frontmatter holds braces or brackets that YAML takes for a key; put the value in quotes",
            "zh": "frontmatter 里的花括号或方括号被 YAML 当成键；请给这个值加引号",
        },
        "tab": {
            "en": "a tab indents or begins a value in the frontmatter, which YAML forbids; write spaces",
            "zh": "frontmatter 里用制表符缩进或开头，YAML 不允许；请改用空格",
        },
        "control": {
            "en": "the frontmatter holds {reason}, which YAML forbids; remove it",
            "zh": "frontmatter 里有 YAML 不允许的控制字符（{reason}）；请删除",
        },
        "unclosed": {
            "en": "the frontmatter has no closing `---`; write it on a line of its own, at the latest above line {line}",
            "zh": "frontmatter 缺少结尾的 `---`；最晚在第 {line} 行之前单独写一行 `---`",
        },
    },
    check=_check,
    from_notes=True,
    reach="note",
    check_note=_check_note,
)
