"""A vault at a glance: what it holds, what waits, what went wrong, what was done last."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from reme_cli.changeset import audit
from reme_cli.dream.catalog import Catalog, quarantined, read_catalog
from reme_cli.dream.inputs import day_of, waits_to_be_dreamed
from reme_cli.errors import ConfigError, PathRefused, RemeError
from reme_cli.maintain.queue import KINDS, waiting_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reme_cli.changeset.audit import RunSummary
    from reme_cli.index.index import Index
    from reme_cli.index.rows import IndexedNote
    from reme_cli.maintain.queue import Job
    from reme_cli.search.coverage import Coverage
    from reme_cli.vault.vault import Vault

State = TypeVar("State")

RUNS_SHOWN: Final = 5
HOW_TO_FOLLOW_UP: Final = "`reme maintain run` does them"


@dataclass(frozen=True, slots=True)
class Overview:
    """What `reme status` tells. Paths and dates are sorted; `runs` are the last ones, the latest first."""

    vault: str
    layers: dict[str, int]
    """Notes by layer, `other` for those of none."""
    buckets: dict[str, int]
    """Digest notes by bucket, in the order of vault.yaml."""
    undreamed: dict[str, int]
    """Daily notes that are new or changed since they were dreamed, by day."""
    pending_units: dict[str, int]
    """Units that were extracted and wait for the next dream, by day."""
    quarantined: dict[str, str]
    """Inputs that are left alone until they change, with the reason."""
    jobs: dict[str, int]
    """Follow-ups that wait, by kind; none where their file is damaged."""
    runs: tuple[RunSummary, ...]
    index_bytes: int
    vectors: Coverage | None
    """How far the vectors of the embedding model go; `None` without one."""
    unreadable: dict[str, str]
    """Notes that cannot be read, with the reason."""
    broken_frontmatter: tuple[str, ...]
    problems: tuple[str, ...]
    """State of reme's own that is damaged."""


def overview(vault: Vault, index: Index) -> Overview:
    """The vault at a glance; what of reme's own state cannot be read is among the problems."""
    problems: list[str] = []
    unknown: tuple[Job, ...] | None = None
    no_runs: tuple[RunSummary, ...] = ()

    def read(state: Callable[[Vault], State], without: State) -> State:
        try:
            return state(vault)
        except (ConfigError, PathRefused) as error:
            problems.append(error.one_line)
            return without

    catalog = read(read_catalog, Catalog())
    jobs = read(waiting_jobs, unknown)
    runs = read(audit.runs, no_runs)
    notes = index.notes()
    return Overview(
        vault=str(vault.root),
        layers=_by_layer(notes),
        buckets=_by_bucket(vault, notes),
        undreamed=_undreamed(vault, notes, catalog),
        pending_units=_pending(catalog),
        quarantined=quarantined(catalog),
        jobs={} if jobs is None else _by_kind(jobs),
        runs=tuple(reversed(runs))[:RUNS_SHOWN],
        index_bytes=_index_bytes(vault),
        vectors=_vectors(index, problems),
        unreadable={note.path: note.problem for note in notes if note.problem},
        broken_frontmatter=tuple(note.path for note in notes if note.frontmatter == "broken"),
        problems=tuple(problems),
    )


def as_json(seen: Overview) -> dict[str, object]:
    """The overview's versioned JSON object (`"schema": 1`), keys in a stable order."""
    return {
        "schema": 1,
        "vault": seen.vault,
        "notes": {"total": sum(seen.layers.values()), "layers": seen.layers, "buckets": seen.buckets},
        "dream": {
            "undreamed": seen.undreamed,
            "pending_units": seen.pending_units,
            "quarantined": [{"path": path, "reason": reason} for path, reason in seen.quarantined.items()],
        },
        "queue": {"jobs": seen.jobs, "remark": HOW_TO_FOLLOW_UP if any(seen.jobs.values()) else None},
        "runs": [run_as_json(run) for run in seen.runs],
        "index": {
            "bytes": seen.index_bytes,
            "vectors": seen.vectors and seen.vectors._asdict(),
            "unreadable": [{"path": path, "reason": reason} for path, reason in seen.unreadable.items()],
            "broken_frontmatter": list(seen.broken_frontmatter),
        },
        "problems": list(seen.problems),
    }


def run_as_json(run: RunSummary) -> dict[str, object]:
    """One run of the audit, for `status` and `log`."""
    return {
        "run": run.run,
        "command": run.command,
        "started": run.started,
        "counts": run.counts,
        "paths": list(run.paths),
        "undoes": run.undoes,
        "undone": run.undone,
    }


def _by_layer(notes: Sequence[IndexedNote]) -> dict[str, int]:
    counts = Counter(note.layer or "other" for note in notes)
    return {layer: counts[layer] for layer in ("digest", "daily", "resource", "other")}


def _by_bucket(vault: Vault, notes: Sequence[IndexedNote]) -> dict[str, int]:
    counts = Counter(note.bucket for note in notes if note.layer == "digest")
    return {bucket: counts[bucket] for bucket in vault.config.digest.buckets}


def _undreamed(vault: Vault, notes: Sequence[IndexedNote], catalog: Catalog) -> dict[str, int]:
    read = {**catalog.entries, **catalog.pending()}
    failed = catalog.failures
    days = Counter(
        day
        for note in notes
        if not note.problem
        and (day := day_of(vault, note.path)) is not None
        and waits_to_be_dreamed(vault, note.path, note.stamp, read.get(note.path), failed.get(note.path))
    )
    return dict(sorted(days.items()))


def _pending(catalog: Catalog) -> dict[str, int]:
    counts = {batch.date: 0 for batch in catalog.batches}
    for batch in catalog.batches:
        counts[batch.date] += sum(not item.quarantined for item in batch.units)
    return {date: count for date, count in sorted(counts.items()) if count}


def _by_kind(jobs: Sequence[Job]) -> dict[str, int]:
    counts = Counter(job.kind for job in jobs)
    return {kind: counts[kind] for kind in KINDS}


def _vectors(index: Index, problems: list[str]) -> Coverage | None:
    if not index.vault.config.embedding.model:
        return None
    from reme_cli.search.coverage import coverage  # brings the client of the model along

    try:
        return coverage(index)
    except RemeError as error:
        problems.append(error.one_line)
        return None


def _index_bytes(vault: Vault) -> int:
    from reme_cli.index.database import FILE  # brings sqlite3, which `reme log` does without

    try:
        return vault.metadata("cache", FILE).stat().st_size
    except (OSError, PathRefused):  # in the second case it is in memory
        return 0
