"""An indented tree: each edge below the note it was met from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.screen import escaped_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.graph.row import Row
    from reme_cli.graph.view import GraphView

SHOWN_ABOVE: Final = "…"
"""Marks a note whose own edges are shown elsewhere in the tree: it was met before."""


def render(view: GraphView) -> str:
    """The rows of a walk as a tree below its start; each row once, with its place.

    `→` points away from the note above, `←` towards it. `?` marks a missing note, `~` what is implied, and `…` a note that
    was met before: what is below it stands where it was met first. Raises `ValueError` for a view without a start.
    """
    if view.start is None:
        raise ValueError("a tree needs a note to start from")
    branches = _branches(view.rows, view.start)
    lines = [escaped_line(view.start)]
    # without recursion: a chain of notes may be longer than Python's stack
    open_branches = [("", iter(branches.get(view.start, ())))]
    while open_branches:
        indent, rest = open_branches[-1]
        branch = next(rest, None)
        if branch is None:
            open_branches.pop()
            continue
        lines.append(f"{indent}{'└─' if branch.is_last else '├─'} {_told(branch)}")
        if branch.opens:
            deeper = indent + ("   " if branch.is_last else "│  ")
            open_branches.append((deeper, iter(branches.get(branch.end, ()))))
    return "\n".join([*lines, ""])


class _Branch(NamedTuple):
    row: Row
    end: str
    """The note, or the missing one, at the far end."""
    arrow: str
    opens: bool
    """Whether what is met from `end` hangs below this branch."""
    is_last: bool


def _branches(rows: Sequence[Row], start: str) -> dict[str, list[_Branch]]:
    """The branches below each note. A row hangs below the end that was reached a step before; if both were, its source."""
    distance = {start: 0}
    below: dict[str, list[_Branch]] = {}
    for row in rows:
        away = distance.get(row.source) == row.depth - 1
        here, end = (row.source, row.target) if away else (row.target, row.source)
        opens = (row.resolved or not away) and end not in distance
        if opens:
            distance[end] = row.depth
        branches = below.setdefault(here, [])
        if branches:
            branches[-1] = branches[-1]._replace(is_last=False)
        branches.append(_Branch(row, end, "→" if away else "←", opens, is_last=True))
    return below


def _told(branch: _Branch) -> str:
    row = branch.row
    mark = " ?" if not row.resolved else "" if branch.opens else f" {SHOWN_ABOVE}"
    predicate = f"{row.predicate}{' ~' if row.implied else ''} " if row.predicate else ""
    return escaped_line(f"{predicate}{branch.arrow} {branch.end}{mark}  {row.place}")
