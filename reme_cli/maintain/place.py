"""What a path means that a person writes: a file or folder of the vault, or a place for one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.config.load import FILE_NAME
from reme_cli.errors import AlreadyExists, NoteNotFound, PathRefused, UsageError
from reme_cli.graph.nearest import meant
from reme_cli.vault.paths import NOTE_SUFFIX, check_path, fold, folder_of, name_of, nfc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.vault.vault import Vault


class Place(NamedTuple):
    """A file or folder that exists, and the folder from which it was found by the path that was written."""

    path: str
    """Vault-relative."""
    is_folder: bool
    base: Path


def existing(vault: Vault, text: str, here: Path) -> Place:
    """The file or folder at a path that is relative to the folder `here`, or else to the vault's root; `.md` may be left out.

    Raises `NoteNotFound`; `PathRefused` outside of the vault, for the vault itself, its layers and what is reme's own.
    """
    if not text.strip():
        raise UsageError("the path is empty", hint="Name a note or a folder of the vault.")
    is_inside = False
    for base in _bases(vault, here):
        for spelling in (text, f"{text.rstrip('/')}{NOTE_SUFFIX}"):
            path = _inside(vault, base, spelling)
            if path is None:
                continue
            is_inside = True
            place = vault.root / path if os.path.lexists(vault.root / path) else vault.locate(path)
            if os.path.lexists(place):
                _refuse_own(vault, path)
                return Place(path, place.is_dir(), base)
    if not is_inside:
        raise PathRefused("leads out of the vault", where=text, hint=f"The vault is {vault.root}.")
    near = meant(text, vault.listing())
    hint = (
        f"Did you mean `{near}`?" if near else "Paths are relative to the working directory or to the vault."
    )
    raise NoteNotFound("there is no such note or folder", where=text, hint=hint)


def destination(vault: Vault, text: str, moved: Place) -> str:
    """The path that `moved` is to have where a person writes `text`: into a folder that exists, or under a new name.

    What the person chose of it is portable. Raises `AlreadyExists`, `PathRefused`, `UsageError`.
    """
    if not text.strip():
        raise UsageError("the path is empty", hint="Name the note's new place.")
    path = _inside(vault, moved.base, text)
    if path is None:
        raise PathRefused("leads out of the vault", where=text, hint=f"The vault is {vault.root}.")
    name = name_of(moved.path)
    if not path or text.endswith("/") or _is_other_folder(vault, path, moved):
        chosen, path = path, f"{path}/{name}" if path else name
    else:
        if moved.path.endswith(NOTE_SUFFIX) and not moved.is_folder and not path.endswith(NOTE_SUFFIX):
            path += NOTE_SUFFIX
        chosen = path
    _check_new(vault, chosen)
    _refuse_twin(vault, path, moved)
    _refuse_own(vault, path)
    return path


def _is_other_folder(vault: Vault, path: str, moved: Place) -> bool:
    """Whether there is a folder at a path, other than the moved one in another case, as some systems see it."""
    place = vault.locate(path)
    return place.is_dir() and not place.samefile(vault.locate(moved.path))


def _check_new(vault: Vault, path: str) -> None:
    """Raises `PathRefused` where the part of a path that does not exist yet is not portable."""
    here = _first_new(vault, path)
    if here is None:
        return
    check_path(path[len(folder_of(here)) :].removeprefix("/"), portable=True)
    if path.endswith(f" {NOTE_SUFFIX}"):
        raise PathRefused(
            f"`{name_of(path)}` has a space before `{NOTE_SUFFIX}`, which links drop",
            where=path,
            hint="Choose a name that every system can hold.",
        )


def _refuse_twin(vault: Vault, path: str, moved: Place) -> None:
    """Raises `AlreadyExists` where another name is the same as one that is to be made, but for the case of its letters."""
    here = _first_new(vault, path)
    if here is None:
        return
    folder, name = folder_of(here), fold(name_of(here))
    place = vault.locate(folder) if folder else vault.root
    for entry in sorted(os.listdir(place)) if place.is_dir() else ():
        twin = f"{folder}/{nfc(entry)}".removeprefix("/")
        if fold(nfc(entry)) == name and twin != moved.path:
            raise AlreadyExists(
                f"differs only in upper and lower case from {twin}", where=here, hint="Choose another name."
            )


def _first_new(vault: Vault, path: str) -> str | None:
    """The first folder on the way to a path, or the path itself, that does not exist; `None` where all does."""
    parts = path.split("/") if path else []
    ways = ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return next((way for way in ways if not os.path.lexists(vault.locate(way))), None)


def _bases(vault: Vault, here: Path) -> Iterator[Path]:
    start = Path(os.path.realpath(here))
    if start.is_relative_to(vault.root):
        yield start
    if start != vault.root:
        yield vault.root


def _inside(vault: Vault, base: Path, text: str) -> str | None:
    """A path as a vault-relative one, empty for the root; `None` outside of the vault."""
    # `~` is the shell's to expand, and an ordinary beginning of a name
    joined = os.path.normpath(base / text)
    # symlinks of the folders above, not of the file itself, which has its own name in the vault
    folder, name = os.path.split(joined)
    for candidate in (joined, os.path.join(os.path.realpath(folder), name)):
        relative = os.path.relpath(candidate, vault.root)
        if relative == ".":
            return ""
        if not relative.startswith(".." + os.sep) and relative != "..":
            return nfc(relative.replace(os.sep, "/"))
    return None


def _refuse_own(vault: Vault, path: str) -> None:
    """Raises `PathRefused` for what is not a person's to move: hidden files, reme's own, and the folders it is set up for."""
    folders = vault.config.folders
    if (
        not path
        or any(part.startswith(".") for part in path.split("/"))
        or _is_within(path, folders.metadata)
    ):
        raise PathRefused("not a note or a folder of notes", where=path or str(vault.root))
    if path == FILE_NAME:
        raise PathRefused("the configuration of the vault", where=path, hint="It is read where it is.")
    for folder in (folders.digest, folders.daily, folders.resource, folders.metadata):
        if _is_within(folder, path):
            raise PathRefused(
                "a layer of the vault" if folder == path else f"a layer of the vault, {folder}, is in it",
                where=path,
                hint="Change it by hand, together with `folders` in vault.yaml.",
            )


def _is_within(path: str, folder: str) -> bool:
    """Whether a path is that of a folder, or of something in it."""
    return f"{path}/".startswith(f"{folder}/")
