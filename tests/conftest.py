"""Fixtures for every test: the shared material, small vaults, and `reme` itself, in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from reme_cli.config import Config
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROJECT = Path(__file__).resolve().parent.parent

LONG = 300.0
"""Seconds until a test gives up what it waits for: many, since a machine may be slow, busy, or stopped for a while."""

# the same examples in every run: whether a change lands is no matter of chance; "long" looks for new ones
hypothesis.settings.register_profile(
    "ci",
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile(
    "long", parent=hypothesis.settings.get_profile("ci"), max_examples=20_000, derandomize=False
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# where a script runs the tests in the background Ctrl-C is ignored, by what they start too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# read before the fixture below clears it
SHARED = Path(os.environ.get("REME_SHARED") or PROJECT.parent / "shared").resolve()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared material: `cases`, `vaults`, `gold`, `bench`."""
    if not (SHARED / "cases").is_dir():
        pytest.skip(f"no shared material at {SHARED}: set REME_SHARED to its folder")
    return SHARED


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, key or colour of the person who runs the tests reaches them."""
    for name in list(os.environ):
        if (
            name.startswith("REME_")
            or name in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
            or name.endswith("_API_KEY")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TERM", "dumb")


@pytest.fixture
def make_vault(tmp_path: Path) -> Callable[..., Path]:
    """Makes a vault from `{path: text or bytes}` and returns its root; a `vault.yaml` is added unless given."""

    def make(files: Mapping[str, str | bytes] | None = None, *, name: str = "vault") -> Path:
        root = tmp_path / name
        root.mkdir(parents=True, exist_ok=True)
        for path, content in {"vault.yaml": "", **(files or {})}.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            # bytes, so that newlines arrive as they were written
            place.write_bytes(content if isinstance(content, bytes) else content.encode())
        return root

    return make


@pytest.fixture
def vault_of(make_vault: Callable[..., Path]) -> Callable[..., Vault]:
    """Makes a `Vault` from `{path: text or bytes}`, with the default configuration unless `config` is given."""

    def make(files: Mapping[str, str | bytes] | None = None, config: Config | None = None) -> Vault:
        return Vault(make_vault(files), config or Config())

    return make


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of `reme` gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON object on stdout."""
        return json.loads(self.out)


class _Terminalless(io.StringIO):
    """A stream that is no terminal, with the byte stream beneath that stdout has."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__()

    @property
    def buffer(self) -> io.BytesIO:
        return self.bytes

    def text(self) -> str:
        return self.getvalue() + self.bytes.getvalue().decode()


@pytest.fixture
def reme() -> Callable[..., Outcome]:
    """Runs `reme ARGUMENTS…` in this process. `vault=` stands for `--vault`, `stdin=` for what is typed."""

    def run(*arguments: object, vault: Path | None = None, stdin: str = "") -> Outcome:
        from reme_cli.cli import main

        line = [str(argument) for argument in arguments]
        if vault is not None:
            line = ["--vault", str(vault), *line]
        out, err, before = _Terminalless(), _Terminalless(), sys.stdin
        sys.stdin = io.StringIO(stdin)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(line)
        finally:
            sys.stdin = before
        return Outcome(code, out.text(), err.text())

    return run


@pytest.fixture
def reme_process() -> Callable[..., Outcome]:
    """Runs `reme ARGUMENTS…` as a process of its own; `env=` adds variables, `cwd=` sets its folder."""

    def run(
        *arguments: object,
        vault: Path | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: str = "",
        timeout: float = LONG,
    ) -> Outcome:
        line = [sys.executable, "-m", "reme_cli", *map(str, arguments)]
        if vault is not None:
            line += ["--vault", str(vault)]
        path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH", "")]))
        done = subprocess.run(
            line,
            input=stdin.encode(),
            capture_output=True,
            env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **(env or {})},
            cwd=cwd,
            timeout=timeout,
            check=False,
        )
        return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
