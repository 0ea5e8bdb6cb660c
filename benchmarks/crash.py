"""reme killed with `kill -9`: before every system call of its writer, and at random moments; then the next command.

    python benchmarks/crash.py            every phase, ≥ 300 random kills: some minutes
    python benchmarks/crash.py --quick    a few seconds: every fifth system call, a few random kills
    python benchmarks/crash.py write undo only these phases

Each phase does one thing in a small vault, is killed somewhere in it, and then a fresh process does what every command
does first (`recover`). Afterwards the vault must be right:

    readable      every note can be read
    litter        no temporary file, nothing in the journal
    edges         no edge that the vault had is gone
    bytes         no text that a person wrote is gone
    audit         what the audit says was written is what is there, and nothing else changed
    units         no unit of a dream landed twice; the dream, run again, ends where an undisturbed one ends

`auto_dream` is killed as a process of its own, `reme auto_dream`, at random moments; at the system calls, in a fork of a
process that has loaded it, which is the same code without the half second of imports.

Exit 1 when a vault was not right.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.changeset import audit, system
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import left_behind, recover
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.config import Config
from reme_cli.errors import RemeError
from reme_cli.graph.conservation import E1, Create, EdgeKey, edge_keys
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import ABSENT, Stamp, stamp_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

PROJECT: Final = Path(__file__).resolve().parent.parent
DEMO: Final = PROJECT / "vault_template" / "demo"
LONGEST: Final = 600.0
"""Seconds."""
DREAMT: Final = "2026-06-12"
PARENT: Final = "digest/wiki/parent.md"
TOPICS: Final = tuple(f"digest/wiki/topic-{number}.md" for number in range(4))
SOURCES: Final = tuple(f"daily/2026-06-1{number}.md" for number in range(4))


@dataclass(frozen=True)
class Phase:
    """One thing to be killed in."""

    name: str
    prepare: Callable[[Vault], None]
    work: Callable[[Vault], None]
    command: tuple[str, ...] = ()
    """The same as arguments of `reme`; where given, the random kills strike a process of its own."""
    again: bool = False
    """Whether the work, done again, must end where an undisturbed one ends."""


@dataclass(frozen=True)
class State:
    """A vault at one moment, by what must not be lost."""

    texts: dict[str, str]
    edges: frozenset[EdgeKey]
    written: int
    """Lines of the audit that say `written`."""


# -- phases ----------------------------------------------------------------------------------------------------------


def put(vault: Vault, files: dict[str, str]) -> None:
    """Files as a person makes them."""
    for path, text in files.items():
        place = vault.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def prepare_write(vault: Vault) -> None:
    """One note with links."""
    put(
        vault, {"digest/wiki/a.md": "# A\n\nwords of a person\n\nis_a:: [[b]]\n", "digest/wiki/b.md": "# B\n"}
    )


def work_write(vault: Vault) -> None:
    """One note gets one more line."""
    note = vault.read("digest/wiki/a.md")
    with start_run(vault, "write") as run:
        edit = Edit(note.path, note.text + "[[digest/wiki/b.md]]\n", note.stamp, E1(), unit="one")
        ChangeSet(vault, run, [edit]).apply()


def prepare_split(vault: Vault) -> None:
    """An overloaded note of four sections about different things, each with its source and a link."""
    parts = "".join(
        f"## All of topic {number}\n\n{prose(number)}\n\n"
        f"extends:: [[{topic}]]\n\nderived_from:: [[{source}]]\n\n"
        for number, (topic, source) in enumerate(zip(TOPICS, SOURCES, strict=True))
    )
    parent = f"---\nname: Parent\ndescription: All of it.\n---\n\n{parts}"
    put(vault, {PARENT: parent, **dict.fromkeys(SOURCES, "a day\n"), **dict.fromkeys(TOPICS, "a topic\n")})


def prose(seed: int) -> str:
    """Sentences of made-up words, which no two seeds share."""
    dice = random.Random(seed)

    def word() -> str:
        return "".join(dice.choice("bdfgklmnprstvz") + dice.choice("aeiou") for _ in range(4))

    return " ".join(" ".join(word() for _ in range(9)).capitalize() + "." for _ in range(12))


def work_split(vault: Vault) -> None:
    """`maintain split` without a model: four creates, and the parent, which keeps no text of the sections."""
    from reme_cli.index.index import Index
    from reme_cli.maintain.split import SplitOptions, split_notes

    options = SplitOptions("extractive", force=True)
    with Index.open(vault) as index, start_run(vault, "maintain split") as run:
        report = split_notes(vault, index, [PARENT], options, run)
    if len(report.parts) != len(SOURCES):
        raise RuntimeError(f"the note was not split: {report.outcomes}")


def prepare_undo(vault: Vault) -> None:
    """A run that changed two notes and made one."""
    paths = ("digest/wiki/a.md", "digest/wiki/b.md")
    put(vault, dict.fromkeys(paths, "words of a person\n"))
    with start_run(vault, "write") as run:
        edits: list[Edit] = [
            Edit(path, "words of a person\nand of reme\n", stamp_of(b"words of a person\n"), E1())
            for path in paths
        ]
        edits.append(Edit("digest/wiki/c.md", "words of reme\n", ABSENT, Create()))
        ChangeSet(vault, run, edits).apply()


def work_undo(vault: Vault) -> None:
    """Everything is taken back."""
    undo(vault)


def prepare_dream(vault: Vault) -> None:
    """The demo's digest, and one day of it."""
    shutil.copytree(DEMO, vault.root, dirs_exist_ok=True)
    for place in (vault.root / "daily").iterdir():
        if place.name.removesuffix(".md") != DREAMT:
            shutil.rmtree(place) if place.is_dir() else place.unlink()


