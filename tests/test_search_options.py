"""The conditions of `search` as options: lists with commas, and values that no note can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(
        {"digest/wiki/a.md": "zebra\n", "daily/2026-06-20/b.md": "zebra\n", "resource/c.md": "zebra\n"}
    )


@pytest.mark.parametrize("layers", ["digest,daily", "digest, daily", " daily ,digest,"])
def test_a_list_may_have_spaces(reme: Reme, vault: Path, layers: str) -> None:
    found = reme("search", "zebra", f"layer={layers}", "--files-only", vault=vault)
    assert sorted(found.out.split()) == ["daily/2026-06-20/b.md", "digest/wiki/a.md"]


@pytest.mark.parametrize("layers", ["digset", "digest,weekly"])
def test_a_layer_that_is_none_is_a_usage_error(reme: Reme, vault: Path, layers: str) -> None:
    outcome = reme("search", "zebra", f"layer={layers}", vault=vault)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"`{layers.rpartition(',')[2]}` is not a layer" in outcome.err
    assert "digest, daily, resource" in outcome.err


def test_in_a_query_it_is_no_error(reme: Reme, vault: Path) -> None:
    assert reme("search", "zebra layer:digset", vault=vault).code == 1
