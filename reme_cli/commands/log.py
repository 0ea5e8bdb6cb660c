"""`reme log`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.dates import local_time
from reme_cli.errors import PathRefused
from reme_cli.overview import run_as_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.output import Terminal
    from reme_cli.vault.vault import Vault

COLUMNS = ("run", "started", "command", "files", "")

EXAMPLES = ("reme log", "reme log limit=3 --json", "reme log 20260620T033000-4f2a1c")


def log(
    session: Session,
    run: Annotated[
        str | None,
        Argument(metavar="[RUN]", show_default=False, help="The name of a run, or how it begins."),
    ] = None,
    limit: Annotated[int, Option(min=1, metavar="N", help="Show at most N runs.")] = 20,
) -> None:
    """Show what reme wrote, run by run.

    Without RUN, lists the last runs, latest first. With RUN, shows what happened to each file, and the changes as a diff.
    """
    vault = session.open_vault()
    if run is None:
        _list_runs(vault, limit, session)
    else:
        _show_run(vault, run, session)


def _list_runs(vault: Vault, limit: int, session: Session) -> None:
    from reme_cli.changeset import audit

    try:
        known = audit.runs(vault)
    except PathRefused as error:
        session.terminal.warn(error.one_line)
        known = ()
    runs = tuple(reversed(known))[:limit]
    if session.json:
        session.terminal.json({"schema": 1, "runs": [run_as_json(run) for run in runs]})
    elif runs:
        rows = [
            (
                run.run,
                local_time(run.started, vault.config.timezone),
                run.command,
                ", ".join(f"{count} {outcome}" for outcome, count in run.counts.items()),
                "undone" if run.undone else f"undoes {run.undoes}" if run.undoes else "",
            )
            for run in runs
        ]
        _print(rows, session.terminal)
    else:
        session.terminal.remark("nothing was written yet")


def _print(rows: Sequence[tuple[str, ...]], terminal: Terminal) -> None:
    """The runs as a table; on a screen that is too narrow for whole names, as two lines for each."""
    if terminal.fits(rows, COLUMNS):
        terminal.table(rows, COLUMNS)
        return
    for run, started, command, files, remark in rows:
        terminal.line(f"{run}  {started}  {command}")
        terminal.paragraph(f"{files}, {remark}" if remark else files, indent=4)


def _show_run(vault: Vault, text: str, session: Session) -> None:
    from reme_cli.changeset import audit
    from reme_cli.changeset.undo import run_diff

    diff = run_diff(vault, text)  # refuses a text that names no run, or several
    runs = {run.run: run for run in audit.runs(vault)}
    summary = runs[text if text in runs else next(name for name in runs if name.startswith(text))]
    lines = audit.lines_of(vault, summary.run)
    if session.json:
        session.terminal.json(
            {
                "schema": 1,
                **run_as_json(summary),
                "lines": [dataclasses.asdict(line) for line in lines],
                "diff": diff,
            }
        )
        return
    terminal = session.terminal
    started = local_time(summary.started, vault.config.timezone)
    terminal.heading(f"{summary.run}  {summary.command}  {started}")
    for line in lines:
        terminal.line(f"{line.outcome:11} {line.path}" + (f"  ({line.reason})" if line.reason else ""))
    terminal.diff(diff)
