"""Reading notes: here, or with all cores where there is enough to read."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from reme_cli.errors import NoteNotFound
from reme_cli.index.document import Document, read_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

Question = tuple[str, str | None]
"""A path, and the stamp of the content that is known already."""

Answer = tuple[str, Document | None]
"""A path, and its document unless the content is the known one."""

PARALLEL_BYTES: Final = 3_000_000
"""Below this size of all notes together, starting processes takes longer than it saves."""
_MOST_WORKERS: Final = 8
"""One process writes the rows; more readers would only wait for it."""


def read_documents(
    vault: Vault, names: Names | None, questions: Sequence[Question], size: int
) -> Iterator[Answer]:
    """The document of each path, `None` where the content is the known one; in the questions' order; those of notes that are gone are left out.

    Links are resolved where `names` are given. `size` is that of all the files, in bytes.
    """
    cores = _usable_cores()
    if size < PARALLEL_BYTES or cores < 2 or not sys.executable:
        yield from read_here(vault, names, questions)
        return
    # here, since starting processes brings much along, which reading a few notes does without
    from reme_cli.index.workers import read_in_parallel

    yield from read_in_parallel(vault, names, questions, min(cores, _MOST_WORKERS))


def read_here(vault: Vault, names: Names | None, questions: Sequence[Question]) -> Iterator[Answer]:
    """The same, by this process."""
    for path, known_stamp in questions:
        try:
            yield path, read_document(vault, path, known_stamp, names)
        except NoteNotFound:  # gone since the walk
            continue


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
