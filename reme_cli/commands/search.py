"""`reme search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reme_cli.commands.session import Session, session_of
from reme_cli.dates import parse_date
from reme_cli.errors import UsageError

if TYPE_CHECKING:
    from reme_cli.index.fulltext import Filter
    from reme_cli.search.hit import Hit

EXAMPLES = (
    'reme search "token rotation"',
    "reme search '\"exact words\" -draft tag:idea' limit=5",
    "reme search 数据库 layer=digest,daily",
    "reme search gateway after=2026-06-01 --files-only",
)

LAYERS = ("digest", "daily", "resource")


def search(
    ctx: typer.Context,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="What to look for; several words need no quotes.")
    ],
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="Show at most N notes.")] = 10,
    path: Annotated[
        str | None,
        typer.Option(metavar="GLOB", help="Only notes whose path matches, such as `daily/2026-06-*`."),
    ] = None,
    layer: Annotated[
        str | None,
        typer.Option(
            metavar="LAYERS", help="Only notes of these layers: digest, daily, resource; separated by commas."
        ),
    ] = None,
    bucket: Annotated[
        str | None,
        typer.Option(metavar="BUCKET", help="Only digest notes in this folder of digest/, such as wiki."),
    ] = None,
    tag: Annotated[str | None, typer.Option(metavar="TAG", help="Only notes with this tag.")] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="Only notes with this `kind` in the frontmatter.")
    ] = None,
    after: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only notes dated this day or later.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only notes dated this day or earlier.")
    ] = None,
    files_only: Annotated[bool, typer.Option("--files-only", help="Print only the paths.")] = False,
) -> int:
    """Find notes by what they say.

    A query holds words, "exact phrases", -words that must not occur, and field:value, where a field is one of the
    options below, from path to before. No query is an error: what cannot be understood is looked for as text. Exits 1
    when nothing is found, as grep does.
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
        if not hits:
            session.terminal.remark("no note matches")
    return 0 if hits else 1


def _filters(given: dict[str, str | None]) -> list[Filter]:
    """The conditions that the options set; a list is written with commas, a path is one pattern.

    Raises `UsageError` for a layer that no vault has: finding nothing would say that there is no such note.
    """
    from reme_cli.index.fulltext import Filter

    filters = [
        Filter(field, (value,) if field == "path" else tuple(filter(None, map(str.strip, value.split(",")))))
        for field, value in given.items()
        if value
    ]
    for condition in filters:
        for value in condition.values:
            if condition.field == "layer" and value not in LAYERS:
                raise UsageError(f"`{value}` is not a layer", hint=f"Layers are {', '.join(LAYERS)}.")
    return filters


def _print(hit: Hit, session: Session) -> None:
    """A hit as `path:line  name`, with its passage below."""
    terminal = session.terminal
    terminal.heading(f"{hit.path}:{hit.line}  {hit.name}")
    if hit.heading not in {"", hit.name}:
        terminal.paragraph(hit.heading, indent=4)
    if hit.snippet:
        terminal.marked(hit.snippet, hit.marks, indent=4)
