"""`reme graph-query`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.errors import AmbiguousNote, NoteNotFound, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.graph.kinds import Kinds
    from reme_cli.index.index import Index

EXAMPLES = (
    "reme graph-query gateway",
    "reme graph-query digest/wiki/gateway.md direction=in",
    "reme graph-query gateway type=derived_from,caused_by depth=3 --json",
    "reme graph-query gateway to=token-rotation direction=both",
    "reme graph-query --broken",
    "reme graph-query format=html > graph.html",
)

CANDIDATES_SHOWN = 10
TOP_SHOWN = 20


class Direction(StrEnum):
    """Which way to follow links."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


class Top(StrEnum):
    """What makes a note rank high."""

    CENTRAL = "central"
    PAGERANK = "pagerank"


class Format(StrEnum):
    """How the edges are written."""

    TABLE = "table"
    JSON = "json"
    TREE = "tree"
    DOT = "dot"
    MERMAID = "mermaid"
    GRAPHML = "graphml"
    HTML = "html"


LISTS = frozenset({"table", "json"})
DRAWINGS = frozenset({"json", "dot", "mermaid", "graphml", "html"})

TAKES = {
    # question: the options it takes beside --limit, and its formats; the note itself is checked apart
    "NOTE": (frozenset({"type", "direction", "depth", "implied"}), LISTS | DRAWINGS | {"tree"}),
    "to": (frozenset({"type", "direction", "depth", "implied"}), LISTS | DRAWINGS),
    "graph": (frozenset({"type", "implied"}), DRAWINGS),
    "top": (frozenset({"type", "n"}), LISTS),
    "orphans": (frozenset[str](), LISTS),
    "broken": (frozenset({"type"}), LISTS),
    "components": (frozenset[str](), LISTS),
    "stats": (frozenset[str](), LISTS),
}


def graph_query(
    session: Session,
    note: Annotated[
        str | None,
        Argument(
            metavar="[NOTE]",
            help="Where to start: its path, the end of its path, its name or an alias.",
            show_default=False,
        ),
    ] = None,
    type: Annotated[  # noqa: A002 — the contract's name for this key
        str | None,
        Option(metavar="PREDICATES", help="Only links with these predicates, separated by commas."),
    ] = None,
    direction: Annotated[
        Direction | None,
        Option(help="Links from the note, links to it, or both.  [default: out]"),
    ] = None,
    depth: Annotated[
        int | None, Option(min=1, metavar="N", help="Follow links up to N steps.  [default: 1]")
    ] = None,
    to: Annotated[
        str | None, Option(metavar="NOTE", help="Show the shortest ways from NOTE to this note.")
    ] = None,
    implied: Annotated[
        bool, Option("--implied", help="Add the relations that sentences state, marked as implied.")
    ] = False,
    top: Annotated[
        Top | None,
        Option(help="Rank notes: by how many notes link to them, or by PageRank over typed links."),
    ] = None,
    n: Annotated[
        int | None, Option(min=1, metavar="N", help=f"With --top, how many.  [default: {TOP_SHOWN}]")
    ] = None,
    orphans: Annotated[
        bool, Option("--orphans", help="List notes with no link from or to another note.")
    ] = False,
    broken: Annotated[
        bool, Option("--broken", help="List links to notes that do not exist, each with the nearest name.")
    ] = False,
    components: Annotated[
        bool, Option("--components", help="List the groups of notes that hang together, largest first.")
    ] = False,
    stats: Annotated[bool, Option("--stats", help="Show the graph in numbers.")] = False,
    limit: Annotated[
        int | None, Option(min=1, metavar="N", help="Show at most N links, ways or notes.")
    ] = None,
    format: Annotated[Format, Option(help="How to print them.")] = Format.TABLE,  # noqa: A002 — as above
) -> None:
    """Follow the links of a note, or ask about the whole graph.

    A predicate is what a link says it means, as derived_from does in `derived_from:: [[daily/2026-06-20]]`. Prints each
    link once, nearest first, with the line it stands on. A target that does not exist is marked with `?`.

    Without NOTE, the formats json, dot, mermaid, graphml and html give the whole graph; html is one page that needs
    no network.
    """
    from reme_cli.commands import graph_answers

    session.json = session.json or format is Format.JSON  # its errors are told as JSON too
    form = "json" if session.json else format.value
    questions: dict[str, object] = {
        "to": to,
        "top": top,
        "orphans": orphans,
        "broken": broken,
        "components": components,
        "stats": stats,
    }
    asked = [name for name, answer in questions.items() if answer not in (None, False)]
    given = {"type": type is not None, "direction": direction, "depth": depth, "implied": implied, "n": n}
    question = _question(note, asked, given, form)
    kinds = None if type is None else _kinds(type)
    vault = session.open_vault()

    def told(index: Index) -> None:
        start = _note(note, index, session) if note is not None else None
        ask = graph_answers.Asked(
            start=start,
            kinds=kinds,
            direction=(direction or Direction.OUT).value,
            depth=depth,
            implied=implied,
            limit=limit,
            form=form,
        )
        if question == "to":
            assert to is not None
            graph_answers.routes(index, session.terminal, ask, _note(to, index, session))
        elif question == "top":
            assert top is not None
            graph_answers.top(index, session.terminal, ask, top.value, n or TOP_SHOWN)
        else:
            graph_answers.ANSWERS[question](index, session.terminal, ask)

    with session.open_index(vault) as index:
        index.answer(told)


