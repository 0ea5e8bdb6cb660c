"""`reme watch` as a process of its own, on a real folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from reme_cli.commands import watch
from reme_cli.vault.wikilink import strip_links
from tests.conftest import LONG, PROJECT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Outcome

QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
CLUSTER = "digest/wiki/kubernetes.md"
GATEWAY = "digest/wiki/gateway.md"
MENTION = "---\nname: Gateway\n---\nIt talks to Kubernetes.\n"
SCHEMA = json.loads((PROJECT / "docs/schemas/watch.schema.json").read_text(encoding="utf-8"))

ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes are others on Windows")


class Process:
    """A watcher that a test reads the lines of."""

    def __init__(self, root: Path, *options: str) -> None:
        line = [sys.executable, "-m", "reme_cli", "watch", "--json", "quiet_period=0.2", "threshold=eager"]
        self.process = subprocess.Popen(
            [*line, *options, "--vault", str(root)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1"},
        )

    def next(self, event: str) -> Any:
        """The next line of this kind."""
        assert self.process.stdout
        limit = threading.Timer(LONG, self.process.kill)
        limit.start()
        try:
            for line in self.process.stdout:
                told = json.loads(line)
                jsonschema.validate(told, SCHEMA)
                assert told["event"] != "failed", told
                if told["event"] == event:
                    return told
        finally:
            limit.cancel()
        raise AssertionError(event)

    def kill(self) -> None:
        """Ends it, whatever it is at."""
        self.process.kill()
        self.process.communicate()

    def end(self, number: signal.Signals) -> tuple[int, str, str]:
        """Exit code, what was left on stdout, and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, out.decode(), err.decode()


@pytest.fixture
def root(make_vault: Callable[..., Path]) -> Path:
    return make_vault({CLUSTER: "---\nname: Kubernetes\n---\nIt runs things.\n", GATEWAY: "Alone.\n"})


@pytest.fixture
def start(root: Path) -> Iterator[Callable[..., Process]]:
    """Starts a watcher, and ends it after the test."""
    started: list[Process] = []

    def begin(*options: str) -> Process:
        started.append(Process(root, *options))
        return started[-1]

    yield begin
    for each in started:
        each.kill()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_links_what_is_saved_until_it_is_ended(
    root: Path, start: Callable[..., Process], number: signal.Signals, code: int
) -> None:
    watcher = start()
    assert watcher.next("watching")["notes"] == 2
    (root / "digest/wiki/.new").write_text(MENTION)
    (root / "digest/wiki/.new").replace(root / GATEWAY)
    assert watcher.next("saved")["path"] == GATEWAY
    assert watcher.next("linked")["changed"] == [GATEWAY]
    assert f"[[{CLUSTER}|Kubernetes]]" in (root / GATEWAY).read_text()
    ended, left, told = watcher.end(number)
    assert (ended, left) == (code, "")
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("numbers", "codes"),
    [((signal.SIGTERM, signal.SIGHUP), {0}), ((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), {0, 130})],
)
def test_it_ends_once_however_often_it_is_asked_to(
    start: Callable[..., Process], numbers: tuple[signal.Signals, ...], codes: set[int]
) -> None:
    """Which of several signals is the first is up to the system, where they come before the process runs again."""
    watcher = start()
    watcher.next("watching")
    for number in numbers * 3:
        watcher.process.send_signal(number)
        time.sleep(0.005)
    code, _, told = watcher.end(signal.SIGTERM)
    assert code in codes
    assert told in {"", "ended\n", "interrupted; what was written is complete\n"}


