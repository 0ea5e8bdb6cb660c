"""`reme auto_link`."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import UsageError
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.linking.report import L1Report

EXAMPLES = (
    "reme auto_link --dry-run",
    "reme auto_link digest/wiki threshold=strict",
    "reme auto_link since=yesterday mentions=section --no-llm",
    "reme auto_link level=l3 --apply",
)


class Level(StrEnum):
    """What kind of relation is looked for."""

    L1 = "l1"
    L2 = "l2"
    L3 = "l3"
    L4 = "l4"


class Sureness(StrEnum):
    """How sure a mention has to be."""

    STRICT = "strict"
    BALANCED = "balanced"
    EAGER = "eager"


class Mentions(StrEnum):
    """Which mentions of one note become links."""

    FIRST = "first"
    SECTION = "section"
    ALL = "all"


def auto_link(
    session: Session,
    paths: Annotated[
        list[str] | None,
        Argument(
            metavar="[PATHS]",
            show_default=False,
            help="Notes, folders or patterns. Default: all that can be linked.",
        ),
    ] = None,
    level: Annotated[
        Level,
        Option(
            help="`l1`: mentions become links. `l2`: same topic, not linked. `l3`: links get the predicate that their sentence"
            " states. `l4`: duplicates."
        ),
    ] = Level.L1,
    threshold: Annotated[Sureness, Option(help="How sure a mention has to be.")] = Sureness.BALANCED,
    mentions: Annotated[
        Mentions, Option(help="Link the first mention of a note, one in each section, or all.")
    ] = Mentions.FIRST,
    since: Annotated[
        str | None, Option(metavar="REV|DATE", help="Only notes that changed since a commit or a day.")
    ] = None,
    apply: Annotated[
        bool, Option("--apply", help="`l3`: write the predicates. Without it they are only reported.")
    ] = False,
    no_llm: Annotated[
        bool, Option("--no-llm", help="Do not ask the model of `llm.model` about what is unsure.")
    ] = False,
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run", help="Print what would be written, as a diff; write nothing. May call the model."
        ),
    ] = False,
) -> int:
    """Link notes that mention each other.

    Where a note names another one in running text, the name becomes a link to it; nothing else in the note changes. Works on
    digest/, on the daily notes of days that are over, and on every note of a vault without a digest. With a model
    (docs/models.md), it decides where a name is ambiguous or a mention unsure. `reme undo` takes a run back.
    """
    from reme_cli.changeset.run import start_run
    from reme_cli.linking.l1_mentions import LinkOptions, link_mentions

    if apply and level is not Level.L3:
        raise UsageError(
            "--apply belongs to level=l3", hint="The other levels write without it; --dry-run shows what."
        )
    vault = session.open_vault()
    options = LinkOptions(
        threshold=threshold.value,
        mentions=mentions.value,
        dry_run=dry_run,
        use_model=not no_llm and vault.config.llm.model is not None,
    )
    if dry_run and options.use_model:
        session.terminal.remark("dry run: nothing is written, but the model is called")
    if level is not Level.L1:
        from reme_cli.commands import link_levels  # only where one of them is run

        with session.open_index(vault) as index:
            wanted = _wanted(session, index, paths or [], since)
            if level is Level.L3:
                return link_levels.run_l3(
                    session, index, wanted, apply=apply, dry_run=dry_run, use_model=options.use_model
                )
            run_level = link_levels.run_l2 if level is Level.L2 else link_levels.run_l4
            return run_level(session, index, wanted, dry_run=dry_run, use_model=options.use_model)
    with session.open_index(vault) as index, start_run(vault, "auto_link l1") as run:
        wanted = _wanted(session, index, paths or [], since)
        with session.terminal.progress() as step:
            report = link_mentions(
                vault,
                index,
                wanted,
                options,
                run,
                env=os.environ,
                progress=lambda done, total: step("linking", done, total),
            )
    session.tell_rescues(run.rescued)
    _tell(report, session)
    return int(report.asking is not None and report.asking.stopped is not None)


def _wanted(session: Session, index: Index, given: list[str], since: str | None) -> list[str] | None:
    """The notes that are asked for; `None` for all."""
    if not given and since is None:
        return None
    from reme_cli.linking.since import changed_since
    from reme_cli.lint.places import places

    vault = index.vault
    found = set(index.stamps())
    if given:
        asked = places(session.root(), given, Path.cwd())
        found = {path for path in found if asked.hold(path)} | {
            path for path in asked.files if path.endswith(".md")
        }
    if since is not None:
        found &= changed_since(vault, index, since)
    return sorted(found)


def _tell(report: L1Report, session: Session) -> None:
    from reme_cli.commands.link_levels import model_part
    from reme_cli.commands.mention_lines import tell_mentions
    from reme_cli.linking.report import as_json

    terminal = session.terminal
    asking = report.asking
    if asking is not None and asking.stopped is not None:
        terminal.failure(asking.stopped)
    if session.json:
        terminal.json(as_json(report))
        return
    tell_mentions(report, terminal)
    verb = "would be linked" if report.dry_run else "linked"
    told = f"{counted(len(report.linked), 'mention')} {verb} in {counted(len(report.changed), 'note')}"
    if report.left:
        told += f"; {len(report.left)} left (--verbose tells why)"
    terminal.remark(told + model_part(asking))
