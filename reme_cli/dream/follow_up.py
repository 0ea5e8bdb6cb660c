"""Work that a written digest note asks for later: the overload check (D3) and linking its mentions (L1).

Jobs are kept first in, first out in `metadata/queue/jobs.json`; a job that is already waiting is not queued twice.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final, Literal

from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.state import read_state, write_state
from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.vault.vault import Vault

JobKind = Literal["D3", "L1"]
KINDS: Final[tuple[JobKind, ...]] = ("D3", "L1")

_PLACE: Final = ("queue", "jobs.json")


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do about the note `path`, queued by `run`. `attempts` counts the times it failed."""

    kind: JobKind
    path: str
    run: str
    attempts: int = 0


def waiting_jobs(vault: Vault) -> tuple[Job, ...]:
    """The queue, oldest job first. Raises `ConfigError` where its file is damaged."""
    try:
        data = read_state(vault, _PLACE)
        if data is None:
            return ()
        return tuple(
            Job(_kind(item["kind"]), str(item["path"]), str(item["run"]), int(item["attempts"]))
            for item in json.loads(data)["jobs"]
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ConfigError(
            f"the queue of follow-ups is damaged ({error})",
            where="/".join((vault.config.folders.metadata, *_PLACE)),
            hint="Delete the file: follow-ups improve notes, nothing else depends on them.",
        ) from error


def queue_follow_ups(vault: Vault, paths: Iterable[str], run: str) -> int:
    """Queue every kind of follow-up for each note and return how many jobs are new."""
    wanted = [Job(kind, path, run) for path in dict.fromkeys(paths) for kind in KINDS]
    if not wanted:
        return 0
    with vault_lock(vault):
        jobs = list(waiting_jobs(vault))
        known = {(job.kind, job.path) for job in jobs}
        new = [job for job in wanted if (job.kind, job.path) not in known]
        if new:
            value = {"schema": 1, "jobs": [asdict(job) for job in (*jobs, *new)]}
            write_state(vault, _PLACE, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
    return len(new)


def _kind(value: object) -> JobKind:
    for kind in KINDS:
        if value == kind:
            return kind
    raise ValueError(f"unknown kind {value!r}")
