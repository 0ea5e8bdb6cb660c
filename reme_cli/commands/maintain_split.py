"""`reme maintain split`."""

from __future__ import annotations

import os
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import Refused, UsageError
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.follow_up import Drained
    from reme_cli.index.index import Index
    from reme_cli.maintain.split import Outcome, SplitReport
    from reme_cli.vault.vault import Vault

EXAMPLES = (
    "reme maintain split digest/wiki/everything-about-tokens.md --dry-run",
    "reme maintain split --all",
    "reme maintain split digest/wiki/tokens.md engine=extractive --force",
)


class Engine(StrEnum):
    """What takes a note apart."""

    LLM = "llm"
    EXTRACTIVE = "extractive"


def maintain_split(
    session: Session,
    notes: Annotated[
        list[str] | None,
        Argument(metavar="[NOTES]", show_default=False, help="Notes of the digest."),
    ] = None,
    all_notes: Annotated[
        bool, Option("--all", help="Every note of the digest that is over `maintain.overload_tokens`.")
    ] = False,
    force: Annotated[
        bool,
        Option("--force", help="Split a short note too, and do not ask whether it holds several topics."),
    ] = False,
    engine: Annotated[
        Engine | None,
        Option(
            help="`llm` uses the model of `llm.model`; `extractive` needs none: it moves sections word for word. "
            "Default: `llm` where a model is configured.",
        ),
    ] = None,
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run",
            help="Print what would be written, as a diff, and where each link would go; write nothing. May call the model.",
        ),
    ] = False,
    follow_up: Annotated[
        bool,
        Option(
            "--follow-up/--no-follow-up",
            help="Link the new notes at once, or leave that to `reme maintain run`.",
        ),
    ] = True,
) -> int:
    """Split a note of several topics into an overview and notes.

    The note stays where it is and becomes an overview that links each part; links to it stay as they are. No link and no sentence of
    it is lost: what a model answers is checked, and refused whole when something is missing. It is one change, and `reme undo`
    takes it back.

    Exits 3 when a model is needed, 4 when a split was refused.
    """
    from reme_cli.changeset.run import start_run
    from reme_cli.maintain.split import SplitOptions, split_notes

    if bool(notes) == all_notes:
        raise UsageError("name the notes to split, or give `--all`", hint="One of the two.")
    vault = session.open_vault()
    chosen = engine or (Engine.LLM if vault.config.llm.model is not None else Engine.EXTRACTIVE)
    terminal = session.terminal
    if dry_run and chosen is Engine.LLM:
        terminal.remark("dry run: nothing is written, but the model is called")
    drained = None
    with session.open_index(vault) as index, start_run(vault, "maintain split") as run:
        paths = _wanted(vault, index, notes or [])
        options = SplitOptions(chosen.value, force=force, dry_run=dry_run)
        with terminal.progress() as step:
            report = split_notes(vault, index, paths, options, run, env=os.environ, progress=step)
            if report.parts and follow_up and not dry_run:
                from reme_cli.dream.renaming import carry_catalog, respelled_by
                from reme_cli.follow_up import Workbench, connected_splitter, drain

                connect = partial(connected_splitter, vault) if chosen is Engine.LLM else None
                drained = drain(Workbench(vault, index, run, connect=connect), progress=step)
                carry_catalog(vault, respelled_by(vault, run.id))
    session.tell_rescues(run.rescued)
    run_id = run.id if report.parts and not dry_run else None
    _tell(vault, report, drained, session, run_id, chosen, dry_run=dry_run)
    return report.exit_code


def _wanted(vault: Vault, index: Index, given: list[str]) -> tuple[str, ...]:
    from reme_cli.maintain.place import existing
    from reme_cli.maintain.split import overloaded

    places = [existing(vault, note, Path.cwd()) for note in given]
    for place in places:
        if place.is_folder:
            raise UsageError(
                "is a folder",
                where=place.path,
                hint="Name notes; `--all` takes every one that is overloaded.",
            )
    return tuple(place.path for place in places) or overloaded(vault, index)


