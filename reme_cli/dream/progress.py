"""What a dream tells while it is at work."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called when a day, a call to extract, or a unit begins: with what it is, how many of its kind are done, and of how many.

Units that are integrated side by side call it from their threads, one at a time.
"""


def untold(_what: str, _done: int, _total: int) -> None:
    """Tells nobody."""
