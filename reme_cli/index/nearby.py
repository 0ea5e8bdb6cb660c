"""What some notes are called, and the links around them, read from their rows alone: never those of the whole vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator

    from reme_cli.index.index import Index

MOST_SOURCES: Final = 200
"""A note that more notes link to is a hub: being linked from it, or to it, says nothing of the others."""

_AT_ONCE: Final = 500
"""Values in one statement; older SQLite takes 999."""

_SOURCES: Final = "SELECT resolved, count(DISTINCT note) FROM links WHERE resolved IN ({}) AND note != resolved GROUP BY resolved"


class Tie(NamedTuple):
    """A link between two notes, by their numbers; each once, however often it is written."""

    source: int
    target: int
    predicate: str | None


class Surroundings:
    """The links around notes, for one question: how many notes link to one is counted once, however often it is asked."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._sources: dict[int, int] = {}

    def source_counts(self, notes: Collection[int]) -> dict[int, int]:
        """How many other notes link to each of some notes."""
        new = [note for note in notes if note not in self._sources]
        if new:
            self._sources |= dict.fromkeys(new, 0)
            self._sources |= self._index.read(lambda connection: dict(_rows(connection, _SOURCES, new)))
        return {note: self._sources[note] for note in notes}

    def ties(self, notes: Collection[int], *, only_typed: bool = False) -> list[Tie]:
        """The links out of some notes and into them, by source, target and predicate; not those into a hub, and no self links."""
        typed = " AND predicate IS NOT NULL" if only_typed else ""
        out = f"SELECT note, resolved, predicate FROM links WHERE note IN ({{}}) AND resolved IS NOT NULL{typed}"  # noqa: S608  constants and `?` only
        into = f"SELECT note, resolved, predicate FROM links WHERE resolved IN ({{}}){typed}"  # noqa: S608  as above
        told = [note for note, count in self.source_counts(notes).items() if count <= MOST_SOURCES]
        found = self._index.read(
            lambda connection: {*_rows(connection, out, notes), *_rows(connection, into, told)}
        )
        return _ties(found)


def typed_between(index: Index, notes: Collection[int]) -> list[Tie]:
    """The links with a predicate among some notes, by source, target and predicate; no self links."""
    among = set(notes)
    statement = "SELECT note, resolved, predicate FROM links WHERE note IN ({}) AND predicate IS NOT NULL"
    found = index.read(lambda connection: set(_rows(connection, statement, notes)))
    return _ties(row for row in found if row[1] in among)


def names_of(index: Index, notes: Collection[int]) -> dict[int, list[str]]:
    """Everything that some notes are called: file name, `name`, aliases, title, first heading."""
    statement = "SELECT note, text FROM names WHERE note IN ({})"

    def read(connection: sqlite3.Connection) -> dict[int, list[str]]:
        names: dict[int, list[str]] = {}
        for note, text in _rows(connection, statement, notes):
            names.setdefault(note, []).append(text)
        return names

    return index.read(read)


def _ties(rows: Iterable[tuple[Any, ...]]) -> list[Tie]:
    ties = (Tie(*row) for row in rows if row[0] != row[1])
    return sorted(ties, key=lambda tie: (tie.source, tie.target, tie.predicate or ""))


def _rows(connection: sqlite3.Connection, statement: str, notes: Iterable[int]) -> Iterator[Any]:
    """The rows of a statement that holds `{}` where the numbers of the notes go."""
    numbers = list(notes)
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        yield from connection.execute(statement.format(", ".join("?" * len(some))), some)
