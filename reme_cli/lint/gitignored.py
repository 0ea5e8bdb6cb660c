"""Which notes git does not know by the vault's `.gitignore` files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.lint.repository import top_of
from reme_cli.regex import regex
from reme_cli.vault.paths import folder_of, nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


_TRAILING_SPACES: Final = regex(r"(?<!\\)[ ]+$")
_CLASS: Final = regex(r"\[([!^])?(\]?(?:\\.|[^\]\\])*)\]", re.DOTALL)


class _File(NamedTuple):
    """A `.gitignore` file."""

    prefix: int
    """So many characters of a path are those of its folder."""
    patterns: tuple[_Pattern, ...]
    """Of its lines, the last first."""


class Ignored:
    """The `.gitignore` files above and below a vault's root, each read when a path first lies below it.

    A folder that is ignored takes everything in it along; else the nearest file that says something about a path
    decides, and of its lines the last: https://git-scm.com/docs/gitignore.
    """

    def __init__(self, root: Path) -> None:
        top = top_of(root)
        self._top = root if top is None else top
        inside = root.relative_to(self._top).as_posix()
        self._inside = "" if inside == "." else f"{inside}/"
        self._files: dict[str, tuple[_File, ...]] = {}
        """By folder, the `.gitignore` files that have a say in it, the nearest first."""
        self._folders: dict[str, bool] = {"": False}

    def among(self, paths: Iterable[str]) -> list[str]:
        """Those of these paths that are ignored, in order."""
        silent: dict[str, bool] = {}
        found = []
        for path in paths:
            folder = path.rpartition("/")[0]
            if folder not in silent:
                whole = folder_of(self._inside + path)
                silent[folder] = not self._is_folder_ignored(whole) and not self._files_for(whole)
            if not silent[folder] and path in self:
                found.append(path)
        return found

    def __contains__(self, path: str) -> bool:
        """Whether a vault-relative path is ignored."""
        whole = self._inside + path
        folder = folder_of(whole)
        return self._is_folder_ignored(folder) or self._is_ignored(whole, folder)

    def _is_folder_ignored(self, folder: str) -> bool:
        answer = self._folders.get(folder)
        if answer is None:
            parent = folder_of(folder)
            answer = self._is_folder_ignored(parent) or self._is_ignored(f"{folder}/", parent)
            self._folders[folder] = answer
        return answer

    def _is_ignored(self, path: str, folder: str) -> bool:
        is_folder = path.endswith("/")
        path = path.removesuffix("/")
        for file in self._files_for(folder):
            inside = path[file.prefix :]
            for pattern in file.patterns:
                if (is_folder or not pattern.only_folders) and pattern.matches(inside):
                    return not pattern.is_negated
        return False

    def _files_for(self, folder: str) -> tuple[_File, ...]:
        files = self._files.get(folder)
        if files is None:
            patterns = _patterns(self._top / folder)
            own = (_File(len(folder) + 1 if folder else 0, patterns),) if patterns else ()
            files = own + (self._files_for(folder_of(folder)) if folder else ())
            self._files[folder] = files
        return files


class _Pattern(NamedTuple):
    """One line of a `.gitignore`. pathspec also matches what is below a folder, which git leaves to the folder's own answer."""

    matches: Callable[[str], re.Match[str] | None]
    is_negated: bool
    only_folders: bool


def _patterns(folder: Path) -> tuple[_Pattern, ...]:
    """The patterns of a folder's `.gitignore`, the last first; none without such a file."""
    try:
        text = (folder / ".gitignore").read_bytes().decode(errors="replace")
    except OSError:
        return ()
    lines = re.split(r"\r?\n", text.removeprefix("\ufeff"))
    return tuple(pattern for line in reversed(lines) if (pattern := _pattern(line)) is not None)


def _pattern(line: str) -> _Pattern | None:
    line = _TRAILING_SPACES.sub("", nfc(line))
    if not line or line.startswith("#"):
        return None
    is_negated = line.startswith("!")
    line = line.removeprefix("!") if is_negated else line
    only_folders = line.endswith("/")
    line = line.removesuffix("/")
    if not line:
        return None
    if "/" in line:
        line = line.removeprefix("/")
    else:
        line = f"**/{line}"
    try:
        return _Pattern(re.compile(_expression(line), re.DOTALL).fullmatch, is_negated, only_folders)
    except re.error:
        return None  # such as `[z-a]`, which git takes for a pattern that nothing matches


def _expression(glob: str) -> str:
    """A pattern as a regular expression: https://git-scm.com/docs/gitignore#_pattern_format."""
    parts: list[str] = []
    at = 0
    while at < len(glob):
        rest = glob[at:]
        is_first = at == 0 or glob[at - 1] == "/"
        if is_first and rest.startswith("**/"):
            parts.append("(?:.*/)?")
            at += 3
        elif is_first and rest == "**":
            parts.append(".+")
            at += 2
        elif rest[0] == "*":
            stars = len(rest) - len(rest.lstrip("*"))
            parts.append("[^/]*")
            at += stars
        elif rest[0] == "?":
            parts.append("[^/]")
            at += 1
        elif found := _CLASS.match(rest):
            mark = "^" if found[1] else ""
            members = re.sub(r"([\[&~|])", r"\\\1", found[2])
            parts.append(f"(?!/)[{mark}{members}]")
            at += found.end()
        elif rest[0] == "\\" and len(rest) > 1:
            parts.append(re.escape(rest[1]))
            at += 2
        elif rest[0] in "[\\":
            return "(?!)"  # unfinished: nothing matches it
        else:
            parts.append(re.escape(rest[0]))
            at += 1
    return "".join(parts)
