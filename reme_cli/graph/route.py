"""The shortest ways from one note to another."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.graph.walk import levels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.graph.kinds import Kinds
    from reme_cli.graph.row import EdgeSource, Row
    from reme_cli.graph.walk import Direction

ENDLESS = 1 << 30
"""More steps than any vault has notes."""


class Routes(NamedTuple):
    """The shortest ways between two notes. Each is one row per step; the first step has depth 1."""

    ways: tuple[tuple[Row, ...], ...]
    total: int
    """Of which `ways` are the first."""


def shortest_routes(
    edges: EdgeSource,
    start: str,
    goal: str,
    *,
    kinds: Kinds | None = None,
    direction: Direction = "out",
    depth: int | None = None,
    implied: bool = False,
    limit: int = 10,
) -> Routes:
    """All shortest ways of at most `depth` steps, in the order of their notes; of equal notes, typed edges first.

    Two edges between the same notes make two ways. None where start and goal are the same note, or nothing leads there.
    """
    distance = {start: 0}
    steps: dict[str, list[tuple[str, Row]]] = {}
    if start == goal:
        return Routes((), 0)
    for level, rows in enumerate(
        levels(edges, start, kinds, direction, depth or ENDLESS, implied=implied), start=1
    ):
        for row in rows:
            for here, there in _ends(row, direction):
                if distance.get(here) == level - 1 and distance.setdefault(there, level) == level:
                    steps.setdefault(there, []).append((here, row))
        if goal in distance:
            break
    if goal not in distance:
        return Routes((), 0)
    counts = {start: 1}
    for note in sorted(distance, key=distance.__getitem__):
        if note != start:
            counts[note] = sum(counts[here] for here, _ in steps[note])
    onward = _onward(steps, goal)
    ways = []
    for way in _ways(onward, start, goal):
        ways.append(way)
        if len(ways) == limit:
            break
    return Routes(tuple(ways), counts[goal])


def _ends(row: Row, direction: Direction) -> Iterator[tuple[str, str]]:
    """From which note to which a row may be walked."""
    if row.resolved and row.source != row.target:
        if direction != "in":
            yield row.source, row.target
        if direction != "out":
            yield row.target, row.source


def _onward(steps: dict[str, list[tuple[str, Row]]], goal: str) -> dict[str, list[tuple[str, list[Row]]]]:
    """Of each note on a way to the goal the notes that follow it, each with the edges that lead there, in the order in which ways are told."""
    edges: dict[str, dict[str, list[Row]]] = {}
    waiting, known = [goal], {goal}
    while waiting:
        there = waiting.pop()
        for here, row in steps.get(there, ()):
            edges.setdefault(here, {}).setdefault(there, []).append(row)
            if here not in known:
                known.add(here)
                waiting.append(here)
    return {
        here: [
            (there, sorted(rows, key=lambda row: (row.predicate is None, row.predicate or "", row)))
            for there, rows in sorted(leaving.items())
        ]
        for here, leaving in edges.items()
    }


def _ways(onward: dict[str, list[tuple[str, list[Row]]]], start: str, goal: str) -> Iterator[tuple[Row, ...]]:
    """Every way in order. Without recursion: a chain of notes may be longer than Python's stack."""
    way: list[list[Row]] = []
    choices = [iter(onward[start])]
    while choices:
        step = next(choices[-1], None)
        if step is None:
            choices.pop()
            if way:
                way.pop()
            continue
        note, rows = step
        if note == goal:
            yield from product(*way, rows)
            continue
        way.append(rows)
        choices.append(iter(onward[note]))
