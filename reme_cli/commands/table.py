"""The table of commands."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable


class Row(NamedTuple):
    """One command. Its module and its function bear its name, with `_`; it is imported when it is run."""

    name: str
    section: str
    summary: str


COMMANDS = (
    Row("auto_dream", "Remember", "Turn daily notes into long-term memory."),
    Row("proactive", "Remember", "Show the topics of a day that deserve attention."),
    Row("search", "Find", "Find notes by what they say."),
    Row("graph-query", "Find", "Follow the links of a note, or ask about the whole graph."),
    Row("lint", "Check", "Find what is wrong in the vault, and mend it."),
    Row("log", "Undo", "Show what reme wrote, run by run."),
    Row("undo", "Undo", "Take back what a run wrote."),
    Row("init", "Vault", "Make a new vault, or add to one what is missing."),
    Row("status", "Vault", "Show the vault at a glance."),
    Row("config", "Vault", "Show every setting and where it comes from."),
    Row("index", "Vault", "Refresh the search index, or rebuild it."),
    Row("completion", "Vault", "Print the script that completes commands in your shell."),
)


def find_row(name: str) -> Row | None:
    """The command of this name, in either spelling."""
    wanted = name.replace("_", "-").lower()
    return next((row for row in COMMANDS if row.name.replace("_", "-") == wanted), None)


def function_of(row: Row) -> Callable[..., int | None]:
    """The function of a command: its first parameter is the session, the others are `parameter.declared`."""
    name = row.name.replace("-", "_")
    module = importlib.import_module(f"reme_cli.commands.{name}")
    return cast("Callable[..., int | None]", getattr(module, name))
