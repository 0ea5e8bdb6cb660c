"""`reme init`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.output import counted
from reme_cli.template import fill

EXAMPLES = ("reme init ~/memory", "reme init ~/memory --demo", "cd my-obsidian-vault && reme init")


def init(
    session: Session,
    dir: Annotated[  # noqa: A002 — the contract's name for this key
        str,
        Argument(metavar="[DIR]", show_default=False, help="The folder. Default: the current one."),
    ] = "",
    demo: Annotated[bool, Option("--demo", help="Add ten days of sample notes to try reme on.")] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print what would be made, as a diff; make nothing.")
    ] = False,
) -> None:
    """Make a new vault, or add to one what is missing.

    In a folder that holds notes already, such as an Obsidian vault, no file is changed: only missing folders and a
    commented vault.yaml are added.
    """
    place = Path(dir or session.vault or ".").expanduser()
    made = fill(place, os.environ, demo=demo, dry_run=dry_run)
    if session.json:
        session.terminal.json(
            {
                "schema": 1,
                "vault": str(made.root),
                "new": made.was_new,
                "dry_run": dry_run,
                "made": list(made.paths),
                "diff": made.diff if dry_run else None,
            }
        )
        return
    if dry_run:
        session.terminal.diff(made.diff)
    else:
        for path in made.paths:
            session.terminal.detail(path)
    verb = "would be made" if dry_run else "made"
    told = (
        f"{counted(len(made.paths), 'file')} {verb} in {made.root}"
        if made.paths
        else f"{made.root} is complete"
    )
    session.terminal.remark(told)
