"""Texts that name a path without linking to it, and so do not follow a move: the topics of a day, patterns in `vault.yaml`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.errors import NoteError, PathRefused
from reme_cli.lint.globs import matcher
from reme_cli.vault.paths import name_of, nfc
from reme_cli.vault.topic_list import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reme_cli.vault.vault import Vault


class Unfollowed(NamedTuple):
    """A place that a person may want to change by hand after a move."""

    path: str
    line: int | None
    """1-based; `None` where a setting is meant."""
    names: str
    """The old path that stands there, or the setting."""


def unfollowed(vault: Vault, files: Iterable[str], renames: Mapping[str, str]) -> tuple[Unfollowed, ...]:
    """What does not follow when files get other paths, sorted; `files` are those of the vault that are no notes."""
    topics = (path for path in files if name_of(path) == FILE_NAME and vault.day(path) is not None)
    named = (each for path in topics for each in _in_topics(vault, path, renames))
    return (*sorted(named), *_patterns(vault, renames))


def _in_topics(vault: Vault, path: str, renames: Mapping[str, str]) -> Iterator[Unfollowed]:
    try:
        text = nfc(vault.read_bytes(path).decode())
    except (NoteError, PathRefused, UnicodeDecodeError):
        return  # lint tells of it
    if os.path.commonpath(list(renames)) not in text:
        return  # a folder may hold thousands
    for old in renames:
        # in a list of paths, not at the end of a longer one
        for found in re.finditer(rf"(?<![\w/.-]){re.escape(old)}(?![\w-]|\.\w)", text):
            yield Unfollowed(path, text.count("\n", 0, found.start()) + 1, old)


def _patterns(vault: Vault, renames: Mapping[str, str]) -> Iterator[Unfollowed]:
    """The patterns of `lint.per_path` that match a file at one of its two paths only."""
    for pattern in vault.config.lint.per_path:
        matches = matcher((pattern,), "lint.per_path")
        if any(matches(old) != matches(new) for old, new in renames.items()):
            yield Unfollowed("vault.yaml", None, f"lint.per_path.{pattern}")
