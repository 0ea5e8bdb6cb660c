"""How fast `reme` is, each work as a ratio to the same work by the bare standard library, in one run.

    python benchmarks/speed.py [--cache DIR] [--runs N] [--large] [--only TEXT]

Makes the vaults in DIR, or takes those that are there, and measures whole processes, each in turn with the program that is
the floor: `bench/floor.py` of the folder that `REME_SHARED` names, as are the vaults made by its `bench/mkvault.py`. The page
cache is warm. Prints medians, their ratio, and what is to be reached; exits 1 where a line is not. `--large` adds the vault
of 100,000 notes, which takes several minutes. Peers that are not installed are left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).resolve().parent.parent
BENCH = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared") / "bench"
QUERIES = PROJECT / "benchmarks" / "speed_queries.txt"
REME = [sys.executable, "-c", "import sys; from reme_cli.cli import run; sys.exit(run())"]

RACY_SECONDS = 2.1
"""A note that changed so shortly ago is read once more: what is to find no change waits so long."""
DENSE_NOTES = 173
DENSE_LINKS = 40
MEMORY_MIB = 60
TRAVERSAL_SECONDS = 0.3


class Run(NamedTuple):
    """One process: wall and processor seconds, and the memory of the largest process among those it waited for."""

    wall: float
    cpu: float
    peak_mib: float
    output: str


class Work(NamedTuple):
    """One thing that is measured. `prepare` runs before each process of either side, outside the measured time."""

    name: str
    reme: list[str]
    floor: list[str]
    target: float | None
    """Of the ratio of wall times; `None`: it is only shown."""
    prepare: Callable[[], object] = lambda: None
    expected: str = ""
    """What both must print, as a proof that the work was done."""
    runs: int | None = None


class Bench:
    """The vaults and the measuring of one run."""

    def __init__(self, cache: Path, runs: int) -> None:
        self.cache = cache
        self.runs = runs
        self.failed = False
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        # an installed program has its bytecode, so this has it too
        self._environment = {
            **kept,
            "PYTHONPATH": str(PROJECT),
            "PYTHONPYCACHEPREFIX": str(cache / "bytecode"),
        }

    def vault(self, notes: int) -> Path:
        """A vault of so many notes; made unless it is there."""
        place = self.cache / f"notes-{notes}"
        if not place.is_dir():
            print(f"making a vault of {notes} notes", file=sys.stderr)
            made = self.cache / "making"
            shutil.rmtree(made, ignore_errors=True)
            subprocess.run(
                [sys.executable, BENCH / "mkvault.py", made, str(notes), "--seed", "7"],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            made.rename(place)
        return place

    def process(self, line: list[str]) -> Run:
        """Runs one process to its end."""
        began = time.perf_counter()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                line, stdout=output, stderr=subprocess.DEVNULL, cwd=self.cache, env=self._environment
            )
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - began
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode not in {0, 1}:  # 1: nothing was found
                raise SystemExit(f"exit {process.returncode}: {' '.join(line)}")
            output.seek(0)
            text = output.read().decode(errors="replace")
        unit = 1 if sys.platform == "darwin" else 1024
        return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 2**20, text)

    def measure(self, work: Work) -> None:
        """Runs both sides in turn and prints a line of the table."""
        pairs: list[tuple[Run, Run]] = []
        runs = work.runs or self.runs
        for number in range(0 if runs == 1 else -1, runs):
            work.prepare()
            floor = self.process(work.floor)
            work.prepare()
            reme = self.process(work.reme)
            for run in (reme, floor):
                if work.expected not in run.output:
                    raise SystemExit(f"{work.name}: `{work.expected}` is missing in: {run.output[:400]}")
            if number >= 0:  # the first one warms the caches up
                pairs.append((reme, floor))
        self.tell(
            work.name,
            floor=statistics.median(floor.wall for _, floor in pairs),
            reme=statistics.median(reme.wall for reme, _ in pairs),
            ratio=statistics.median(reme.wall / floor.wall for reme, floor in pairs),
            cpu=statistics.median(reme.cpu / floor.cpu for reme, floor in pairs),
            target=work.target,
        )

    def tell(
        self,
        name: str,
        *,
        reme: float,
        floor: float | None = None,
        ratio: float | None = None,
        cpu: float | None = None,
        target: float | None = None,
    ) -> None:
        """Prints one line; the ratio is held against its target, or the seconds where there is no ratio."""
        verdict = ""
        if target is not None:
            passed = (reme if ratio is None else ratio) <= target
            verdict = "PASS" if passed else "FAIL"
            self.failed |= not passed
        cells = (
            "" if floor is None else _milliseconds(floor),
            _milliseconds(reme),
            *("" if value is None else f"{value:.2f}" for value in (ratio, cpu)),
            "" if target is None else f"{target:g}" if ratio is not None else _milliseconds(target),
        )
        print(f"{name:34}" + "".join(f"{cell:>10}" for cell in cells) + f"  {verdict}", flush=True)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


def queries() -> Iterator[tuple[str, list[str], str]]:
    """Kind, the arguments of `reme search`, and the FTS5 query of the fixed list."""
    for line in QUERIES.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, asked, floor = line.split("\t")
        if asked.startswith("@"):
            text = (QUERIES.parent / asked[1:]).read_text(encoding="utf-8")
            words = dict.fromkeys(word for word in map("".join, map(_letters, text.split())) if word)
            yield kind, ["--", text], " OR ".join(f'"{word}"' for word in words)
        else:
            yield kind, asked.split(" ") if "=" in asked else [asked], floor


def _letters(word: str) -> Iterator[str]:
    return (letter for letter in word if letter.isalnum())


def dense_vault(place: Path) -> Path:
    """Notes each of which has typed links to many others: its walks meet every note at once."""
    for number in range(DENSE_NOTES if not place.is_dir() else 0):
        place.mkdir(exist_ok=True)
        targets = [(number * 7 + step * 13) % DENSE_NOTES for step in range(1, DENSE_LINKS)]
        lines = [
            f"{('depends_on', 'supports')[step % 2]}:: [[note-{target}]]"
            for step, target in enumerate(targets)
        ]
        (place / f"note-{number}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def works(bench: Bench, notes: int) -> Iterator[Work]:
    """What is measured on one vault; the targets are those for 10,000 notes, and fewer lines for 100,000."""
    vault = bench.vault(notes)
    root, floor, here = str(vault), [sys.executable, str(BENCH / "floor.py")], ["--vault", str(vault)]
    judged, large = notes >= 10_000, notes > 10_000
    usual = (1.6 if large else 1.8) if judged else None
    size = f"{notes // 1000}k"
    database = bench.cache / "db" / f"floor-{vault.name}.db"

    def forget() -> None:
        shutil.rmtree(vault / "metadata", ignore_errors=True)
        for suffix in ("", "-wal", "-shm"):
            Path(f"{database}{suffix}").unlink(missing_ok=True)

    yield Work(
        f"cold index, {size}",
        [*REME, "index", *here],
        [*floor, "cold", root],
        1.5 if judged else None,
        forget,
        runs=1 if large else 3,
    )
    yield Work(f"no change, {size}", [*REME, "index", *here], [*floor, "warm", root], usual)
    for kind, asked, query in queries():
        if not large or kind in {"english", "chinese"}:
            yield Work(
                f"search, {size}: {kind}",
                [*REME, "search", *here, *asked],
                [*floor, "search", root, query],
                usual,
            )
    if large:
        return
    yield Work(
        f"broken links, {size}",
        [*REME, "graph-query", "--broken", "--json", *here],
        [*floor, "broken", root],
        2.0 if judged else None,
    )
    note = min(vault.rglob("*.md"))
    text = note.read_text(encoding="utf-8")

    def change() -> None:
        note.write_text(f"{text}\n\nxylophone {time.time_ns()}\n", encoding="utf-8")

    yield Work(
        f"one note changed, {size}",
        [*REME, "search", *here, "xylophone"],
        [*floor, "search", root, "xylophone"],
        usual,
        change,
        note.name,
    )
    note.write_text(text, encoding="utf-8")
    time.sleep(RACY_SECONDS)


def memory(bench: Bench, notes: int) -> None:
    """Prints the memory of a warm search."""
    line = [*REME, "search", "--vault", str(bench.vault(notes)), "garden"]
    bench.process(line)
    peak = statistics.median(bench.process(line).peak_mib for _ in range(5))
    passed = peak <= MEMORY_MIB
    bench.failed |= not passed
    figures = f"{'':10}{peak:>6.0f} MiB{'':20}{MEMORY_MIB:>6} MiB"
    print(f"{'memory of a warm search':34}{figures}  {'PASS' if passed else 'FAIL'}")


def traversal(bench: Bench) -> None:
    """Prints how long a walk of depth 5 in both directions takes where everything is linked to everything."""
    dense = dense_vault(bench.cache / "dense")
    line = [
        *REME,
        "graph-query",
        "note-0",
        "type=depends_on,supports",
        "direction=both",
        "depth=5",
        "--json",
        "--vault",
        str(dense),
    ]
    bench.process(line)
    seconds = statistics.median(bench.process(line).wall for _ in range(5))
    bench.tell("depth 5 both, 173 dense notes", reme=seconds, target=TRAVERSAL_SECONDS)


def peers(bench: Bench, notes: int) -> None:
    """Prints what other programs take for the same work."""
    root = str(bench.vault(notes))
    lines = {"rg -l garden": ["rg", "-l", "garden", root]}
    for name, line in lines.items():
        if shutil.which(line[0]) is None:
            print(f"{name:34} not installed", flush=True)
            continue
        bench.process(line)
        wall = statistics.median(bench.process(line).wall for _ in range(bench.runs))
        bench.tell(f"{name}, a peer", reme=wall)


def main() -> int:
    """Measures, and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="keep the vaults here; default: a temporary folder"
    )
    parser.add_argument("--runs", type=int, default=11, metavar="N", help="measure N times")
    parser.add_argument(
        "--notes", type=int, nargs="+", default=[1_000, 10_000], metavar="N", help="sizes of the vaults"
    )
    parser.add_argument("--large", action="store_true", help="measure a vault of 100,000 notes too")
    parser.add_argument("--only", default="", metavar="TEXT", help="only lines with this in their name")
    options = parser.parse_args()
    if not (BENCH / "floor.py").is_file():
        print(f"no {BENCH / 'floor.py'}: set REME_SHARED", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="reme-speed-") as temporary:
        cache = (options.cache or Path(temporary)).resolve()
        cache.mkdir(parents=True, exist_ok=True)
        bench = Bench(cache, options.runs)
        print(
            f"{'whole process, medians':34}"
            + "".join(f"{name:>10}" for name in ("floor", "reme", "ratio", "cpu", "reach"))
        )
        start = [sys.executable, "-c", "import argparse, json, sqlite3"]
        chosen = [Work("--version", [*REME, "--version"], start, 3.2)]
        sizes = [*options.notes, *([100_000] if options.large else [])]
        everything = (work for group in (chosen, *(works(bench, notes) for notes in sizes)) for work in group)
        for work in everything:
            if options.only in work.name:
                bench.measure(work)
        if not options.only:
            memory(bench, options.notes[-1])
            traversal(bench)
            peers(bench, options.notes[-1])
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
