"""The benchmark with a faulty model, on its first days."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

BENCHMARK = "benchmarks/dream_faults.py"


def test_a_faulty_model_loses_nothing(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    spec = importlib.util.spec_from_file_location("dream_faults", pytestconfig.rootpath / BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "dream_faults", benchmark)  # dataclasses look their module up
    spec.loader.exec_module(benchmark)
    # a denser rain than in the benchmark, so that a few days meet most of the faults
    monkeypatch.setattr(benchmark, "ONE_IN", 3)
    monkeypatch.setattr(benchmark, "TIMEOUT", 1.0)
    days = sorted((shared / "gold" / "dream" / "bigscience" / "daily").glob("*.md"))[:4]
    found = benchmark.measure(days, tmp_path / "vault")
    assert found.violations == []
    assert len(found.faults) >= 8
