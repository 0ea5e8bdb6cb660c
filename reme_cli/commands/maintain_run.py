"""`reme maintain run`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.follow_up import Drained

EXAMPLES = ("reme maintain run", "reme maintain run --dry-run", "reme maintain run --no-llm")


def maintain_run(
    session: Session,
    no_llm: Annotated[
        bool,
        Option(
            "--no-llm", help="Do not ask the model of `llm.model`: overloaded notes are told of, not split."
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        Option(
            "--dry-run",
            help="Print what each follow-up on its own would write, as a diff; write nothing. May call the model.",
        ),
    ] = False,
) -> int:
    """Do what waits in the queue of follow-ups.

    Each note that a dream wrote is checked for its size (D3), split where a model finds several topics in it, and linked where
    it mentions others and where others mention it (L1). `auto_dream` does that itself, but for `--no-follow-up` and what failed. A follow-up that fails three times is
    dropped. Exits 1 when something is left.
    """
    from reme_cli.changeset.run import start_run
    from reme_cli.dream.renaming import carry_catalog, respelled_by
    from reme_cli.follow_up import Workbench, connected_splitter, drain, preview

    vault = session.open_vault()
    terminal = session.terminal
    connect = None if no_llm or vault.config.llm.model is None else partial(connected_splitter, vault)
    if dry_run and connect is not None:
        terminal.remark("dry run: nothing is written, but the model is called")
    with (
        session.open_index(vault) as index,
        start_run(vault, "maintain run") as run,
        terminal.progress() as step,
    ):
        bench = Workbench(vault, index, run, connect=connect, dry_run=dry_run)
        drained = (preview if dry_run else drain)(bench, progress=step)
    if dry_run:
        _tell_preview(drained, bench.diffs, session)
        return 0
    if drained.done:
        carry_catalog(vault, respelled_by(vault, run.id))
    session.tell_rescues(run.rescued)
    _tell_failures(drained, session)
    for told in drained.dropped:
        terminal.warn(f"{told.job.path}: {told.job.kind} is dropped: {told.what}")
    if session.json:
        _json(drained, session, run=run.id if drained.done else None, diff=None)
    else:
        for told in drained.done:
            terminal.line(f"{told.job.kind:4} {told.job.path}: {told.what}")
    dropped = f", {len(drained.dropped)} dropped" if drained.dropped else ""
    left = f"; {counted(drained.waiting, 'follow-up')} left" if drained.waiting else ""
    told_done = counted(len(drained.done), "follow-up")
    terminal.remark(
        f"{told_done} done{dropped}{left}" if drained.done or dropped or left else "nothing waits"
    )
    return int(bool(drained.waiting))


def _tell_preview(drained: Drained, diffs: list[str], session: Session) -> None:
    terminal = session.terminal
    _tell_failures(drained, session)
    if session.json:
        _json(drained, session, run=None, diff="".join(diffs))
    else:
        terminal.diff("".join(diffs))
        for told in drained.done:
            terminal.remark(f"{told.job.kind} {told.job.path}: {told.what}")
    terminal.remark(f"{counted(drained.waiting, 'follow-up')} to do" if drained.waiting else "nothing waits")


def _tell_failures(drained: Drained, session: Session) -> None:
    for told in drained.failed:
        session.terminal.failure(f"{told.job.path}: {told.job.kind}: {told.what}")
    if drained.stopped:
        session.terminal.failure(drained.stopped)


def _json(drained: Drained, session: Session, *, run: str | None, diff: str | None) -> None:
    from reme_cli.follow_up import as_json

    is_dry = diff is not None
    session.terminal.json({"schema": 1, "run": run, "dry_run": is_dry, **as_json(drained), "diff": diff})
