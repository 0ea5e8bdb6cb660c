"""A vault to dream in, and a model to dream with."""

from __future__ import annotations

import datetime as dt
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, LlmConfig
from reme_cli.dream.options import DreamOptions
from reme_cli.dream.pipeline import dream
from reme_cli.llm import client
from reme_cli.llm.calls import RetryPolicy
from tests.conftest import LONG
from tests.scripted_model import ENVIRONMENT, MODEL, Script, ScriptedModel, scripted_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reme_cli.dream.report import DreamReport
    from reme_cli.vault.vault import Vault

DAY = dt.date(2026, 6, 20)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Script], ScriptedModel]]:
    """Starts a scripted model server. A failed call is tried twice, without a pause."""
    monkeypatch.setattr(
        client, "RetryPolicy", partial(RetryPolicy, attempts=2, timeout_attempts=1, first=0.0)
    )
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(scripted_model(script))


def with_model(server: ScriptedModel, **settings: object) -> Config:
    """A configuration that uses the server; `settings` are further keys of `llm`."""
    values: dict[str, object] = {
        "model": MODEL,
        "api_base": server.url,
        "timeout": LONG,
        "concurrency": 1,
        **settings,
    }
    return Config(llm=LlmConfig(**values))  # type: ignore[arg-type]  # the tests' own keys


def run(vault: Vault, *dates: dt.date, engine: str = "extractive", **options: object) -> DreamReport:
    """One dream of `dates` (default: the day)."""
    wanted: dict[str, object] = {"dates": dates or (DAY,), "engine": engine, **options}
    return dream(vault, DreamOptions(**wanted), env=ENVIRONMENT)  # type: ignore[arg-type]  # the tests' own options


def files_of(vault: Vault, *, folder: str = "") -> dict[str, bytes]:
    """Every file outside `metadata/`, by vault-relative path."""
    return {
        path: place.read_bytes()
        for place in sorted((vault.root / folder).rglob("*"))
        if place.is_file() and not (path := place.relative_to(vault.root).as_posix()).startswith("metadata/")
    }
