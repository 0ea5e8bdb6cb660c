"""The table of commands, and the group that imports only the one that is run."""

from __future__ import annotations

import difflib
import importlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand, TyperGroup

from reme_cli import VERSION_LINE
from reme_cli.errors import UsageError
from reme_cli.keyvalue import KeyValueCommand, parameter_of, read_options

if TYPE_CHECKING:
    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter
    from typer._click.shell_completion import CompletionItem


@dataclass(frozen=True, slots=True)
class Row:
    """One command. Its module and its function bear its name, with `_`; it is imported when it is run."""

    name: str
    section: str
    summary: str


COMMANDS = (
    Row("auto_dream", "Remember", "Turn daily notes into long-term memory."),
    Row("proactive", "Remember", "Show the topics of a day that deserve attention."),
    Row("search", "Find", "Find notes by what they say."),
    Row("graph-query", "Find", "Follow the links of a note, by predicate and direction."),
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


def load_command(row: Row) -> TyperCommand:
    """The command of a row of the table, with its module imported."""
    name = row.name.replace("-", "_")
    module = importlib.import_module(f"reme_cli.commands.{name}")
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    examples = "\n".join(f"  {example}" for example in module.EXAMPLES)
    app.command(
        row.name,
        cls=KeyValueCommand,
        epilog=f"\b\nExamples:\n{examples}",
        context_settings={"help_option_names": ["-h", "--help"]},
    )(getattr(module, name))
    command = typer.main.get_command(app)
    if not isinstance(command, TyperCommand):
        raise TypeError(f"{module.__name__} holds no command")
    return command


class CommandTable(TyperGroup):
    """The group of all commands, which imports only the one that is run."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 — Click asks with a context
        """The names, in the order of the table."""
        return [row.name for row in COMMANDS]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002 — Click asks with a context
        """The command of this name, in either spelling."""
        row = find_row(cmd_name)
        return load_command(row) if row else None

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Brings what stands before the command's name into one form, and parses it."""
        parameters = [parameter_of(parameter) for parameter in self.get_params(ctx)]
        if not ctx.resilient_parsing:  # the shell asks how an unfinished line may go on
            options, rest = read_options(args, parameters)
            args = [*map(str, options), *rest]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The command that a line begins with, and the rest of the line. Raises `UsageError` with the nearest name."""
        row = find_row(args[0])
        if row is None and not ctx.resilient_parsing:
            names = [known.name for known in COMMANDS]
            close = difflib.get_close_matches(args[0].lower(), names, 1, 0.5)
            hint = f"Did you mean `reme {close[0]}`?" if close else "`reme --help` lists the commands."
            raise UsageError(f"there is no command `{args[0]}`", hint=hint)
        return (row.name, load_command(row), args[1:]) if row else (None, None, args[1:])

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """How an unfinished line may go on; a command in the other spelling where none begins as typed."""
        from typer._click.shell_completion import CompletionItem  # only a shell asks

        found = super().shell_complete(ctx, incomplete)
        other = ((row, row.name.translate(str.maketrans("-_", "_-"))) for row in COMMANDS)
        return found or [
            CompletionItem(name, help=row.summary) for row, name in other if name.startswith(incomplete)
        ]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002 — Click asks with a context
        """The commands by section, without importing any."""
        width = max(len(row.name) for row in COMMANDS)
        for section in dict.fromkeys(row.section for row in COMMANDS):
            with formatter.section(section):
                rows = [(row.name.ljust(width), row.summary) for row in COMMANDS if row.section == section]
                formatter.write_dl(rows)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(VERSION_LINE)
        raise typer.Exit


def everywhere(
    ctx: typer.Context,
    vault: Annotated[
        str | None,
        typer.Option(
            "--vault",
            metavar="DIR",
            help="The vault. Default: REME_VAULT, else the nearest one from here upwards.",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print only results, warnings and errors.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print details too, and the traceback of an error.")
    ] = False,
    version: Annotated[  # noqa: ARG001 — its callback answers it
        bool,
        typer.Option(
            "--version", is_eager=True, expose_value=False, callback=_print_version, help="Print the version."
        ),
    ] = False,
) -> None:
    """Turns a folder of Markdown into a long-term memory that organises itself.

    You write daily notes; reme distils them into digest notes that link to each other and to their sources. The
    files are the memory: you can read and edit all of them, in any editor.
    """
    if vault is not None:
        ctx.obj.take("vault", vault)
    for name, given in (("json", json), ("quiet", quiet), ("verbose", verbose)):
        if given:
            ctx.obj.take(name, None)


EPILOG = """\b
Start:
  reme init ~/memory --demo      a vault with ten days of sample notes
  cd ~/memory
  reme auto_dream date=2026-06-11..2026-06-20 engine=extractive
  reme search "token rotation"

`key=value` is the same as `--key value`. `reme COMMAND --help` shows options and examples.
"""


def command_table() -> CommandTable:
    """`reme` with all its commands, none of them imported yet."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(
        cls=CommandTable,
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
    )(everywhere)
    table = typer.main.get_command(app)
    if not isinstance(table, CommandTable):
        raise TypeError("Typer made no command table")
    return table
