"""Which notes of a vault are meant by the paths on a command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.errors import PathRefused, UsageError
from reme_cli.graph.nearest import meant
from reme_cli.lint.globs import matcher
from reme_cli.vault.paths import nfc
from reme_cli.vault.walk import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_GLOB = frozenset("*?[")


class Places(NamedTuple):
    """Files, folders and patterns in a vault."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    """Each with `/` at its end; empty: the whole vault."""
    patterns: tuple[Callable[[str], bool], ...] = ()

    def hold(self, path: str) -> bool:
        """Whether a vault-relative path is among them."""
        return (
            path in self.files
            or any(path.startswith(folder) for folder in self.folders)
            or any(matches(path) for matches in self.patterns)
        )


def places(root: Path, given: Sequence[str], here: Path) -> Places:
    """What is meant by paths as a person writes them: relative to the folder `here`, or else to the vault's root.

    Raises `PathRefused` for one outside of the vault, `UsageError` for one that is empty or does not exist.
    """
    files: set[str] = set()
    folders: list[str] = []
    patterns: list[Callable[[str], bool]] = []
    base = os.path.realpath(here)
    for text in given:
        if not text:  # of a shell variable that is not set; the folder itself would be all notes
            raise UsageError("a path is empty", hint="Name a note or folder, or `.` for all of this folder.")
        place = _found(root, text, base)
        if place is not None:
            inside = _inside(root, place, text)
            if Path(place).is_dir():
                folders.append(f"{inside}/" if inside else "")
            else:
                files.add(inside)
        elif _GLOB.intersection(text):
            start = base if _is_within(root, base) else os.fspath(root)
            inside = _inside(root, _joined(start, text), text)
            patterns.append(matcher((f"/{inside}",), text))
        elif any(_is_within(root, _joined(folder, text)) for folder in (base, root)):
            raise UsageError("there is no such file or folder", where=text, hint=_advice(root, text))
        else:
            raise _outside(root, text)
    return Places(frozenset(files), tuple(folders), tuple(patterns))


def is_there(root: Path, text: str, here: Path) -> bool:
    """Whether a path as a person writes it is that of a file or folder."""
    return _found(root, text, os.path.realpath(here)) is not None


def _advice(root: Path, text: str) -> str:
    """What to write instead of a path that does not exist."""
    if near := meant(text, walk(root)):
        return f"Did you mean `{near}`?"
    if "=" in text:  # what a command has no key for is taken for a path
        return "It is no option either: `--help` shows which there are."
    return "Name notes, folders, or patterns such as 'daily/*.md'."


def _found(root: Path, text: str, base: str) -> str | None:
    """The place of a path, in the vault if possible."""
    there = [place for place in (_joined(base, text), _joined(root, text)) if os.path.lexists(place)]
    return next((place for place in there if _is_within(root, place)), there[0] if there else None)


def _joined(base: Path | str, text: str) -> str:
    return os.path.normpath(Path(base) / Path(text).expanduser())


def _is_within(root: Path, place: str) -> bool:
    return f"{place}/".startswith(f"{root}/")


def _inside(root: Path, place: str, text: str) -> str:
    """A place as a vault-relative path, empty for the root."""
    # symlinks of the folders above, not of the file itself, which has its own name in the vault
    folder, name = os.path.split(place)
    real = os.path.join(os.path.realpath(folder), name)
    for candidate in (place, real, os.path.realpath(place)):
        if _is_within(root, candidate):
            inside = nfc(os.path.relpath(candidate, root).replace(os.sep, "/"))
            return "" if inside == "." else inside
    raise _outside(root, text)


def _outside(root: Path, text: str) -> PathRefused:
    return PathRefused("leads out of the vault", where=text, hint=f"The vault is {root}.")
