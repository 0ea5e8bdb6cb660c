"""Where notes and files went, and which notes only got other links: what the audit has of `maintain mv` and of what links notes, and
of undoing these.

Whoever keeps paths besides the vault's own names follows them by this. A move and its lines in the audit are one, whenever the
process is killed, so that nothing has to be told at once.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset import audit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

COMMAND: Final = "maintain mv"
"""The command as the audit calls it."""

_LINKING: Final = frozenset({"auto_link l1", "auto_link l2", "auto_link l3", "watch"})
"""The commands that give notes links, or links predicates, and change nothing else in them."""

_SECONDS: Final = len("20260620T033000")
"""How much of a run's id tells its time."""


class Respelled(NamedTuple):
    """A note, at its new path if it has one, whose links are written anew, so that it says what it said before."""

    path: str
    before: Stamp
    after: Stamp


class Moves(NamedTuple):
    """What one run made of paths and links."""

    run: str
    renames: Mapping[str, str]
    """The new path of each note and file that moved, by its old one."""
    respelled: tuple[Respelled, ...]


def moves_after(vault: Vault, position: str) -> tuple[Moves, ...]:
    """The moves, and the runs that linked, that came after a `position` of the audit, in their order."""
    by_run: dict[str, list[audit.Line]] = {}
    for line in audit.lines_after(vault, position):
        if line.outcome == "written" and (
            line.command == COMMAND or line.command in _LINKING or line.undoes is not None
        ):
            by_run.setdefault(line.run, []).append(line)
    found = (_moves(vault, run, written) for run, written in by_run.items())
    return tuple(moves for moves in found if moves.renames or moves.respelled)


def former_paths(vault: Vault) -> dict[str, tuple[str, ...]]:
    """The paths that each moved note and file had before, the last one first, by the one it has now."""
    former: dict[str, tuple[str, ...]] = {}
    for moves in moves_after(vault, ""):
        carried = {old: former.pop(old, ()) for old in moves.renames}
        former |= {new: (old, *carried[old]) for old, new in moves.renames.items()}
    return former


def moved_to(vault: Vault, path: str, run: str) -> str:
    """Where the note is now that had this path when a run knew it; the path itself, where nothing moved it."""
    for moves in moves_after(vault, f"{first_day(run)}:0"):
        if moves.run[:_SECONDS] >= run[:_SECONDS]:
            path = moves.renames.get(path, path)
    return path


def moves_by(vault: Vault, run: str) -> Moves:
    """What a run moved or linked; nothing, where it does neither and takes no such run back."""
    lines = [line for line in audit.lines(vault, since=first_day(run)) if line.run == run]
    return _moves(vault, run, [line for line in lines if line.outcome == "written"])


def first_day(run: str) -> dt.date:
    """The day from which on the audit can tell of a run: its id begins with its date, in a timezone that may be another one by now.

    Of what is no id, the first day of all."""
    try:
        return dt.date(int(run[:4]), int(run[4:6]), int(run[6:8])) - dt.timedelta(days=1)
    except (ValueError, OverflowError):
        return dt.date.min


def _moves(vault: Vault, run: str, written: Sequence[audit.Line]) -> Moves:
    if written and (undone := written[0].undoes) is not None:
        there = {line.path for line in written if line.op != "delete"}
        return _back(run, moves_by(vault, undone), there)
    if not written or written[0].command not in {COMMAND, *_LINKING}:
        return Moves(run, {}, ())
    return _forth(run, written)


def _forth(run: str, written: Sequence[audit.Line]) -> Moves:
    origins = {line.path: line.source for line in written if line.source is not None}
    before = {line.path: line.before for line in written if line.op == "delete"}
    respelled = (
        Respelled(line.path, before.get(origins.get(line.path, ""), line.before), line.after)
        for line in written
        if line.op in {"create", "replace"}
    )
    return Moves(
        run,
        {old: new for new, old in origins.items()},
        tuple(each for each in respelled if each.before != each.after),
    )


def _back(run: str, moves: Moves, there: Collection[str]) -> Moves:
    """The moves that a run took back, as far as the files are `there` again."""
    renames = {new: old for old, new in moves.renames.items() if old in there}
    respelled = (Respelled(renames.get(path, path), after, before) for path, before, after in moves.respelled)
    return Moves(run, renames, tuple(each for each in respelled if each.path in there))
