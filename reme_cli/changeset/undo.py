"""What a run changed, as texts: showing it, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reme_cli.changeset import audit, history
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.difference import renaming, unified_diff
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.errors import UsageError
from reme_cli.graph.conservation import Restore
from reme_cli.vault.stamp import ABSENT, Stamp

if TYPE_CHECKING:
    from reme_cli.changeset.audit import RunSummary
    from reme_cli.changeset.held import Rescue
    from reme_cli.vault.vault import Vault


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a run made of one file, by the stamps at either end of its writes."""

    path: str
    before: Stamp
    after: Stamp
    interrupted: bool
    """Somebody else wrote between two writes of the run; `before` is what they left."""
    source: str | None = None
    """The path that the file had before, where the run moved it as it is."""
    new_folders: tuple[str, ...] = ()
    """The folders that the run made for it, the innermost last."""


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A file that an undo did not touch, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did."""

    run: str
    """The run taken back."""
    by: str
    """The run that this undo is; undoing it brings everything back."""
    restored: tuple[str, ...]
    left: tuple[LeftAlone, ...]
    diff: str
    """Unified, of what was (or, in a dry run, would be) restored."""
    rescued: tuple[Rescue, ...] = ()


def undo(vault: Vault, run_id: str | None = None, *, dry_run: bool = False) -> Undone:
    """Restores what the files were before a run, by compare-and-swap; default: the last run that still stands.

    A file that was edited since is left alone. An undo is a run, which can be undone. Raises `UsageError` for an
    unknown run, or when there is nothing to take back.
    """
    recover(vault)
    summary = _choose(vault, run_id)
    edits: list[Edit] = []
    left: list[LeftAlone] = []
    for change in changes_of(vault, summary.run):
        if change.source is not None:
            edits.append(_moved_back(change, summary.run))
            continue
        text = _text(vault, change.before)
        if change.before != ABSENT and text is None:
            left.append(LeftAlone(change.path, "its earlier text is no longer in the history"))
            continue
        folders = change.new_folders[::-1] if text is None else ()
        reason = f"undoes {summary.run}"
        edits.append(Edit(change.path, text, change.after, Restore(), note=reason, folders=folders))
        if change.interrupted:
            left.append(
                LeftAlone(change.path, "taken back only up to where somebody else wrote during the run")
            )
    with start_run(vault, "undo", undoes=summary.run) as run:
        changes = ChangeSet(vault, run, edits, together=False)
        ended = changes.check() if dry_run else changes.apply().edits
    impossible = [edit for edit in ended if edit.outcome == "conflicted"]
    left += [LeftAlone(edit.path, edit.reason or "edited since") for edit in impossible]
    restored = [edit for edit in edits if edit.path not in {each.path for each in impossible}]
    return Undone(
        run=summary.run,
        by=run.id,
        restored=tuple(edit.path for edit in restored),
        left=tuple(left),
        diff="".join(_restoring(vault, edit) for edit in restored),
        rescued=tuple(run.rescued),
    )


def run_diff(vault: Vault, run_id: str) -> str:
    """What a run changed, as a unified diff by path; a text that was pruned is named as such. Raises `UsageError`."""
    parts = []
    for change in changes_of(vault, _known(vault, run_id).run):
        if change.source is not None:
            parts.append(renaming(change.source, change.path))
            continue
        texts = [(stamp, _text(vault, stamp)) for stamp in (change.before, change.after)]
        if any(stamp != ABSENT and text is None for stamp, text in texts):
            parts.append(f"# {change.path}: no longer in the history\n")
        else:
            parts.append(unified_diff(change.path, texts[0][1], texts[1][1]))
    return "".join(parts)


def changes_of(vault: Vault, run_id: str) -> tuple[FileChange, ...]:
    """What a run made of each file it wrote, sorted by path.

    Several writes of one file count as one, back to where somebody else wrote in between.
    """
    changes: dict[str, FileChange] = {}
    for line in audit.lines_of(vault, run_id):
        if line.outcome != "written":
            continue
        known = changes.get(line.path)
        if known is None or line.op == "move":
            folders = line.new_folders or ()
            changes[line.path] = FileChange(
                line.path,
                line.before,
                line.after,
                interrupted=False,
                source=line.source if line.op == "move" else None,
                new_folders=folders,
            )
        elif known.after == line.before:
            changes[line.path] = replace(known, after=line.after)
        else:
            changes[line.path] = FileChange(line.path, line.before, line.after, interrupted=True)
    moved = (change for _, change in sorted(changes.items()))
    return tuple(change for change in moved if change.source is not None or change.before != change.after)


def _moved_back(change: FileChange, run: str) -> Edit:
    return Edit(
        change.source or "",
        None,
        change.after,
        Restore(),
        note=f"undoes {run}",
        source=change.path,
        folders=change.new_folders[::-1],
    )


def _restoring(vault: Vault, edit: Edit) -> str:
    """What an edit of an undo changes, as a diff."""
    if edit.source is not None:
        return renaming(edit.source, edit.path)
    return unified_diff(edit.path, _text(vault, edit.expected), edit.text)


def _choose(vault: Vault, run_id: str | None) -> RunSummary:
    if run_id is not None:
        return _known(vault, run_id)
    standing = [summary for summary in audit.runs(vault) if summary.wrote and not summary.undone]
    if not standing:
        raise UsageError("no run has written anything that could be undone", where=str(vault.root))
    return standing[-1]


def _known(vault: Vault, run_id: str) -> RunSummary:
    """The run with this id, or the only one whose id begins so."""
    found = [summary for summary in audit.runs(vault) if summary.run.startswith(run_id)]
    exact = [summary for summary in found if summary.run == run_id]
    if len(exact or found) != 1:
        what = f"no run `{run_id}`" if not found else f"`{run_id}` begins the names of {len(found)} runs"
        raise UsageError(what, where=str(vault.root), hint="`reme log` lists the runs.")
    return (exact or found)[0]


def _text(vault: Vault, stamp: Stamp) -> str | None:
    data = None if stamp == ABSENT else history.load(vault, stamp)
    return None if data is None else data.decode()
