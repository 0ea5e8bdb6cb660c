"""The seam between the pipeline and whoever reads and decides: a model, or the extractive engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from reme_cli.errors import ModelReplyUnusable

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Mapping, Sequence

    from reme_cli.dream.unit import Extraction, Input, Proposal, Topic, Unit
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.stamp import Stamp


@dataclass(frozen=True, slots=True)
class Assignment:
    """What to extract for: `buckets` by name with their descriptions; `names` resolves the links of the inputs."""

    date: dt.date
    hint: str
    max_units: int
    buckets: Mapping[str, str]
    names: Names


@dataclass(frozen=True, slots=True)
class Desk:
    """What one unit is integrated with.

    `recall` holds the digest notes nearest to the unit, best first; `read` gives any note of the vault as it is now
    (`NoteNotFound`, `UnreadableNote`); `search` finds further digest notes, those written earlier in this run
    included; `names` is the current set of notes, for resolving links and finding free names.
    """

    recall: tuple[NodeHit, ...]
    read: Callable[[str], Note]
    search: Callable[[str, int], Sequence[NodeHit]]
    names: Names
    digest: str = "digest"
    remark: str = ""
    """Why the last proposal for this unit was not written, for an engine that can learn from it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change of a note that was tried and not staged: of which text (`ABSENT`: of none), why, and the edges it would have dropped."""

    path: str
    stamp: Stamp
    reason: str
    edges_dropped: tuple[str, ...] = ()


class NotProposed(ModelReplyUnusable):
    """The engine came to no proposal for a unit; `refusal` is the last change that it tried in vain, if any."""

    def __init__(self, what: str, *, refusal: Refusal | None = None) -> None:
        super().__init__(what)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class TopicRound:
    """What topics are chosen beside: `count` places are free, `kept` have theirs, `recent` are those of the days before."""

    date: dt.date
    count: int
    diversity_days: int
    kept: tuple[Topic, ...]
    recent: tuple[Topic, ...]


class Engine(Protocol):
    """Reads inputs, decides about one unit, and ranks topics. It only proposes: validating and writing is the pipeline's."""

    name: str
    parallel: int
    """How many units may be proposed at once, each in its own thread; 1: in order, in the caller's thread."""
    max_input_tokens: int | None
    """How much material one `extract` may be given, in estimated tokens; `None`: any amount."""

    def extract(self, inputs: Sequence[Input], assignment: Assignment) -> Extraction:
        """Units and topic candidates, best first. Raises `ModelError`."""
        ...

    def propose(self, unit: Unit, desk: Desk) -> Proposal:
        """The one write for a unit. Raises `ModelError` or `Refused`."""
        ...

    def select_topics(self, candidates: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        """Those of the candidates that are worth keeping, unchanged, best first. Raises `ModelError`."""
        ...