def work_dream(vault: Vault) -> None:
    """`auto_dream` over that day."""
    from reme_cli.cli import main as reme

    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(nowhere),
    ):
        code = reme(["--vault", str(vault.root), *DREAM])
    if code != 0:
        raise RuntimeError(f"auto_dream exited with {code}")


DREAM: Final = ("auto_dream", f"date={DREAMT}", "engine=extractive", "--no-follow-up")

PHASES: Final = (
    Phase("write", prepare_write, work_write),
    Phase("split", prepare_split, work_split),
    Phase("undo", prepare_undo, work_undo),
    Phase("auto_dream", prepare_dream, work_dream, DREAM, again=True),
)


# -- killing ---------------------------------------------------------------------------------------------------------


def killed_at_call(number: int, work: Callable[[], None]) -> bool:
    """Does the work in a process that kills itself before its n-th system call; whether it got there."""
    calls = 0

    def watcher(call: str, _: str) -> None:
        nonlocal calls
        if call != "look":
            calls += 1
        if calls == number:
            os.kill(os.getpid(), signal.SIGKILL)

    return ended(fork(work, watcher)) == -signal.SIGKILL


def killed_after(seconds: float, work: Callable[[], None]) -> tuple[bool, float]:
    """Does the work in a process that is killed after a time; whether it was still at work, and for how long it was."""
    ready, go = os.pipe()

    def told_work() -> None:
        os.write(go, b".")
        work()

    child = fork(told_work)
    os.read(ready, 1)
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
    lasted = time.monotonic() - began
    os.kill(child, signal.SIGKILL)
    os.close(ready)
    os.close(go)
    return ended(child) == -signal.SIGKILL, lasted


def command_killed_after(seconds: float, vault: Vault, command: tuple[str, ...]) -> bool:
    """Runs `reme` as a process of its own and kills it after a time; whether it was still at work."""
    line = [sys.executable, "-m", "reme_cli", "--vault", str(vault.root), *command]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    return process.wait() == -signal.SIGKILL


def fork(work: Callable[[], None], watcher: Callable[[str, str], None] | None = None) -> int:
    """A process that does the work and exits; the watcher is told of its system calls."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a parallel test run has threads
        child = os.fork()
    if child:
        return child
    code = 1
    try:
        if watcher is not None:
            system.watchers.append(watcher)
        work()
        code = 0
    finally:
        os._exit(code)


def ended(child: int) -> int:
    """The exit code of a process, negative for a signal. Raises where it failed on its own."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in {0, -signal.SIGKILL}:
        raise RuntimeError(f"the process failed on its own with {code}")
    return code


# -- looking ---------------------------------------------------------------------------------------------------------


def state_of(vault: Vault) -> State:
    """What the vault holds. Raises `RemeError` for a note that cannot be read."""
    texts = {path: vault.read(path).text for path in vault.note_paths()}
    names = Names(texts)
    edges = frozenset(key for path, text in texts.items() for key in edge_keys(path, text, names))
    return State(texts, edges, sum(line.outcome == "written" for line in audit.lines(vault)))


def wrongs(vault: Vault, before: State) -> list[str]:
    """What is wrong with a vault after the next command."""
    try:
        now = state_of(vault)
    except RemeError as error:
        return [f"readable: {error}"]
    found = [
        f"litter: {place.relative_to(vault.root)}"
        for place in vault.root.rglob("*")
        if place.name.startswith(".reme") or (place.suffix == ".tmp" and "cache" not in place.parts)
    ]
    found += [f"litter: journal/{name}" for name in left_behind(vault)]
    found += [f"edges: {key}" for key in sorted(map(str, before.edges - now.edges))]
    found += lost_text(before, now)
    found += audit_wrongs(vault, before, now)
    return found


def lost_text(before: State, now: State) -> list[str]:
    """The lines of a person's that no note has any more; of reme's own, an undo may take back."""
    every = "\n".join(now.texts.values())
    lines = {line for text in before.texts.values() for line in text.splitlines() if "of reme" not in line}
    return [f"bytes: {line!r}" for line in sorted(lines) if line not in every]


