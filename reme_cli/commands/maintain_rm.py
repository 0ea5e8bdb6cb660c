"""`reme maintain rm`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import Refused, UsageError
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.maintain.remove import Removal
    from reme_cli.vault.vault import Vault

EXAMPLES = (
    "reme maintain rm digest/wiki/jwt.md",
    "reme maintain rm digest/wiki/jwt.md --unlink --dry-run",
    "reme maintain rm digest/wiki/jwt.md --retarget digest/wiki/tokens.md",
)


def maintain_rm(
    session: Session,
    note: Annotated[str, Argument(metavar="NOTE", help="A note, or a folder, of which all notes go.")],
    unlink: Annotated[bool, Option("--unlink", help="Let the links to it become their text.")] = False,
    retarget: Annotated[
        str | None, Option(metavar="OTHER", help="Let the links to it lead to this note.")
    ] = None,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print what would be changed, as a diff; change nothing.")
    ] = False,
) -> int:
    """Remove a note or folder of notes; no link is left broken.

    While other notes link to it, it is refused: the links are listed, and the command exits 4. `--unlink` or `--retarget OTHER`
    says what is to become of them. Files that are no notes stay. It is one change, and `reme undo` takes it back.
    """
    from reme_cli.maintain.place import existing
    from reme_cli.maintain.remove import as_heir, plan_removal, remove

    if unlink and retarget is not None:
        raise UsageError("`--unlink` and `--retarget` are two ways to do it", hint="Give one of them.")
    vault = session.open_vault()
    place = existing(vault, note, Path.cwd())
    heir = None if retarget is None else as_heir(vault, existing(vault, retarget, Path.cwd()))

    def plan() -> Removal:
        return plan_removal(vault, place, unlink=unlink, heir=heir)

    run_id = None
    if dry_run:
        removal = plan()
    else:
        from reme_cli.changeset.run import start_run

        with start_run(vault, "maintain rm") as run:
            removal = remove(vault, run, plan)
        run_id = run.id if removal.edits else None
        session.tell_rescues(run.rescued)
    _tell(vault, removal, session, run_id, dry_run=dry_run)
    return 0 if removal.edits else Refused.exit_code


def _tell(vault: Vault, removal: Removal, session: Session, run_id: str | None, *, dry_run: bool) -> None:
    terminal = session.terminal
    diff = None
    if dry_run:
        from reme_cli.changeset.difference import unified_diff

        diff = "".join(
            unified_diff(edit.path, vault.read(edit.path).text, edit.text) for edit in removal.edits
        )
    if session.json:
        terminal.json(
            {
                "schema": 1,
                "run": run_id,
                "dry_run": dry_run,
                "refused": not removal.edits,
                "notes": list(removal.notes),
                "inbound": [
                    {
                        "path": each.source,
                        "line": each.link.line,
                        "col": each.link.col,
                        "link": each.shown,
                        "target": each.target,
                    }
                    for each in removal.inbound
                ],
                "rewritten": list(removal.rewritten),
                "left": list(removal.left),
                "diff": diff,
            }
        )
    elif not removal.edits:
        for each in removal.inbound:
            terminal.line(f"{each.source}:{each.link.line}:{each.link.col} {each.shown}")
    elif diff is not None:
        terminal.diff(diff)
    else:
        for path in removal.notes:
            terminal.line(f"{'removed':11} {path}")
        for path in removal.rewritten:
            terminal.line(f"{'rewritten':11} {path}")
    links = counted(len(removal.inbound), "link")
    if not removal.edits:
        verb = "leads" if len(removal.inbound) == 1 else "lead"
        what = f"{links} {verb} to {removal.notes[0] if len(removal.notes) == 1 else 'these notes'}"
        hint = "`--unlink` makes text of them, `--retarget OTHER` lets them lead to another note."
        terminal.error(Refused(f"{what}: nothing is removed", hint=hint))
        return
    for path in removal.left:
        terminal.warn(f"{path} stays: it is no note")
    verb = "to remove" if dry_run else "removed"
    end = "" if dry_run else "; `reme undo` takes it back"
    terminal.remark(f"{counted(len(removal.notes), 'note')} {verb}, {links} rewritten{end}")
