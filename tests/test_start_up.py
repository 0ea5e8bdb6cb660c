"""What `reme` does not import before it has to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from reme_cli.commands.table import COMMANDS
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = (
    "litellm",
    "pydantic",
    "rich",
    "markdown_it",
    "yaml",
    "watchdog",
    "rapidfuzz",
    "frontmatter",
    "sqlite3",
)


def imported(arguments: list[str], cwd: Path = PROJECT) -> set[str]:
    """The modules that are loaded after `reme ARGUMENTS…` in a process of its own."""
    code = (
        "import sys\nfrom reme_cli.cli import main\ncode = main(sys.argv[1:])\n"
        "print(*sys.modules, file=sys.stderr)\nraise SystemExit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    "line", [["--version"], ["--help"], ["completion", "bash"], ["search", "--help"]], ids=" ".join
)
def test_nothing_heavy(line: list[str]) -> None:
    assert not imported(line).intersection(HEAVY)


def test_help_imports_no_command() -> None:
    commands = {f"reme_cli.commands.{row.module}" for row in COMMANDS}
    assert commands.isdisjoint(imported(["--help"]))


def test_version_imports_no_typer() -> None:
    assert "typer" not in imported(["--version"])


def test_a_warm_search_pays_neither_yaml_nor_validation_nor_rich(tmp_path: Path) -> None:
    (tmp_path / "vault.yaml").write_text("language: zh\n")
    (tmp_path / "a.md").write_text("memory\n")
    os.utime(tmp_path / "a.md", ns=(0, 10**18))  # or it would be read once more
    imported(["search", "memory"], tmp_path)  # makes the cache folder
    imported(["search", "memory"], tmp_path)  # fills it
    warm = imported(["search", "memory"], tmp_path)
    assert "sqlite3" in warm
    assert not warm.intersection({*HEAVY, "typer", "dataclasses", "inspect", "subprocess"} - {"sqlite3"})
    assert not {name for name in warm if name.startswith("reme_cli.llm")}


def test_progress_that_has_nothing_to_show_imports_no_rich() -> None:
    code = (
        "import sys\nfrom reme_cli.output import Terminal\n"
        "with Terminal().progress():\n    pass\nraise SystemExit('rich' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "FORCE_COLOR": "1"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_the_benchmark_runs() -> None:
    """Its figures are for a quiet machine; here it only has to print them."""
    done = subprocess.run(
        [sys.executable, "benchmarks/start_up.py", "--rounds", "1"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "reme --version" in done.stdout, done.stderr
