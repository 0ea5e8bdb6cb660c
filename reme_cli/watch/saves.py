"""Which files changed and have been left alone since: the quiet period, without a clock of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Seen = TypeVar("Seen")

PATIENCE: Final = 10
"""After so many quiet periods what is quiet is taken, though other files keep changing."""
SHORTEST_WAIT: Final = 0.05
"""Seconds."""


class _Pending(NamedTuple, Generic[Seen]):
    touched: float
    seen: Seen


class Saves(Generic[Seen]):
    """Paths that changed, gathered until nothing has changed for `quiet` seconds.

    `look` gives what shows that a file changed, such as its size and time; a change that no event told of counts as one. All
    times are those of the caller's clock, in seconds.
    """

    def __init__(self, quiet: float, look: Callable[[str], Seen]) -> None:
        self.quiet = quiet
        self._look = look
        # those touched last come last, so that neither end has to be looked for
        self._pending: dict[str, _Pending[Seen]] = {}
        self._begun = 0.0

    def __len__(self) -> int:
        return len(self._pending)

    def add(self, paths: Iterable[str], now: float) -> None:
        """Notes that these paths changed."""
        for path in paths:
            if not self._pending:
                self._begun = now
            self._put(path, now, self._look(path))

    def due(self, now: float) -> list[str]:
        """Takes out what is quiet, sorted: everything at once, or, when that takes too long, what is quiet by itself."""
        is_patient = now - self._begun < PATIENCE * self.quiet
        if not self._pending or now - (self._last() if is_patient else self._first()) < self.quiet:
            return []
        quiet = [path for path, pending in [*self._pending.items()] if self._is_quiet(path, pending, now)]
        if is_patient and len(quiet) < len(self._pending):
            return []
        for path in quiet:
            del self._pending[path]
        self._begun = now
        return sorted(quiet)

    def wait(self, now: float) -> float | None:
        """How many seconds from now nothing can be due; `None` where nothing is pending."""
        if not self._pending:
            return None
        impatient = max(self._begun + PATIENCE * self.quiet, self._first() + self.quiet)
        return max(SHORTEST_WAIT, min(self._last() + self.quiet, impatient) - now)

    def _put(self, path: str, now: float, seen: Seen) -> None:
        self._pending.pop(path, None)
        self._pending[path] = _Pending(now, seen)

    def _first(self) -> float:
        return next(iter(self._pending.values())).touched

    def _last(self) -> float:
        return next(reversed(self._pending.values())).touched

    def _is_quiet(self, path: str, pending: _Pending[Seen], now: float) -> bool:
        if now - pending.touched < self.quiet:
            return False
        seen = self._look(path)
        if seen == pending.seen:
            return True
        self._put(path, now, seen)
        return False
