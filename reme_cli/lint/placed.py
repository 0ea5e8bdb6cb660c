"""A problem with its place, and as JSON has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reme_cli.graph.conservation import EdgeKey
from reme_cli.lint.finding import Fix, Problem, Replacement

if TYPE_CHECKING:
    from collections.abc import Iterable

Place = tuple[int, int, int, int]
"""Line and column of the first character, line and column behind the last one."""


FoundRows = list[list[Any]]
"""Problems as JSON has them: each the path of its note, and what `encoded` gives."""


class Placed(NamedTuple):
    """A problem that a rule found, with its place."""

    code: str
    problem: Problem
    place: Place


def encoded(placed: Placed) -> list[object]:
    """What `decoded` takes, but for the path."""
    problem = placed.problem
    return [
        placed.code,
        problem.start,
        problem.end,
        dict(problem.values),
        problem.message,
        problem.fix and encoded_fix(problem.fix),
        list(placed.place),
    ]


def encoded_rows(found: Iterable[Placed]) -> FoundRows:
    """Problems in some notes."""
    return [[each.problem.path, encoded(each)] for each in found]


def decoded(path: str, row: list[Any]) -> Placed:
    """The problem in a note that a row of JSON stands for."""
    code, start, end, values, message, fix, place = row
    return Placed(
        code, Problem(path, start, end, values, message, fix and decoded_fix(path, fix)), tuple(place)
    )


def encoded_fix(fix: Fix) -> list[object]:
    """What `decoded_fix` takes, but for the path."""
    return [
        [[each.start, each.end, each.text] for each in fix.replacements],
        fix.is_safe,
        [[list(old), None if new is None else list(new)] for old, new in fix.edges],
    ]


def decoded_fix(path: str, fix: list[Any]) -> Fix:
    """The fix of a problem in a note."""
    replacements, is_safe, edges = fix
    return Fix(
        tuple(Replacement(path, *each) for each in replacements),
        is_safe,
        tuple((EdgeKey(*old), None if new is None else EdgeKey(*new)) for old, new in edges),
    )
