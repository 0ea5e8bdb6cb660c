"""What a person asks of a dream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import datetime as dt

EngineName = Literal["llm", "extractive"]


@dataclass(frozen=True, slots=True)
class DreamOptions:
    """The options of `auto_dream`. `dates` are dreamed oldest first; numbers are at least 1 (`topic_count` at least 0)."""

    dates: tuple[dt.date, ...]
    hint: str = ""
    scan_days: int = 1
    max_units: int = 8
    topic_count: int = 3
    topic_diversity_days: int = 7
    engine: EngineName = "llm"
    dry_run: bool = False
    wait: bool = True
    """Whether to wait for another dream that is running, or to give up with `Busy`."""
    follow_up: bool = True
    """Whether queued follow-ups are done before the run ends; they are queued either way."""
    retry_quarantined: bool = False
