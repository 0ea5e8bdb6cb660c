"""How long `reme --version` and `reme --help` take as whole processes, as ratios to a small standard-library program.

Prints medians and ratios; exits 1 where `reme --version` takes more than 3.2 times as long as the program. Both are
run in turn, so that a busy machine slows them alike.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LIMIT = 3.2
ROUNDS = 31

COMMANDS = {
    "import argparse, json, sqlite3": ["-c", "import argparse, json, sqlite3"],
    "reme --version": ["-m", "reme_cli", "--version"],
    "reme --help": ["-m", "reme_cli", "--help"],
}


def seconds(arguments: list[str]) -> float:
    """The wall time of one Python process."""
    before = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, env=environment, check=True)
    return time.perf_counter() - before


def main() -> int:
    """Measures in turn and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help="measure N times")
    count = parser.parse_args().rounds
    for arguments in COMMANDS.values():
        seconds(arguments)  # once, so that all bytecode is compiled
    rounds = [{name: seconds(arguments) for name, arguments in COMMANDS.items()} for _ in range(count)]
    floor, *_ = COMMANDS
    print(f"{'process':34} {'median':>9} {'ratio':>6}")
    ratios = {}
    for name in COMMANDS:
        median = statistics.median(measured[name] for measured in rounds)
        ratios[name] = statistics.median(measured[name] / measured[floor] for measured in rounds)
        print(f"{name:34} {median * 1000:6.1f} ms {ratios[name]:6.2f}")
    ratio = ratios["reme --version"]
    print(f"reme --version: {ratio:.2f}, limit {LIMIT}: {'reached' if ratio <= LIMIT else 'NOT reached'}")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
