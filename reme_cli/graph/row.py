"""An edge as answers give it: with the place where a note says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# NamedTuples: a walk over a dense vault makes tens of thousands of them


class PlacedEdge(NamedTuple):
    """An edge at its first occurrence. `path:line:col` is where the link stands, which may be the target or a third note."""

    source: str
    predicate: str | None
    target: str
    """The path of a note; where nothing resolves, the target as the link spells it."""
    resolved: bool
    implied: bool
    """Derived from a sentence rather than written as a predicate."""
    path: str
    line: int
    col: int


class Row(NamedTuple):
    """A placed edge, and how many steps from the start it is met; 1 where nothing is walked."""

    depth: int
    source: str
    predicate: str | None
    target: str
    resolved: bool
    implied: bool
    path: str
    line: int
    col: int

    @property
    def place(self) -> str:
        """`path:line:col`, as terminals and editors make it clickable."""
        return f"{self.path}:{self.line}:{self.col}"


class EdgeSource(Protocol):
    """Where a walk gets its edges from, level by level."""

    def written(self, notes: Collection[str], *, out: bool, into: bool) -> Iterable[PlacedEdge]:
        """The distinct edges that links out of these notes, or into them, make; each once."""
        ...

    def implied(self, notes: Collection[str]) -> Iterable[PlacedEdge]:
        """The edges that sentences state, whose source or target is among these notes."""
        ...