@pytest.fixture
def handlers() -> Iterator[None]:
    """A signal that is not minded fails the test, and does not end all of them."""

    def fail(number: int, _: object) -> None:
        raise AssertionError(number)

    before = {number: signal.signal(number, fail) for number in ENDING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@contextmanager
def closing_by(close: Callable[[], None]) -> Iterator[None]:
    """Something open, and how it is closed."""
    try:
        yield
    finally:
        close()


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("second", ENDING)
@pytest.mark.parametrize("first", ENDING)
def test_what_is_open_is_closed_in_peace(first: signal.Signals, second: signal.Signals) -> None:
    """A supervisor that was interrupted too sends a second signal while the first is obeyed, or just behind it."""
    closed: list[bool] = []

    def close() -> None:
        signal.raise_signal(second)
        closed.append(True)

    asked: list[int] = []
    with pytest.raises(KeyboardInterrupt), watch._ending_on_signals(asked), closing_by(close):
        signal.raise_signal(first)
    signal.raise_signal(second)
    assert (asked, closed) == ([first, second], [True])


LOST = """
import signal, sys
from reme_cli.__main__ import run
from reme_cli.watch.attendance import Attendance

class Disposed:
    def __del__(self):
        signal.raise_signal(number)  # what this raises goes nowhere

def turn(attendance):
    Disposed()

number = int(sys.argv.pop())
Attendance.turn = turn
sys.exit(run())
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_ends_where_what_a_signal_raises_is_lost(root: Path, number: signal.Signals, code: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOST, "watch", "--vault", root, str(int(number))],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        timeout=LONG,
        check=False,
    )
    assert ended.returncode == code


def test_two_watchers_make_one_link(root: Path, start: Callable[..., Process]) -> None:
    watchers = [start(), start("--polling")]
    assert [each.next("watching")["by"] for each in watchers] == ["events", "polling"]
    (root / GATEWAY).write_text(MENTION)
    until = time.monotonic() + LONG
    while (
        "[[" not in (root / GATEWAY).read_text()
    ):  # what one has linked is no save for the other, which tells nothing
        assert time.monotonic() < until
        time.sleep(0.02)
    (root / "digest/wiki/last.md").write_text("Nothing.\n")
    for each in watchers:
        while each.next("saved")["path"] != "digest/wiki/last.md":
            pass
        each.end(signal.SIGTERM)
    assert (root / GATEWAY).read_text().count("[[") == 1


@pytest.mark.skipif(not QUEUE.exists(), reason="only inotify has a queue of so many events")
def test_no_note_is_lost_where_the_kernel_dropped_its_events(
    root: Path, start: Callable[..., Process]
) -> None:
    """Neither one that was written meanwhile, nor what is saved later in a folder whose making was not told."""
    watcher = start()
    watcher.next("watching")
    watcher.process.send_signal(signal.SIGSTOP)
    os.waitpid(
        watcher.process.pid, os.WUNTRACED
    )  # all its threads stand still, and no event is taken out of the queue
    # two in turn: an event that is as the one before takes no room
    for number in range(int(QUEUE.read_text()) + 1):
        os.utime(root / (CLUSTER, GATEWAY)[number % 2])
    (root / "digest/new").mkdir()
    (root / "digest/new/gateway.md").write_text(MENTION)
    watcher.process.send_signal(signal.SIGCONT)
    assert watcher.next("saved")["path"] == "digest/new/gateway.md"
    assert watcher.next("linked")["changed"] == ["digest/new/gateway.md"]
    (root / "digest/new/later.md").write_text(MENTION)
    assert watcher.next("saved")["path"] == "digest/new/later.md"
    _, _, told = watcher.end(signal.SIGTERM)
    *lines, last = told.splitlines()
    assert lines
    assert all("the system did not tell of every change" in line for line in lines)
    assert last == "ended"


def test_it_ends_when_nobody_reads_any_more(start: Callable[..., Process]) -> None:
    watcher = start()
    watcher.next("watching")
    assert watcher.process.stdout
    watcher.process.stdout.close()
    assert watcher.process.wait(LONG) == 0


def test_it_ends_with_its_terminal(root: Path) -> None:
    import pty

    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover  another process
        os.environ["PYTHONPATH"] = str(PROJECT)
        os.execv(sys.executable, [sys.executable, "-m", "reme_cli", "watch", "--vault", str(root)])
    told = b""
    while b"watching" not in told:
        told += os.read(terminal, 1024)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


@pytest.mark.parametrize("text", ["0", "-1", "nan", "soon", "86400"])
def test_an_impossible_quiet_period(reme: Callable[..., Outcome], root: Path, text: str) -> None:
    outcome = reme("watch", f"quiet_period={text}", vault=root)
    assert (outcome.code, outcome.out) == (2, "")
    assert text in outcome.err


def test_dreams_and_an_editor_beside_it_lose_nothing(root: Path, start: Callable[..., Process]) -> None:
    """A watcher links what dreams and a person write at the same time; every line of the person is there in the end."""
    days = [f"2026-06-{number:02}" for number in (17, 18, 19)]
    log = "# {0}\n\nOn {0} the export service of Kubernetes rotated its signing keys, and the gateway kept the old key for a day.\n"
    for day in days:
        place = root / "daily" / day / "log.md"
        place.parent.mkdir(parents=True)
        place.write_text(log.format(f"Export {day}"))
    watcher = start()
    watcher.next("watching")
    written: dict[Path, list[str]] = {}

    def dream() -> subprocess.Popen[bytes]:
        line = [
            sys.executable,
            "-m",
            "reme_cli",
            "auto_dream",
            f"date={days[0]}..{days[-1]}",
            "engine=extractive",
        ]
        environment = {**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1"}
        return subprocess.Popen(
            [*line, "--vault", str(root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )

    for day in days[:2]:
        dreaming = dream()
        while dreaming.poll() is None:
            for place in (root / GATEWAY, root / "daily" / day / "log.md"):
                told = f"Line {len(written.setdefault(place, []))} about Kubernetes was typed here."
                # as an editor that looks whether the file changed since it was read, and reads it again then
                text = place.read_text()
                draft = place.with_name(".draft")
                draft.write_text(f"{text}\n{told}\n")
                if place.read_text() == text:
                    draft.replace(place)
                    written[place].append(told)
            time.sleep(0.15)
        _, err = dreaming.communicate()
        assert dreaming.returncode == 0, err.decode()
    (root / "digest/wiki/last.md").write_text("Nothing.\n")
    while watcher.next("saved")["path"] != "digest/wiki/last.md":
        pass
    code, _, told = watcher.end(signal.SIGTERM)
    assert (code, "Traceback" in told) == (0, False)
    for place, lines in written.items():
        shown = strip_links(place.read_text())
        found = [line for line in lines if line in shown]
        rescued = "".join(strip_links(each.read_text()) for each in root.rglob("*conflict*"))
        assert [line for line in lines if line not in found and line not in rescued] == []
    assert not list((root / "metadata/journal").iterdir())
    dream().communicate()  # what was typed behind the last one
    _, err = dream().communicate()
    assert b"nothing to dream" in err
