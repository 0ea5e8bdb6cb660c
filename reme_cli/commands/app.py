"""The commands as Typer has them: what answers `--help`, completion and every line that `direct` does not read."""

from __future__ import annotations

import difflib
import inspect
import sys
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from reme_cli import VERSION_LINE
from reme_cli.commands.parameter import Option, declared, is_optional
from reme_cli.commands.session import everywhere
from reme_cli.commands.table import COMMANDS, GROUPS, find_row, function_of, row_at
from reme_cli.errors import UsageError
from reme_cli.keyvalue import Line, Parameter, read_line, read_options

if TYPE_CHECKING:
    from collections.abc import Callable

    # Typer ships its own copy of Click from 0.26 on; its parameter types have no public name
    from typer._click.core import Command, Context
    from typer._click.core import Parameter as TyperParameter
    from typer._click.formatting import HelpFormatter
    from typer._click.shell_completion import CompletionItem

    from reme_cli.commands.parameter import Argument
    from reme_cli.commands.session import Session
    from reme_cli.commands.table import Row


def parameter_of(parameter: TyperParameter) -> Parameter:
    """A Typer parameter as one of ours."""
    name = (parameter.name or "").replace("_", "-")
    if parameter.param_type_name == "argument":
        return Parameter((name,), positional=True, variadic=parameter.nargs == -1)
    words = tuple(option[2:] for option in parameter.opts if option.startswith("--"))
    letters = tuple(option[1:] for option in parameter.opts if not option.startswith("--"))
    negations = tuple(option[2:] for option in parameter.secondary_opts)
    is_flag = bool(getattr(parameter, "is_flag", False))
    metavar = getattr(parameter, "metavar", None)
    return Parameter(words, negations, letters, flag=is_flag, optional=is_optional(metavar))


class KeyValueCommand(TyperCommand):
    """A command that takes `key=value`, and the options of `reme` itself after its name as well as before."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Brings the line into its one form, hands the options of `reme` itself up, and parses the rest."""
        root = ctx.find_root()
        shared = {
            parameter_of(parameter): parameter
            for parameter in (root.command.params if root is not ctx else ())
            if parameter.expose_value
        }
        own = [parameter_of(parameter) for parameter in self.get_params(ctx)]
        try:
            line = read_line(args, [*own, *shared])
        except UsageError:
            if ctx.resilient_parsing:  # the shell asks how an unfinished line may go on
                return super().parse_args(ctx, args)
            raise
        for given in line.options:
            if given.parameter in shared and root.obj is not None:
                root.obj.take(given.parameter.name, given.value)
        kept = tuple(given for given in line.options if given.parameter not in shared)
        return super().parse_args(ctx, Line(kept, line.positionals).arguments())

    def collect_usage_pieces(self, ctx: Context) -> list[str]:
        """What the line `Usage:` holds; Typer puts what is required into braces, which other tools do not."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Writes what the command takes, then what every command takes."""
        super().format_options(ctx, formatter)
        root = ctx.find_root()
        records = [
            record
            for parameter in (root.command.params if root is not ctx else ())
            if parameter.expose_value and (record := parameter.get_help_record(root)) is not None
        ]
        if records:
            with formatter.section("Options of every command"):
                formatter.write_dl(records)


def load_command(row: Row) -> TyperCommand:
    """The command of a row of the table, with its module imported."""
    function = function_of(row)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    examples = "\n".join(f"  {example}" for example in sys.modules[function.__module__].EXAMPLES)
    app.command(
        row.name,
        cls=KeyValueCommand,
        epilog=f"\b\nExamples:\n{examples}",
        context_settings={"help_option_names": ["-h", "--help"]},
    )(_as_typer_wants(function))
    return cast("TyperCommand", typer.main.get_command(app))


def _as_typer_wants(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """A function that Typer reads the parameters of, and that calls the command's own with the session."""

    def run(ctx: typer.Context, **values: object) -> int | None:
        return function(session_of(ctx), **values)

    parameters = [inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)]
    parameters += [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.default[0] if one.default else inspect.Parameter.empty,
            annotation=Annotated[one.type, _info(one.form)],
        )
        for one in declared(function)
    ]
    run.__doc__ = function.__doc__
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    return run


