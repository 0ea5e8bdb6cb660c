"""The speed benchmark runs, small, and sees when the work was not done. Its figures are for a quiet machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks import speed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _small(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "BENCH", shared / "bench")
    monkeypatch.setattr(speed, "RACY_SECONDS", 0.0)
    line = [
        "speed.py",
        "--notes",
        "20",
        "--runs",
        "1",
        "--cache",
        str(tmp_path),
        "--only",
        "one note changed",
    ]
    monkeypatch.setattr(sys, "argv", line)


def test_a_line_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert speed.main() == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.split()[-4:] == ["reme", "ratio", "cpu", "reach"]
    assert line.startswith("one note changed, 0k")


def test_it_sees_work_that_was_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "REME", [sys.executable, "-c", "print('nothing')"])
    with pytest.raises(SystemExit, match=r"one note changed, 0k: `.*\.md` is missing in: nothing"):
        speed.main()


def test_every_query_of_the_list_can_be_asked() -> None:
    queries = {kind: (asked, floor) for kind, asked, floor in speed.queries()}
    assert queries["filter"][0] == ["garden", "layer=digest", "tag=idea"]
    assert len(queries["conversation"][0][1]) > 3_000
    assert all(asked and floor for asked, floor in queries.values())
