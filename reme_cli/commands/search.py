"""`reme search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reme_cli.commands.session import Session, session_of
from reme_cli.dates import parse_date

if TYPE_CHECKING:
    from reme_cli.search.hit import Hit
    from reme_cli.search.query import Filter

EXAMPLES = (
    'reme search "token rotation"',
    "reme search '\"exact words\" -draft tag:idea' limit=5",
    "reme search 数据库 layer=digest,daily",
    "reme search gateway after=2026-06-01 --files-only",
)


def search(
    ctx: typer.Context,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="Words; several arguments are one query.")
    ],
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="At most so many notes.")] = 10,
    path: Annotated[str | None, typer.Option(metavar="GLOB", help="Only notes whose path matches.")] = None,
    layer: Annotated[
        str | None, typer.Option(metavar="LAYERS", help="digest, daily, resource; several with commas.")
    ] = None,
    bucket: Annotated[
        str | None, typer.Option(metavar="BUCKET", help="Only digest notes of this bucket.")
    ] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only notes with this tag.")] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only notes with this `kind` in the frontmatter.")
    ] = None,
    after: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only notes of this day or later.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only notes of this day or earlier.")
    ] = None,
    files_only: Annotated[
        bool, typer.Option("--files-only", help="Print the paths and nothing else.")
    ] = False,
) -> int:
    """Find notes by what they say.

    A query holds words, "exact phrases", -words that must not occur, and field:value, where a field is one of the
    options below. Nothing is a wrong query. Exits 1 when nothing is found, as grep does.
    """
    from reme_cli.search.hit import search_json
    from reme_cli.search.search import search as search_index

    session = session_of(ctx)
    vault = session.open_vault()
    today = vault.today()
    filters = _filters(
        {
            "path": path,
            "layer": layer,
            "bucket": bucket,
            "tag": tag,
            "kind": kind,
            "after": after and parse_date(after, today).isoformat(),
            "before": before and parse_date(before, today).isoformat(),
        }
    )
    text = " ".join(query)
    with session.open_index(vault) as index:
        hits = search_index(index, text, limit=limit, filters=filters)
    if session.json:
        session.terminal.json(search_json(text, hits))
    elif files_only:
        for hit in hits:
            session.terminal.line(hit.path)
    else:
        for hit in hits:
            _print(hit, session)
    return 0 if hits else 1


def _filters(given: dict[str, str | None]) -> list[Filter]:
    """The conditions that the options set; a list is written with commas, a path is one pattern."""
    from reme_cli.search.query import Filter

    return [
        Filter(field, (value,) if field == "path" else tuple(part for part in value.split(",") if part))
        for field, value in given.items()
        if value
    ]


def _print(hit: Hit, session: Session) -> None:
    """A hit as `path:line  name`, with its passage below."""
    terminal = session.terminal
    terminal.heading(f"{hit.path}:{hit.line}  {hit.name}")
    if hit.heading:
        terminal.line(f"    {hit.heading}")
    if hit.snippet:
        terminal.marked(hit.snippet, hit.marks, indent=4)
