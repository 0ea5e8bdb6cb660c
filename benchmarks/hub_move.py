"""How long it takes to move a note that thousands of others link, and how much memory.

    python benchmarks/hub_move.py [--notes 5000] [--folder DIR]

Makes a vault in which each of so many notes links one by its name, runs `reme maintain mv` and `reme undo` as processes, and prints
seconds, processor time and peak memory of each. In the end every byte must be as it was. `DIR` should be on a real disk: each note
that is written is flushed to it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HUB = "digest/wiki/hub.md"
MOVED = "digest/wiki/centre of it all.md"


def made_vault(root: Path, notes: int) -> None:
    """Writes the vault."""
    (root / HUB).parent.mkdir(parents=True)
    (root / HUB).write_text("---\nname: Hub\n---\nAll lead here.\n", encoding="utf-8")
    for number in range(notes):
        text = f"---\nname: Spoke {number}\n---\nIt leads to [[{HUB}|the hub]], and again to [[hub]].\n"
        (root / f"digest/wiki/spoke-{number}.md").write_text(text, encoding="utf-8")


def contents(root: Path) -> dict[str, bytes]:
    """The bytes of every note."""
    return {str(place): place.read_bytes() for place in root.glob("digest/**/*.md")}


def timed(root: Path, *arguments: str) -> None:
    """Runs a command on the vault and prints what it took. Raises `CalledProcessError` where it fails."""
    line = [sys.executable, "-m", "reme_cli", *arguments, "--vault", str(root)]
    began = time.perf_counter()
    process = subprocess.Popen(
        line, env={**os.environ, "PYTHONPATH": str(PROJECT)}, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, line)
    print(
        f"reme {' '.join(arguments[:2])}: {seconds:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of CPU,"
        f" {usage.ru_maxrss / 1024:.0f} MB at most",
        flush=True,
    )


def main() -> int:
    """Runs all; 1 if anything is not as it was, or no note follows the move."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--folder", type=Path, help="where the vault is made; default: the temporary folder")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as scratch:
        root = Path(scratch) / "vault"
        made_vault(root, given.notes)
        known = contents(root)
        timed(root, "maintain", "mv", HUB, MOVED)
        following = sum(text.count(b"centre of it all") == 2 for text in contents(root).values())
        print(f"{following} of {given.notes} notes follow by both links")
        timed(root, "undo")
        is_same = contents(root) == known
        print("every byte is as it was" if is_same else "bytes differ after undo")
    return 0 if is_same and following == given.notes else 1


if __name__ == "__main__":
    sys.exit(main())
