"""`reme auto_dream`."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
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
    session: Session,
    date: Annotated[
        str,
        Option(metavar="DATE", help="YYYY-MM-DD, today, yesterday, -N (days ago), or a range A..B."),
    ] = "today",
    hint: Annotated[
        str,
        Option(metavar="TEXT", help="What to look for, such as a project or a question.", show_default=False),
    ] = "",
    scan_days: Annotated[
        str | None,
        Option(metavar="N", help=f"Read N days up to each date.  [default: {DEFAULTS.scan_days}]"),
    ] = None,
    max_units: Annotated[
        str | None,
        Option(
            metavar="N",
            help=f"Write at most N notes for each date.  [default: {DEFAULTS.max_units}]",
        ),
    ] = None,
    topic_count: Annotated[
        str | None,
        Option(metavar="N", help=f"Keep at most N topics for each date.  [default: {DEFAULTS.topic_count}]"),
    ] = None,
    topic_diversity_days: Annotated[
        str | None,
        Option(
            metavar="N", help=f"Repeat no topic within N days.  [default: {DEFAULTS.topic_diversity_days}]"
        ),
    ] = None,
    engine: Annotated[
        Engine,
        Option(help="`llm` uses the model of `llm.model`; `extractive` needs none: it selects and quotes."),
    ] = Engine.LLM,
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run", help="Print what would be written, as a diff; write nothing. May call the model."
        ),
    ] = False,
    follow_up: Annotated[
        bool,
        Option(
            "--follow-up/--no-follow-up",
            help="Check and link the written notes at once, or leave that to `reme maintain run`.",
        ),
    ] = True,
    wait: Annotated[
        bool, Option("--wait/--no-wait", help="Wait while another auto_dream is at work, or exit 1.")
    ] = True,
    retry_quarantined: Annotated[
        bool,
        Option("--retry-quarantined", help="Try again what failed in three runs and was set aside."),
    ] = False,
) -> int:
    """Turn daily notes into long-term memory.

    Reads what changed in daily/, distils it into notes in digest/ that link to their sources, and picks the topics of
    the day for `reme proactive`. What you wrote in daily/ stays as it is. It is safe to run it twice, beside an editor, or
    again after it was killed; `reme undo` takes a run back.

    The default engine needs a language model: docs/models.md tells how to set one up. The defaults with N can be
    changed in vault.yaml, section `dream`.

    Exits 1 when something is left to retry, 3 when no model could be used.
    """
    from reme_cli.dream.options import DreamOptions
    from reme_cli.dream.pipeline import dream

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