def audit_wrongs(vault: Vault, before: State, now: State) -> list[str]:
    """Where the audit and the notes tell different stories."""
    lines = [line for line in audit.lines(vault) if line.outcome == "written"]
    found = [
        f"units: {unit} landed {count} times"
        for unit, count in Counter(line.unit for line in lines if line.unit).items()
        if count > 1
    ]
    stamps: dict[str, Stamp] = {path: stamp_of(text.encode()) for path, text in before.texts.items()}
    for line in lines[before.written :]:
        if stamps.get(line.path, ABSENT) != line.before:
            found.append(f"audit: {line.path} was not what line says it was before")
        stamps[line.path] = line.after
    real = {path: stamp_of(text.encode()) for path, text in now.texts.items()}
    for path in sorted(stamps.keys() | real.keys()):
        known = stamps.get(path, ABSENT)
        # interests.yaml and the like are no notes, but audited
        if path.endswith(".md") and known != real.get(path, ABSENT):
            found.append(f"audit: {path} is not what the audit says")
    return found


# -- the run ---------------------------------------------------------------------------------------------------------


class Trial:
    """One phase, killed again and again, each time in a vault made anew."""

    def __init__(self, phase: Phase, folder: Path) -> None:
        self.phase = phase
        self.vault = Vault(folder / phase.name, Config())
        self.pristine = Vault(folder / f"{phase.name}-pristine", Config())
        self.pristine.root.mkdir()
        phase.prepare(self.pristine)
        self.before = state_of(self.pristine)
        self.wrong: list[str] = []
        self.outcomes: Counter[str] = Counter()
        self.reset()
        ended(fork(self.work))
        self.after = state_of(self.vault)

    def reset(self) -> None:
        """The vault as it was before."""
        shutil.rmtree(self.vault.root, ignore_errors=True)
        shutil.copytree(self.pristine.root, self.vault.root)

    def work(self) -> None:
        """What is killed."""
        self.phase.work(self.vault)

    def every_call(self, step: int) -> int:
        """Kills before each system call of the writer, or each `step`-th; gives how many kills that were."""
        kills, number = 0, 1
        while True:
            self.reset()
            if not killed_at_call(number, self.work):
                return kills
            kills += 1
            self.look(f"before system call {number}")
            number += step

    def at_random(self, kills: int, dice: random.Random) -> int:
        """Kills at random moments; gives how often the work had ended by then."""
        late = 0
        seconds = statistics.median([self.duration() for _ in range(min(5, kills))] or [0.0])
        for _ in range(kills):
            self.reset()
            moment = dice.uniform(0, seconds)
            if self.phase.command:
                killed = command_killed_after(moment, self.vault, self.phase.command)
            else:
                killed, _lasted = killed_after(moment, self.work)
            late += not killed
            self.look(f"after {moment * 1000:.2f} ms")
        return late

    def duration(self) -> float:
        """How many seconds the work takes when it is left alone."""
        self.reset()
        if not self.phase.command:
            return killed_after(LONGEST, self.work)[1]
        began = time.monotonic()
        command_killed_after(LONGEST, self.vault, self.phase.command)
        return time.monotonic() - began

    def recover(self) -> None:
        """What every command does first."""
        recover(self.vault)

    def look(self, when: str) -> None:
        """Lets the next command run, and notes what is wrong after it."""
        ended(fork(self.recover))
        found = wrongs(self.vault, self.before)
        if not found:
            texts = state_of(self.vault).texts
            self.outcomes[
                "not begun" if texts == self.before.texts else "done" if texts == self.after.texts else "part"
            ] += 1
            if self.phase.again:
                ended(fork(self.work))
                found = wrongs(self.vault, self.before)
                if state_of(self.vault).texts != self.after.texts:
                    found.append("units: the work, done again, did not end where it should")
        self.wrong += [f"{self.phase.name}, killed {when}: {complaint}" for complaint in found]


def main() -> int:
    """Kill, look, print; 1 when something was wrong."""
    parser = argparse.ArgumentParser(description="reme killed everywhere.")
    parser.add_argument("phases", nargs="*", help=", ".join(phase.name for phase in PHASES))
    parser.add_argument("--random", type=int, default=100, help="random kills per phase")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    step, kills = (5, 3) if options.quick else (1, options.random)
    return measure(
        [phase for phase in PHASES if phase.name in (options.phases or phase_names())],
        step,
        kills,
        options.seed,
    )


def phase_names() -> list[str]:
    """All of them."""
    return [phase.name for phase in PHASES]


def measure(phases: list[Phase], step: int, kills: int, seed: int) -> int:
    """Kill in each phase before every `step`-th call and `kills` times at random; print the table."""
    dice = random.Random(seed)
    wrong: list[str] = []
    print(
        f"{'phase':12} {'at calls':>8} {'random':>8} {'too late':>8} {'not begun':>10} {'part':>6} {'done':>6} {'wrong':>6}"
    )
    with tempfile.TemporaryDirectory(prefix="reme-crash-") as folder:
        for phase in phases:
            trial = Trial(phase, Path(folder))
            at_calls = trial.every_call(step)
            late = trial.at_random(kills, dice)
            wrong += trial.wrong
            counts = trial.outcomes
            print(
                f"{phase.name:12} {at_calls:8} {kills:8} {late:8} {counts['not begun']:10} {counts['part']:6} "
                f"{counts['done']:6} {len(trial.wrong):6}",
                flush=True,
            )
    for complaint in wrong[:20]:
        print(f"WRONG   {complaint}")
    print(f"{len(wrong)} violations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
