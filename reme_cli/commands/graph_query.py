"""`reme graph-query`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from reme_cli.commands.session import session_of
from reme_cli.errors import NoteNotFound, UsageError

if TYPE_CHECKING:
    from reme_cli.graph.query import Row
    from reme_cli.index.index import Index

EXAMPLES = (
    "reme graph-query gateway",
    "reme graph-query digest/wiki/gateway.md direction=in",
    "reme graph-query gateway type=derived_from,caused_by depth=3 --json",
)

CANDIDATES_SHOWN = 10


class Direction(StrEnum):
    """Which way to follow links."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


class Format(StrEnum):
    """How the edges are written."""

    TABLE = "table"
    JSON = "json"


def graph_query(
    ctx: typer.Context,
    note: Annotated[str, typer.Argument(metavar="NOTE", help="A path, the end of one, a name or an alias.")],
    type: Annotated[  # noqa: A002 — the contract's name for this key
        str | None, typer.Option(metavar="PREDICATES", help="Only these predicates; several with commas.")
    ] = None,
    direction: Annotated[
        Direction, typer.Option(help="Links that go out, come in, or both.")
    ] = Direction.OUT,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="So many steps.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many edges.")] = None,
    format: Annotated[Format, typer.Option(help="How the edges are written.")] = Format.TABLE,  # noqa: A002 — as above
) -> None:
    """Follow the links of a note, by predicate and direction.

    Prints each edge once, nearest first, with the place of the link. A target without a note is marked with `?`.
    """
    from reme_cli.graph.query import traverse
    from reme_cli.vault.wikilink import canonical_predicate

    session = session_of(ctx)
    vault = session.open_vault()
    with session.open_index(vault) as index:
        start = _start(note, index)
        predicates = (
            {canonical_predicate(part.strip()) for part in type.split(",") if part.strip()} if type else None
        )
        rows = traverse(index.graph(), start, predicates=predicates, direction=direction.value, depth=depth)[
            :limit
        ]
        if session.json or format is Format.JSON:
            session.terminal.json(_as_json(start, rows, index))
            return
    if rows:
        cells = [
            (
                str(row.depth),
                row.source,
                row.predicate or "",
                row.target + ("" if row.resolved else " ?"),
                f"{row.path}:{row.line}",
            )
            for row in rows
        ]
        session.terminal.table(cells, ("depth", "source", "predicate", "target", "at"), right=frozenset({0}))
    else:
        session.terminal.remark(f"{start}: no such links")


def _start(text: str, index: Index) -> str:
    """The one note that the text means. Raises `NoteNotFound` with the nearest names, `UsageError` for several."""
    found = index.find_notes(text)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoteNotFound(f"there is no note `{text}`", hint=_nearest(text, index))
    shown = ", ".join(found[:CANDIDATES_SHOWN]) + (", …" if len(found) > CANDIDATES_SHOWN else "")
    raise UsageError(f"`{text}` is the name of {len(found)} notes", hint=f"Give the path of one: {shown}")


def _nearest(text: str, index: Index) -> str | None:
    # rapidfuzz only where there is a name to guess
    from rapidfuzz import fuzz, process, utils

    names = {note.path: f"{note.name} {note.path}" for note in index.notes()}
    close = process.extract(
        text, names, scorer=fuzz.partial_ratio, processor=utils.default_process, limit=3, score_cutoff=60
    )
    paths = [str(path) for _, _, path in close]
    return f"Did you mean {' or '.join(paths)}?" if paths else None


def _as_json(start: str, rows: tuple[Row, ...], index: Index) -> dict[str, object]:
    """The contract's JSON: the notes met, the start first, and the edges."""
    met = dict.fromkeys([start, *(path for row in rows for path in (row.source, row.target))])
    notes = [known for path in met if (known := index.note(path)) is not None]
    return {
        "schema": 1,
        "notes": [
            {"path": note.path, "name": note.name, "description": note.description, "layer": note.layer}
            for note in notes
        ],
        "edges": [
            {
                "depth": row.depth,
                "source": row.source,
                "predicate": row.predicate,
                "target": row.target,
                "resolved": row.resolved,
                "implied": False,
                "path": row.path,
                "line": row.line,
                "col": row.col,
            }
            for row in rows
        ],
    }
