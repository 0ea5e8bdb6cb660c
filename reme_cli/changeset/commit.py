"""Bringing a committed change set to its end: forward, or back; at once, or after a crash.

The writer and the recovery call the same function, and it may be interrupted and called again at any point.
"""

from __future__ import annotations

import contextlib
import datetime
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reme_cli.changeset import audit, held, swap, system
from reme_cli.changeset.journal import TurnedBack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from reme_cli.changeset.audit import Outcome
    from reme_cli.changeset.journal import Entry, Journal, Operation


@dataclass(frozen=True, slots=True)
class Done:
    """How one operation of a change set ended."""

    operation: Operation
    outcome: Outcome
    reason: str | None = None
    copy: str | None = None
    """A conflict copy that had to be made, vault-relative."""
    error: int | None = None
    """The system's error number, where it was the system that refused."""


def carry_out(journal: Journal, audited: Mapping[str, Outcome] | None = None) -> tuple[Done, ...]:
    """Carries out a committed set, audits it, clears up, and gives how each operation ended. Raises `OSError`.

    For the holder of the vault lock. After a crash, `audited` are the outcomes, by path, that the audit has already.
    """
    now = audit.now(journal.vault)
    done = _forward(journal, now) if journal.turned_back is None else []
    if journal.turned_back is not None:
        done = _back(journal, now)
    new = [each for each in done if each.operation.path not in (audited or {})]
    audit.append(journal.vault, _lines(journal.entry, new, now))
    _clear_up(journal, done, resumed=audited is not None)
    return tuple(done)


def carry_on(journal: Journal) -> tuple[Done, ...]:
    """What `carry_out` does, for a set that a crash interrupted: whatever is done and audited is not done again."""
    entry = journal.entry
    audited = _audited(journal)
    if len(audited) < len(entry.operations):
        return carry_out(journal, audited)
    # The crash fell after the audit: what became of the files since is nobody's business here.
    done = [Done(operation, audited[operation.path]) for operation in entry.operations]
    _clear_up(journal, done, resumed=True)
    return ()


def abandon(journal: Journal) -> None:
    """Clears up a set that was not committed: nothing of it can have been seen by anybody. Raises `OSError`."""
    for number, operation in enumerate(journal.entry.operations):
        system.unlink(journal.spot(number).temporary)
        _remove_folders(journal, operation)
    journal.close(holding=False)


def _forward(journal: Journal, now: datetime.datetime) -> list[Done]:
    """Every operation in turn; up to the first impossible one where all belong together, which is then told."""
    done = []
    for number in range(len(journal.entry.operations)):
        swapped = swap.perform(journal, number, now)
        outcome: Outcome = "conflicted"
        if swapped.result in {"written", "refused"}:
            outcome = "written" if swapped.result == "written" else "refused"
        done.append(_done(journal, number, outcome, swapped))
        if outcome != "written" and journal.entry.together:
            reason = swapped.reason or "impossible"
            journal.turn_back(TurnedBack(number, reason, swapped.error, done[-1].copy))
            break
    _make_last(journal, (number for number, each in enumerate(done) if each.outcome != "refused"))
    return done


def _back(journal: Journal, now: datetime.datetime) -> list[Done]:
    """What a turned-back set comes to: everything before the impossible operation taken back, where it still can be.

    In reverse: notes that were created go last, and stay if a note that links to them could not be taken back.
    """
    turned = journal.turned_back
    if turned is None:
        raise ValueError(journal.entry.id)
    cause = f"{journal.entry.operations[turned.operation].path}: {turned.reason}"
    done: list[Done] = []
    left = False
    for number, operation in reversed(list(enumerate(journal.entry.operations))):
        if number > turned.operation:
            done.append(Done(operation, "rolled-back", cause))
        elif number == turned.operation:
            outcome: Outcome = "conflicted" if turned.error is None else "refused"
            done.append(Done(operation, outcome, turned.reason, turned.copy, turned.error))
        elif operation.kind == "create" and left:
            done.append(Done(operation, "written", f"left in place; {cause}"))
        else:
            swapped = swap.take_back(journal, number, now)
            if swapped.result == "taken-back":
                done.append(Done(operation, "rolled-back", cause))
            else:
                left = True
                done.append(_done(journal, number, "written", swapped))
    _make_last(journal, range(turned.operation + (turned.error is None)))
    return done[::-1]


def _make_last(journal: Journal, numbers: Iterable[int]) -> None:
    """Makes the names that these operations gave and took last through a power failure: each folder is flushed once."""
    folders: dict[Path, None] = {}
    for number in numbers:
        folders[journal.spot(number).place.parent] = None
        if journal.entry.operations[number].kind == "move":
            folders[journal.source(number).parent] = None
    for folder in folders:
        with contextlib.suppress(FileNotFoundError):  # somebody removed it, with all that was in it
            system.sync_folder(folder)


def _done(journal: Journal, number: int, outcome: Outcome, swapped: swap.Swapped) -> Done:
    copy = swapped.copy
    return Done(
        journal.entry.operations[number],
        outcome,
        swapped.reason,
        None if copy is None else copy.relative_to(journal.vault.root).as_posix(),
        swapped.error,
    )


def _clear_up(journal: Journal, done: Iterable[Done], *, resumed: bool) -> None:
    """Removes the new texts that were not used and the folders that hold nothing, then ends the entry.

    After a crash nobody knows whether such a text stood at its path for an instant, where a program may have opened it: it is
    held like a text that was swapped out.
    """
    for number, each in enumerate(done):
        spot = journal.spot(number)
        outside = swap.look(spot.temporary)
        if outside is not None and resumed and spot.outside is None:
            swap.set_aside(spot.temporary, spot)
        elif outside is not None:
            system.unlink(spot.temporary)
        if each.outcome != "written":
            _remove_folders(journal, each.operation)
    for each in done:
        for folder in each.operation.old_folders if each.outcome == "written" else ():
            system.remove_folder(journal.vault.locate(folder))
    journal.close(holding=held.holding(journal))


def _remove_folders(journal: Journal, operation: Operation) -> None:
    for folder in reversed(operation.new_folders):
        system.remove_folder(journal.vault.root / folder)


def _audited(journal: Journal) -> dict[str, Outcome]:
    """The outcome of each path of this set that the audit has."""
    # The day before: the entry's date and the audit's are told by the same clock, but the vault's timezone may have changed.
    began = datetime.datetime.fromisoformat(journal.entry.time).date() - datetime.timedelta(days=1)
    return {
        line.path: line.outcome
        for line in audit.lines(journal.vault, since=began)
        if line.change == journal.entry.id and line.op != "none"
    }


def _lines(entry: Entry, done: Iterable[Done], now: datetime.datetime) -> list[audit.Line]:
    lines = []
    for each in done:
        operation = each.operation
        line = audit.Line(
            run=entry.run,
            command=entry.command,
            time=now.isoformat(timespec="milliseconds"),
            path=operation.path,
            op=operation.kind,
            outcome=each.outcome,
            before=operation.before,
            after=operation.after,
            edges_added=operation.edges_added,
            edges_dropped=operation.edges_dropped,
            reason=each.reason or operation.note,
            unit=operation.unit,
            change=entry.id,
            undoes=entry.undoes,
            source=operation.source,
            new_folders=operation.new_folders or None,
        )
        lines.append(line)
        if each.copy is not None:
            lines.append(replace(line, op="none", outcome="rescued", reason=each.copy, unit=None))
    return lines
