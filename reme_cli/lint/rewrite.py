"""The smallest replacement that makes one text of another."""

from __future__ import annotations

from reme_cli.lint.finding import Replacement


def replacement(path: str, before: str, after: str) -> Replacement:
    """What to put in which place of `before` to get `after`: nothing that both begin or end with is in it."""
    start = _same(before, after)
    end = min(_same(before[::-1], after[::-1]), len(before) - start, len(after) - start)
    return Replacement(path, start, len(before) - end, after[start : len(after) - end])


def _same(one: str, other: str) -> int:
    """How many characters both begin with."""
    known, beyond = 0, min(len(one), len(other)) + 1
    while beyond - known > 1:
        middle = (known + beyond) // 2
        if one[known:middle] == other[known:middle]:
            known = middle
        else:
            beyond = middle
    return known
