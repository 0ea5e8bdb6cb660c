"""Writes `docs/commands.md` from the help texts and `docs/lint/` from the rules; with `--check` only says what is not up to date."""

from __future__ import annotations

import sys
from pathlib import Path

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import typer

from reme_cli.commands.app import command_table, load_command
from reme_cli.commands.table import COMMANDS
from reme_cli.lint.explanation import index_page, page_of
from reme_cli.lint.rules import RULES

PROJECT = Path(__file__).resolve().parent.parent
DOCS = PROJECT / "docs"
WIDTH = 100

INTRODUCTION = """# Commands

<!-- Written by `make docs` from the help texts; do not edit. -->

`key=value` is the same as `--key value`: `reme search query="token rotation" limit=5` equals
`reme search "token rotation" --limit 5`. Hyphen and underscore are equal in the names of commands and keys. `--` ends
the keys.

| exit code | meaning |
|---|---|
| 0 | done; also when there is nothing to do |
| 1 | nothing found (`search`), something found (`lint`), or part of the work failed and is retried by the next run (`auto_dream`); another process is at work (`--no-wait`) |
| 2 | the command line, the configuration or a file is not usable |
| 3 | a model is needed and none is configured, or it cannot be used |
| 4 | refused: the write would lose a link, overwrite somebody's change, or leave the vault |
| 70 | a mistake in reme itself; `--verbose` shows the traceback |
| 130 | interrupted; what was written is complete |

With `--json` every command prints one object with `"schema": 1` (`watch` one on each line), described in [schemas](schemas/); an error prints
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


def pages() -> dict[Path, str]:
    """Every page that is written here."""
    rules = {DOCS / "lint" / f"{rule.slug}.md": page_of(rule) for rule in RULES}
    return {DOCS / "commands.md": commands_page(), DOCS / "lint" / "index.md": index_page(RULES), **rules}


def main() -> int:
    """Writes or checks the pages."""
    wanted = pages()
    surplus = set((DOCS / "lint").glob("*.md")) - wanted.keys()
    if "--check" not in sys.argv:
        (DOCS / "lint").mkdir(exist_ok=True)
        for place, page in wanted.items():
            place.write_text(page, encoding="utf-8")
        for place in surplus:
            place.unlink()
        return 0
    wrong = [
        place for place, page in wanted.items() if not place.is_file() or place.read_text("utf-8") != page
    ]
    for place in sorted({*wrong, *surplus}):
        print(f"{place.relative_to(PROJECT)} is not what the code says: run `make docs`", file=sys.stderr)
    return 1 if wrong or surplus else 0


if __name__ == "__main__":
    sys.exit(main())
