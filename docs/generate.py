"""Writes `docs/commands.md` from the help texts; with `--check` only says whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import typer

from reme_cli.commands.app import command_table, load_command
from reme_cli.commands.table import COMMANDS

PROJECT = Path(__file__).resolve().parent.parent
PLACE = PROJECT / "docs" / "commands.md"
WIDTH = 100

INTRODUCTION = """# Commands

<!-- Written by `make docs` from the help texts; do not edit. -->

`key=value` is the same as `--key value`: `reme search query="token rotation" limit=5` equals
`reme search "token rotation" --limit 5`. Hyphen and underscore are equal in the names of commands and keys. `--` ends
the keys.

| exit code | meaning |
|---|---|
| 0 | done; also when there is nothing to do |
| 1 | nothing found (`search`), or part of the work failed and is retried by the next run (`auto_dream`); another process is at work (`--no-wait`) |
| 2 | the command line, the configuration or a file is not usable |
| 3 | a model is needed and none is configured, or it cannot be used |
| 4 | refused: the write would lose a link, overwrite somebody's change, or leave the vault |
| 70 | a mistake in reme itself; `--verbose` shows the traceback |
| 130 | interrupted; what was written is complete |

With `--json` every command prints one object with `"schema": 1`, described in [schemas](schemas/); an error prints
`{"schema": 1, "error": {"code", "what", "where", "hint"}}`.
"""


def commands_page() -> str:
    """The whole page."""
    table = command_table()
    parts = [INTRODUCTION]
    # the width is given, so that the page does not depend on who writes it
    root = typer.Context(
        table, info_name="reme", terminal_width=WIDTH, max_content_width=WIDTH, **table.context_settings
    )
    parts.append(f"## reme\n\n```text\n{table.get_help(root)}\n```\n")
    for row in COMMANDS:
        command = load_command(row)
        context = typer.Context(
            command,
            info_name=row.name,
            parent=root,
            terminal_width=WIDTH,
            max_content_width=WIDTH,
            **command.context_settings,
        )
        parts.append(f"## reme {row.name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def main() -> int:
    """Writes or checks the page."""
    page = commands_page()
    if "--check" not in sys.argv:
        PLACE.write_text(page, encoding="utf-8")
        return 0
    if not PLACE.is_file() or PLACE.read_text(encoding="utf-8") != page:
        print(
            f"{PLACE.relative_to(PROJECT)} is not what the help texts say: run `make docs`", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
