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
    from reme_cli.output import Terminal

EXAMPLES = (
    "reme graph-query gateway",
    "reme graph-query digest/wiki/gateway.md direction=in",
    "reme graph-query gateway type=derived_from,caused_by depth=3 --json",
)

COLUMNS = ("depth", "source", "predicate", "target", "at")
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
    note: Annotated[
        str, typer.Argument(metavar="NOTE", help="Its path, the end of its path, its name or an alias.")
    ],
    type: Annotated[  # noqa: A002 — the contract's name for this key
        str | None,
        typer.Option(metavar="PREDICATES", help="Only links with these predicates, separated by commas."),
    ] = None,
    direction: Annotated[
        Direction, typer.Option(help="Links from the note, links to it, or both.")
    ] = Direction.OUT,
    depth: Annotated[int, typer.Option(min=1, metavar="N", help="Follow links up to N steps.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show at most N links.")] = None,
    format: Annotated[Format, typer.Option(help="How to print the links.")] = Format.TABLE,  # noqa: A002 — as above
) -> None:
    """Follow the links of a note, by predicate and direction.

    A predicate is what a link says it means, as derived_from does in `derived_from:: [[daily/2026-06-20]]`. Prints each
    link once, nearest first, with the line it stands on. A target that does not exist is marked with `?`.
    """
    from reme_cli.graph.query import traverse
    from reme_cli.vault.wikilink import canonical_predicate

    session = session_of(ctx)
    session.json = session.json or format is Format.JSON  # its errors are told as JSON too
    vault = session.open_vault()
    with session.open_index(vault) as index:
        start = _start(note, index)
        predicates = (
            {canonical_predicate(part.strip()) for part in type.split(",") if part.strip()} if type else None
        )
        rows = traverse(index.graph(), start, predicates=predicates, direction=direction.value, depth=depth)[
            :limit
        ]
        if session.json:
            session.terminal.json(_as_json(start, rows, index))
            return
    _print(rows, session.terminal)
    if not rows:
        way = {
            Direction.OUT: "no links out of it",
            Direction.IN: "no links to it",
            Direction.BOTH: "no links",
        }
        session.terminal.remark(f"{start}: {way[direction]}{' with this predicate' if predicates else ''}")


def _print(rows: tuple[Row, ...], terminal: Terminal) -> None:
    """The links as a table; on a screen that is too narrow for whole paths, as two lines for each."""
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
    if not rows:
        return
    if terminal.fits(cells, COLUMNS):
        terminal.table(cells, COLUMNS, right=frozenset({0}))
        return
    for depth, _, predicate, target, place in cells:
        terminal.line(f"{depth:>2}  {place}")  # a link stands in its source
        terminal.line(f"      {predicate or 'links to'} → {target}")


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
    ends = (path for row in rows for path in (row.source, row.target if row.resolved else row.source))
    notes = [known for path in dict.fromkeys([start, *ends]) if (known := index.note(path)) is not None]
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
