"""Eight reme processes and one careless editor write the same few notes; nobody's text may be lost.

    python benchmarks/writers.py            20,000 writes, 5,000 saves: some minutes
    python benchmarks/writers.py --quick    a few seconds

Every reme process adds lines of its own to notes that all share, by compare-and-swap, until it has done its part. The
editor knows nothing of the lock: it saves by rename, by truncating and rewriting, by appending, and by appending
through a handle that it opened some time before. Afterwards two claims are proved from the logs:

**No update of reme's is lost to reme.** The audit has the writes of each note in their order, the history has every
text before and after. What a write found (its text before) must be what the write before it left, or what a save of
the editor's made of that: the editor's logged text exactly (or as much of it as a rewriting has reached), and any
appended lines. And what it made of it must be what the plan makes of the text it found.

**No save of the editor's is lost to reme.** The editor reads before it saves, one save after the other, so nothing but
reme could take its line away. Each line it saved must be in a text that a write of reme's found and built on,
or in the note at the end, or in a conflict copy. One way is left: when the two write in the same instant, a text can be seen at the
path for microseconds that is then taken out again: that of a write that turns out a conflict, or a save that becomes a conflict copy. A
line may be gone if the editor itself then saved a whole file over it that it made of just such a text; audit and copies say which these are.

Exit 1 when a claim does not hold.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.changeset import audit, held, history
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.errors import Conflict
from reme_cli.graph.conservation import E1
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from reme_cli.vault.stamp import Stamp

NOTES: Final = tuple(f"digest/wiki/shared-{number}.md" for number in range(3))
MOST_LINES: Final = 60
"""A plan drops the oldest lines beyond these, so that a note does not grow for ever."""
SAVES: Final = ("rename", "truncate", "append", "late-append")


@dataclass(frozen=True)
class Save:
    """One save of the editor's: the line that it added and, of a whole-file save, the exact text."""

    note: str
    how: str
    line: str
    text: str | None


def plan(text: str, line: str) -> str:
    """What a writer makes of a text: its line is added, the oldest lines go."""
    lines = [*text.splitlines(keepends=True), line]
    return "".join(lines[-MOST_LINES:])


# -- the processes ---------------------------------------------------------------------------------------------------


def write(root: Path, number: int, writes: int, acknowledged: Path) -> None:
    """One reme process: `writes` lines, each acknowledged in a file once its change set is applied."""
    vault = Vault(root, Config())
    dice = random.Random(number)
    with start_run(vault, f"writer {number}") as run, acknowledged.open("w") as log:
        for count in range(writes):
            line = f"reme {number}.{count}\n"
            path = dice.choice(NOTES)
            while True:
                note = vault.read(path)
                edit = Edit(path, plan(note.text, line), note.stamp, E1(), unit=line.strip())
                try:
                    ChangeSet(vault, run, [edit]).apply()
                except Conflict:
                    continue
                log.write(line)
                break


def edit(root: Path, saves: int, log: Path, done: Event) -> None:
    """The editor: at least `saves` saves, and more for as long as the others write."""
    dice = random.Random(0)
    with log.open("w") as file:
        count = 0
        while count < saves or not done.is_set():
            path = dice.choice(NOTES)
            how = dice.choice(SAVES)
            line = f"editor {count}\n"
            text = _save(root / path, how, line, dice)
            file.write(json.dumps([path, how, line, text]) + "\n")
            count += 1
            if dice.random() < 0.7:  # else a second save at once
                # Having done its part, it slows down: on a slow disk the writers would do little but plan anew.
                time.sleep(dice.uniform(0, 0.012 if count < saves else 0.2))


def _save(place: Path, how: str, line: str, dice: random.Random) -> str | None:
    if how == "append":
        with place.open("a") as file:
            file.write(line)
        return None
    if how == "late-append":
        with place.open("a") as file:
            time.sleep(dice.uniform(0, 0.008))
            file.write(line)
        return None
    text = place.read_text() + line
    if dice.random() < 0.5:
        time.sleep(dice.uniform(0, 0.004))  # a person types
    if how == "rename":
        beside = place.with_name(".editor.swp")
        beside.write_text(text)
        beside.rename(place)
    else:
        place.write_text(text)
    return text


