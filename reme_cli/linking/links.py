"""The links of a vault, as the index had them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from reme_cli.linking.shown import LinkRow

if TYPE_CHECKING:
    from collections.abc import Collection

    from reme_cli.index.index import Index

_LINKS: Final = (
    'SELECT source.path, links.start, links."end", links.kind, links.target, links.alias, target.path'
    " FROM links JOIN notes AS source ON source.id = links.note LEFT JOIN notes AS target ON target.id = links.resolved"
    " ORDER BY source.path, links.ordinal"
)

_ALIAS: Final = 1 + LinkRow._fields.index("alias")
_PATH: Final = 1 + LinkRow._fields.index("path")


class Links:
    """The links of every note."""

    def __init__(self, index: Index) -> None:
        self._by_note: dict[str, list[tuple[Any, ...]]] = {}
        for row in index.read(lambda connection: connection.execute(_LINKS).fetchall()):
            self._by_note.setdefault(row[0], []).append(row)

    def of(self, path: str) -> list[LinkRow]:
        """Those of a note, in order."""
        return [LinkRow(*row[1:]) for row in self._by_note.get(path, ())]

    def labels(self) -> Counter[tuple[str, str]]:
        """How often people linked a note by a text, by text and path."""
        return Counter(
            (row[_ALIAS], row[_PATH])
            for rows in self._by_note.values()
            for row in rows
            if row[_ALIAS] is not None and row[_PATH] is not None and LinkRow(*row[1:]).is_habit
        )

    def keep(self, paths: Collection[str]) -> None:
        """Forgets those of all other notes."""
        self._by_note = {path: self._by_note[path] for path in paths if path in self._by_note}

    def renew(self, index: Index, path: str) -> None:
        """Takes in those that a note has now."""
        self._by_note[path] = [
            (path, link.start, link.end, link.kind, link.target, link.alias, target)
            for link, target in ((found.link, found.note) for found in index.links_from(path))
        ]
