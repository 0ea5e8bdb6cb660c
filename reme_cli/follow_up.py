"""The worker that does what waits in the queue of follow-ups, one job after the other, oldest first."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from reme_cli.changeset.lock import run_lock
from reme_cli.changeset.moves import moved_to
from reme_cli.errors import Busy, ModelError, NoteNotFound, PathRefused, RemeError, VaultUnwritable
from reme_cli.maintain.queue import (
    MOST_ATTEMPTS,
    Job,
    JobKind,
    count_attempt,
    follow,
    put_back,
    take_out,
    waiting_jobs,
)
from reme_cli.maintain.signals import overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.linking.survey import Survey
    from reme_cli.maintain.split_model import ModelSplitter
    from reme_cli.vault.vault import Vault

LOCK: Final = "follow-up"
"""One worker at a time, so that no job is done twice."""


class Workbench:
    """What jobs are done with. What they write belongs to `run`, and is undone with it.

    `connect` sets up the model that takes overloaded notes apart; without it they are only told of. With `dry_run` nothing is
    written: `diffs` has what would be.
    """

    def __init__(
        self,
        vault: Vault,
        index: Index,
        run: Run,
        *,
        connect: Callable[[], ModelSplitter] | None = None,
        dry_run: bool = False,
    ) -> None:
        self.vault = vault
        self.index = index
        self.run = run
        self.dry_run = dry_run
        self.diffs: list[str] = []
        self._connect = connect

    @cached_property
    def splitter(self) -> ModelSplitter | None:
        """The model, set up when it is first needed. Raises `ModelNotConfigured`."""
        return None if self._connect is None else self._connect()

    @cached_property
    def survey(self) -> Survey:
        """The vault's names and mentions, for all jobs that link."""
        from reme_cli.linking.survey import Survey  # brings the matcher along

        return Survey(self.vault, self.index)


Runner: TypeAlias = "Callable[[Workbench, Job], str]"
"""Does a job and tells what came of it in a few words. Raises `RemeError` where it could not be done now."""

Progress: TypeAlias = "Callable[[str, int, int], None]"
"""Called with the job that begins, how many were begun before, and of how many."""


