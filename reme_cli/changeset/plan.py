"""What a set of edits comes to, as the vault is now: which can be made, and what they do to the links."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.changeset import history
from reme_cli.changeset.around import Around, refuse_capture
from reme_cli.errors import (
    AlreadyExists,
    Conflict,
    EdgesLost,
    NoteError,
    PathRefused,
    Refused,
    UnreadableNote,
)
from reme_cli.graph.conservation import Restore, Retarget, change_of, moved_edges
from reme_cli.vault.paths import NOTE_SUFFIX, check_path
from reme_cli.vault.stamp import ABSENT, Stamp, stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.changeset.around import InboundLookup
    from reme_cli.changeset.edit import Edit, Kind
    from reme_cli.graph.conservation import Change, EdgeKey
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

_ORDER: Final = {"create": 0, "move": 1, "replace": 2, "delete": 3}
"""Creates first, so that no link is ever without its target; deletes last."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An edit whose path is legal, with both texts as bytes; `None` is no file."""

    edit: Edit
    path: str
    old: bytes | None
    new: bytes | None
    after: Stamp
    """The stamp that the file is to have."""

    @property
    def kind(self) -> Kind:
        """What happens to the file."""
        return kind_of(self.edit)

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.edit.source is not None or self.edit.expected != self.after


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to do, in order; what has nothing to change; what is impossible, and why."""

    to_do: tuple[Planned, ...]
    idle: tuple[Planned, ...]
    conflicted: tuple[tuple[Planned, str], ...]
    edges: dict[str, tuple[tuple[EdgeKey, ...], tuple[EdgeKey, ...]]]
    """Edges added and dropped, by path of what is to do."""


def plan_edits(
    vault: Vault,
    edits: Iterable[Edit],
    *,
    together: bool,
    names: Names | None,
    inbound: InboundLookup,
) -> Plan:
    """The plan for edits that are made together, or each on its own.

    Raises `PathRefused`, `EdgesLost`, `NameCaptured`, `Refused`, `UnreadableNote`; where they belong together also
    `Conflict` and `AlreadyExists`.
    """
    possible: list[Planned] = []
    conflicted: list[tuple[Planned, str]] = []
    for edit in edits:
        planned = _planned(vault, edit)
        conflict = _conflict(vault, planned)
        if conflict is None:
            possible.append(planned)
        elif together:
            raise conflict
        else:
            conflicted.append((planned, conflict.what))
    changing = [planned for planned in possible if planned.changes]
    to_do = tuple(sorted(changing, key=lambda planned: _ORDER[planned.kind]))
    return Plan(
        to_do=to_do,
        idle=tuple(planned for planned in possible if not planned.changes),
        conflicted=tuple(conflicted),
        edges=_check_rules(vault, to_do, names, inbound),
    )


def kind_of(edit: Edit) -> Kind:
    """What an edit does to its file."""
    if edit.source is not None:
        return "move"
    if edit.text is None:
        return "delete"
    return "create" if edit.expected == ABSENT else "replace"


def current_bytes(vault: Vault, path: str) -> bytes | None:
    """What is at a path now; `None` where nothing is. Raises `UnreadableNote`, `PathRefused`."""
    place = vault.locate(path)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        with open(os.open(place, flags), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None  # where a part of the path is a file, making the note will say so
    except IsADirectoryError as error:
        raise UnreadableNote("a folder, not a file", where=path) from error
    except OSError as error:
        raise UnreadableNote(f"cannot be read: {error.strerror}", where=path) from error


def decoded(path: str, data: bytes | None) -> str | None:
    """The exact text of a file's bytes; `None` for no file. Raises `UnreadableNote`."""
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableNote(f"not UTF-8 at byte {error.start}", where=path) from error


def stamp_at(vault: Vault, path: str) -> Stamp:
    """The stamp of a file of any kind and size; `ABSENT` where none is. Raises `UnreadableNote`, `PathRefused`."""
    try:
        with vault.locate(path).open("rb", buffering=0) as file:
            return Stamp(hashlib.file_digest(file, "sha256").hexdigest())
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    except OSError as error:
        raise UnreadableNote(f"cannot be read: {error.strerror}", where=path) from error


