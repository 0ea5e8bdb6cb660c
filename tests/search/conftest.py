"""Fixtures for searching with an embedding model."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

import pytest

from reme_cli.llm import calls, embedding
from reme_cli.search import semantic
from tests.conftest import LONG
from tests.scripted_model import ENVIRONMENT
from tests.search.embedded import Embedded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

NOTES = {
    "digest/wiki/gateway.md": "# Gateway\n\nThe gateway rotates its tokens.\n\n## Cost\n\nIt is cheap to run.\n",
    "digest/wiki/database.md": "# 数据库\n\n迁移数据库之前需要备份。\n",
    "daily/2026-06-20.md": "# Saturday\n\nTalked about lunch.\n",
}


@pytest.fixture
def embedded(
    make_vault: Callable[[Mapping[str, str]], Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Embedded]:
    """A small vault with an embedding model; retries do not pause."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(embedding, "RetryPolicy", partial(calls.RetryPolicy, attempts=2, first=0.0))
    monkeypatch.setattr(semantic, "_SECONDS", LONG)
    monkeypatch.setattr(semantic, "_IMPATIENT", calls.RetryPolicy(attempts=1, timeout_attempts=1))
    made = Embedded(make_vault(NOTES))
    yield made
    made.server.close()
    for thread in threading.enumerate():
        if thread.name == "model-call":
            thread.join(LONG)