def _tell(
    vault: Vault,
    report: SplitReport,
    drained: Drained | None,
    session: Session,
    run_id: str | None,
    engine: Engine,
    *,
    dry_run: bool,
) -> None:
    terminal = session.terminal
    if report.stopped is not None:
        terminal.failure(report.stopped.one_line)
    undivided = [outcome for outcome in report.outcomes if outcome.status == "undivided"]
    for outcome in report.outcomes:
        if outcome.status in {"refused", "undivided"}:
            hint = _model_hint(vault) if undivided and outcome is undivided[-1] else None
            terminal.error(Refused(outcome.what, where=outcome.path, hint=hint))
        for link in outcome.stranded:
            now = f"; {link.now} has it now" if link.now else ""
            terminal.warn(f"{link.source}:{link.line}:{link.col}: {link.link} leads to no heading there{now}")
    if session.json:
        from reme_cli.follow_up import Drained, as_json

        terminal.json(
            {
                "schema": 1,
                "run": run_id,
                "dry_run": dry_run,
                "engine": engine.value,
                "notes": [_as_json(outcome) for outcome in report.outcomes],
                "followed": as_json(drained or Drained()),
                "stopped": None if report.stopped is None else report.stopped.one_line,
                "calls": report.spent.calls if report.spent else 0,
                "tokens": report.spent.tokens if report.spent else 0,
                "diff": "".join(outcome.diff() for outcome in report.outcomes) if dry_run else None,
            }
        )
        return
    for outcome in report.outcomes:
        if outcome.status == "kept":
            terminal.line(f"{'kept':11} {outcome.path}: {outcome.what}")
        elif outcome.status == "split" and outcome.split is not None:
            if dry_run:
                terminal.diff(outcome.diff())
                rows = [(str(key), ", ".join(places)) for key, places in outcome.split.edges().items()]
                terminal.table(rows, ("link", "is then in"))
            else:
                terminal.line(f"{'split':11} {outcome.path}")
                for part in outcome.split.parts:
                    terminal.line(f"{'created':11} {part.path}")
            if outcome.coverage is not None:
                terminal.remark(f"{outcome.path}: {outcome.coverage:.0%} of its words are found again")
    terminal.remark(_summary(vault, report, drained, dry_run=dry_run))


def _model_hint(vault: Vault) -> str:
    """How to bring a model to a note that cannot be divided without one."""
    if vault.config.llm.model is None:
        return "Set llm.model in vault.yaml or REME_LLM__MODEL (e.g. openai/gpt-5-mini)."
    return "engine=llm asks the model of llm.model."


def _summary(vault: Vault, report: SplitReport, drained: Drained | None, *, dry_run: bool) -> str:
    if not report.outcomes and report.stopped is None:
        return f"no note of the digest has more than {vault.config.maintain.overload_tokens} tokens"
    split = sum(outcome.status == "split" for outcome in report.outcomes)
    verb = "to split" if dry_run else "split"
    told = f"{counted(split, 'note')} {verb}, {counted(len(report.parts), 'part')}"
    if drained is not None:
        told += f", {counted(len(drained.done), 'follow-up')} done"
    if report.spent is not None and report.spent.calls:
        told += f"; {counted(report.spent.calls, 'model call')}, {report.spent.tokens} tokens"
    return told + ("; `reme undo` takes it back" if split and not dry_run else "")


def _as_json(outcome: Outcome) -> dict[str, object]:
    split = outcome.split if outcome.status == "split" else None
    return {
        "path": outcome.path,
        "status": outcome.status,
        "reason": outcome.what,
        "coverage": None if outcome.coverage is None else round(outcome.coverage, 4),
        "parts": [
            {"path": part.path, "name": part.name, "description": part.description}
            for part in (split.parts if split else ())
        ],
        "edges": [
            {"target": key.target, "predicate": key.predicate, "in": list(places)}
            for key, places in (split.edges().items() if split else ())
        ],
        "stranded": [link._asdict() for link in outcome.stranded],
    }