def untold(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody looks at."""


def connected_splitter(vault: Vault, env: Mapping[str, str] | None = None) -> ModelSplitter:
    """The configured model, to split notes with, on a budget of its own. Raises `ModelNotConfigured`."""
    from reme_cli.llm.ledger import Ledger  # pydantic and what asks a model: only where one is asked
    from reme_cli.maintain.split import model_splitter

    return model_splitter(vault, Ledger(vault.config.llm.budget), env)


class Told(NamedTuple):
    """A job, and what came of it or why it failed."""

    job: Job
    what: str


class Drained(NamedTuple):
    """What a look through the queue came to."""

    done: tuple[Told, ...] = ()
    failed: tuple[Told, ...] = ()
    """They stay in the queue."""
    dropped: tuple[Told, ...] = ()
    """They failed too often, or their notes are gone."""
    stopped: str | None = None
    """Why jobs were left that were not tried: the model gave out."""
    waiting: int = 0
    """How many jobs are in the queue now."""


def as_json(drained: Drained) -> dict[str, object]:
    """What of JSON tells of a look through the queue, keys in a stable order."""

    def rows(told: Iterable[Told]) -> list[dict[str, object]]:
        return [
            {"kind": job.kind, "path": job.path, "attempts": job.attempts, "what": what} for job, what in told
        ]

    return {
        "done": rows(drained.done),
        "failed": rows(drained.failed),
        "dropped": rows(drained.dropped),
        "stopped": drained.stopped,
        "waiting": drained.waiting,
    }


def check_size(bench: Workbench, job: Job) -> str:
    """Tells whether a note is overloaded (D3), and splits it where a model is at hand and judges so.

    Without one `maintain check` has it until somebody does something about it.
    """
    tokens = overload(bench.vault, bench.vault.read(job.path))
    if tokens is None:
        return "not overloaded"
    if bench.splitter is None:
        return f"about {tokens} tokens, more than {bench.vault.config.maintain.overload_tokens}"
    from reme_cli.maintain.split import SplitOptions, split_notes  # brings the checks along

    options = SplitOptions(dry_run=bench.dry_run)
    report = split_notes(bench.vault, bench.index, [job.path], options, bench.run, splitter=bench.splitter)
    if report.stopped is not None:
        raise report.stopped
    if bench.dry_run:
        bench.diffs += [outcome.diff() for outcome in report.outcomes]
    return "; ".join(
        f"split: {', '.join(report.parts)}" if each.status == "split" else f"{each.status}: {each.what}"
        for each in report.outcomes
    )


def link_mentions(bench: Workbench, job: Job) -> str:
    """Links what a note mentions, and where it is mentioned (L1). Without a model, whatever the dream was made with."""
    from reme_cli.linking.l1_mentions import LinkOptions, link_both_ways  # brings the matcher along

    bench.survey.renew(job.path)
    options = LinkOptions(dry_run=bench.dry_run)
    report = link_both_ways(bench.vault, bench.index, job.path, options, bench.run, survey=bench.survey)
    if bench.dry_run:
        bench.diffs += report.diffs
    if not report.linked:
        return "no mention to link"
    notes = {linked.path for linked in report.linked}
    return f"mentions linked: {len(report.linked)}, notes changed: {len(notes)}"


RUNNERS: Final[Mapping[JobKind, Runner]] = {"D3": check_size, "L1": link_mentions}
"""Who does a job, by its kind."""


def drain(
    bench: Workbench,
    *,
    runners: Mapping[JobKind, Runner] = RUNNERS,
    progress: Progress = untold,
) -> Drained:
    """Does every job in the queue once, those included that come in meanwhile.

    A job is taken out when it is done, dropped with a line in the audit when it failed `MOST_ATTEMPTS` times or its note is
    gone, and left otherwise. Raises `Busy` where another worker is at it, `ConfigError` for a damaged queue.
    """
    vault = bench.vault
    if not waiting_jobs(vault):
        return Drained()
    worker = _Worker(bench, runners)
    with run_lock(vault, LOCK, command=bench.run.command, wait=False):
        bench.index.refresh()
        while job := next((each for each in waiting_jobs(vault) if each.key not in worker.seen), None):
            total = len(worker.seen) + sum(each.key not in worker.seen for each in waiting_jobs(vault))
            progress(f"{job.kind} {job.path}", len(worker.seen), total)
            worker.seen.add(job.key)
            worker.do(job)
    return Drained(
        tuple(worker.done),
        tuple(worker.failed),
        tuple(worker.dropped),
        worker.stopped,
        len(waiting_jobs(vault)),
    )


def preview(bench: Workbench, *, progress: Progress = untold) -> Drained:
    """What each job in the queue would come to if it were the only one; `bench` is one for a dry run. The queue stays as it is.

    Raises `ConfigError` for a damaged queue.
    """
    jobs = waiting_jobs(bench.vault)
    done: list[Told] = []
    failed: list[Told] = []
    stopped: str | None = None
    for number, job in enumerate(jobs):
        progress(f"{job.kind} {job.path}", number, len(jobs))
        if job.kind == "D3" and stopped is not None:
            continue
        try:
            bench.vault.read(job.path)
            done.append(Told(job, RUNNERS[job.kind](bench, job)))
        except ModelError as error:
            stopped = error.one_line
        except RemeError as error:
            failed.append(Told(job, error.one_line))
    return Drained(tuple(done), tuple(failed), (), stopped, len(jobs))


class _Worker:
    """One look through the queue."""

    def __init__(self, bench: Workbench, runners: Mapping[JobKind, Runner]) -> None:
        self._bench = bench
        self._runners = runners
        self.seen: set[tuple[JobKind, str]] = set()
        self.done: list[Told] = []
        self.failed: list[Told] = []
        self.dropped: list[Told] = []
        self.stopped: str | None = None
        self._without: set[JobKind] = set()
        """Kinds that are not tried any more, since the model gave out."""

    def do(self, job: Job) -> None:
        """Does a job and lets the queue know. Raises `VaultUnwritable`; what is no `RemeError` counts as a crash."""
        if job.kind in self._without:
            return
        vault = self._bench.vault
        try:
            vault.read(job.path)
        except (NoteNotFound, PathRefused):
            self._go_on_elsewhere(job)
            return
        except RemeError as error:
            self._fail(count_attempt(vault, job), error)
            return
        begun = count_attempt(vault, job)
        try:
            told = self._runners[job.kind](self._bench, job)
        except ModelError as error:
            # no fault of the job's
            put_back(vault, job)
            self._without.add(job.kind)
            self.stopped = error.one_line
        except (KeyboardInterrupt, Busy, VaultUnwritable):
            put_back(vault, job)
            raise
        except RemeError as error:
            self._fail(begun, error)
        else:
            take_out(vault, job)
            self.done.append(Told(job, told))

    def _go_on_elsewhere(self, job: Job) -> None:
        """Queues a job about a note that is not at its path any more for where it was moved, or drops it."""
        path = moved_to(self._bench.vault, job.path, job.run)
        if path == job.path:
            self._drop(job, "the note is gone")
        else:
            follow(self._bench.vault, {job.path: path})

    def _fail(self, begun: Job, error: RemeError) -> None:
        if begun.attempts >= MOST_ATTEMPTS:
            self._drop(begun, f"failed {begun.attempts} times: {error.one_line}")
        else:
            self.failed.append(Told(begun, error.one_line))

    def _drop(self, job: Job, reason: str) -> None:
        self._bench.run.record(job.path, "skipped", reason=f"follow-up {job.kind} dropped: {reason}")
        take_out(self._bench.vault, job)
        self.dropped.append(Told(job, reason))
