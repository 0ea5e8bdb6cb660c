"""The benchmark of lint runs, small. Its figures are for a quiet machine."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING

from benchmarks import lint_speed, speed

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_table(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(speed, "BENCH", shared / "bench")
    monkeypatch.setattr(speed, "RACY_SECONDS", 0.0)
    monkeypatch.setattr(lint_speed, "TARGET", math.inf)
    monkeypatch.setattr(
        sys, "argv", ["lint_speed.py", "--notes", "20", "--runs", "1", "--cache", str(tmp_path)]
    )
    assert lint_speed.main() == 0
    _, *lines = capsys.readouterr().out.splitlines()
    same, lines = lines[: len(lint_speed.FORMS)], lines[len(lint_speed.FORMS) :]
    assert all(": the same twice, with " in line for line in same)
    assert [line.split()[-1] for line in lines[:3]] == ["PASS"] * 3
    assert [line[:34].rstrip() for line in lines] == [
        "nothing changed",
        "the same as JSON",
        "one note changed",
        "nothing kept by lint",
    ]
    monkeypatch.setattr(lint_speed, "TARGET", 0.001)
    assert lint_speed.main() == 1
