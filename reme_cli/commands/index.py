"""`reme index`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.index.index import Index
    from reme_cli.search.coverage import Made

EXAMPLES = ("reme index", "reme index --rebuild")


def index(
    session: Session,
    rebuild: Annotated[
        bool, Option("--rebuild", help="Throw the index away and build it from the notes.")
    ] = False,
) -> int:
    """Refresh the search index, or rebuild it.

    There is seldom a need: every command that uses the index refreshes it first. It is derived from the notes, so
    deleting it loses nothing.

    With an embedding model, this is what has the vectors made that are missing. They are kept through a rebuild,
    since they are paid for.
    """
    from reme_cli.index.database import forget

    vault = session.open_vault()
    if rebuild:
        forget(vault)
    with session.open_index(vault) as opened:
        found = opened.refreshed
        made = _make_vectors(session, opened) if vault.config.embedding.model else None
    if session.json:
        session.terminal.json(
            {
                "schema": 1,
                "notes": found.notes,
                "added": found.added,
                "changed": found.changed,
                "removed": found.removed,
                "rebuilt": rebuild,
                "vectors": made and _as_json(made),
            }
        )
    else:
        changes = f"{found.added} added, {found.changed} changed, {found.removed} removed"
        session.terminal.line(
            f"{counted(found.notes, 'note')}: {'nothing changed' if found.unchanged else changes}"
        )
        if made:
            session.terminal.line(_summary(made))
    if made and made.problem:
        session.terminal.error(made.problem)
        return made.problem.exit_code
    return 0


def _make_vectors(session: Session, opened: Index) -> Made:
    """What `search.coverage.cover` made, with progress on a terminal."""
    from reme_cli.search.coverage import cover

    with session.terminal.progress() as step:
        return cover(opened, progress=step)


def _summary(made: Made) -> str:
    """One line for a person; what is zero is not told."""
    texts, missing, _ = made.coverage
    parts = [f"{counted(texts - missing, 'vector')}, {made.vectors or 'none'} of them new"]
    if missing:
        parts.append(f"{counted(missing, 'passage')} without one")
    if made.spent.calls:
        price = "price unknown" if made.spent.cost is None else f"${made.spent.cost:.4f}"
        parts.append(f"{counted(made.spent.calls, 'call')}, {made.spent.tokens} tokens, {price}")
    return "; ".join(parts)


def _as_json(made: Made) -> dict[str, object]:
    return {
        "texts": made.coverage.texts,
        "made": made.vectors,
        "missing": made.coverage.missing,
        "refused": made.refused,
        "calls": made.spent.calls,
        "tokens": made.spent.tokens,
        "cost": made.spent.cost,
        "problem": str(made.problem) if made.problem else None,
    }
