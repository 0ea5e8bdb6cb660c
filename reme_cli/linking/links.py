"""The links of a vault, as the index had them."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

from reme_cli.linking.shown import as_link_row

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.linking.shown import LinkRow
    from reme_cli.linking.spelling import Connection

_PATHS: Final = "SELECT id, path FROM notes"
_LINKS: Final = 'SELECT note, start, "end", kind, target, alias, resolved FROM links ORDER BY note, ordinal'

_Row: TypeAlias = "tuple[int, int, str, str, str | None, str | None]"
"""The fields of a `LinkRow`, without their names."""


class Links:
    """The links of every note. In a large vault they take more room than all else: what is not needed any more is forgotten.

    They are read when one is first asked for.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    @cached_property
    def _by_note(self) -> dict[str, list[_Row]]:
        return self._index.read(_rows_by_note)

    def of(self, path: str) -> list[LinkRow]:
        """Those of a note, in order; none of one that was forgotten."""
        return list(map(as_link_row, self._by_note.get(path, ())))

    def labels(self) -> Counter[tuple[str, str]]:
        """How often people linked a note by a text, by text and path."""
        return Counter(
            (link.alias, link.path)
            for rows in self._by_note.values()
            for link in map(as_link_row, rows)
            if link.alias is not None and link.path is not None and link.is_habit
        )

    def forget(self, path: str) -> None:
        """Lets go of those of a note."""
        self._by_note.pop(path, None)

    def renew(self, index: Index, path: str) -> None:
        """Takes in those that a note has now."""
        self._by_note[path] = [
            (link.start, link.end, link.kind, link.target, link.alias, target)
            for link, target in ((found.link, found.note) for found in index.links_from(path))
        ]


def _rows_by_note(connection: Connection) -> dict[str, list[_Row]]:
    # one text for each note and kind, not for each link
    paths = dict(connection.execute(_PATHS))
    found: dict[str, list[_Row]] = {path: [] for path in paths.values()}
    for note, start, end, kind, target, alias, resolved in connection.execute(_LINKS):
        found[paths[note]].append((start, end, sys.intern(kind), target, alias, paths.get(resolved)))
    return found
