"""The worker: each job once, in order; what fails stays, what fails too often goes, and a crash loses nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset import audit
from reme_cli.changeset.lock import run_lock
from reme_cli.changeset.run import start_run
from reme_cli.errors import Busy, ModelUnreachable, Refused
from reme_cli.follow_up import LOCK, RUNNERS, Drained, Runner, Workbench, drain
from reme_cli.index.index import Index
from reme_cli.maintain.queue import Job, JobKind, follow, queue_follow_ups, waiting_jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

NOTE = "---\nname: {}\n---\nThe gateway rotates its signing keys.\n"
FILES = {f"digest/wiki/{name}.md": NOTE.format(name) for name in "ab"}
A, B = FILES


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    """A vault with two notes, in the queue of both kinds."""
    vault = vault_of(FILES)
    queue_follow_ups(vault, [A, B], "20260601T000000-000000")
    return vault


def drained(vault: Vault, runners: Mapping[JobKind, Runner] = RUNNERS) -> Drained:
    with Index.open(vault) as index, start_run(vault, "maintain run") as run:
        return drain(Workbench(vault, index, run), runners=runners)


class Recorder:
    """Runners that note what they are asked for, and fail as told."""

    def __init__(self, failing: BaseException | None = None, kind: JobKind = "L1") -> None:
        self.asked: list[tuple[str, str]] = []
        self._failing = failing
        self._kind = kind

    def __call__(self, bench: Workbench, job: Job) -> str:
        """Notes a job."""
        assert job in [each._replace(attempts=job.attempts) for each in waiting_jobs(bench.vault)], (
            "it is in the queue until it is done"
        )
        self.asked.append((job.kind, job.path))
        if self._failing is not None and job.kind == self._kind:
            raise self._failing
        return "done"

    @property
    def runners(self) -> Mapping[JobKind, Runner]:
        """The table of runners."""
        return {"D3": self, "L1": self}


def test_all_is_done_once_in_order(vault: Vault) -> None:
    recorder = Recorder()
    done = drained(vault, recorder.runners)
    assert recorder.asked == [("D3", A), ("L1", A), ("D3", B), ("L1", B)]
    assert [told.what for told in done.done] == ["done"] * 4
    assert (done.waiting, waiting_jobs(vault)) == (0, ())
    assert drained(vault, recorder.runners) == Drained()


def test_what_fails_stays_and_the_third_time_it_goes(vault: Vault) -> None:
    for attempt in (1, 2):
        done = drained(vault, Recorder(Refused("not now")).runners)
        assert [(told.job.path, told.what) for told in done.failed] == [(A, "not now"), (B, "not now")]
        assert [job.attempts for job in waiting_jobs(vault)] == [attempt] * 2
    done = drained(vault, Recorder(Refused("not now")).runners)
    assert [told.what for told in done.dropped] == ["failed 3 times: not now"] * 2
    assert waiting_jobs(vault) == ()
    lines = [line for line in audit.lines(vault) if line.command == "maintain run"]
    assert [(line.path, line.outcome, line.reason) for line in lines] == [
        (path, "skipped", "follow-up L1 dropped: failed 3 times: not now") for path in (A, B)
    ]


def test_a_model_that_gives_out_is_no_fault_of_the_jobs(vault: Vault) -> None:
    recorder = Recorder(ModelUnreachable("no answer"))
    done = drained(vault, recorder.runners)
    assert recorder.asked == [("D3", A), ("L1", A), ("D3", B)], "it is not asked again"
    assert (done.stopped, done.failed, done.waiting) == ("no answer", (), 2)
    assert [job.attempts for job in waiting_jobs(vault)] == [0, 0]


def test_an_interrupted_job_does_not_count_but_a_crash_does(vault: Vault) -> None:
    with pytest.raises(KeyboardInterrupt):
        drained(vault, Recorder(KeyboardInterrupt()).runners)
    assert [job.attempts for job in waiting_jobs(vault)] == [0, 0, 0]
    with pytest.raises(ZeroDivisionError):
        drained(vault, Recorder(ZeroDivisionError()).runners)
    assert [(job.kind, job.path, job.attempts) for job in waiting_jobs(vault)][:1] == [("L1", A, 1)]


def test_a_note_that_is_gone_needs_nothing(vault: Vault) -> None:
    (vault.root / A).unlink()
    done = drained(vault, Recorder().runners)
    assert [(told.job.kind, told.what) for told in done.dropped] == [
        ("D3", "the note is gone"),
        ("L1", "the note is gone"),
    ]


def test_a_job_goes_with_its_note(vault: Vault, reme: Reme) -> None:
    assert reme("maintain", "mv", A, "digest/wiki/c.md", vault=vault.root).code == 0
    done = drained(vault, Recorder().runners)
    assert [told.job.path for told in done.done] == ["digest/wiki/c.md", "digest/wiki/c.md", B, B]
    assert not done.dropped


def test_of_two_jobs_that_become_one_one_is_left(vault: Vault) -> None:
    follow(vault, {A: B})
    assert [job.key for job in waiting_jobs(vault)] == [("D3", B), ("L1", B)]


def test_what_comes_in_meanwhile_is_done_too(vault: Vault) -> None:
    recorder = Recorder()

    def queueing(bench: Workbench, job: Job) -> str:
        if job.path == A:
            (bench.vault.root / "digest/wiki/late.md").write_text("x\n")
            queue_follow_ups(bench.vault, ["digest/wiki/late.md"], "r2", kinds=["L1"])
        return recorder(bench, job)

    drained(vault, {"D3": queueing, "L1": recorder})
    assert recorder.asked[-1] == ("L1", "digest/wiki/late.md")


def test_two_workers_do_not_do_one_job_twice(vault: Vault) -> None:
    with run_lock(vault, LOCK), pytest.raises(Busy):
        drained(vault)
    assert len(waiting_jobs(vault)) == 4


def test_what_the_jobs_are(vault_of: Callable[..., Vault]) -> None:
    """Both kinds, without a model: a long note is told of, mentions are linked in both directions."""
    text = (
        "The retry budget of [[digest/wiki/gateway.md|the gateway]] is spent by the circuit breaker. " * 300
    )
    vault = vault_of(
        {
            "digest/wiki/circuit breaker.md": "---\nname: circuit breaker\n---\nIt opens.\n",
            "digest/wiki/gateway.md": f"---\nname: gateway\n---\n{text}\n",
            "digest/wiki/token-rotation.md": "---\nname: token rotation\n---\nBy a circuit breaker.\n",
            "digest/wiki/more.md": "---\nname: more\n---\nWhat token rotation is for.\n",
        }
    )
    queue_follow_ups(vault, ["digest/wiki/gateway.md", "digest/wiki/token-rotation.md"], "r1")
    done = drained(vault)
    assert [(told.job.kind, told.job.path) for told in done.done] == [
        ("D3", "digest/wiki/gateway.md"),
        ("L1", "digest/wiki/gateway.md"),
        ("D3", "digest/wiki/token-rotation.md"),
        ("L1", "digest/wiki/token-rotation.md"),
    ]
    assert "more than 2000" in done.done[0].what
    assert (
        "[[digest/wiki/circuit breaker.md|circuit breaker]]"
        in vault.read("digest/wiki/token-rotation.md").text
    )
    assert "[[digest/wiki/token-rotation.md|token rotation]]" in vault.read("digest/wiki/more.md").text


def test_a_dream_does_its_follow_ups_unless_told_otherwise(
    make_vault: Callable[..., Path], reme: Reme
) -> None:
    text = "# Gateway\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for a day.\n"
    root = make_vault(
        {"daily/2026-06-19/a.md": text, "daily/2026-06-20/b.md": text.replace("gateway", "broker")}
    )
    kept = reme("auto_dream", "date=2026-06-19", "engine=extractive", "--no-follow-up", "--json", vault=root)
    assert (kept.json["follow_ups"], kept.json["followed"]["done"]) == (2, [])
    assert reme("status", "--json", vault=root).json["queue"]["jobs"] == {"D3": 1, "L1": 1}
    done = reme("auto_dream", "date=2026-06-20", "engine=extractive", "--json", vault=root)
    assert len(done.json["followed"]["done"]) == 4, "what waited is done with it"
    assert reme("maintain", "run", vault=root).code == 0
    assert reme("undo", vault=root).code == 0, "the links are a part of the run"
    assert [path.name for path in (root / "digest").rglob("*.md")] == ["gateway.md"]


def test_the_command_tells_what_is_dropped(vault: Vault, reme: Reme) -> None:
    (vault.root / A).write_bytes(b"caf\xe9\n")
    (vault.root / B).unlink()
    what = f"{A}:1: not UTF-8: byte 0xe9 at offset 3. Convert the file to UTF-8; reme leaves it as it is."
    for _ in range(2):
        done = reme("maintain", "run", vault=vault.root)
        assert done.code == 1
        assert f"reme: error: {A}: L1: {what}\n" in done.err
        assert done.err.endswith("; 2 follow-ups left\n")
    done = reme("maintain", "run", vault=vault.root)
    assert done.code == 0
    assert f"reme: warning: {A}: L1 is dropped: failed 3 times: {what}\n" in done.err
    assert done.err.endswith("\n0 follow-ups done, 2 dropped\n")
    assert reme("maintain", "run", vault=vault.root).err == "nothing waits\n"
