"""A part of the graph as it is shown: notes, edges, and what they have in common with every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.graph.walk import edge_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.graph.row import Row

EXCERPT_CHARS: Final = 600


class ViewNote(NamedTuple):
    """A note as it is shown."""

    path: str
    name: str
    description: str
    layer: str | None
    bucket: str | None


class NoteDetail(NamedTuple):
    """What a preview shows of a note beside `ViewNote`."""

    tags: tuple[str, ...]
    excerpt: str


class GraphView(NamedTuple):
    """Notes and edges in the order in which they are shown. Every end of an edge that resolves is among the notes."""

    notes: tuple[ViewNote, ...]
    rows: tuple[Row, ...]
    start: str | None = None
    """The note that was asked for; the first of `notes`. `None`: the whole graph."""

    def missing(self) -> dict[str, str]:
        """What links to notes that do not exist say, as they say it first; by `end_of`, in order of occurrence."""
        missing: dict[str, str] = {}
        for row in self.rows:
            if not row.resolved:
                missing.setdefault(end_of(row), row.target)
        return missing

    def numbers(self) -> dict[str, str]:
        """A short identifier for each end of an edge: `n0` … for notes by path, `m0` … for missing ones by `end_of`."""
        numbers = {note.path: f"n{number}" for number, note in enumerate(self.notes)}
        return numbers | {end: f"m{number}" for number, end in enumerate(self.missing())}


def end_of(row: Row) -> str:
    """What tells the target of an edge from all others; that of a missing note is told from any path by a leading NUL."""
    return row.target if row.resolved else "\0" + edge_key(row)[1]


def excerpt(text: str) -> str:
    """The beginning of a text, cut between words where it is long."""
    text = text.strip().replace("\r\n", "\n")
    if len(text) <= EXCERPT_CHARS:
        return text
    cut = text[:EXCERPT_CHARS]
    words = text[: EXCERPT_CHARS + 1].rsplit(None, 1)[0]
    # a text without spaces, such as a Chinese one, is cut where it is
    return (words if EXCERPT_CHARS // 2 < len(words) <= EXCERPT_CHARS else cut) + " …"


def met(rows: Iterable[Row], start: str | None = None) -> tuple[str, ...]:
    """The paths of the notes at the ends of rows, in order, the start first."""
    paths = dict.fromkeys([start] if start is not None else [])
    for row in rows:
        paths[row.source] = None
        if row.resolved:
            paths[row.target] = None
    return tuple(paths)


def view_of(rows: Iterable[Row], notes: Mapping[str, ViewNote], start: str | None = None) -> GraphView:
    """The rows with the notes that they meet, the start first. `notes` are by path, and all of them are there."""
    rows = tuple(rows)
    return GraphView(tuple(notes[path] for path in met(rows, start)), rows, start)