# -- the proof -------------------------------------------------------------------------------------------------------


class Proof:
    """The evidence of one run, and what is wrong with it."""

    def __init__(self, vault: Vault, saves: list[Save]) -> None:
        self.vault = vault
        self.saves = saves
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        self._texts: dict[Stamp, str] = {}

    def text(self, stamp: Stamp) -> str:
        """A text out of the history."""
        if stamp not in self._texts:
            data = history.load(self.vault, stamp)
            if data is None:
                self.wrong.append(f"the history lacks {stamp}")
            self._texts[stamp] = (data or b"").decode()
        return self._texts[stamp]

    def acknowledged_once(self, acknowledged: list[str], lines: list[audit.Line]) -> None:
        """Every acknowledged write has one line in the audit, and no other write has any."""
        written = Counter(line.unit for line in lines)
        for unit in acknowledged:
            if written[unit] != 1:
                self.wrong.append(f"{unit}: acknowledged, but audited {written[unit]} times")
        if len(written) != len(acknowledged):
            self.wrong.append(f"{len(written)} writes audited, {len(acknowledged)} acknowledged")

    def unbroken(self, note: str, lines: list[audit.Line], before: str, after: str) -> None:
        """From the first text to the last, each write found what the write before left, or a save of the editor's."""
        whole = {save.text for save in self.saves if save.note == note and save.text is not None}
        rewritten = [
            save.text for save in self.saves if save.note == note and save.how == "truncate" and save.text
        ]
        appended = {save.line for save in self.saves if save.note == note and save.text is None}
        left = before
        for line in lines:
            found = self.text(line.before)
            self._follows(note, left, found, whole, rewritten, appended)
            left = self.text(line.after)
            if left != plan(found, f"{line.unit}\n"):
                self.wrong.append(f"{note}: {line.unit} is not what the plan makes of what it found")
        self._follows(note, left, after, whole, rewritten, appended)

    def _follows(
        self,
        note: str,
        left: str,
        found: str,
        whole: set[str],
        rewritten: list[str],
        appended: set[str],
    ) -> None:
        if found == left:
            self.counts["found as reme left it"] += 1
            return
        base = found.splitlines(keepends=True)
        while True:
            text = "".join(base)
            if text == left:
                self.counts["found with appended lines"] += 1
                return
            if text in whole:
                self.counts["found after a whole-file save"] += 1
                return
            if not base or base[-1] not in appended:
                break
            base.pop()
        # What is left may be the beginning of a rewriting, appended to or not; often it is empty.
        if any(full.startswith(text) for full in rewritten):
            self.counts["found within a rewriting"] += 1
            return
        self.wrong.append(f"{note}: a write found a text that nobody left there: {found[-80:]!r}")

    def _was_misled(self, number: int, refused: set[str]) -> bool:
        """Whether a later save replaced the note by what the editor made of a text that reme took out again."""
        lost = self.saves[number]
        return any(
            save.text.removesuffix(save.line) in refused and lost.line not in save.text
            for save in self.saves[number + 1 :]
            if save.note == lost.note and save.text is not None
        )

    def nothing_lost(self, every: list[audit.Line]) -> None:
        """Each line of the editor's is where the module's docstring says."""
        lines = [line for line in every if line.outcome == "written"]
        refused = {self.text(line.after) for line in every if line.outcome == "conflicted" and line.change}
        refused |= {copy.read_text() for copy in conflict_copies(self.vault)}
        built_on = {line for written in lines for line in self.text(written.before).splitlines(keepends=True)}
        at_the_end = {
            line for note in NOTES for line in (self.vault.root / note).read_text().splitlines(keepends=True)
        }
        copies = {
            line
            for copy in conflict_copies(self.vault)
            for line in copy.read_text().splitlines(keepends=True)
        }
        for number, save in enumerate(self.saves):
            if save.line in built_on:
                self.counts["saves that reme built on"] += 1
            elif save.line in at_the_end:
                self.counts["saves in the note at the end"] += 1
            elif save.line in copies:
                self.counts["saves in a conflict copy only"] += 1
            elif self._was_misled(number, refused):
                self.counts["saves that the editor replaced, having read a text that was taken out"] += 1
            else:
                self.wrong.append(f"lost: {save.line.strip()} ({save.how}, {save.note})")


