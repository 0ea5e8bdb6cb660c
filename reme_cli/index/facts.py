"""What an index keeps about its rows as a whole."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

CONFIGURATION: Final = "configuration"
"""By which the rows were made; see `fingerprint.configuration_of`."""

LISTING: Final = "listing"
"""The fingerprint of the last refresh; empty where a note changed so shortly before that it must be read again."""

GENERATION: Final = "generation"
"""A name that every transaction that writes rows gives them anew. Who reads the same name twice has read the same rows both
times, in whatever process, and nobody has refreshed them in between."""


def fact(connection: sqlite3.Connection, name: str) -> str | None:
    """What is kept under a name."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return row[0] if row else None


def set_fact(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Keeps a value, in an open transaction."""
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


def begin_generation(connection: sqlite3.Connection) -> None:
    """Gives the rows a name of their own, in the transaction that writes them."""
    set_fact(connection, GENERATION, os.urandom(12).hex())
