"""`reme auto_dream`."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from reme_cli.commands.session import Session, session_of
from reme_cli.config import DreamConfig
from reme_cli.dates import parse_dates

if TYPE_CHECKING:
    from reme_cli.dream.report import DreamReport

EXAMPLES = (
    "reme auto_dream",
    "reme auto_dream date=yesterday",
    "reme auto_dream date=2026-06-11..2026-06-20 engine=extractive",
    'reme auto_dream hint="keep decisions about the gateway" max_units=4 --dry-run',
)

DEFAULTS = DreamConfig()


class Engine(StrEnum):
    """What turns daily notes into digest notes."""

    LLM = "llm"
    EXTRACTIVE = "extractive"


def auto_dream(
    ctx: typer.Context,
    date: Annotated[
        str,
        typer.Option(metavar="DATE", help="YYYY-MM-DD, today, yesterday, -N (days ago), or a range A..B."),
    ] = "today",
    hint: Annotated[
        str, typer.Option(metavar="TEXT", help="What to pay attention to.", show_default=False)
    ] = "",
    scan_days: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=f"Look at the N-1 days before each date too.  [default: {DEFAULTS.scan_days}]"
        ),
    ] = None,
    max_units: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=f"At most N notes for a date; the rest waits.  [default: {DEFAULTS.max_units}]"
        ),
    ] = None,
    topic_count: Annotated[
        str | None,
        typer.Option(metavar="N", help=f"At most N topics for a day.  [default: {DEFAULTS.topic_count}]"),
    ] = None,
    topic_diversity_days: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=f"No topic again within N days.  [default: {DEFAULTS.topic_diversity_days}]"
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="`extractive` needs no model: it selects and quotes.")
    ] = Engine.LLM,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the diff of what would be written. May call the model.")
    ] = False,
    follow_up: Annotated[
        bool,
        typer.Option(
            "--follow-up/--no-follow-up", help="Work off follow-ups at once. This version only queues them."
        ),
    ] = True,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait for another dream that is running.")
    ] = True,
    retry_quarantined: Annotated[
        bool, typer.Option("--retry-quarantined", help="Try again what failed three times.")
    ] = False,
) -> int:
    """Turn daily notes into long-term memory.

    Reads what changed in daily/, distils it into notes in digest/, and writes the topics of the day. Every note links
    to its sources. Running it again, beside an editor, or after it was killed is safe. N defaults to the setting of
    the same name in vault.yaml, section `dream`.

    Exits 1 when something is left to retry, 3 when no model could be used.
    """
    from reme_cli.dream.options import DreamOptions
    from reme_cli.dream.pipeline import dream

    session = session_of(ctx)
    vault = session.open_vault(
        {
            "dream.scan_days": scan_days,
            "dream.max_units": max_units,
            "dream.topic_count": topic_count,
            "dream.topic_diversity_days": topic_diversity_days,
        }
    )
    configured = vault.config.dream
    options = DreamOptions(
        dates=parse_dates(date, vault.today()),
        hint=hint,
        scan_days=configured.scan_days,
        max_units=configured.max_units,
        topic_count=configured.topic_count,
        topic_diversity_days=configured.topic_diversity_days,
        engine=engine.value,
        dry_run=dry_run,
        wait=wait,
        follow_up=follow_up,
        retry_quarantined=retry_quarantined,
    )
    if dry_run and engine is Engine.LLM:
        session.terminal.remark("dry run: nothing is written, but the model is called")
    with session.terminal.progress() as step:
        report = dream(vault, options, env=os.environ, progress=step, warn=session.terminal.warn)
    _tell(report, session)
    return report.exit_code


def _tell(report: DreamReport, session: Session) -> None:
    from reme_cli.dream.report import as_json, summary

    terminal = session.terminal
    for warning in report.warnings:
        terminal.warn(warning)
    for error in report.errors:
        terminal.failure(error)
    for failed in report.failed_units:
        terminal.failure(f"{failed.name}: {failed.reason}")
    if session.json:
        terminal.json(as_json(report))
        return
    if report.dry_run:
        terminal.diff(report.diff)
    else:
        for unit in report.units:
            terminal.line(f"{unit.action.lower():11} {unit.path}")
        for day in report.days:
            if day.interests:
                terminal.line(f"{'topics':11} {day.interests}")
    terminal.remark(summary(report))