def _info(form: Option | Argument) -> Any:
    if not isinstance(form, Option):
        return typer.Argument(metavar=form.metavar, help=form.help, show_default=form.show_default)
    spellings = [spelling for spelling in (form.spelling, form.letter) if spelling]
    return typer.Option(
        *spellings,
        help=form.help,
        metavar=form.metavar,
        min=form.min,
        show_default=form.show_default,
        case_sensitive=False,
    )


def session_of(ctx: Context) -> Session:
    """The session that `cli.main` began."""
    return cast("Session", ctx.find_root().obj)


class CommandTable(TyperGroup):
    """The group of all commands, which imports only the one that is run."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 — Click asks with a context
        """The first words of the names, in the order of the table."""
        return list(dict.fromkeys(row.name.partition(" ")[0] for row in COMMANDS))

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002 — Click asks with a context
        """The command or group of this name, in either spelling."""
        row = find_row(cmd_name)
        return load_command(row) if row else command_group(cmd_name.lower())

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Brings what stands before the command's name into one form, and parses it."""
        parameters = [parameter_of(parameter) for parameter in self.get_params(ctx)]
        if not ctx.resilient_parsing:  # the shell asks how an unfinished line may go on
            options, rest = read_options(args, parameters)
            args = [*map(str, options), *rest]
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The command that a line begins with, and the rest of the line. Raises `UsageError` with the nearest name."""
        row, rest = row_at(args)
        if row is not None:
            return row.name, load_command(row), list(rest)
        group = command_group(args[0].lower())
        if group is None and not ctx.resilient_parsing:
            raise _unknown(args[0], self.list_commands(ctx), "")
        return group.name if group else None, group, args[1:]

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


EPILOG = """\b
Start:
  reme init ~/memory --demo      a vault with ten days of sample notes
  cd ~/memory
  reme auto_dream date=2026-06-11..2026-06-20 engine=extractive
  reme search "token rotation"

`key=value` is the same as `--key value`. `reme COMMAND --help` shows options and examples.
"""


class CommandGroup(TyperGroup):
    """The commands whose names begin with the same word; only lines without a command of it come here."""

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 — Click asks with a context
        """The second words of the names, in the order of the table."""
        return [row.name.split()[1] for row in COMMANDS if row.name.startswith(f"{self.name} ")]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002 — Click asks with a context
        """The command of this second word."""
        row = find_row(f"{self.name} {cmd_name}")
        return load_command(row) if row else None

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """The command that the words behind the group's name begin with. Raises `UsageError` with the nearest name."""
        command = self.get_command(ctx, args[0])
        if command is None and not ctx.resilient_parsing:
            raise _unknown(args[0], self.list_commands(ctx), f"{self.name} ")
        return command.name if command else None, command, args[1:]


def command_group(name: str) -> CommandGroup | None:
    """The group of this name."""
    if name not in GROUPS:
        return None
    settings = {"help_option_names": ["-h", "--help"]}
    return CommandGroup(name=name, help=GROUPS[name], no_args_is_help=True, context_settings=settings)


def _unknown(word: str, names: list[str], group: str) -> UsageError:
    close = difflib.get_close_matches(word.lower(), names, 1, 0.5)
    hint = f"Did you mean `reme {group}{close[0]}`?" if close else f"`reme {group}--help` lists the commands."
    return UsageError(f"there is no command `{group}{word}`", hint=hint)


def command_table() -> CommandTable:
    """`reme` with all its commands, none of them imported yet."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.callback(
        cls=CommandTable,
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=True,
    )(_as_typer_wants(everywhere))
    table = cast("CommandTable", typer.main.get_command(app))
    table.params.append(
        TyperOption(
            param_decls=["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_print_version,
            help="Print the version.",
        )
    )
    return table


def _print_version(_ctx: Context, _parameter: TyperParameter, wanted: bool) -> None:
    if wanted:
        sys.stdout.write(VERSION_LINE)
        raise typer.Exit
