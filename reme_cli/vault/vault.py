"""A vault on disk: where it is, which notes it holds, and reading one of them."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.errors import NoteNotFound, PathRefused, UnreadableNote, VaultNotFound
from reme_cli.regex import regex
from reme_cli.vault.note import Note
from reme_cli.vault.paths import NOTE_SUFFIX, check_note_path, check_path, nfc
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.walk import Listing, kind_at, walk

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping

    from reme_cli.config import Config

Layer = Literal["digest", "daily", "resource"]

MAX_NOTE_BYTES: Final = 64 * 1024 * 1024
"""Larger files are no notes that a person wrote; reading one would take a run's memory."""

# `locate` leaves no symlink, so one that appears since is an attack; a FIFO must not block. Not every system has these.
_READ_QUIETLY: Final = os.O_RDONLY | sum(
    getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")
)
_VAULT_FOLDERS: Final = ("digest", ".obsidian", "metadata")
_DAY: Final = regex(r"(\d{4}-\d{2}-\d{2})(?:\.md|/.+)", re.DOTALL)  # a name may hold a newline


class Vault:
    """A folder of notes with its configuration. `root` is made absolute, symlinks resolved."""

    __slots__ = ("config", "root")

    def __init__(self, root: Path, config: Config) -> None:
        self.root: Final = Path(os.path.realpath(root))
        self.config: Final = config

    def listing(self) -> Listing:
        """All notes and other files, in one walk; see `walk`."""
        return walk(self.root, metadata=self.config.folders.metadata, ignore=self.config.ignore)

    def kind(self, path: str) -> Literal["note", "file"] | None:
        """What a file with this vault-relative path is listed as, whether it exists or not; `None`: not at all."""
        return kind_at(path, metadata=self.config.folders.metadata, ignore=self.config.ignore)

    def note_paths(self) -> tuple[str, ...]:
        """The path of every note, sorted."""
        return tuple(note.path for note in self.listing().notes)

    def read(self, path: str) -> Note:
        """The note at a vault-relative path. Raises `NoteNotFound`, `UnreadableNote` or `PathRefused`."""
        normal = check_note_path(path)
        data = self._bytes_at(normal)
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise UnreadableNote(
                f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
                where=f"{normal}:{line}",
                hint="Convert the file to UTF-8; reme leaves it as it is.",
            ) from error
        return Note(normal, text, stamp_of(data))

    def read_bytes(self, path: str) -> bytes:
        """The bytes of any regular file in the vault. Raises `NoteNotFound`, `UnreadableNote` or `PathRefused`."""
        return self._bytes_at(check_path(path))

    def _bytes_at(self, path: str) -> bytes:
        place = self._locate(path)
        try:
            descriptor = os.open(place, _READ_QUIETLY)
        except OSError as error:
            raise _read_error(path, error) from error
        try:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                raise UnreadableNote("a folder, not a note", where=path)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableNote("not a regular file", where=path)
            if status.st_size > MAX_NOTE_BYTES:
                raise UnreadableNote(
                    f"{status.st_size} bytes, more than the limit of {MAX_NOTE_BYTES}",
                    where=path,
                    hint="Split the file, or name it under `ignore` in vault.yaml.",
                )
            # one more than there should be: what is shorter has been read to its end
            data = os.read(descriptor, status.st_size + 1)
            if len(data) == status.st_size:
                return data
            with open(descriptor, "rb", buffering=0, closefd=False) as file:
                return data + file.read()
        except OSError as error:
            raise _read_error(path, error) from error
        finally:
            os.close(descriptor)

    def locate(self, path: str) -> Path:
        """The place on disk of a vault-relative path, existing or not, with every symlink resolved.

        The name on disk may be in another normal form than the path's NFC. Raises `PathRefused` where the
        place is outside the vault, or a symlink leads into one of its hidden folders.
        """
        return Path(self._locate(check_path(path)))

    def _locate(self, path: str) -> str:
        place = os.fspath(self.root)
        components = path.split("/")
        for position, component in enumerate(components):
            here = f"{place}/{component}"
            try:
                mode = os.lstat(here).st_mode
            except OSError:
                spelling = None if component.isascii() else _spelling_on_disk(place, component)
                if spelling is None:
                    return "/".join((place, *components[position:]))  # what does not exist holds no symlink
                here = f"{place}/{spelling}"
                mode = os.lstat(here).st_mode
            if stat.S_ISLNK(mode):
                return self._followed("/".join((here, *components[position + 1 :])), path)
            place = here
        return place

    def _followed(self, place: str, path: str) -> str:
        """Where a place with a symlink on the way really is."""
        real = os.path.realpath(place)
        if not real.startswith(os.path.join(self.root, "")):
            raise PathRefused(
                "leads out of the vault", where=path, hint="A symlink on the way points elsewhere."
            )
        if any(part.startswith(".") for part in Path(real).relative_to(self.root).parts):
            raise PathRefused("a symlink leads into a hidden folder", where=path)
        return real

    def metadata(self, *parts: str) -> Path:
        """A place under the metadata folder. Raises `PathRefused` where a symlink takes it out of the vault."""
        return self.locate("/".join((self.config.folders.metadata, *parts)))

    def layer(self, path: str) -> Layer | None:
        """The layer that a vault-relative path belongs to, by its folder."""
        folders = self.config.folders
        if path.startswith(folders.digest + "/"):
            return "digest"
        if path.startswith(folders.daily + "/"):
            return "daily"
        if path.startswith(folders.resource + "/"):
            return "resource"
        return None

    def bucket(self, path: str) -> str | None:
        """The configured bucket that a digest path is in; `None` outside of all of them."""
        digest, _, inside = path.partition(self.config.folders.digest + "/")
        name, slash, _ = inside.partition("/")
        return name if not digest and slash and name in self.config.digest.buckets else None

    def day(self, path: str) -> dt.date | None:
        """The day of a daily path: `daily/<date>.md` or anything under `daily/<date>/`."""
        if self.layer(path) != "daily":
            return None
        import datetime as dt  # here and below, since many a search asks for no day

        match = _DAY.fullmatch(path[len(self.config.folders.daily) + 1 :])
        try:
            return dt.date.fromisoformat(match[1]) if match else None
        except ValueError:  # 2026-02-30
            return None

    def today(self) -> dt.date:
        """The date now, in the vault's timezone."""
        import datetime as dt

        if self.config.timezone is None:
            return dt.datetime.now().astimezone().date()
        from zoneinfo import ZoneInfo  # only where a timezone is configured

        return dt.datetime.now(ZoneInfo(self.config.timezone)).date()


