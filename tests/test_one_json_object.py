"""`--json` gives one object of a documented schema on stdout, whether the command succeeds, fails or is interrupted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from reme_cli.commands.table import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

PROJECT = Path(__file__).resolve().parent.parent
SCHEMAS = PROJECT / "docs" / "schemas"

# a line of each command that succeeds in the vault below, and one that fails
LINES = {
    "auto_dream": ("engine=extractive date=2026-06-20", "date=2026-02-30"),
    "proactive": ("date=2026-06-20", "date=../../x"),
    "auto_link": ("", "since=never"),
    "search": ("gateway", "gateway limit=0"),
    "graph-query": ("daily/2026-06-19/gateway.md", "nowhere"),
    "lint": ("", "surplus"),
    "maintain check": ("", "surplus"),
    "maintain split": ("--all", "nowhere"),
    "maintain mv": ("daily/2026-06-19/gateway.md daily/2026-06-19/x.md", "nowhere x"),
    "maintain rm": ("daily/2026-06-19/gateway.md --unlink", "nowhere"),
    "maintain run": ("", "surplus"),
    "maintain report": ("now=2026-06-20", "last=0"),
    "log": ("", "nothing"),
    "undo": ("--dry-run", "nothing"),
    "init": ("new --dry-run", "vault.yaml"),
    "status": ("", "surplus"),
    "config": ("", "surplus=1"),
    "index": ("", "rebuild=perhaps"),
    "completion": ("bash", "csh"),
}


@pytest.fixture
def vault(reme: Reme, make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the lines are run in. A run has written something that `undo` may take back."""
    text = "# Gateway\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for a day.\n"
    root = make_vault({"daily/2026-06-19/gateway.md": text})
    monkeypatch.chdir(root)
    assert reme("auto_dream", "date=2026-06-19", "engine=extractive").code == 0
    return root


def check(value: Any, schema: str) -> None:
    # the findings of the one are findings of the other
    name = "lint" if schema == "maintain check" else schema.replace(" ", "-")
    jsonschema.validate(value, json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8")))


STREAMS = {"watch"}
"""Commands that print one object on each line until they are ended: tests/watch/test_watch_command.py."""


def test_every_command_has_its_lines() -> None:
    assert [row.name for row in COMMANDS if row.name not in STREAMS] == list(LINES)


@pytest.mark.usefixtures("vault")
@pytest.mark.parametrize("name", LINES)
def test_of_success(reme: Reme, name: str) -> None:
    outcome = reme(*name.split(), *LINES[name][0].split(), "--json")
    assert outcome.code == 0, outcome.err
    check(outcome.json, name)


@pytest.mark.usefixtures("vault")
@pytest.mark.parametrize("asked", ["after", "before"])
@pytest.mark.parametrize("name", LINES)
def test_of_failure(reme: Reme, name: str, asked: str) -> None:
    line = [*name.split(), *LINES[name][1].split()]
    outcome = reme(*(["--json", *line] if asked == "before" else [*line, "--json"]))
    assert outcome.code == 2
    check(outcome.json, "error")
    assert outcome.err.startswith("reme: error: ")


@pytest.mark.parametrize(
    "line",
    [
        ["--json"],
        ["--json", "--nonsense", "status"],
        ["json=true", "--nonsense", "status"],
        ["status", "json=yes", "--nonsense"],
        ["status", "--json=on", "--nonsense"],
        ["search", "x", "json=TRUE", "limit=few"],
        ["serach", "x", "--json"],
    ],
    ids=" ".join,
)
def test_of_a_line_that_cannot_be_parsed(reme: Reme, line: list[str]) -> None:
    outcome = reme(*line)
    check(outcome.json, "error")
    assert (outcome.code, outcome.json["error"]["code"]) == (2, "usage-error")


@pytest.mark.parametrize(
    "line", [["status", "nonsense"], ["status", "json=no", "nonsense"], ["status", "--", "--json"]]
)
def test_who_did_not_ask_gets_none(reme: Reme, line: list[str]) -> None:
    outcome = reme(*line)
    assert (outcome.code, outcome.out) == (2, "")


@pytest.mark.usefixtures("vault")
def test_format_json_asks_for_errors_too(reme: Reme) -> None:
    outcome = reme("graph-query", "nowhere", "format=json")
    check(outcome.json, "error")


@pytest.mark.parametrize("line", [["status", "--json"], ["--json", "status"], ["status", "json=yes"]])
def test_of_an_interrupted_command(reme: Reme, monkeypatch: pytest.MonkeyPatch, line: list[str]) -> None:
    def interrupt(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("reme_cli.commands.session.Session.root", interrupt)
    outcome = reme(*line)
    assert outcome.code == 130
    check(outcome.json, "error")
    assert outcome.json["error"]["code"] == "interrupted"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_of_any_encoding(reme_process: Reme, make_vault: Callable[..., Path], encoding: str) -> None:
    """A letter that stdout cannot encode is escaped as JSON does it, not as Python does."""
    vault = make_vault({"digest/wiki/café.md": "# Café 密钥\n\nOpens at nine.\n"})
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    found = reme_process("search", "opens", "--json", vault=vault, env=env).json
    assert found["hits"][0]["path"] == "digest/wiki/café.md"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end differently on Windows")
def test_a_reader_that_has_gone_gets_no_traceback(tmp_path: Path) -> None:
    """The end of the pipe is closed before the process starts, so that every byte meets a closed pipe."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "reme_cli", "status", "--json", "--nonsense"],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
            check=False,
        )
    finally:
        os.close(writing)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 2
