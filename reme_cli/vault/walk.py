"""One walk over a vault: its notes and its other files."""

from __future__ import annotations

import os
import unicodedata
from operator import attrgetter, itemgetter
from pathlib import Path, PurePath
from typing import Final, Literal, NamedTuple

from reme_cli.errors import VaultNotFound
from reme_cli.vault.ignore import ignore_rules
from reme_cli.vault.paths import NOTE_SUFFIX, is_unicode, nfc

_PROMPTS: Final = "prompts"
"""The folder at the root in which a vault keeps its own prompts."""
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_BY_DESCRIPTOR: Final = os.scandir in os.supports_fd
"""Whether a folder can be read by a descriptor: the system then finds its entries without going all the way down again."""


class NoteFile(NamedTuple):
    """A note as the walk sees it; a tuple, because a walk makes one per note."""

    path: str
    size: int
    mtime_ns: int
    disk_path: str
    """As the disk spells it: in another normal form than `path` where, say, a Mac wrote it."""


class Skipped(NamedTuple):
    """A file or folder that the walk could not take, and why; for findings."""

    path: str
    reason: str


class Listing(NamedTuple):
    """What a vault holds, each part sorted by path."""

    notes: tuple[NoteFile, ...]
    files: tuple[str, ...]
    """Everything else that a link may name: attachments, and the notes that `ignore` takes out."""
    skipped: tuple[Skipped, ...]


class _Folder(NamedTuple):
    """A folder still to be read; both paths are vault-relative and empty for the root."""

    disk_path: str
    path: str
    ignored: bool
    """`ignore` takes out this folder, so all of its notes."""
    linked: bool
    """A symlink is on the way to it."""


def walk(root: Path, *, metadata: str = "metadata", ignore: tuple[str, ...] = ()) -> Listing:
    """All notes and other files under `root`, which must be a real path.

    Left out: dot-files and dot-folders, `node_modules/`, and at the root `prompts/` and the metadata folder.
    Symlinks are followed where they lead to a place in the vault that is not left out; inside a symlinked folder
    no further folder link is, since all of its notes are listed where they really are. Of two names that are
    equal after NFC, the one that is in NFC is taken, else the one that sorts first: as `Vault.locate` does. What cannot be taken is in `skipped`; a root that cannot be
    read raises `VaultNotFound`.
    """
    return _Walk(os.fspath(root), frozenset({_PROMPTS, metadata}), ignore).listing()


def kind_at(
    path: str, *, metadata: str = "metadata", ignore: tuple[str, ...] = ()
) -> Literal["note", "file"] | None:
    """What `walk` lists a regular file with this vault-relative path as; `None` where it leaves it out."""
    if any(part.startswith(".") or part == "node_modules" for part in path.split("/")):
        return None
    above = [path[: end + 1] for end, character in enumerate(path) if character == "/"]
    if f"{_PROMPTS}/" in above or f"{metadata}/" in above:
        return None
    is_ignored = ignore_rules(ignore)
    if not path.endswith(NOTE_SUFFIX) or (is_ignored is not None and any(map(is_ignored, (*above, path)))):
        return "file"
    return "note"


