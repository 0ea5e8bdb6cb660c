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


class Tie(NamedTuple):
    """A link between two notes, by their numbers; each once, however often it is written."""

    source: int
    target: int
    predicate: str | None


def ties_of(index: Index, notes: Collection[int], *, only_typed: bool = False) -> list[Tie]:
    """The links out of some notes and into them, by source, target and predicate; not those into a hub, and no self links."""

    def read(connection: sqlite3.Connection) -> set[Tie]:
        typed = " AND predicate IS NOT NULL" if only_typed else ""
        out = f"SELECT note, resolved, predicate FROM links WHERE note IN ({{}}) AND resolved IS NOT NULL{typed}"  # noqa: S608  constants and `?` only
        into = f"SELECT note, resolved, predicate FROM links WHERE resolved IN ({{}}){typed}"  # noqa: S608  as above
        sources = _sources(connection, notes)
        told = [note for note in notes if sources.get(note, 0) <= MOST_SOURCES]
        return {Tie(*row) for row in (*_rows(connection, out, notes), *_rows(connection, into, told))}

    found = index.read(read)
    return sorted(
        (tie for tie in found if tie.source != tie.target),
        key=lambda tie: (tie.source, tie.target, tie.predicate or ""),
    )


def names_of(index: Index, notes: Collection[int]) -> dict[int, list[str]]:
    """Everything that some notes are called: file name, `name`, aliases, title, first heading."""
    statement = "SELECT note, text FROM names WHERE note IN ({})"

    def read(connection: sqlite3.Connection) -> dict[int, list[str]]:
        names: dict[int, list[str]] = {}
        for note, text in _rows(connection, statement, notes):
            names.setdefault(note, []).append(text)
        return names

    return index.read(read)


def source_counts(index: Index, notes: Collection[int]) -> dict[int, int]:
    """How many other notes link to each of some notes; a note that none links to is left out."""
    return index.read(lambda connection: _sources(connection, notes))


def typed_between(index: Index, notes: Collection[int]) -> list[Tie]:
    """The links with a predicate among some notes, by source, target and predicate."""
    among = set(notes)
    return [tie for tie in ties_of(index, notes, only_typed=True) if {tie.source, tie.target} <= among]


def _sources(connection: sqlite3.Connection, notes: Iterable[int]) -> dict[int, int]:
    statement = "SELECT resolved, count(DISTINCT note) FROM links WHERE resolved IN ({}) AND note != resolved GROUP BY resolved"
    return dict(_rows(connection, statement, notes))


def _rows(connection: sqlite3.Connection, statement: str, notes: Iterable[int]) -> Iterator[Any]:
    """The rows of a statement that holds `{}` where the numbers of the notes go."""
    numbers = list(notes)
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        yield from connection.execute(statement.format(", ".join("?" * len(some))), some)
