"""How fast `reme lint` is: the ratio of its time to that of a refresh of the index that finds no change plus reading every note.

    python benchmarks/lint_speed.py [--cache DIR] [--runs N] [--notes N]

Makes a vault of 10,000 notes in DIR, or takes the one that is there, and measures whole processes, each in turn with the
floor: one process that refreshes the index and reads every note. `REME_SHARED` names the folder that has `bench/mkvault.py`.
Prints medians and exits 1 where a line is not reached. A line without a verdict is only shown. Before that, what is told must be
the same from run to run, with one core and with all, of what is kept and of what is looked for anew.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

# the project need not be installed
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import speed

if TYPE_CHECKING:
    from collections.abc import Iterator

REFRESH_AND_READ = """
import os, sys
from reme_cli.cli import main
root = sys.argv[1]
main(["index", "--vault", root])
for folder, _, names in os.walk(root):
    for name in names:
        if name.endswith(".md"):
            with open(os.path.join(folder, name), "rb") as file:
                file.read().decode()
"""

TARGET = 1.5

FORMS: tuple[list[str], ...] = ([], ["--json"], ["--format=github"])


def forget(vault: Path) -> None:
    """Takes away what lint kept."""
    for file in vault.glob("metadata/cache/lint*"):
        file.unlink()


def check_identity(bench: speed.Bench, lint: list[str], vault: Path) -> None:
    """Compares what is told with one core and with all, twice each: looked for anew, and kept."""
    one = ["taskset", "-c", str(min(os.sched_getaffinity(0)))] if shutil.which("taskset") else None
    for form in FORMS:
        told = set()
        for cores in ([], [], one, one):
            if cores is None:
                continue
            forget(vault)
            told |= {bench.process([*cores, *lint, *form]).output for _ in range(2)}
        shown = " ".join(["lint", *form])
        if len(told) > 1:
            raise SystemExit(
                f"`{shown}` does not tell the same from run to run, or with one core and with all"
            )
        print(
            f"{shown}: the same twice, with {'one core and with ' if one else ''}all cores, anew and kept",
            flush=True,
        )


def works(bench: speed.Bench, notes: int) -> Iterator[speed.Work]:
    """What is measured."""
    vault = bench.vault(notes)
    floor = [sys.executable, "-c", REFRESH_AND_READ, str(vault)]
    lint = [*speed.REME, "lint", "--vault", str(vault)]
    note = min(vault.rglob("daily/**/*.md"))
    text = note.read_text(encoding="utf-8")

    def change() -> None:
        note.write_text(f"{text}\n\nxylophone {time.time_ns()}\n", encoding="utf-8")

    # what was written a moment ago is read once more
    for line in (floor, lint):
        bench.process(line)
    time.sleep(speed.RACY_SECONDS)
    check_identity(bench, lint, vault)
    yield speed.Work("nothing changed", lint, floor, TARGET)
    yield speed.Work("the same as JSON", [*lint, "--json"], floor, TARGET)
    yield speed.Work("one note changed", lint, floor, TARGET, change, runs=min(bench.runs, 3))
    note.write_text(text, encoding="utf-8")
    time.sleep(speed.RACY_SECONDS)
    yield speed.Work(
        "nothing kept by lint", lint, floor, None, partial(forget, vault), runs=min(bench.runs, 3)
    )


def main() -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="keep the vault here; default: a temporary folder"
    )
    parser.add_argument("--runs", type=int, default=11, metavar="N", help="measure N times")
    parser.add_argument("--notes", type=int, default=10_000, metavar="N", help="size of the vault")
    options = parser.parse_args()
    if not (speed.BENCH / "mkvault.py").is_file():
        print(f"no {speed.BENCH / 'mkvault.py'}: set REME_SHARED", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="reme-lint-speed-") as temporary:
        cache = (options.cache or Path(temporary)).resolve()
        cache.mkdir(parents=True, exist_ok=True)
        bench = speed.Bench(cache, options.runs)
        heading = "".join(f"{name:>10}" for name in ("floor", "reme", "ratio", "cpu", "reach"))
        print(f"{f'lint of {options.notes} notes, medians':34}{heading}")
        for work in works(bench, options.notes):
            bench.measure(work)
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
