"""`reme`: the way in, and the one place where an error becomes a message and an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import TYPE_CHECKING

from reme_cli import VERSION_LINE
from reme_cli.errors import RemeError, UsageError, VaultUnwritable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.commands.session import Session

EXIT_INTERRUPTED = 130
EXIT_INTERNAL = 70
"""A mistake in reme itself, as `EX_SOFTWARE` of sysexits.h."""

COMPLETE_VARIABLE = "_REME_COMPLETE"
"""Set by a shell that asks how a line may go on."""

UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    line = list(sys.argv[1:] if arguments is None else arguments)
    if line == ["--version"]:
        sys.stdout.write(VERSION_LINE)
        return 0
    try:
        return _run(line)
    except KeyboardInterrupt:
        sys.stderr.write("reme: interrupted; what was written is complete\n")
        return EXIT_INTERRUPTED


def _run(line: list[str]) -> int:
    # Typer takes most of the time of `reme --version`, which the lines above answer without it
    import typer
    from typer._click.exceptions import NoArgsIsHelpError

    from reme_cli.commands.session import Session
    from reme_cli.commands.table import command_table

    _make_lossless()
    session = Session()
    table = command_table()
    try:
        if COMPLETE_VARIABLE in os.environ:
            from typer._completion_classes import completion_init

            completion_init()
            table.main(line, prog_name="reme", complete_var=COMPLETE_VARIABLE)
        with table.make_context("reme", line, obj=session) as context:
            code = table.invoke(context)
        sys.stdout.flush()
    except typer.Exit as ended:
        return ended.exit_code
    except BrokenPipeError:
        # the reader has seen enough; an open stdout would be flushed into the closed pipe once more at exit
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.close()
        return 0
    except NoArgsIsHelpError as asked:
        sys.stderr.write(asked.format_message() + "\n")
        return UsageError.exit_code
    except Exception as error:  # noqa: BLE001 — the boundary: whatever it is, a person gets a message
        return _report(error, line, session)
    return code or 0


def _report(error: Exception, line: Sequence[str], session: Session) -> int:
    """Tells an error on stderr, and on stdout as JSON if that was asked for; gives the exit code."""
    # a line that could not be parsed may have asked for these none the less
    as_json = session.json or not {"--json", "json=true"}.isdisjoint(line)
    verbose = session.terminal.verbose or not {"--verbose", "-v"}.isdisjoint(line)
    if verbose:
        import traceback

        traceback.print_exception(error)
    told, code = _as_told(error, verbose=verbose)
    session.terminal.error(told)
    if as_json:
        name = "internal" if code == EXIT_INTERNAL else _kebab(type(told).__name__)
        fields = {"code": name, "what": told.what, "where": told.where, "hint": told.hint}
        session.terminal.json({"schema": 1, "error": fields})
        sys.stdout.flush()
    return code


def _as_told(error: Exception, *, verbose: bool) -> tuple[RemeError, int]:
    """The error as a person is told of it, and its exit code."""
    from typer._click.exceptions import ClickException

    if isinstance(error, ClickException):
        message = error.format_message()
        error = UsageError(
            message[:1].lower() + message[1:], hint="`reme COMMAND --help` shows what it takes."
        )
    elif isinstance(error, OSError) and error.errno in UNWRITABLE:
        place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
        error = VaultUnwritable(
            f"cannot be written: {error.strerror}",
            where=place,
            hint="Nothing is lost: run the command again.",
        )
    if isinstance(error, RemeError):
        return error, error.exit_code
    hint = None if verbose else "This is a mistake in reme: `--verbose` shows the traceback to report."
    return RemeError(f"{type(error).__name__}: {error}", hint=hint), EXIT_INTERNAL


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


def _make_lossless() -> None:
    """Lets every note's name and text be printed, whatever the terminal's encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
