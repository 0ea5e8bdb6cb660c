"""Ctrl-C in the first milliseconds: quiet, and with the exit code of an interrupt."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from reme_cli import cli, interrupt
from tests.conftest import PROJECT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOLD = "reme: interrupted; what was written is complete\n"

INTERRUPTED_AT = """
import os, signal, sys

wanted = sys.argv.pop(1)

class Interrupter:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

interrupter = Interrupter()
sys.meta_path.insert(0, interrupter)
from reme_cli.__main__ import run
code = run()
print("not interrupted" if interrupter in sys.meta_path else "", end="", file=sys.stderr)
sys.exit(code)
"""


def interrupted(module: str, *line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """`reme` with a line, interrupted when a module is about to be imported."""
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT, module, *line],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
@pytest.mark.parametrize(
    "module",
    [
        "reme_cli.cli",
        "reme_cli.commands.direct",
        "reme_cli.commands.search",
        "reme_cli.config.load",
        "reme_cli.index.index",
        "sqlite3",
        "reme_cli.search.search",
    ],
)
def test_it_ends_at_once_and_quietly(tmp_path: Path, module: str) -> None:
    (tmp_path / "vault.yaml").touch()
    (tmp_path / "a.md").write_text("x\n")
    ended = interrupted(module, "search", "x", cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == TOLD


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
def test_it_is_told_as_json_too(tmp_path: Path) -> None:
    (tmp_path / "vault.yaml").touch()
    ended = interrupted("reme_cli.commands.direct", "search", "x", "--json", cwd=tmp_path)
    assert ended.returncode == 130
    assert json.loads(ended.stdout)["error"]["code"] == "interrupted"


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
def test_before_there_is_anything_to_hold_it(tmp_path: Path) -> None:
    ended = interrupted("reme_cli.interrupt", "--version", cwd=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


@pytest.fixture
def handler() -> Iterator[None]:
    """Puts the handler of interrupts back."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
class TestHold:
    def test_a_held_interrupt_is_raised_once_it_may(self) -> None:
        interrupt.hold()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interrupt.release()
        interrupt.release()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)

    def test_where_interrupts_are_ignored_they_stay_so(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        interrupt.hold()
        interrupt.release()
        interrupt.give_up()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    def test_at_the_end_it_ends_the_process(self) -> None:
        interrupt.hold()
        interrupt.give_up()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL


class Impatient(io.StringIO):
    """A stream on which each write meets one more Ctrl-C."""

    def write(self, text: str) -> int:
        signal.raise_signal(signal.SIGINT)
        return super().write(text)


@pytest.mark.usefixtures("handler")
def test_who_presses_it_twice_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = io.StringIO(), Impatient()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(cli, "_run", lambda _: signal.raise_signal(signal.SIGINT))
    assert (cli.main(["status", "--json"]), err.getvalue()) == (130, TOLD)
    assert json.loads(out.getvalue())["error"]["code"] == "interrupted"


@pytest.mark.skipif(os.name == "nt", reason="a process cannot send itself Ctrl-C there")
def test_the_second_may_come_just_before_the_first_is_told() -> None:
    code = (
        "import signal, sys\n"
        "from reme_cli import cli\n"
        "cli.main = lambda: signal.raise_signal(signal.SIGINT)\n"
        "sys.exit(cli.run())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, "status", "--json"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (130, TOLD)
    assert json.loads(ended.stdout)["error"]["code"] == "interrupted"


def interrupted_within(*, error: Exception | None = None) -> None:
    """Interrupted twice in a block in a block, which then go on; or fail."""
    with interrupt.deferred():
        with interrupt.deferred():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
        if error is not None:
            raise error
        raise EOFError


@pytest.mark.usefixtures("handler")
class TestDeferred:
    @pytest.mark.parametrize("error", [None, ValueError("within")])
    def test_what_comes_within_is_raised_behind_it(self, error: Exception | None) -> None:
        with pytest.raises(KeyboardInterrupt) as raised:
            interrupted_within(error=error)
        assert isinstance(raised.value.__context__, EOFError if error is None else ValueError)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_what_is_ignored_or_ends_the_process_stays_so(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with interrupt.deferred():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGINT)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with interrupt.deferred():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL

    def test_in_another_thread_nothing_changes(self) -> None:
        seen = []

        def work() -> None:
            with interrupt.deferred():
                seen.append(signal.getsignal(signal.SIGINT))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert seen == [signal.default_int_handler]
