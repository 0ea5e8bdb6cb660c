"""Work that a written digest note asks for later: the overload check (D3) and linking its mentions (L1).

Jobs are kept first in, first out in `metadata/queue/jobs.json`; a job that is already waiting is not queued twice. A job stays
there, with its attempt counted, while it is being done: after a crash it is done again, and one that crashes is not done for ever.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, get_args

from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.state import read_state, write_state
from reme_cli.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from reme_cli.vault.vault import Vault

JobKind = Literal["D3", "L1"]
KINDS: Final[tuple[JobKind, ...]] = get_args(JobKind)

MOST_ATTEMPTS: Final = 3
"""A job that failed this often is dropped."""

_PLACE: Final = ("queue", "jobs.json")


class Job(NamedTuple):
    """One thing to do about the note `path`, queued by `run`. `attempts` counts the times it was begun and not done."""

    kind: JobKind
    path: str
    run: str
    attempts: int = 0

    @property
    def key(self) -> tuple[JobKind, str]:
        """What makes two jobs the same."""
        return self.kind, self.path


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


def queue_follow_ups(vault: Vault, paths: Iterable[str], run: str, kinds: Collection[JobKind] = KINDS) -> int:
    """Queue these kinds of follow-up for each note and return how many jobs are new."""
    wanted = [Job(kind, path, run) for path in dict.fromkeys(paths) for kind in kinds]

    def with_wanted(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
        known = {job.key for job in jobs}
        return (*jobs, *(job for job in wanted if job.key not in known))

    before, after = _change(vault, with_wanted) if wanted else ((), ())
    return len(after) - len(before)


def count_attempt(vault: Vault, job: Job) -> Job:
    """The job with one more attempt, kept so."""
    begun = job._replace(attempts=job.attempts + 1)
    _change(vault, lambda jobs: tuple(begun if each.key == job.key else each for each in jobs))
    return begun


def put_back(vault: Vault, job: Job) -> None:
    """Keeps the job as it is given here: its last attempt does not count."""
    _change(vault, lambda jobs: tuple(job if each.key == job.key else each for each in jobs))


def take_out(vault: Vault, job: Job) -> None:
    """Removes a job that is done or dropped."""
    _change(vault, lambda jobs: tuple(each for each in jobs if each.key != job.key))


def follow(vault: Vault, renames: Mapping[str, str]) -> None:
    """Lets the jobs about notes that got another path go on about that path."""

    def moved(jobs: tuple[Job, ...]) -> tuple[Job, ...]:
        named = (job._replace(path=renames.get(job.path, job.path)) for job in jobs)
        return tuple({job.key: job for job in named}.values())

    _change(vault, moved)


def _change(
    vault: Vault, change: Callable[[tuple[Job, ...]], tuple[Job, ...]]
) -> tuple[tuple[Job, ...], tuple[Job, ...]]:
    """The queue before and after a change to it, which is on disk then."""
    with vault_lock(vault):
        before = waiting_jobs(vault)
        after = change(before)
        if after != before:
            value = {"schema": 1, "jobs": [job._asdict() for job in after]}
            write_state(vault, _PLACE, (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode())
    return before, after


def _kind(value: object) -> JobKind:
    for kind in KINDS:
        if value == kind:
            return kind
    raise ValueError(f"unknown kind {value!r}")
