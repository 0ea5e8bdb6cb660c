"""What reme itself wrote lately, as the audit has it: no person's save, and links that a person may since have taken out."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from reme_cli.changeset import audit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

REMEMBERED: Final = dt.timedelta(days=30)
"""How long ago a link was made that is not made again."""


class OwnWrites:
    """The last text that any reme process wrote of each note, and the links that it put there."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._since = audit.now(vault).date() - REMEMBERED
        self._written: dict[str, Stamp] = {}
        self._links: dict[str, set[str]] = {}

    def refresh(self) -> None:
        """Reads what has come to the audit."""
        today = audit.now(self._vault).date()
        for line in audit.lines(self._vault, since=self._since):
            if line.outcome != "written":
                continue
            self._written[line.path] = line.after
            if line.edges_added:
                self._links.setdefault(line.path, set()).update(map(_target, line.edges_added))
        self._since = today

    def follow(self, origin: str, path: str) -> None:
        """Takes it that a note was moved without reme."""
        self._links.setdefault(path, set()).update(self._links.get(origin, ()))

    def has(self, path: str, stamp: Stamp) -> bool:
        """Whether a note is as reme wrote it last."""
        return self._written.get(path) == stamp

    def links(self, paths: Iterable[str]) -> frozenset[tuple[str, str]]:
        """Note and target of the links that reme put into these notes."""
        return frozenset((path, target) for path in paths for target in self._links.get(path, ()))


def _target(edge: str) -> str:
    """What an edge leads to, which the audit writes as `[[target]]` or `predicate:: [[target]]`."""
    return edge.partition("[[")[2].removesuffix("]]")
