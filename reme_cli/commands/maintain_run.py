"""`reme maintain run`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
from reme_cli.output import counted

EXAMPLES = ("reme maintain run", "reme maintain run --no-llm")


def maintain_run(
    session: Session,
    no_llm: Annotated[
        bool,
        Option(
            "--no-llm", help="Do not ask the model of `llm.model`: overloaded notes are told of, not split."
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
    from reme_cli.follow_up import Workbench, as_json, connected_splitter, drain

    vault = session.open_vault()
    terminal = session.terminal
    with (
        session.open_index(vault) as index,
        start_run(vault, "maintain run") as run,
        terminal.progress() as step,
    ):
        connect = None if no_llm or vault.config.llm.model is None else partial(connected_splitter, vault)
        drained = drain(Workbench(vault, index, run, connect=connect), progress=step)
    if drained.done:
        carry_catalog(vault, respelled_by(vault, run.id))
    session.tell_rescues(run.rescued)
    for told in drained.failed:
        terminal.failure(f"{told.job.path}: {told.job.kind}: {told.what}")
    for told in drained.dropped:
        terminal.warn(f"{told.job.path}: {told.job.kind} is dropped: {told.what}")
    if drained.stopped:
        terminal.failure(drained.stopped)
    if session.json:
        terminal.json({"schema": 1, "run": run.id if drained.done else None, **as_json(drained)})
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
