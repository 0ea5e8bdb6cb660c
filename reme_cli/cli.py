"""`reme`: the way in, and the one place where an error becomes a message and an exit code."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import os
import re
import sys
from typing import TYPE_CHECKING

from reme_cli import VERSION_LINE, interrupt
from reme_cli.errors import AmbiguousNote, RemeError, UsageError, VaultUnwritable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.commands.session import Session

EXIT_INTERRUPTED = 130
INTERRUPTED = "interrupted; what was written is complete"
EXIT_INTERNAL = 70
"""A mistake in reme itself, as `EX_SOFTWARE` of sysexits.h."""

JSON_ASKED = re.compile(r"--json|(?:--)?json=(?i:true|yes|on|1)")
"""A word of a line that asks for JSON."""

_COLLECTED_VALUES = 100_000
"""How many new values have the collector look for cycles."""

COMPLETE_VARIABLE = "_REME_COMPLETE"
"""Set by a shell that asks how a line may go on."""

UNWRITABLE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})


def run() -> int:
    """Runs the command line of this process, and returns its exit code."""
    # most commands end before it is worth looking for cycles, and what they import and read is many values without any
    gc.set_threshold(_COLLECTED_VALUES)
    try:
        code = main()
    except KeyboardInterrupt:  # the second one, just before the first was told
        interrupt.give_up()
        _tell_interrupted(sys.argv[1:])
        code = EXIT_INTERRUPTED
    interrupt.give_up()
    # the process ends here, so the collector need not look for cycles among all that is left
    gc.freeze()
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and returns its exit code."""
    line = list(sys.argv[1:] if arguments is None else arguments)
    _replace_closed_streams()
    if line == ["--version"]:
        sys.stdout.write(VERSION_LINE)
        return 0
    try:
        return _run(line)
    except KeyboardInterrupt:
        # whoever presses it twice is told once
        with contextlib.suppress(KeyboardInterrupt), interrupt.deferred():
            _tell_interrupted(line)
        return EXIT_INTERRUPTED


def _run(line: list[str]) -> int:
    from reme_cli.commands.direct import read_directly
    from reme_cli.commands.session import Session

    _make_lossless()
    session = Session()
    try:
        call = None if COMPLETE_VARIABLE in os.environ else read_directly(line, session)
        if call is not None:
            interrupt.release()
        code = _run_with_typer(line, session) if call is None else call()
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_closed_pipe()
        return 0
    except Exception as error:  # noqa: BLE001 — the boundary: whatever it is, a person gets a message
        return _report(error, line, session)
    return code or 0


def _run_with_typer(line: list[str], session: Session) -> int:
    """Runs what `read_directly` leaves: help, completion, and lines with a mistake."""
    import typer
    from typer._click.exceptions import NoArgsIsHelpError

    from reme_cli.commands.app import command_table

    table = command_table()
    try:
        if COMPLETE_VARIABLE in os.environ:
            from typer._completion_classes import completion_init

            completion_init()
            table.main(line, prog_name="reme", complete_var=COMPLETE_VARIABLE)
        # a copy: the parser empties the list it is given, and an error is told as the whole line asks for
        with table.make_context("reme", list(line), obj=session) as context:
            interrupt.release()
            return table.invoke(context) or 0
    except typer.Exit as ended:
        return ended.exit_code
    except NoArgsIsHelpError as asked:
        sys.stderr.write(asked.format_message() + "\n")
        return UsageError.exit_code


def _report(error: Exception, line: Sequence[str], session: Session) -> int:
    """Tells an error on stderr, and on stdout as JSON if that was asked for; gives the exit code."""
    # a line that could not be parsed may have asked for these none the less
    as_json = session.json or _asks_for_json(line)
    verbose = session.terminal.verbose or not {"--verbose", "-v"}.isdisjoint(line)
    if verbose:
        import traceback

        traceback.print_exception(error)
    told, code = _as_told(error, verbose=verbose)
    with contextlib.suppress(BrokenPipeError):  # nobody reads it; the exit code says it too
        session.terminal.error(told)
    if as_json:
        name = "internal" if code == EXIT_INTERNAL else _kebab(type(told).__name__)
        fields = {"code": name, "what": told.what, "where": told.where, "hint": told.hint}
        more = {"candidates": told.candidates} if isinstance(told, AmbiguousNote) else {}
        _tell_as_json({**fields, **more})
    return code


def _tell_interrupted(line: Sequence[str]) -> None:
    """Says on stderr that the command was interrupted, and on stdout as JSON if that was asked for."""
    sys.stderr.write(f"reme: {INTERRUPTED}\n")
    if _asks_for_json(line):
        _tell_as_json({"code": "interrupted", "what": INTERRUPTED, "where": None, "hint": None})


def _asks_for_json(line: Sequence[str]) -> bool:
    """Whether a line asks for JSON, in any spelling, wherever it stands before `--`."""
    options = line[: line.index("--")] if "--" in line else line
    return any(JSON_ASKED.fullmatch(word) for word in options)


def _tell_as_json(fields: Mapping[str, object]) -> None:
    from reme_cli.output import Terminal  # `reme --version` has no use for it

    try:
        Terminal().json({"schema": 1, "error": fields})
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_closed_pipe()


def _leave_closed_pipe() -> None:
    """Lets go of stdout after its reader has seen enough: left open, it would be flushed once more at exit."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.close()


def _as_told(error: Exception, *, verbose: bool) -> tuple[RemeError, int]:
    """The error as a person is told of it, and its exit code."""
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        place = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes | os.PathLike) else None
        error = VaultUnwritable(
            f"cannot be written: {error.strerror}",
            where=place,
            hint="Nothing is lost: run the command again.",
        )
    elif not isinstance(error, RemeError):
        error = _wrong_line(error) or error
    if isinstance(error, RemeError):
        return error, error.exit_code
    hint = None if verbose else "This is a mistake in reme: `--verbose` shows the traceback to report."
    return RemeError(f"{type(error).__name__}: {error}", hint=hint), EXIT_INTERNAL


def _wrong_line(error: Exception) -> UsageError | None:
    """What Typer says against a line, in one line of words that are no programmer's; `None` for any other error."""
    from typer._click.exceptions import ClickException
    from typer._click.exceptions import UsageError as WrongLine

    if not isinstance(error, ClickException):
        return None
    message = " ".join(error.format_message().split()).rstrip(".")
    message = message.replace("a valid int range", "a whole number")
    command = error.ctx.command_path if isinstance(error, WrongLine) and error.ctx else "reme COMMAND"
    return UsageError(message[:1].lower() + message[1:], hint=f"`{command} --help` shows what it takes.")


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


def _replace_closed_streams() -> None:
    """Sends to nowhere what would go to a stream that the caller has closed, as in `reme status >&-`."""
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()


def _make_lossless() -> None:
    """Lets every note's name and text be printed, whatever the terminal's encoding."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
