"""Which files `vault.yaml: ignore` leaves out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable


@lru_cache(maxsize=8)
def ignore_rules(patterns: tuple[str, ...]) -> Callable[[str], bool] | None:
    """A test of vault-relative paths (a folder's ends in `/`) against gitignore patterns; `None` without patterns.

    Raises `ConfigError` for what is no pattern.
    """
    if not any(pattern.strip() and not pattern.startswith("#") for pattern in patterns):
        return None
    from pathspec import GitIgnoreSpec  # most vaults ignore nothing and need not pay for it

    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise ConfigError(
                f"`ignore` holds `{pattern}`, which is no gitignore pattern",
                where="vault.yaml",
                hint="A pattern is a path, with `*` for any part of a name.",
            ) from error
    spec = GitIgnoreSpec.from_lines(patterns)

    def ignored(path: str) -> bool:
        return bool(spec.match_file(path))

    return ignored
