"""One command at work: the name under which everything it writes is audited and can be undone."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reme_cli.changeset import audit, held, history
from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.recover import left_behind
from reme_cli.errors import Busy, VaultUnwritable
from reme_cli.vault.stamp import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reme_cli.changeset.audit import Kind, Outcome
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

_SECONDS_BETWEEN_LOOKS: Final = 5.0
"""How often a long run looks after the files it swapped out, so that they do not pile up."""


@dataclass(slots=True)
class Run:
    """One command's identity, and what it has written so far. Made by `start_run`; shared by threads."""

    vault: Vault
    id: str
    """Sorts by time: `20260620T033000-4f2a1c`."""
    command: str
    undoes: str | None = None
    rescued: list[held.Rescue] = field(default_factory=list)
    """Conflict copies made during this run, for the command to tell its user."""
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _wrote: bool = False
    _looked: float = field(default_factory=time.monotonic)

    def change_id(self) -> str:
        """A name for the next change set."""
        return f"{self.id}-{next(self._numbers)}"

    def record(
        self,
        path: str,
        outcome: Outcome,
        *,
        op: Kind = "none",
        before: Stamp = ABSENT,
        edges_dropped: tuple[str, ...] = (),
        reason: str | None = None,
        unit: str | None = None,
    ) -> None:
        """Adds an audit line for something that was not written: skipped, refused. Raises `VaultUnwritable`.

        `before` is the stamp of the text that it was planned on, which is the text after it as well;
        `edges_dropped` are the edges that it would have dropped.
        """
        audit.append(
            self.vault,
            [
                audit.Line(
                    run=self.id,
                    command=self.command,
                    time=audit.timestamp(self.vault),
                    path=path,
                    op=op,
                    outcome=outcome,
                    before=before,
                    after=before,
                    edges_dropped=edges_dropped,
                    reason=reason,
                    unit=unit,
                    undoes=self.undoes,
                )
            ],
        )

    def has_written(self, rescued: Iterable[held.Rescue]) -> None:
        """Notes that something was swapped out, and the conflict copies that were made for it; now and then looks after it.

        For the holder of the vault lock.
        """
        self._wrote = True
        self.rescued.extend(rescued)
        if time.monotonic() - self._looked >= _SECONDS_BETWEEN_LOOKS:
            self._looked = time.monotonic()
            # What cannot be looked after now is no fault of the write that just succeeded.
            with contextlib.suppress(VaultUnwritable):
                self.rescued.extend(held.release(self.vault, ripe_only=True))

    def close(self) -> None:
        """Verifies every file that was swapped out, and brings back what another program wrote into one."""
        if not self._wrote:
            return
        # A full disk or a stopped process must not turn a run that succeeded into a failure:
        # what is not verified now is verified by the next command.
        with contextlib.suppress(Busy, VaultUnwritable), vault_lock(self.vault):
            self.rescued.extend(held.release(self.vault, patience=held.PATIENCE))
            # What an interrupted change set will need is not known to be used; it is pruned another day.
            if not left_behind(self.vault):
                history.prune_daily(self.vault)


@contextlib.contextmanager
def start_run(vault: Vault, command: str, *, undoes: str | None = None) -> Iterator[Run]:
    """A run of `command` on a vault. Nothing is written to disk until it writes something."""
    moment = audit.now(vault).strftime("%Y%m%dT%H%M%S")
    run = Run(vault, f"{moment}-{secrets.token_hex(3)}", command, undoes)
    try:
        yield run
    finally:
        run.close()
