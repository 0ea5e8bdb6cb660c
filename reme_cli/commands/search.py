"""`reme search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.index.fulltext import Filter
    from reme_cli.index.index import Index
    from reme_cli.output import Terminal
    from reme_cli.search.answers import Answer
    from reme_cli.search.hit import Hit
    from reme_cli.vault.vault import Vault

EXAMPLES = (
    'reme search "token rotation"',
    "reme search '\"exact words\" -draft tag:idea' limit=5",
    "reme search 数据库 layer=digest,daily",
    "reme search gateway after=2026-06-01 --files-only",
    'reme search "who maintains the gateway" --explain',
)

LAYERS = ("digest", "daily", "resource")


def search(
    session: Session,
    query: Annotated[
        list[str], Argument(metavar="QUERY", help="What to look for; several words need no quotes.")
    ],
    limit: Annotated[int, Option(min=1, metavar="N", help="Show at most N notes.")] = 10,
    path: Annotated[
        str | None,
        Option(metavar="GLOB", help="Only notes whose path matches, such as `daily/2026-06-*`."),
    ] = None,
    layer: Annotated[
        str | None,
        Option(
            metavar="LAYERS", help="Only notes of these layers: digest, daily, resource; separated by commas."
        ),
    ] = None,
    bucket: Annotated[
        str | None,
        Option(metavar="BUCKET", help="Only digest notes in this folder of digest/, such as wiki."),
    ] = None,
    tag: Annotated[str | None, Option(metavar="TAG", help="Only notes with this tag.")] = None,
    kind: Annotated[
        str | None, Option(metavar="KIND", help="Only notes with this `kind` in the frontmatter.")
    ] = None,
    after: Annotated[str | None, Option(metavar="DATE", help="Only notes dated this day or later.")] = None,
    before: Annotated[
        str | None, Option(metavar="DATE", help="Only notes dated earlier than this day.")
    ] = None,
    files_only: Annotated[bool, Option("--files-only", help="Print only the paths.")] = False,
    null: Annotated[
        bool,
        Option("--null", "-0", help="Print only the paths, each ended by a NUL, as `xargs -0` reads them."),
    ] = False,
    explain: Annotated[bool, Option("--explain", help="Show what each score is made of.")] = False,
) -> int:
    """Find notes by what they say.

    A query holds words, "exact phrases", -words that must not occur, and field:value, where a field is one of the
    options below, from path to before. No query is an error: what cannot be understood is looked for as text. A question
    for a relation, such as "who founded Acme", is answered first from what notes state. Exits 1 when nothing is found, as
    grep does.
    """
    vault = session.open_vault()
    conditions = _conditions(
        {
            "path": path,
            "layer": layer,
            "bucket": bucket,
            "tag": tag,
            "kind": kind,
            "after": after and _day(after, vault),
            "before": before and _day(before, vault),
        }
    )
    text = " ".join(query)
    only_paths = (files_only or null) and not session.json

    def asked(index: Index) -> tuple[tuple[Answer, ...], list[Hit]]:
        condition, answers, search_index = _searching()
        filters = [condition(field, values) for field, values in conditions.items()]
        found = () if only_paths else answers(index, text, filters=filters)
        return found, search_index(index, text, limit=limit, filters=filters)

    if vault.config.embedding.model:  # a model is asked once
        with session.open_index(vault) as index:
            found, hits = index.answer(asked)
    else:
        found, hits = session.ask_index(vault, asked, get_ready=_searching)
    terminal = session.terminal
    if session.json:
        from reme_cli.search.answers import answer_json
        from reme_cli.search.hit import search_json

        terminal.json(search_json(text, hits, map(answer_json, found)))
    elif only_paths:
        for hit in hits:
            terminal.record(hit.path) if null else terminal.line(hit.path)
    else:
        for answer in found:
            _print_answer(answer, terminal)
        for hit in hits:
            _print(hit, terminal, explain=explain)
        if not (hits or found):
            terminal.remark("no note matches")
    return 0 if hits or found else 1


def _searching() -> tuple[type[Filter], Callable[..., tuple[Answer, ...]], Callable[..., list[Hit]]]:
    """A condition, answers and hits: imported while another process already looks for changes."""
    from reme_cli.index.fulltext import Filter
    from reme_cli.search.answers import answers
    from reme_cli.search.search import search as search_index

    return Filter, answers, search_index


def _day(text: str, vault: Vault) -> str:
    """The day that a text means, as `YYYY-MM-DD`. Raises `UsageError`."""
    from reme_cli.dates import parse_date  # here, since few ask for days

    return parse_date(text, vault.today()).isoformat()


def _conditions(given: dict[str, str | None]) -> dict[str, tuple[str, ...]]:
    """By field, the values that the options ask for; a list is written with commas, a path is one pattern.

    Raises `UsageError` for a layer that no vault has: finding nothing would say that there is no such note.
    """
    conditions = {
        field: (value,) if field == "path" else tuple(filter(None, map(str.strip, value.split(","))))
        for field, value in given.items()
        if value
    }
    for layer in conditions.get("layer", ()):
        if layer not in LAYERS:
            raise UsageError(f"`{layer}` is not a layer", hint=f"Layers are {', '.join(LAYERS)}.")
    return conditions


def _print_answer(answer: Answer, terminal: Terminal) -> None:
    """An answer as its note's path and name, with the relation below, and where it is stated."""
    terminal.heading(f"answer: {answer.note}  {answer.name}")
    how = "implied at" if answer.implied else "at"
    terminal.paragraph(
        f"{answer.source} {answer.predicate} {answer.target}, {how} {answer.path}:{answer.line}:{answer.col}",
        indent=4,
    )


def _print(hit: Hit, terminal: Terminal, *, explain: bool) -> None:
    """A hit as `path:line  name`, with its passage below."""
    terminal.heading(f"{hit.path}:{hit.line}  {hit.name}")
    if hit.heading not in {"", hit.name}:
        terminal.paragraph(hit.heading, indent=4)
    if hit.snippet:
        terminal.marked(hit.snippet, hit.marks, indent=4)
    for flag in hit.flags:
        terminal.paragraph(f"! {flag}", indent=4)
    if explain:
        from reme_cli.search.score import explained  # here, since few ask

        for line in explained(hit.score, hit.parts):
            terminal.paragraph(line, indent=4)
