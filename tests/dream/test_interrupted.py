"""Ctrl-C while the model does not answer: the command ends at once, and the next run does what is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tests.conftest import LONG
from tests.dream.conftest import DAY
from tests.plausible_model import Role, plausible, role_of
from tests.scripted_model import ENVIRONMENT, FAULTS, Reply, Request, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECTIONS = (
    "# Log\n\n## Signing keys\n\nWe publish the new key before the signer switches.\n\n"
    "## Payment gateway\n\nThe gateway retries a failed charge three times.\n"
)


@pytest.mark.parametrize(("hanging", "waiting"), [("extract", 1), ("integrate", 2)])
def test_an_interrupted_run_waits_for_no_answer(
    make_vault: Callable[..., Path], hanging: Role, waiting: int
) -> None:
    asked = threading.Semaphore(0)

    def script(request: Request) -> Reply:
        if role_of(request) != hanging:
            return plausible(request)
        asked.release()
        return FAULTS["hang"]

    server = ScriptedModel(script)
    settings = f"llm: {{model: openai/test, api_base: '{server.url}', timeout: 3600}}\n"
    root = make_vault({f"daily/{DAY.isoformat()}/log.md": SECTIONS, "vault.yaml": settings})
    command = [
        sys.executable,
        "-m",
        "reme_cli",
        "auto_dream",
        f"date={DAY.isoformat()}",
        "--vault",
        str(root),
    ]
    process = subprocess.Popen(
        command,
        env={**os.environ, **ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        for _ in range(waiting):
            assert asked.acquire(timeout=LONG)
        process.send_signal(signal.SIGINT)
        # the server, which ends what hangs, is closed only afterwards
        _, told = process.communicate(timeout=LONG)
    finally:
        process.kill()
        server.close()
    assert process.returncode == 130, told
    assert told.splitlines() == ["reme: interrupted; what was written is complete"]