def _planned(vault: Vault, edit: Edit) -> Planned:
    # Old names may be odd, are kept where a folder moves, and come back by an undo; one that is chosen must be good everywhere.
    is_chosen = edit.expected == ABSENT and not isinstance(edit.rule, Restore | Retarget)
    path = _editable(vault, check_path(edit.path, portable=is_chosen))
    for folder in edit.folders:
        _editable(vault, check_path(folder))
    if edit.source is not None:
        return _planned_move(vault, edit, path)
    if edit.text is None and vault.root.joinpath(path).is_symlink():
        raise PathRefused("a symbolic link, which reme does not remove", where=path)
    try:
        new = None if edit.text is None else edit.text.encode()
    except UnicodeEncodeError as error:
        raise Refused(f"the new text is not valid Unicode at character {error.start}", where=path) from error
    return Planned(edit, path, current_bytes(vault, path), new, ABSENT if new is None else stamp_of(new))


def _planned_move(vault: Vault, edit: Edit, path: str) -> Planned:
    source = _editable(vault, check_path(edit.source or ""))
    if vault.root.joinpath(source).is_symlink():
        raise PathRefused("a symbolic link, which reme does not move", where=source)
    return Planned(edit, path, None, None, edit.expected)


def _editable(vault: Vault, path: str) -> str:
    parts = path.split("/")
    if parts[0] == vault.config.folders.metadata or any(part.startswith(".") for part in parts):
        raise PathRefused(
            "no place for a note", where=path, hint="Hidden folders and reme's own are not edited."
        )
    return path


def _conflict(vault: Vault, planned: Planned) -> Conflict | AlreadyExists | None:
    if planned.edit.source is not None:
        if os.path.lexists(vault.locate(planned.path)):
            return _taken(planned.path)
        now = stamp_at(vault, planned.edit.source)
    else:
        now = ABSENT if planned.old is None else stamp_of(planned.old)
    if now == planned.edit.expected:
        return None
    if planned.edit.expected == ABSENT:
        return _taken(planned.path)
    return Conflict(
        "the note is gone" if now == ABSENT else "the note changed since it was read",
        where=planned.path,
        hint="Nothing was written. Read it again.",
    )


def _require_no_note(vault: Vault, path: str, around: Around) -> None:
    if not path.endswith(NOTE_SUFFIX) or path not in around.before.notes:
        return
    try:
        vault.read(path)
    except NoteError:
        return
    raise EdgesLost("a note is moved with its links, not as a file", where=path)


def _taken(path: str) -> AlreadyExists:
    return AlreadyExists("a file of this name exists", where=path, hint="Read it and change it instead.")


def _check_rules(
    vault: Vault, to_do: tuple[Planned, ...], names: Names | None, inbound: InboundLookup
) -> dict[str, tuple[tuple[EdgeKey, ...], tuple[EdgeKey, ...]]]:
    """Raises what a rule forbids; gives the edges that each edit adds and drops."""
    around = Around(
        vault,
        names,
        added=[planned.path for planned in to_do if planned.kind == "create"],
        removed=[planned.path for planned in to_do if planned.kind == "delete"],
        moved=[(planned.edit.source, planned.path) for planned in to_do if planned.edit.source is not None],
    )
    changes: dict[str, Change] = {
        planned.path: change_of(planned.path, decoded(planned.path, planned.old), planned.edit.text)
        for planned in to_do
    }
    retargeted = {planned.path for planned in to_do if isinstance(planned.edit.rule, Retarget)}
    for planned in to_do:
        if planned.edit.source is not None:
            # It has no links of its own; for those to it the other edits answer.
            if not isinstance(planned.edit.rule, Restore):
                _require_no_note(vault, planned.edit.source, around)
            continue
        planned.edit.rule.check(changes[planned.path], around, changes.values())
        if isinstance(planned.edit.rule, Restore):
            if planned.new is not None and not history.holds(vault, planned.after):
                raise Refused("not an earlier text of a note", where=planned.path)
        elif planned.kind == "create" and planned.path.endswith(NOTE_SUFFIX):
            refuse_capture(around, planned.path, retargeted, changes, inbound)
    return {path: moved_edges(change, around) for path, change in changes.items()}
