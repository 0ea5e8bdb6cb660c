"""`reme undo`."""

from __future__ import annotations

from typing import Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import Refused
from reme_cli.output import counted

EXAMPLES = ("reme undo --dry-run", "reme undo", "reme undo 20260620T033000-4f2a1c")


def undo(
    session: Session,
    run: Annotated[
        str | None,
        Argument(
            metavar="[RUN]",
            show_default=False,
            help="The name of a run, or how it begins. Default: the last run.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print what would be restored, as a diff; change nothing.")
    ] = False,
) -> int:
    """Take back what a run wrote.

    Each file gets back the text it had before the run. A file that was edited since is left alone and named, and the
    command exits 4. An undo is a run itself: `reme undo` again brings everything back.
    """
    from reme_cli.changeset.undo import undo as undo_run
    from reme_cli.dream.renaming import follow_moves

    vault = session.open_vault()
    done = undo_run(vault, run, dry_run=dry_run)
    if not dry_run:
        follow_moves(vault)
    terminal = session.terminal
    for left in done.left:
        terminal.warn(f"{left.path} is left alone: {left.reason}")
    session.tell_rescues(done.rescued)
    if session.json:
        terminal.json(
            {
                "schema": 1,
                "run": done.run,
                "by": None if dry_run else done.by,
                "dry_run": dry_run,
                "restored": list(done.restored),
                "left": [{"path": left.path, "reason": left.reason} for left in done.left],
                "diff": done.diff if dry_run else None,
            }
        )
    elif dry_run:
        terminal.diff(done.diff)
    else:
        for path in done.restored:
            terminal.line(f"{'restored' if vault.locate(path).exists() else 'removed':11} {path}")
    verb = "would be taken back" if dry_run else "is taken back"
    if not done.restored:
        terminal.remark(f"nothing of {done.run} {verb}")
        return Refused.exit_code if done.left else 0
    rest = f", but for {counted(len(done.left), 'file')}" if done.left else ""
    terminal.remark(f"{done.run} {verb}{rest}" + ("" if dry_run else "; `reme undo` again brings it back"))
    return Refused.exit_code if done.left else 0
