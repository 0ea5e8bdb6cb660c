"""The journal: what a change set is about to do, on disk before it does it.

One file per change set, `metadata/journal/<id>.json`, one JSON object per line:

    {"schema": 1, "plan": …}   before the first temporary file exists, so that a recovery knows their names
    {"commit": [inodes]}       all temporaries are complete; from here on the set can be carried out by anybody
    {"back": …}                one operation was impossible: the others are being taken back

Each line is flushed before what it announces happens. A line that a crash tore announces nothing.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from reme_cli.changeset import system
from reme_cli.changeset.history import HISTORY
from reme_cli.changeset.state import JOURNAL
from reme_cli.changeset.system import Inode
from reme_cli.errors import PathRefused
from reme_cli.vault.paths import check_path

if TYPE_CHECKING:
    from pathlib import Path

    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

HELD: Final = "held"
"""Under `metadata/history/`: the files that were swapped out, until nobody can write into them any more."""
ENTRY_SUFFIX: Final = ".json"
SCHEMA: Final = 1

_ID: Final = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}-\d{1,9}")


class ForeignEntryError(Exception):
    """Another version of reme wrote this entry, and must finish it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What happens to one file."""

    kind: Literal["create", "replace", "delete", "move"]
    path: str
    before: Stamp
    after: Stamp
    rule: str
    unit: str | None = None
    note: str | None = None
    edges_added: tuple[str, ...] = ()
    edges_dropped: tuple[str, ...] = ()
    new_folders: tuple[str, ...] = ()
    """Folders that are made for it, innermost last; removed with it when it is taken back."""
    source: str | None = None
    """The path that a moved file or note has before; of a note, this makes it anew, and another operation deletes it there."""
    old_folders: tuple[str, ...] = ()
    """Folders that are removed if the set leaves them empty, innermost first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One change set as planned."""

    id: str
    run: str
    command: str
    time: str
    together: bool
    """All operations or none; otherwise each on its own."""
    operations: tuple[Operation, ...]
    undoes: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """What a name stood for at one moment: which file, and the stamp of its bytes (`None`: not a readable file)."""

    inode: Inode
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class TurnedBack:
    """Why a set is being taken back: the operation that was impossible, and the reason."""

    operation: int
    reason: str
    error: int | None
    """The system's error number, where it was the system that refused."""
    copy: str | None
    """The conflict copy that had to be made, vault-relative."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the files of one operation are."""

    place: Path
    """The note; where it is a symlink, what that leads to."""
    temporary: Path
    """The new text, beside the note, because a rename is atomic only within one file system."""
    held: Path
    """The file that was swapped out."""
    beside: Path
    """Where that is instead, if `metadata/` is on another file system."""

    @property
    def outside(self) -> Path | None:
        """The file that was swapped out, wherever it is; `None` while there is none."""
        return next((place for place in (self.held, self.beside) if os.path.lexists(place)), None)


class Journal:
    """One entry on disk and how far it got. What a method tells is on disk when it returns."""

    def __init__(self, vault: Vault, entry: Entry, place: Path) -> None:
        self.vault = vault
        self.entry = entry
        self.place = place
        self.inodes: tuple[Inode | None, ...] | None = None
        """The file of each new text or move; `None` before the commit."""
        self.turned_back: TurnedBack | None = None

    @classmethod
    def new(cls, vault: Vault, entry: Entry) -> Journal:
        """An entry that is not on disk yet."""
        return cls(vault, entry, vault.metadata(JOURNAL, entry.id + ENTRY_SUFFIX))

    def begin(self) -> None:
        """Tells the plan. Raises `OSError`."""
        system.make_folder(self.place.parent)
        system.write_new(self.place, _line({"schema": SCHEMA, "plan": asdict(self.entry)}))
        system.sync_folder(self.place.parent)

    def commit(self, inodes: tuple[Inode | None, ...]) -> None:
        """Tells that every temporary is complete."""
        self._append({"commit": inodes})
        self.inodes = inodes

    def turn_back(self, why: TurnedBack) -> None:
        """Tells that the set is being taken back."""
        self._append({"back": asdict(why)})
        self.turned_back = why

    def close(self, *, holding: bool) -> None:
        """Ends the entry; while swapped-out files are held, it stays beside them to say which note they were."""
        if holding:
            system.rename(self.place, self.vault.metadata(HISTORY, HELD, self.place.name))
        else:
            system.unlink(self.place)

    def spot(self, operation: int) -> Spot:
        """Where the files of one operation are. Raises `PathRefused` for a path outside the vault."""
        place = self.vault.locate(self.entry.operations[operation].path)
        return Spot(
            place=place,
            temporary=place.with_name(f".reme-{self.entry.id}-{operation}.tmp"),
            held=self.vault.metadata(HISTORY, HELD, f"{self.entry.id}.{operation}"),
            beside=place.with_name(f".reme-{self.entry.id}-{operation}.held.tmp"),
        )

    def source(self, operation: int) -> Path:
        """Where the file is that an operation moves. Raises `PathRefused` for a path outside the vault."""
        return self.vault.locate(self.entry.operations[operation].source or "")

    def take_up(self, record: dict[str, Any]) -> None:
        """Takes up what an earlier process told. Raises `LookupError`, `TypeError` for what is no record of ours."""
        if "commit" in record:
            inodes = tuple(None if inode is None else Inode(*inode) for inode in record["commit"])
            if len(inodes) == len(self.entry.operations):
                self.inodes = inodes
        elif "back" in record:
            self.turned_back = TurnedBack(**record["back"])

    def _append(self, record: dict[str, object]) -> None:
        system.append(self.place, _line(record))


def load_entry(vault: Vault, place: Path) -> Journal | None:
    """The entry in a file as far as it is whole; `None` where not even its plan is, or where it cannot be ours.

    Raises `ForeignEntryError`, `OSError`.
    """
    records = []
    for raw in place.read_bytes().splitlines():
        try:
            records.append(json.loads(raw))
        except ValueError:
            continue
    if records and isinstance(records[0], dict) and records[0].get("schema", SCHEMA) != SCHEMA:
        raise ForeignEntryError(place.name)
    try:
        # A journal can come with a vault that somebody else packed: nothing in it is trusted to be a safe path.
        entry = _entry(records[0]["plan"])
        if entry.id + ENTRY_SUFFIX != place.name:
            return None
        journal = Journal(vault, entry, place)
        for number, operation in enumerate(entry.operations):
            journal.spot(number)
            if operation.kind == "move":
                journal.source(number)
        for record in records[1:]:
            journal.take_up(record)
    except (LookupError, TypeError, ValueError, AttributeError, PathRefused):
        return None
    return journal


def _entry(plan: dict[str, Any]) -> Entry:
    if not _ID.fullmatch(plan["id"]):
        raise ValueError(plan["id"])
    return Entry(**{**plan, "operations": tuple(map(_operation, plan["operations"]))})


def _operation(fields: dict[str, Any]) -> Operation:
    lists = ("edges_added", "edges_dropped", "new_folders", "old_folders")
    operation = Operation(**{**fields, **{name: tuple(map(str, fields.get(name, ()))) for name in lists}})
    if operation.kind not in {"create", "replace", "delete", "move"}:
        raise ValueError(operation.kind)
    for folder in (*operation.new_folders, *operation.old_folders):
        check_path(folder)
    return operation


def _line(record: dict[str, object]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
