"""Patterns for paths, as in a `.gitignore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def matcher(patterns: Sequence[str], key: str) -> Callable[[str], bool]:
    """A test of vault-relative paths against gitignore patterns. Raises `ConfigError`, naming `key`, for what is none."""
    from pathspec import GitIgnoreSpec  # most vaults have no pattern, and need not pay for it

    try:
        spec = GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise ConfigError(
            f"`{key}` holds `{patterns[0]}`, which is no gitignore pattern",
            where="vault.yaml",
            hint="A pattern is a path, with `*` for any part of a name.",
        ) from error
    return lambda path: bool(spec.match_file(path))
