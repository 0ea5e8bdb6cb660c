"""The properties of a note for rules: whether one says anything, and where it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from reme_cli.lint.survey import Subject

_LINE: Final = r"(?:\A|(?<=[\r\n]))(?P<quote>[\"']?){key}(?P=quote)[ \t]*:[^\r\n]*"
_LINE_END: Final = regex(r"\r\n|\n|\r")


def lacks_text(subject: Subject, key: str) -> bool:
    """Whether a readable frontmatter, or none, leaves this text out or empty. A list in its place is another mistake."""
    value = subject.properties.get(key)
    if value is None:
        return bool(subject.properties) or subject.block is None or subject.frontmatter_error is None
    return isinstance(value, str) and not value.strip()


def property_place(subject: Subject, key: str) -> tuple[int, int]:
    """The line of a top-level key of the frontmatter without the space at its end; `0, 0` where no line begins with it."""
    block = subject.block
    if block is None:
        return 0, 0
    document = subject.text[block.yaml_start : block.yaml_end]
    found = re.search(_LINE.format(key=re.escape(key)), document) if key in document else None
    if found is None:
        return 0, 0
    start = block.yaml_start + found.start()
    return start, start + len(found[0].rstrip())


def line_place(text: str, line: int) -> tuple[int, int]:
    """What stands on a 1-based line, without the space around it; of a blank line its first character."""
    start = 1 if line == 1 and text.startswith("\ufeff") else 0
    for _ in range(line - 1):
        ending = _LINE_END.search(text, start)
        if ending is None:
            break
        start = ending.end()
    ending = _LINE_END.search(text, start)
    content = text[start : ending.start() if ending else len(text)]
    if not content.strip():
        return start, min(start + 1, len(text))
    return start + len(content) - len(content.lstrip()), start + len(content.rstrip())