class _Walk:
    def __init__(self, root: str, excluded: frozenset[str], ignore: tuple[str, ...]) -> None:
        self._root = root
        self._excluded = excluded
        self._ignored = ignore_rules(ignore)
        self._notes: list[NoteFile] = []
        self._files: list[str] = []
        self._skipped: list[Skipped] = []

    def listing(self) -> Listing:
        pending = [_Folder("", "", ignored=False, linked=False)]
        while pending:
            folder = pending.pop()
            place = os.path.join(self._root, folder.disk_path)
            descriptor = None
            try:
                descriptor = os.open(place, _FOLDER) if _BY_DESCRIPTOR else None
                with os.scandir(place if descriptor is None else descriptor) as scan:
                    entries = list(scan)
            except OSError as error:
                if not folder.path:
                    raise VaultNotFound(f"cannot be read: {error.strerror}", where=self._root) from error
                self._skipped.append(Skipped(folder.path, f"the folder cannot be read: {error.strerror}"))
            else:
                pending.extend(self._take(folder, entries))
            finally:
                if descriptor is not None:  # the entries are looked up by it
                    os.close(descriptor)
        notes = sorted(self._notes, key=itemgetter(0))
        return Listing(tuple(notes), tuple(sorted(self._files)), tuple(sorted(self._skipped)))

    def _take(self, folder: _Folder, entries: list[os.DirEntry[str]]) -> list[_Folder]:
        """Takes the folder's files, and gives the folders in it."""
        folders: list[_Folder] = []
        otherwise: list[os.DirEntry[str]] = []
        disk_prefix = folder.disk_path + "/" if folder.disk_path else ""
        prefix = folder.path + "/" if folder.path else ""
        # most entries are plain notes, for which nothing is to be looked up, and no method called
        are_plain = self._ignored is None and not folder.ignored
        add = self._notes.append
        is_spelled_so = prefix == disk_prefix
        for entry in entries:
            name = entry.name
            if name[0] == "." or name == "node_modules":
                continue
            if not (name.isascii() or _is_nfc(name)):
                otherwise.append(entry)
            elif are_plain and name.endswith(NOTE_SUFFIX) and entry.is_file(follow_symlinks=False):
                try:
                    status = entry.stat()
                except FileNotFoundError:
                    continue  # removed since the folder was read
                path = prefix + name
                disk_path = path if is_spelled_so else disk_prefix + name
                add(NoteFile(path, status.st_size, status.st_mtime_ns, disk_path))
            elif (path := prefix + name) not in self._excluded:
                self._take_entry(entry, path, disk_prefix + name, folder, folders)
        if otherwise:
            self._take_otherwise(folder, entries, otherwise, folders)
        return folders

    def _take_otherwise(
        self,
        folder: _Folder,
        entries: list[os.DirEntry[str]],
        otherwise: list[os.DirEntry[str]],
        folders: list[_Folder],
    ) -> None:
        """Takes those of a folder's entries whose names are not in NFC; adds folders to `folders`."""
        taken = {entry.name for entry in entries}
        for entry in sorted(otherwise, key=attrgetter("name")):
            disk_path = f"{folder.disk_path}/{entry.name}" if folder.disk_path else entry.name
            if not is_unicode(entry.name):
                self._skip(disk_path, "the name is not UTF-8")
                continue
            name = nfc(entry.name)
            if name in taken:
                self._skip(disk_path, "another name on disk is the same after NFC")
                continue
            taken.add(name)
            path = f"{folder.path}/{name}" if folder.path else name
            if path not in self._excluded:
                self._take_entry(entry, path, disk_path, folder, folders)

    def _take_entry(
        self,
        entry: os.DirEntry[str],
        path: str,
        disk_path: str,
        folder: _Folder,
        folders: list[_Folder],
    ) -> None:
        """Takes a file; adds a folder to `folders`."""
        if not entry.is_file(follow_symlinks=False):
            if entry.is_symlink() and (reason := self._why_not_follow(entry, folder)):
                self._skip(disk_path, reason)
                return
            if entry.is_dir():
                ignored = folder.ignored or self._is_ignored(path + "/")
                folders.append(_Folder(disk_path, path, ignored, folder.linked or entry.is_symlink()))
                return
            if not entry.is_file():
                self._skip(disk_path, "not a regular file")
                return
        if not path.endswith(NOTE_SUFFIX) or folder.ignored or self._is_ignored(path):
            self._files.append(path)
            return
        self._take_note(entry, path, disk_path)

    def _take_note(self, entry: os.DirEntry[str], path: str, disk_path: str) -> None:
        try:
            status = entry.stat()
        except FileNotFoundError:
            return  # removed since the folder was read
        self._notes.append(NoteFile(path, status.st_size, status.st_mtime_ns, disk_path))

    def _why_not_follow(self, entry: os.DirEntry[str], folder: _Folder) -> str | None:
        if folder.linked and entry.is_dir():
            return "a folder link inside a linked folder"
        real = os.path.realpath(os.path.join(self._root, folder.disk_path, entry.name))
        if real == self._root:
            return "the symlink leads to a folder that contains it"
        if not real.startswith(os.path.join(self._root, "")):
            return "the symlink leads out of the vault"
        inside = PurePath(real).relative_to(self._root)
        hidden = any(part.startswith(".") or part == "node_modules" for part in inside.parts)
        if hidden or any(inside.is_relative_to(path) for path in self._excluded):
            return "the symlink leads to a place that holds no notes"
        if PurePath(folder.disk_path).is_relative_to(inside):
            return "the symlink leads to a folder that contains it"
        return None if Path(real).exists() else "the symlink leads nowhere"

    def _is_ignored(self, path: str) -> bool:
        return self._ignored is not None and self._ignored(path)

    def _skip(self, disk_path: str, reason: str) -> None:
        self._skipped.append(Skipped(os.fsencode(disk_path).decode(errors="replace"), reason))


def _is_nfc(name: str) -> bool:
    return unicodedata.is_normalized("NFC", name) and is_unicode(name)