def _kinds(predicates: str) -> Kinds:
    """The predicates of a list with commas. Raises `UsageError` where it names none."""
    from reme_cli.graph.kinds import Kinds  # brings what scans predicates along

    named = [predicate for predicate in predicates.split(",") if predicate.strip()]
    if not named:
        raise UsageError(f"`type={predicates}` names no predicate", hint="Such as type=derived_from,is_a.")
    return Kinds(named)


def _question(note: str | None, asked: list[str], given: Mapping[str, object], form: str) -> str:
    """What is asked, by a key of `TAKES`. Raises `UsageError` where the options do not go together."""
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} are two questions", hint="Ask one at a time.")
    question = asked[0] if asked else "graph" if note is None else "NOTE"
    if question == "to" and note is None:
        raise UsageError("--to needs a note to start from", hint="`reme graph-query NOTE to=OTHER`")
    if question not in {"NOTE", "to"} and note is not None:
        raise UsageError(f"--{question} asks about the whole graph", hint=f"Leave out `{note}`.")
    options, formats = TAKES[question]
    if question == "graph" and form not in formats:
        raise UsageError(
            f"a {form} needs a note or a question",
            hint="`reme graph-query NOTE`, --top, --orphans, --broken, --components or --stats; or format=html.",
        )
    if form not in formats:
        raise UsageError(
            f"--{question} has no format `{form}`", hint=f"Formats: {', '.join(sorted(formats))}."
        )
    surplus = [name for name, value in given.items() if value and name not in options]
    if surplus:
        what = "the whole graph" if question == "graph" else "NOTE" if question == "NOTE" else f"--{question}"
        raise UsageError(f"{what} takes no `{surplus[0]}`")
    return question


def _note(text: str, index: Index, session: Session) -> str:
    """The one note that the text means. Raises `NoteNotFound` with the nearest names, `AmbiguousNote` for several.

    Several are also listed on stdout, one on a line, for a script or a fuzzy finder to choose from.
    """
    found = index.find_notes(text)
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoteNotFound(f"there is no note `{text}`", hint=_nearest(text, index))
    if not session.json:
        for path in found:
            session.terminal.line(path)
    shown = ", ".join(found[:CANDIDATES_SHOWN]) + (", …" if len(found) > CANDIDATES_SHOWN else "")
    raise AmbiguousNote(
        f"`{text}` is the name of {len(found)} notes",
        candidates=found,
        hint=f"Give the path of one: {shown}",
    )


def _nearest(text: str, index: Index) -> str | None:
    # rapidfuzz only where there is a name to guess
    from rapidfuzz import fuzz, process, utils

    from reme_cli.index.edges import note_titles

    paths, titles = note_titles(index)
    names = {path: path for path in paths}
    for title, path in titles:
        names[path] = f"{title} {names[path]}"
    close = process.extract(
        text, names, scorer=fuzz.partial_ratio, processor=utils.default_process, limit=3, score_cutoff=60
    )
    meant = [str(path) for _, _, path in close]
    return f"Did you mean {' or '.join(meant)}?" if meant else None
