"""The table of commands."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Row(NamedTuple):
    """One command. Its module and its function bear its name, with `_`; it is imported when it is run."""

    name: str
    """One word, or two with a space between: a command of a group."""
    section: str
    summary: str

    @property
    def module(self) -> str:
        """The name of its module and function."""
        return self.name.replace("-", "_").replace(" ", "_")


COMMANDS = (
    Row("auto_dream", "Remember", "Turn daily notes into long-term memory."),
    Row("proactive", "Remember", "Show the topics of a day that deserve attention."),
    Row("auto_link", "Remember", "Link notes that mention each other."),
    Row("watch", "Remember", "Keep index and links up to date while people edit."),
    Row("search", "Find", "Find notes by what they say."),
    Row("graph-query", "Find", "Follow the links of a note, or ask about the whole graph."),
    Row("lint", "Check", "Find what is wrong in the vault, and mend it."),
    Row(
        "maintain check",
        "Maintain",
        "Check for broken links, missing sources, overloaded notes.",
    ),
    Row("maintain split", "Maintain", "Split a note of several topics into an overview and notes."),
    Row("maintain mv", "Maintain", "Move or rename a note or folder; every link goes along."),
    Row("maintain rm", "Maintain", "Remove a note or folder of notes; no link is left broken."),
    Row("maintain run", "Maintain", "Do what waits in the queue of follow-ups."),
    Row("maintain report", "Maintain", "Show how the digest grows, and what needs attention."),
    Row("log", "Undo", "Show what reme wrote, run by run."),
    Row("undo", "Undo", "Take back what a run wrote."),
    Row("init", "Vault", "Make a new vault, or add to one what is missing."),
    Row("status", "Vault", "Show the vault at a glance."),
    Row("config", "Vault", "Show every setting and where it comes from."),
    Row("index", "Vault", "Refresh the search index, or rebuild it."),
    Row("completion", "Vault", "Print the script that completes commands in your shell."),
)


GROUPS = {"maintain": "Keep the digest in order: check, split, move, remove, follow up, report."}
"""What the commands do together whose names begin with this word."""


def find_row(name: str) -> Row | None:
    """The command of this name, in either spelling."""
    wanted = name.replace("_", "-").lower()
    return next((row for row in COMMANDS if row.name.replace("_", "-") == wanted), None)


def row_at(words: Sequence[str]) -> tuple[Row | None, Sequence[str]]:
    """The command that a line begins with, and what follows its name."""
    if len(words) > 1 and words[0].lower() in GROUPS and (row := find_row(" ".join(words[:2]))):
        return row, words[2:]
    row = find_row(words[0]) if words else None
    return row, words[1:]


def function_of(row: Row) -> Callable[..., int | None]:
    """The function of a command: its first parameter is the session, the others are `parameter.declared`."""
    module = importlib.import_module(f"reme_cli.commands.{row.module}")
    return cast("Callable[..., int | None]", getattr(module, row.module))
