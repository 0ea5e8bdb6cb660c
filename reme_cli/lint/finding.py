"""What a rule finds, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.graph.conservation import EdgeKey

Severity = Literal["error", "warning", "info"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The gravest first."""

NO_VALUES: Mapping[str, str | int | float] = {}


class Replacement(NamedTuple):
    """`text` in the place of `text[start:end]` of the note's exact text; equal places: an insertion."""

    path: str
    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """What mends a problem: replacements in its own note, which are made together or not at all."""

    replacements: tuple[Replacement, ...]
    is_safe: bool = True
    edges: tuple[tuple[EdgeKey, EdgeKey | None], ...] = ()
    """The edges that the fix changes: what one is, and what it becomes; `None`: it goes. All others stay."""


class Problem(NamedTuple):
    """What a rule yields."""

    path: str
    start: int = 0
    end: int = 0
    """Characters in the note's exact text. `0, 0`: the note as a whole, told at line 1."""
    values: Mapping[str, str | int | float] = NO_VALUES
    """They fill the rule's message."""
    message: str = "default"
    """Which of the rule's messages."""
    fix: Fix | None = None


class Finding(NamedTuple):
    """A problem as it is told; lines and columns are 1-based, columns count characters, the end is exclusive."""

    code: str
    rule: str
    """The rule's slug."""
    severity: Severity
    path: str
    line: int
    col: int
    end_line: int
    end_col: int
    message: str
    fix: Fix | None = None
    """What mends it; left out where only findings are asked for."""
    start: int = 0
    end: int = 0
    """The place as characters in the note's exact text."""
    is_safe: bool | None = None
    """Whether its fix is safe; `None` where it has none."""
