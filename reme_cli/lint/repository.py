"""What git says of a vault: which repository it is in, and what changed since a commit."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reme_cli.errors import NoteError, PathRefused, UsageError
from reme_cli.lint.git import git, git_bytes
from reme_cli.vault.ignore import ignore_rules
from reme_cli.vault.paths import NOTE_SUFFIX, name_of, nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from reme_cli.vault.vault import Vault

HEAD: Final = "HEAD"
_SIMILAR: Final = 0.5
"""Of two texts, this part of the longer one in equal lines makes a renaming, as for `git diff -M`."""
_MOST_PAIRS: Final = 20_000
"""With more pairs than this, only files of the same name or the same bytes are compared."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between a commit and the files of a vault, by vault-relative path."""

    base: str = ""
    """The commit, as git calls it."""
    touched: frozenset[str] = frozenset()
    """Files that are new or have another content."""
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    renames: Mapping[str, str] = field(default_factory=dict)
    """Of the removed and the added files, those that are the same file under another name: old path to new."""


def top_of(root: Path) -> Path | None:
    """The top folder of the repository that a folder is in; `None` where it is in none."""
    for folder in (root, *root.parents):
        if (folder / ".git").exists():
            return folder
    return None


def is_revision(root: Path, revision: str) -> bool:
    """Whether git knows a commit by this name."""
    if "\0" in revision:
        return False
    try:
        return bool(
            git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        )
    except UsageError:
        return False


def change_since(vault: Vault, revision: str) -> Change:
    """What changed since a commit, in the files as they are now; a branch counts from where it forked off.

    Raises `UsageError` where there is no git, no repository, or no such commit.
    """
    root = vault.root
    if top_of(root) is None:
        raise UsageError(
            "the vault is in no git repository", where=str(root), hint="`--changed` asks git what changed."
        )
    base = _base(root, revision)
    rows = git(
        root, "diff", "--name-status", "--no-renames", "--no-ext-diff", "-z", "--relative", base, "--", "."
    )
    words = rows.split("\0")
    statuses = dict(zip(map(nfc, words[1::2]), words[::2], strict=False))
    others = git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
    untracked = {nfc(path) for path in others if path}
    is_known = _is_known(vault)
    removed = {path for path, status in statuses.items() if status == "D" and path not in untracked}
    added = {path for path, status in statuses.items() if status == "A"} | (untracked - statuses.keys())
    touched = (statuses.keys() - removed) | untracked
    removed, added = {path for path in removed if is_known(path)}, {path for path in added if is_known(path)}
    return Change(
        base=base,
        touched=frozenset(touched),
        added=frozenset(added),
        removed=frozenset(removed),
        renames=_renames(vault, base, sorted(removed), sorted(added)),
    )


def old_text(vault: Vault, commit: str, path: str) -> str | None:
    """The text of a note in a commit; `None` where it is not there or no text."""
    (data,) = _blobs(vault.root, commit, [path])
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError:
        return None


def _base(root: Path, revision: str) -> str:
    if not is_revision(root, revision):
        if revision == HEAD:  # nothing is committed yet: everything is new
            return git(root, "hash-object", "-t", "tree", os.devnull).strip()
        raise UsageError(f"git knows no commit `{revision}`", hint="Name a branch, a tag or a commit.")
    try:
        return git(root, "merge-base", "--end-of-options", revision, HEAD).strip()
    except UsageError:  # no common commit, or the clone is too shallow to know it
        return git(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").strip()


def _is_known(vault: Vault) -> Callable[[str], bool]:
    """A test for the paths of files that a link can mean."""
    excluded = {"prompts", vault.config.folders.metadata}
    ignored = ignore_rules(vault.config.ignore)

    def is_known(path: str) -> bool:
        parts = path.split("/")
        if parts[0] in excluded or "node_modules" in parts or any(part.startswith(".") for part in parts):
            return False
        return ignored is None or not ignored(path)

    return is_known


def _renames(vault: Vault, base: str, removed: Sequence[str], added: Sequence[str]) -> dict[str, str]:
    """Which removed file is which added one: of equal bytes, else the most similar notes."""
    if not removed or not added:
        return {}
    old = {path: data for path, data in zip(removed, _blobs(vault.root, base, removed), strict=True) if data}
    new = {path: data for path in added if (data := _bytes(vault, path))}
    by_content: dict[bytes, list[str]] = {}
    for path, data in new.items():
        by_content.setdefault(data, []).append(path)
    is_many = len(old) * len(new) > _MOST_PAIRS
    scores: list[tuple[float, bool, str, str]] = []
    for before, data in old.items():
        same = by_content.get(data, ())
        scores += [(-1.0, name_of(before) != name_of(after), before, after) for after in same]
        if same or not before.endswith(NOTE_SUFFIX):
            continue
        lines = Counter(data.splitlines())
        for after, content in new.items():
            is_other_name = name_of(before) != name_of(after)
            if after.endswith(NOTE_SUFFIX) and not (is_many and is_other_name):
                score = _similarity(lines, data, content)
                if score >= _SIMILAR:
                    scores.append((-score, is_other_name, before, after))
    renames: dict[str, str] = {}
    taken: set[str] = set()
    for _, _, before, after in sorted(scores):
        if before not in renames and after not in taken:
            renames[before] = after
            taken.add(after)
    return renames


def _similarity(lines: Counter[bytes], old: bytes, new: bytes) -> float:
    """The part of the longer of two texts that is in equal lines."""
    longest = max(len(old), len(new))
    if min(len(old), len(new)) < _SIMILAR * longest:
        return 0.0
    common = lines & Counter(new.splitlines())
    return sum((len(line) + 1) * number for line, number in common.items()) / (longest + 1)


def _blobs(root: Path, base: str, paths: Iterable[str]) -> list[bytes | None]:
    """The contents of files in a commit; `None` where there is none."""
    names = [f"{base}:./{path}" for path in paths]
    asked = b"".join(os.fsencode(name.replace("\n", "?")) + b"\n" for name in names)
    answer = git_bytes(root, "cat-file", "--batch", data=asked)
    blobs: list[bytes | None] = []
    at = 0
    for _ in names:
        end = answer.index(b"\n", at)
        head = answer[at:end].split(b" ")
        at = end + 1
        if head[-1].isdigit():
            size = int(head[-1])
            blobs.append(answer[at : at + size])
            at += size + 1
        else:
            blobs.append(None)
    return blobs


def _bytes(vault: Vault, path: str) -> bytes | None:
    try:
        return vault.read_bytes(path)
    except (NoteError, PathRefused):
        return None
