"""What the stages of a dream hand to each other: inputs in, units and topics between, one proposal per unit out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reme_cli.vault.stamp import ABSENT, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterable

Action = Literal["CREATE", "CORROBORATE", "REFINE", "CORRECT", "SKIP"]
"""What becomes of a unit; `SKIP` where the note already says it and already cites every source."""

ACTIONS: tuple[Action, ...] = ("CREATE", "CORROBORATE", "REFINE", "CORRECT", "SKIP")


@dataclass(frozen=True, slots=True)
class Input:
    """A changed note as it was read.

    `text` is the note without reme's managed block, which is never material; `stamp` is the stamp of the bytes that
    were read. `previous` is the text at the last dream (`None`: never dreamed, or no longer kept), `cited_by` the
    digest notes that link to it.
    """

    path: str
    text: str
    stamp: Stamp
    previous: str | None = None
    cited_by: tuple[str, ...] = ()
    part: int = 1
    parts: int = 1
    """A note larger than what a model reads at once comes in parts: `text` is then part `part` of `parts`."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input that teaches a unit, with the stamp it had when it was read."""

    path: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence of the input `path`, as it is to stand in a digest note: links that resolve are canonical, others are text."""

    text: str
    path: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One reusable abstraction. Make it with `new_unit`; `quotes` is filled by the extractive engine only."""

    id: str
    name: str
    bucket: str
    summary: str
    sources: tuple[Source, ...]
    keywords: tuple[str, ...] = ()
    quotes: tuple[Quote, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The inputs that teach it, sorted."""
        return tuple(source.path for source in self.sources)


def new_unit(
    name: str,
    bucket: str,
    summary: str,
    sources: Iterable[Source],
    *,
    keywords: Iterable[str] = (),
    quotes: Iterable[Quote] = (),
) -> Unit:
    """A unit whose id depends on its name, bucket, summary and sources alone, so that the same extraction gives the same id.

    The id is kept when a source's stamp later moves along with a link that reme added: it names the unit in the audit.
    """
    ordered = tuple(sorted(set(sources), key=lambda source: (source.path, source.stamp)))
    identity = [name, bucket, summary, [[source.path, source.stamp] for source in ordered]]
    return Unit(_digest(identity), name, bucket, summary, ordered, tuple(keywords), tuple(quotes))


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic worth proactive attention, with the fields of `interests.yaml`. `evidence` is the path of an input."""

    title: str
    reason: str
    evidence: str
    keywords: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()

    @property
    def mark(self) -> str:
        """A hash of all fields. The catalog keeps the marks of the topics that reme wrote: any other is a person's."""
        return _digest([self.title, self.reason, self.evidence, list(self.keywords), list(self.paths)])


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one reading of the changed inputs gives, best first. Units beyond the run's limit wait for the next run."""

    units: tuple[Unit, ...] = ()
    topics: tuple[Topic, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """The one write that a unit asks for; `expected` is the stamp of the text it was planned on, `ABSENT` for a create.

    Of a `SKIP`, `path` is the note that already says it and `text` is its unchanged text.
    """

    action: Action
    path: str
    text: str
    expected: Stamp = ABSENT


def _digest(value: object) -> str:
    """16 hex digits of the SHA-256 of the value's JSON."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return hashlib.sha256(data).hexdigest()[:16]
