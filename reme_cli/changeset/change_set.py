"""Change sets: the only way in which anything in a vault is written.

with start_run(vault, "lint --fix") as run:
    note = vault.read("digest/wiki/jwt.md")
    ChangeSet(vault, run, [Edit(note.path, new_text, note.stamp, E1())]).apply()
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Final

from reme_cli import interrupt
from reme_cli.changeset import audit, commit, history, system
from reme_cli.changeset.around import inbound_on_disk
from reme_cli.changeset.difference import renaming, unified_diff
from reme_cli.changeset.edit import Applied, AppliedEdit, Edit
from reme_cli.changeset.held import Rescue
from reme_cli.changeset.journal import HELD, Entry, Journal, Operation
from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.plan import current_bytes, decoded, kind_of, plan_edits
from reme_cli.changeset.recover import finish_interrupted
from reme_cli.changeset.system import Inode
from reme_cli.errors import AlreadyExists, Conflict, Refused
from reme_cli.graph.conservation import Retarget
from reme_cli.vault.paths import check_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reme_cli.changeset.around import InboundLookup
    from reme_cli.changeset.audit import Outcome
    from reme_cli.changeset.commit import Done
    from reme_cli.changeset.plan import Plan, Planned
    from reme_cli.changeset.run import Run
    from reme_cli.graph.conservation import EdgeKey
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

REDOS: Final = 3
"""How often a plan is made anew because somebody else wrote in between."""


class ChangeSet:
    """Edits of different files that are checked, and made, together.

    `names` are the vault's names before the change, walked from disk where not given; `inbound` gives the links
    that might mean a new note, scanned from disk where not given. `together=False` lets each edit be made, or
    conflict, on its own.
    """

    def __init__(
        self,
        vault: Vault,
        run: Run,
        edits: Iterable[Edit],
        *,
        names: Names | None = None,
        inbound: InboundLookup | None = None,
        together: bool = True,
    ) -> None:
        self.vault = vault
        self.run = run
        self.edits = tuple(edits)
        self.together = together
        self._names = names
        self._inbound = inbound or inbound_on_disk(vault)
        if len({edit.path for edit in self.edits}) < len(self.edits):
            raise ValueError("two edits of one file in one change set")

    def diff(self) -> str:
        """The unified diff of what would be written, against what is on disk now. Writes nothing."""
        return "".join(
            renaming(edit.source, edit.path)
            if edit.source is not None
            else unified_diff(edit.path, decoded(edit.path, current_bytes(self.vault, edit.path)), edit.text)
            for edit in self.edits
        )

    def check(self) -> tuple[AppliedEdit, ...]:
        """Raises what `apply` would raise as things are now; gives the edits that would conflict, where each is on
        its own. Writes nothing."""
        return tuple(_ended(planned, "conflicted", reason) for planned, reason in self._plan().conflicted)

    def apply(self) -> Applied:
        """Makes the edits, durably; all or none, unless `together` is false. Every attempt is audited.

        Raises `Conflict` and `AlreadyExists` where somebody else wrote first, `EdgesLost`, `NameCaptured`,
        `PathRefused` and `Refused` where a rule forbids it, `UnreadableNote`, `VaultUnwritable`, `Busy`.
        """
        with vault_lock(self.vault):
            finish_interrupted(self.vault)
            try:
                plan = self._plan()
            except Refused as error:
                audit.append(self.vault, map(self._line, self._refused(error)))
                raise
            done = self._carry_out(plan) if plan.to_do else ()
            aside = [_ended(planned, "skipped", "nothing to change") for planned in plan.idle]
            aside += [_ended(planned, "conflicted", reason) for planned, reason in plan.conflicted]
            audit.append(self.vault, map(self._line, aside))
        if self.together:
            _raise_impossible(done)
        ended = [
            _ended(planned, each.outcome, each.reason, plan.edges[planned.path])
            for planned, each in zip(plan.to_do, done, strict=True)
        ]
        position = {check_path(edit.path): number for number, edit in enumerate(self.edits)}
        return Applied(tuple(sorted((*ended, *aside), key=lambda edit: position[edit.path])), _rescued(done))

    def _plan(self) -> Plan:
        return plan_edits(
            self.vault, self.edits, together=self.together, names=self._names, inbound=self._inbound
        )

    def _carry_out(self, plan: Plan) -> tuple[Done, ...]:
        """Makes what was planned, or nothing of it. Ctrl-C ends the preparation, and waits for what follows it."""
        with system.telling_unwritable(plan.to_do[0].path):
            texts = (data for planned in plan.to_do for data in (planned.old, planned.new))
            history.keep_all(self.vault, (data for data in texts if data is not None))
            with self._preparing(plan) as (journal, inodes), interrupt.deferred():
                journal.commit(inodes)
                done = commit.carry_out(journal)
                self.run.has_written(_rescued(done))
                return done

    @contextlib.contextmanager
    def _preparing(self, plan: Plan) -> Iterator[tuple[Journal, tuple[Inode | None, ...]]]:
        """A journal entry with every new text complete beside its note; cleared up where it is not committed."""
        entry = Entry(
            id=self.run.change_id(),
            run=self.run.id,
            command=self.run.command,
            time=audit.timestamp(self.vault),
            together=self.together,
            operations=tuple(self._operation(planned, plan) for planned in plan.to_do),
            undoes=self.run.undoes,
        )
        system.make_folder(self.vault.metadata(history.HISTORY, HELD))
        journal = Journal.new(self.vault, entry)
        try:
            with interrupt.deferred():
                journal.begin()
            yield (
                journal,
                tuple(_prepared(journal, number, planned) for number, planned in enumerate(plan.to_do)),
            )
        except BaseException:
            if journal.inodes is None:
                # What cannot be cleared up now is found through the journal by the next command.
                with interrupt.deferred(), contextlib.suppress(OSError):
                    commit.abandon(journal)
            raise

    def _operation(self, planned: Planned, plan: Plan) -> Operation:
        added, dropped = plan.edges[planned.path]
        return Operation(
            kind=planned.kind,
            path=planned.path,
            before=planned.edit.expected,
            after=planned.after,
            rule=planned.edit.rule.name,
            unit=planned.edit.unit,
            note=planned.edit.note,
            edges_added=tuple(map(str, added)),
            edges_dropped=tuple(map(str, dropped)),
            new_folders=self._missing_folders(planned.path) if planned.kind in {"create", "move"} else (),
            source=_origin(planned),
            old_folders=planned.edit.folders,
        )

    def _missing_folders(self, path: str) -> tuple[str, ...]:
        """The folders above a path that do not exist, outermost first."""
        parts = self.vault.locate(path).relative_to(self.vault.root).parts[:-1]
        folders = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        return tuple(folder for folder in folders if not os.path.lexists(self.vault.root / folder))

    def _refused(self, error: Refused) -> list[AppliedEdit]:
        """How the edits of a set ended of which nothing was written."""
        own: Outcome = "conflicted" if isinstance(error, Conflict | AlreadyExists) else "refused"
        ended = []
        for edit in self.edits:
            is_cause = edit.path == error.where or len(self.edits) == 1
            ended.append(
                AppliedEdit(
                    path=edit.path,
                    op=kind_of(edit),
                    outcome=own if is_cause else "rolled-back",
                    before=edit.expected,
                    after=edit.expected,
                    reason=error.what if is_cause else f"{error.where}: {error.what}",
                    unit=edit.unit,
                )
            )
        return ended

    def _line(self, edit: AppliedEdit) -> audit.Line:
        return audit.Line(
            run=self.run.id,
            command=self.run.command,
            time=audit.timestamp(self.vault),
            path=edit.path,
            op=edit.op,
            outcome=edit.outcome,
            before=edit.before,
            after=edit.after,
            reason=edit.reason,
            unit=edit.unit,
            undoes=self.run.undoes,
        )


def _ended(
    planned: Planned,
    outcome: Outcome,
    reason: str | None = None,
    edges: tuple[tuple[EdgeKey, ...], tuple[EdgeKey, ...]] = ((), ()),
) -> AppliedEdit:
    return AppliedEdit(
        path=planned.path,
        op=planned.kind,
        outcome=outcome,
        before=planned.edit.expected,
        after=planned.after,
        edges_added=edges[0],
        edges_dropped=edges[1],
        reason=reason,
        unit=planned.edit.unit,
    )


def _prepared(journal: Journal, number: int, planned: Planned) -> Inode | None:
    """Which file an operation will put at its path, which is complete by now; `None` where it removes one."""
    spot = journal.spot(number)
    if planned.kind == "delete":
        return None
    system.make_folder(spot.place.parent)
    if planned.kind == "move":
        status = journal.source(number).lstat()
        return Inode(status.st_dev, status.st_ino)
    origin = planned.path if planned.kind == "replace" else _origin(planned)
    like = None
    if origin is not None:
        with contextlib.suppress(
            FileNotFoundError
        ):  # deleted since it was read: the swap will find a conflict
            like = journal.vault.locate(origin).stat()
    return system.write_new(spot.temporary, planned.new or b"", like=like)


def _origin(planned: Planned) -> str | None:
    """The path that a file or note has before the move of which this is the part that makes it anew."""
    rule = planned.edit.rule
    return planned.edit.source or (rule.moved_from if isinstance(rule, Retarget) else None)


def _rescued(done: Iterable[Done]) -> tuple[Rescue, ...]:
    return tuple(Rescue(each.operation.path, each.copy) for each in done if each.copy is not None)


def _raise_impossible(done: Iterable[Done]) -> None:
    """Raises for the operation that made a whole set impossible."""
    for each in done:
        if each.error is not None:
            raise system.unwritable(each.error, each.operation.path)
        if each.outcome == "conflicted":
            kind = AlreadyExists if each.operation.kind in {"create", "move"} else Conflict
            what = each.reason or "somebody else wrote at the same time"
            raise kind(what, where=each.operation.path, hint="Nothing was written. Read it again.")