def _spelling_on_disk(folder: str, component: str) -> str | None:
    """The entry of a folder that equals an NFC name after normalisation; the one that sorts first."""
    try:
        return min((name for name in os.listdir(folder) if nfc(name) == component), default=None)
    except OSError:
        return None


def _read_error(path: str, error: OSError) -> NoteNotFound | UnreadableNote:
    if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
        return NoteNotFound("no such note" if path.endswith(NOTE_SUFFIX) else "no such file", where=path)
    return UnreadableNote(f"cannot be read: {error.strerror}", where=path)


def find_root(explicit: str | None, env: Mapping[str, str], cwd: Path) -> Path:
    """The vault's root: `explicit`, else `REME_VAULT`, else the nearest folder upwards that looks like a vault.

    A vault is recognised by `vault.yaml`, `digest/`, `.obsidian/` or `metadata/`; a folder that is named
    explicitly may be any. Raises `VaultNotFound`.
    """
    for origin, given in (("--vault", explicit), ("REME_VAULT", env.get("REME_VAULT"))):
        if not given:
            continue
        if "\0" in given:
            raise VaultNotFound(f"{origin} names no folder", hint="No path holds a NUL.")
        root = Path(os.path.realpath(cwd / Path(given).expanduser()))
        if not root.is_dir():
            raise VaultNotFound(
                f"{origin} names no folder", where=str(root), hint=f"`reme init {given}` makes a vault there."
            )
        return root
    start = Path(os.path.realpath(cwd))
    for folder in (start, *start.parents):
        if (folder / "vault.yaml").is_file() or any((folder / name).is_dir() for name in _VAULT_FOLDERS):
            return folder
    raise VaultNotFound(
        "no vault here nor in any folder above",
        where=str(start),
        hint="`reme init` makes one here; `--vault DIR` or REME_VAULT names another.",
    )
