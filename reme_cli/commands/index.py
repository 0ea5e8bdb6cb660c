"""`reme index`."""

from __future__ import annotations

from typing import Annotated

import typer

from reme_cli.commands.session import session_of
from reme_cli.output import counted

EXAMPLES = ("reme index", "reme index --rebuild")


def index(
    ctx: typer.Context,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Throw the index away and build it from the notes.")
    ] = False,
) -> None:
    """Refresh the search index, or rebuild it.

    There is seldom a need: every command that uses the index refreshes it first. It is derived from the notes, so
    deleting it loses nothing.
    """
    from reme_cli.index.database import forget

    session = session_of(ctx)
    vault = session.open_vault()
    if rebuild:
        forget(vault)
    with session.open_index(vault) as opened:
        found = opened.refreshed
    if session.json:
        session.terminal.json(
            {
                "schema": 1,
                "notes": found.notes,
                "added": found.added,
                "changed": found.changed,
                "removed": found.removed,
                "rebuilt": rebuild,
            }
        )
    else:
        changes = f"{found.added} added, {found.changed} changed, {found.removed} removed"
        session.terminal.line(
            f"{counted(found.notes, 'note')}: {'nothing changed' if found.unchanged else changes}"
        )
