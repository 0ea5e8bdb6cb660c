"""The benchmarks that prove the writer run, small, and find what they are there to find."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from benchmarks import crash, writers
from reme_cli.changeset import held, swap

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _unflushed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing is for power failures, which no test makes."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(held, "SECONDS_HELD", 0.5)


def test_writers_and_an_editor_lose_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert writers.measure(tmp_path, writers=4, writes=40, saves=80) == 0
    assert "160 writes by 4 processes" in capsys.readouterr().out


def test_the_writers_benchmark_sees_a_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that drops what it swapped out without looking at it again loses what is appended late.

    If anything is: an editor that the system lets run only when the writers are done meets none of them.
    """
    monkeypatch.setattr(held, "_state", lambda outside, *_: "unreachable" if outside.exists() else "gone")
    assert any(
        writers.measure(tmp_path / str(attempt), writers=2, writes=60, saves=200) for attempt in range(10)
    )
    assert "WRONG   lost: editor" in capsys.readouterr().out


@pytest.mark.parametrize("phase", crash.PHASES, ids=lambda phase: phase.name)
def test_a_killed_reme_leaves_a_right_vault(phase: crash.Phase, capsys: pytest.CaptureFixture[str]) -> None:
    step = 40 if phase.command else 9
    assert crash.measure([phase], step, 1 if phase.command else 3, seed=1) == 0
    assert "0 violations" in capsys.readouterr().out


def test_the_crash_benchmark_sees_a_double_landing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recovery that does not ask the audit writes its line twice."""
    monkeypatch.setattr("reme_cli.changeset.commit._audited", lambda journal: {})
    assert crash.measure([crash.PHASES[0]], 1, 0, seed=1) == 1
    assert "landed 2 times" in capsys.readouterr().out


def test_the_crash_benchmark_sees_a_lost_edge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recovery that takes nothing back leaves a split without its children's sources, or its children."""
    monkeypatch.setattr(swap, "_create", lambda *_: swap.Swapped("written"))
    assert crash.measure([crash.PHASES[1]], 8, 0, seed=1) == 1
    assert "edges: " in capsys.readouterr().out
