"""Asking git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from reme_cli.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

_OTHERS: Final = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""Set for a hook by git; they would name another repository than the one that a folder is in."""


def git(root: Path, *arguments: str) -> str:
    """What git answers in a folder, as text. Raises `UsageError` as `git_bytes` does."""
    return git_bytes(root, *arguments).decode(errors="surrogateescape")


def git_bytes(root: Path, *arguments: str, data: bytes | None = None) -> bytes:
    """What git answers in a folder; `data` is its input. Raises `UsageError` where there is no git, or it fails."""
    import subprocess  # most runs ask nothing of git

    environment = {name: value for name, value in os.environ.items() if name not in _OTHERS}
    # a repository's own configuration must not start a program
    line = ["git", "-c", "core.fsmonitor=false", "-c", "core.quotepath=false", "--literal-pathspecs"]
    line += ["-C", str(root), *arguments]
    try:
        done = subprocess.run(
            line,
            input=data,
            stdin=None if data else subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            check=False,
        )
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}", hint="`--changed` needs git.") from error
    if done.returncode:
        told = (
            done.stderr.decode(errors="replace").strip().partition("\n")[0] or f"exit code {done.returncode}"
        )
        raise UsageError(f"git {arguments[0]}: {told.removeprefix('fatal: ')}", where=str(root))
    return done.stdout
