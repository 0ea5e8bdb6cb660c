"""One file's part of a change: what is asked for, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from reme_cli.changeset.audit import Outcome
    from reme_cli.changeset.held import Rescue
    from reme_cli.graph.conservation import EdgeKey, Rule
    from reme_cli.vault.stamp import Stamp


Kind = Literal["create", "replace", "delete", "move"]


@dataclass(frozen=True, slots=True)
class Edit:
    """What one file is to become, and what it was when that was decided."""

    path: str
    text: str | None
    """`None` deletes the file, unless `source` comes in its place."""
    expected: Stamp
    """The stamp that was read, of `source` where there is one; `ABSENT` creates the file."""
    rule: Rule
    unit: str | None = None
    """Goes into the audit line: the unit of a dream that this lands."""
    note: str | None = None
    """Goes into the audit line as its reason."""
    source: str | None = None
    """A file that is no note, or cannot be read as one: it is renamed to `path`, and its bytes are left alone."""
    folders: tuple[str, ...] = ()
    """Folders that go when the set has left them empty, the innermost first."""


@dataclass(frozen=True, slots=True)
class AppliedEdit:
    """How one edit ended: `written`, or `skipped` where there was nothing to change; in a set whose edits are each on their
    own also `conflicted`, or `refused` by the system."""

    path: str
    op: Kind
    outcome: Outcome
    before: Stamp
    after: Stamp
    edges_added: tuple[EdgeKey, ...] = ()
    edges_dropped: tuple[EdgeKey, ...] = ()
    reason: str | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """What a change set did, in the order of its edits, and the conflict copies that it had to make."""

    edits: tuple[AppliedEdit, ...]
    rescued: tuple[Rescue, ...] = ()

    @property
    def wrote(self) -> bool:
        """Whether any file changed."""
        return any(edit.outcome == "written" for edit in self.edits)
