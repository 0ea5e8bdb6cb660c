"""Which lines of a note are rows of a table. In those a bare pipe parts two cells; everywhere else it is an ordinary character."""

from __future__ import annotations

import re
from typing import Final

from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.blocks import read_blocks

_RETURNS: Final = regex(r"\r\n?")
_DELIMITERS: Final = regex(r"^[ \t>*+\-0-9.)]*[-:|][-:| \t]*$", re.MULTILINE)
"""What the line below a table's head looks like; not every line that looks so is one."""


def table_rows(text: str) -> frozenset[int]:
    """The 1-based lines of a note that are rows of a table and hold a `[`, or that one more bare pipe may make the head of one."""
    if "|" not in text:
        return frozenset()
    text = _RETURNS.sub("\n", text)
    block = frontmatter.split(text)
    body = block.body_start if block else int(text.startswith("\ufeff"))
    first = line = text.count("\n", 0, body) + 1
    rows: set[int] = set()
    has_table, counted = False, body
    for row in _DELIMITERS.finditer(text, body):
        line += text.count("\n", counted, row.start())
        counted = row.start()
        if "|" in row[0]:
            rows.add(line - 1)
        head = text[text.rfind("\n", 0, max(0, row.start() - 1)) + 1 : row.start()]
        has_table = has_table or "|" in head
    if has_table:
        leaves = read_blocks(text if text.endswith("\n") else f"{text}\n", body, only_bracketed=True).leaves
        rows |= {first + leaf.first_line for leaf in leaves if leaf.kind == "cell"}
    return frozenset(rows)
