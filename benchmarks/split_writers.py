"""A note is split, again and again, while four reme processes add to it and an editor saves it; nobody's text may be lost.

    python benchmarks/split_writers.py              40 rounds: some minutes
    python benchmarks/split_writers.py --rounds 4   seconds

In every other round the editor appends, now and then through a handle that it opened before the split: then each line that
anybody was told is written must stand in the note, in one of its parts, or in a conflict copy. In the others it saves what it has
in memory, by rename or by truncating and rewriting: then that holds for its own lines and for the text that was split, and
a line of reme's may be missing only where the editor itself saved a whole file without it.

Exit 1 when a line is lost, a temporary file is left, or no split came about in a round once the others were still.
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
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reme_cli.changeset import held
from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.recover import recover
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.errors import Conflict
from reme_cli.graph.conservation import E1
from reme_cli.index.index import Index
from reme_cli.maintain.split import SplitOptions, split_notes
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier

PARENT: Final = "digest/wiki/parent.md"
WRITERS: Final = 4
WRITES: Final = 8
"""Lines of each writer; the editor saves as often as all of them write."""
SYLLABLES: Final = ("ka", "lo", "mi", "ru", "te", "sha", "von", "bel", "dri", "quo", "zan", "pel")


def parent_text(dice: random.Random) -> str:
    """A note of two long sections that have no word in common."""
    sections = []
    for number, half in enumerate((SYLLABLES[:6], SYLLABLES[6:])):
        words = ["".join(dice.choices(half, k=3)) for _ in range(60)]
        sentences = [" ".join(dice.sample(words, 9)).capitalize() + "." for _ in range(30)]
        sections.append(f"## Chapter {words[number]} {words[9]}\n\n" + "\n".join(sentences) + "\n")
    return "---\nname: parent\ndescription: Two subjects.\n---\n# Parent\n\n" + "\n".join(sections)


# -- the processes ---------------------------------------------------------------------------------------------------


def write(root: Path, number: int, begin: Barrier, log: Path) -> None:
    """One reme process: its lines, each told in a file once its change set is applied."""
    vault = Vault(root, Config())
    dice = random.Random(str(log))
    begin.wait()
    with start_run(vault, f"writer {number}") as run, log.open("w") as told:
        for count in range(WRITES):
            line = f"reme{number}x{count} wrote this line."
            while True:
                note = vault.read(PARENT)
                edit = Edit(PARENT, f"{note.text}\n{line}\n", note.stamp, E1())
                try:
                    ChangeSet(vault, run, [edit]).apply()
                except Conflict:
                    continue
                break
            told.write(json.dumps([line, None]) + "\n")
            time.sleep(dice.uniform(0, 0.4))


def edit(root: Path, how: str, begin: Barrier, log: Path) -> None:
    """The editor: appends lines, or saves its own text with one more line each time."""
    place = root / PARENT
    dice = random.Random(str(log))
    text = place.read_text()
    begin.wait()
    with log.open("w") as told:
        for count in range(WRITERS * WRITES):
            line = f"editor{count} wrote this line."
            if how == "append":
                with place.open("a") as file:
                    time.sleep(dice.choice((0, 0.004, 0.02)))
                    file.write(f"\n{line}\n")
            else:
                text += f"\n{line}\n"
                if dice.random() < 0.5:
                    beside = place.with_name(".editor.swp")
                    beside.write_text(text)
                    beside.rename(place)
                else:
                    place.write_text(text)
            told.write(json.dumps([line, None if how == "append" else text]) + "\n")
            time.sleep(dice.uniform(0, 0.12))


def split(root: Path, *, pause: float = 0.0) -> str:
    """Splits the note by its headings; how that ended."""
    vault = Vault(root, Config())
    time.sleep(pause)
    with Index.open(vault) as index, start_run(vault, "maintain split") as run:
        report = split_notes(vault, index, [PARENT], SplitOptions("extractive", force=True), run)
    return report.outcomes[0].status


# -- a round ---------------------------------------------------------------------------------------------------------


def round_of(root: Path, how: str, dice: random.Random, counts: Counter[str]) -> list[str]:
    """One note, split among writers; what is wrong afterwards."""
    original = parent_text(dice)
    (root / PARENT).parent.mkdir(parents=True)
    (root / PARENT).write_text(original)
    begin = multiprocessing.Barrier(WRITERS + 2)
    logs = [root.with_name(f"{root.name}-{number}") for number in range(WRITERS + 1)]
    processes = [
        multiprocessing.Process(target=write, args=(root, number, begin, log))
        for number, log in enumerate(logs[:-1])
    ]
    processes.append(multiprocessing.Process(target=edit, args=(root, how, begin, logs[-1])))
    for process in processes:
        process.start()
    begin.wait()
    status = split(root, pause=dice.uniform(0, 1.0))
    for process in processes:
        process.join()
    wrong = [f"{process.name} failed" for process in processes if process.exitcode]
    counts[f"splits that ended as {status} while others wrote"] += 1
    if status != "split" and (status := split(root)) != "split":
        wrong.append(f"once all was still, the split ended as {status}")
    vault = Vault(root, Config())
    while held.anything_held(vault):
        time.sleep(0.2)
        recover(vault)
    *by_writers, by_editor = ([json.loads(line) for line in log.read_text().splitlines()] for log in logs)
    return wrong + lost(root, original, [line for told in by_writers for line, _ in told], by_editor, counts)


def lost(
    root: Path,
    original: str,
    written: list[str],
    saved: list[tuple[str, str | None]],
    counts: Counter[str],
) -> list[str]:
    """What no note and no conflict copy has, though it was told to be written, and files that should not be there."""
    places = [place for place in root.rglob("*") if place.is_file() and "metadata" not in place.parts]
    everything = "\n".join(place.read_text() for place in places)
    whole = [text for _, text in saved if text is not None]
    wrong = [f"litter: {place.name}" for place in places if place.suffix not in {".md", ".swp"}]
    ours = (*original.splitlines(), *(line for line, _ in saved))
    wrong += [f"lost: {line}" for line in ours if line not in everything]
    for line in written:
        if line in everything:
            counts["lines of reme's that are there"] += 1
        elif any(line not in text for text in whole):
            counts["lines of reme's that the editor wrote over"] += 1
        else:
            wrong.append(f"lost: {line}")
    counts["lines of the editor's that are there"] += sum(line in everything for line, _ in saved)
    counts["conflict copies"] += sum("(reme conflict " in place.name for place in places)
    return wrong


def measure(folder: Path, rounds: int, seed: int = 1) -> int:
    """Runs the rounds and prints the counts; 1 if anything is wrong."""
    dice = random.Random(seed)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(rounds):
        how = "save" if number % 2 else "append"
        complaints = round_of(folder / f"split-{number}", how, dice, counts)
        wrong += [f"round {number} ({how}): {complaint}" for complaint in complaints]
    print(f"{rounds:>7} notes split among {WRITERS} writers and an editor")
    for what, count in sorted(counts.items()):
        print(f"{count:>7} {what}")
    for complaint in wrong[:20]:
        print(f"WRONG   {complaint}")
    print(f"{len(wrong):>7} violations")
    return int(bool(wrong))


def main() -> int:
    """Run and print; 1 when a line is lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="reme-split-"))
    try:
        return measure(folder, options.rounds, options.seed)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
