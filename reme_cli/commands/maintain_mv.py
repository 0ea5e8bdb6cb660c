"""`reme maintain mv`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.maintain.move import Move
    from reme_cli.vault.vault import Vault

EXAMPLES = (
    "reme maintain mv digest/wiki/jwt.md digest/wiki/jwt-rotation.md",
    "reme maintain mv digest/wiki/jwt.md digest/procedure/ --dry-run",
    'reme maintain mv "old project" archive/2026',
)


def maintain_mv(
    session: Session,
    old: Annotated[str, Argument(metavar="OLD", help="A note, a folder or any other file of the vault.")],
    new: Annotated[
        str,
        Argument(metavar="NEW", help="Its new path; where a folder is, it goes into that one."),
    ],
    dry_run: Annotated[
        bool, Option("--dry-run", help="Print what would be changed, as a diff; change nothing.")
    ] = False,
) -> None:
    """Move or rename a note or folder; every link goes along.

    Links in every form lead to the new place, spelled as they were: short ones stay short where that is unambiguous. So do the
    moved note's own relative links, and `name` follows the file's name where it was the same. It is one change: all of
    it is written or nothing, and `reme undo` takes it back.
    """
    from reme_cli.maintain.move import move, plan_move
    from reme_cli.maintain.place import destination, existing

    vault = session.open_vault()
    place = existing(vault, old, Path.cwd())
    path = destination(vault, new, place)
    run_id = None
    if dry_run:
        moved = plan_move(vault, place, path)
    else:
        from reme_cli.changeset.moves import COMMAND
        from reme_cli.changeset.run import start_run
        from reme_cli.dream.renaming import follow_moves

        with start_run(vault, COMMAND) as run:
            moved = move(vault, place, path, run)
        run_id = run.id
        session.tell_rescues(run.rescued)
        follow_moves(vault)
    _tell(vault, moved, session, run_id)


def _tell(vault: Vault, moved: Move, session: Session, run_id: str | None) -> None:
    terminal = session.terminal
    for path in moved.left:
        terminal.warn(f"{path} stays: it is hidden, or no part of the vault")
    for path in moved.unread:
        terminal.warn(f"{path} cannot be read as a note: the links in it are as they were")
    for place, line, names in moved.unfollowed:
        if line is None:
            terminal.warn(f"{place}: `{names}` matches other files by that; a pattern does not follow")
        else:
            terminal.warn(f"{place}:{line}: {names} is named here without a link, which does not follow")
    for each in moved.adopted:
        place = f"{each.source}:{each.link.line}:{each.link.col}"
        terminal.warn(f"{place}: the link to {each.link.target} led nowhere, and leads to {each.target}")
    for folder in moved.in_no_bucket:
        buckets = ", ".join(vault.config.digest.buckets)
        terminal.warn(
            f"{folder}/ is no bucket of the digest; these are: {buckets} (`digest.buckets` in vault.yaml)"
        )
    paths = sorted([*moved.notes.items(), *moved.files.items()])
    rewritten = [note for note in moved.rewritten if note.links]
    if session.json:
        terminal.json(
            {
                "schema": 1,
                "run": run_id,
                "dry_run": run_id is None,
                "moved": [{"from": old, "to": new} for old, new in paths],
                "rewritten": [{"path": note.new_path, "links": note.links} for note in rewritten],
                "adopted": [
                    {
                        "path": each.source,
                        "line": each.link.line,
                        "col": each.link.col,
                        "link": each.link.target,
                        "target": each.target,
                    }
                    for each in moved.adopted
                ],
                "left": list(moved.left),
                "unread": list(moved.unread),
                "in_no_bucket": list(moved.in_no_bucket),
                "unfollowed": [each._asdict() for each in moved.unfollowed],
                "diff": moved.diff() if run_id is None else None,
            }
        )
        return
    if run_id is None:
        terminal.diff(moved.diff())
    else:
        for old, new in paths:
            terminal.line(f"{'moved':11} {old} → {new}")
        for note in rewritten:
            terminal.line(f"{'rewritten':11} {note.new_path} ({counted(note.links, 'link')})")
    notes, files = len(moved.notes), len(moved.files)
    kinds = [counted(notes, "note")] if notes else []
    kinds += [counted(files, "other file" if notes else "file")] if files else []
    links = f"{counted(moved.links, 'link')} in {counted(len(rewritten), 'note')}"
    verb, end = ("moved", "rewritten; `reme undo` takes it back") if run_id else ("to move", "to rewrite")
    terminal.remark(f"{' and '.join(kinds)} {verb}, {links} {end}")
