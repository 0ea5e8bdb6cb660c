"""The contract's JSON: notes and edges as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.graph.row import Row
    from reme_cli.graph.view import ViewNote


def note_records(notes: Iterable[ViewNote]) -> list[dict[str, object]]:
    """One object for each note."""
    return [
        {"path": note.path, "name": note.name, "description": note.description, "layer": note.layer}
        for note in notes
    ]


def edge_records(rows: Iterable[Row]) -> list[dict[str, object]]:
    """One object for each row, keys in the order of its fields."""
    return [row._asdict() for row in rows]
