"""Vaults and indexes for these tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def vault_of(make_vault: Callable[..., Path]) -> Callable[..., Vault]:
    """A vault with these files and the default configuration."""

    def make(files: Mapping[str, str | bytes] | None = None, config: Config | None = None) -> Vault:
        return Vault(make_vault(files), config or Config())

    return make