def conflict_copies(vault: Vault) -> list[Path]:
    """Every conflict copy in the vault."""
    return sorted(vault.root.rglob("*(reme conflict *"))


# -- the run ---------------------------------------------------------------------------------------------------------


def main() -> int:
    """Run, prove, print; 1 when a claim does not hold."""
    parser = argparse.ArgumentParser(description="Eight writers and a careless editor on the same notes.")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--writes", type=int, default=20_000, help="by all writers together")
    parser.add_argument("--saves", type=int, default=5_000, help="by the editor, at least")
    parser.add_argument("--quick", action="store_true", help="400 writes and 150 saves by 4 writers")
    options = parser.parse_args()
    if options.quick:
        options.writers, options.writes, options.saves = 4, 400, 150
    folder = Path(tempfile.mkdtemp(prefix="reme-writers-"))
    try:
        return measure(folder, options.writers, -(-options.writes // options.writers), options.saves)
    finally:
        shutil.rmtree(folder)


def measure(folder: Path, writers: int, writes: int, saves: int) -> int:
    """Let `writers` processes write `writes` lines each beside an editor; prove both claims and print the counts."""
    root = folder / "vault"
    for note in NOTES:
        (root / note).parent.mkdir(parents=True, exist_ok=True)
        (root / note).write_text("# Shared\n")
    vault = Vault(root, Config())
    began = time.monotonic()
    logs = run_all(folder, root, writers, writes, saves)
    seconds = time.monotonic() - began
    while held.anything_held(vault):
        time.sleep(0.5)
        recover(vault)

    saved = [Save(*json.loads(line)) for line in (folder / "editor").read_text().splitlines()]
    acknowledged = [line for log in logs for line in log.read_text().splitlines()]
    every = list(audit.lines(vault))
    lines = [line for line in every if line.outcome == "written"]
    proof = Proof(vault, saved)
    proof.acknowledged_once(acknowledged, lines)
    for note in NOTES:
        after = (root / note).read_text()
        proof.unbroken(note, [line for line in lines if line.path == note], "# Shared\n", after)
    proof.nothing_lost(every)
    proof.wrong += [f"litter: {path}" for path in root.rglob("*.tmp")]

    print(f"{len(acknowledged):>7} writes by {writers} processes in {seconds:.0f} s")
    print(f"{sum(line.outcome == 'conflicted' for line in every):>7} conflicts, planned anew")
    for how, number in sorted(Counter(save.how for save in saved).items()):
        print(f"{number:>7} saves by {how}")
    for what, number in sorted(proof.counts.items()):
        print(f"{number:>7} {what}")
    print(f"{len(conflict_copies(vault)):>7} conflict copies")
    for complaint in proof.wrong[:20]:
        print(f"WRONG   {complaint}")
    print(f"{len(proof.wrong):>7} violations")
    return 1 if proof.wrong else 0


def run_all(folder: Path, root: Path, writers: int, writes: int, saves: int) -> list[Path]:
    """Every process to its end; gives the files with what the writers acknowledged. Raises when one failed."""
    done = multiprocessing.Event()
    logs = [folder / f"writer-{number}" for number in range(writers)]
    editor = multiprocessing.Process(target=edit, args=(root, saves, folder / "editor", done))
    processes = [
        multiprocessing.Process(target=write, args=(root, number, writes, log))
        for number, log in enumerate(logs)
    ]
    for process in (editor, *processes):
        process.start()
    for process in processes:
        process.join()
    done.set()
    editor.join()
    failed = [process.name for process in (editor, *processes) if process.exitcode]
    if failed:
        raise RuntimeError(f"failed: {', '.join(failed)}")
    return logs


if __name__ == "__main__":
    sys.exit(main())
