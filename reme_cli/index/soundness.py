"""Whether the rows of an index can all be true at once: looked at only when reading them went wrong.

SQLite finds what is wrong with its file, but not with what the rows say. Rows that contradict each other are those of no vault,
whoever wrote them, so that the index is built again as one that is damaged otherwise.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Final, get_args

from reme_cli.index.database import Contradiction
from reme_cli.index.rows import FrontmatterState
from reme_cli.index.schema import OF_A_NOTE
from reme_cli.vault.link import LinkKind
from reme_cli.vault.vault import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

_NO_NOTE: Final = "NOT IN (SELECT id FROM notes)"
_NO_LINK: Final = "NOT IN (SELECT ordinal FROM links WHERE links.note = implied.note)"

_RULES: Final = (
    *((f"{table} of no note", table, f"note {_NO_NOTE}") for table in OF_A_NOTE),
    ("full text of no note", "fulltext", f"rowid {_NO_NOTE}"),
    ("a note without a name", "notes", "id NOT IN (SELECT note FROM names)"),
    ("a note that was read without full text", "notes", "stamp != '' AND id NOT IN (SELECT rowid FROM fulltext)"),
    ("a link to no note", "links", f"resolved {_NO_NOTE}"),
    ("a relation of no link", "implied", f"place {_NO_LINK} OR subject {_NO_LINK} OR object {_NO_LINK}"),
    (
        "a passage without a place",
        "passages",
        'start < 0 OR start > "end" OR line < 1 OR line > last_line',
    ),
)  # fmt: skip
"""What no row is: in words, its table, and as an SQL condition."""

_CHOICES: Final = (
    ("notes", "layer", get_args(Layer)),
    ("notes", "frontmatter", get_args(FrontmatterState)),
    ("links", "kind", get_args(LinkKind)),
)
"""Columns that have one of these values, or none."""


def contradiction(connection: sqlite3.Connection) -> sqlite3.Error | None:
    """What is wrong with the rows; `None` where nothing is. All of them are read."""
    try:
        for what, table, condition in _conditions(connection):
            if connection.execute(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1").fetchone():  # noqa: S608  constants only
                return Contradiction(f"it has {what}")
    except sqlite3.Error as error:
        return error
    return None


def _conditions(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    yield from _RULES
    for table, column, choices in _CHOICES:
        listed = ", ".join(f"'{choice}'" for choice in choices)
        yield f"an unknown {column} in {table}", table, f"{column} NOT IN ({listed})"
    for table in ("notes", "files", *OF_A_NOTE):
        for column, kind in connection.execute(
            "SELECT name, lower(type) FROM pragma_table_info(?)", (table,)
        ):
            yield (
                f"{column} of the wrong type in {table}",
                table,
                f"typeof(\"{column}\") NOT IN ('{kind}', 'null')",
            )
