"""Console sessions in `tests/transcripts/`, README.md and `docs/` are run, and print what they say they print.

A block that begins with ```` ```console ```` holds commands after `$ `, each followed by its output: stdout, then stderr,
then `[exit N]` where the code is not 0. `...` as a whole line stands for any lines, and inside a line for any text. The
blocks of one file share one folder, in which the first starts. `REWRITE_TRANSCRIPTS=1` (`make transcripts`) writes the
output anew, except of commands whose output holds `...`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import LONG, PROJECT

FILES = sorted(
    path
    for pattern in ("README.md", "docs/**/*.md", "tests/transcripts/*.md")
    for path in PROJECT.glob(pattern)
    if "```console" in path.read_text(encoding="utf-8")
)
REWRITING = bool(os.environ.get("REWRITE_TRANSCRIPTS"))
STAND_INS = (
    (re.compile(r"\b\d{8}T\d{6}-[0-9a-f]{6}\b"), "20260101T120000-0a1b2c"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\b"), "2026-01-01 12:00:00"),
)
"""Names and times of runs, which differ each time."""
BLOCK = re.compile(r"(?ms)^(```console\n)(.*?)(^```$)")


@dataclass(frozen=True, slots=True)
class Step:
    """One command and what it prints."""

    command: str
    output: str


def steps_of(block: str) -> list[Step]:
    """The commands of a block; a line that begins with `>` goes on with the command."""
    steps: list[Step] = []
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        lines = part.splitlines(keepends=True)
        count = 1 + next(
            (n for n, line in enumerate(lines[1:]) if line[:2] not in {"> ", ">\n"}), len(lines) - 1
        )
        command = "".join([lines[0], *(line[2:] or "\n" for line in lines[1:count])]).rstrip("\n")
        steps.append(Step(command, "".join(lines[count:])))
    return steps


def run(command: str, folder: Path) -> str:
    """What a command prints in a folder, as a transcript shows it."""
    environment = {
        **os.environ,
        "PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "PYTHONPATH": str(PROJECT),
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
    }
    script = f'{command}\ncode=$?\npwd > "{folder.parent}/where"\nexit $code'
    where = folder.parent / "where"
    current = Path(where.read_text().strip()) if where.exists() else folder
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=current,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    shown = (done.stdout + done.stderr).replace(os.path.realpath(folder), "~").replace(str(folder), "~")
    for pattern, stand_in in STAND_INS:
        shown = pattern.sub(stand_in, shown)
    if shown and not shown.endswith("\n"):
        shown += "\n"
    return shown + (f"[exit {done.returncode}]\n" if done.returncode else "")


def matches(expected: str, actual: str) -> bool:
    """Whether the output is the expected one, in which `...` stands for anything."""
    pattern = "".join(
        "(?:.*\n)*?" if line == "...\n" else ".*?".join(re.escape(part) for part in line.split("..."))
        for line in expected.splitlines(keepends=True)
    )
    return re.fullmatch(pattern, actual) is not None


def test_dots_stand_for_anything() -> None:
    assert matches("a\n...\nd\n", "a\nb\nc\nd\n")
    assert matches("run ...x: ok\n", "run 2026-ax: ok\n")
    assert not matches("run ...\n", "run 1\nmore\n")
    assert not matches("a.\n", "ab\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder, with `reme` on the PATH beside it."""
    place = tmp_path / "home"
    place.mkdir()
    binary = tmp_path / "bin" / "reme"
    binary.parent.mkdir()
    binary.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m reme_cli "$@"\n')
    binary.chmod(0o755)
    return place


@pytest.mark.skipif(shutil.which("bash") is None, reason="the sessions are written for bash")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_transcript(path: Path, folder: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rewritten = BLOCK.sub(lambda block: block[1] + "".join(replay(block[2], folder)) + block[3], text)
    if REWRITING:
        path.write_text(rewritten, encoding="utf-8")
    else:
        assert rewritten == text


def replay(block: str, folder: Path) -> list[str]:
    """The block with the output that its commands have now; an output that matches stays as it is written."""
    parts = []
    for step in steps_of(block):
        actual = run(step.command, folder)
        assert "[exit 70]" not in actual, actual
        shown = (
            step.output if matches(step.output, actual) or (REWRITING and "..." in step.output) else actual
        )
        first, *rest = step.command.split("\n")
        parts += [f"$ {first}\n", *(f"> {line}".rstrip() + "\n" for line in rest), shown]
    return parts
