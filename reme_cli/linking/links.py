"""The links of a vault, as the index had them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from reme_cli.linking.shown import LinkRow

if TYPE_CHECKING:
    from reme_cli.index.index import Index

_LINKS: Final = (
    'SELECT source.path, links.start, links."end", links.kind, links.target, links.alias, target.path'
    " FROM links JOIN notes AS source ON source.id = links.note LEFT JOIN notes AS target ON target.id = links.resolved"
    " ORDER BY source.path, links.ordinal"
)
_ALIAS: Final = 1 + LinkRow._fields.index("alias")
_PATH: Final = 1 + LinkRow._fields.index("path")


class Links:
    """The links of every note. In a large vault they take more room than all else: what is not needed any more is forgotten."""

    def __init__(self, index: Index) -> None:
        self._by_note: dict[str, list[tuple[Any, ...]]] = {}
        rows = index.read(
            lambda connection: [
                # one text for each note, not for each link
                (sys.intern(source), *link, path and sys.intern(path))
                for source, *link, path in connection.execute(_LINKS)
            ]
        )
        for row in rows:
            self._by_note.setdefault(row[0], []).append(row)

    def of(self, path: str) -> list[LinkRow]:
        """Those of a note, in order; none of one that was forgotten."""
        return [LinkRow(*row[1:]) for row in self._by_note.get(path, ())]

    def labels(self) -> Counter[tuple[str, str]]:
        """How often people linked a note by a text, by text and path."""
        return Counter(
            (alias, path)
            for rows in self._by_note.values()
            for row in rows
            if (alias := row[_ALIAS]) is not None and (path := row[_PATH]) and LinkRow(*row[1:]).is_habit
        )

    def forget(self, path: str) -> None:
        """Lets go of those of a note."""
        self._by_note.pop(path, None)

    def renew(self, index: Index, path: str) -> None:
        """Takes in those that a note has now."""
        self._by_note[path] = [
            (path, link.start, link.end, link.kind, link.target, link.alias, target)
            for link, target in ((found.link, found.note) for found in index.links_from(path))
        ]
