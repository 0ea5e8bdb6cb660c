"""What `reme status` says waits for a dream is what a dream would take up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.overview import overview
from reme_cli.vault.vault import Vault
from tests.dream.conftest import DAY, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROSE = (
    "# Gateway\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for a day.\n"
)


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Vault:
    return Vault(make_vault({f"daily/{DAY}/gateway.md": PROSE}), Config())


def undreamed(vault: Vault) -> dict[str, int]:
    with Index.open(vault) as index:
        return overview(vault, index).undreamed


def test_a_new_note_waits_and_a_dreamed_one_does_not(vault: Vault) -> None:
    assert undreamed(vault) == {str(DAY): 1}
    run(vault)
    assert undreamed(vault) == {}


def test_the_managed_block_makes_no_page_wait(vault: Vault) -> None:
    page = vault.root / f"daily/{DAY}.md"
    page.write_text("# The day\n\nWe agreed that the broker keeps its queue for two hours and not longer.\n")
    run(vault)
    assert "<!-- reme:" in page.read_text()
    page.write_text(page.read_text().replace("gateway.md", "gateway.md?"))
    assert undreamed(vault) == {}
    page.write_text(page.read_text() + "\nAnd that it is measured every day by the person on call.\n")
    assert undreamed(vault) == {str(DAY): 1}


@pytest.mark.parametrize("data", [b"\xff\xfe", b"# A heading\n\n## And another\n", b""])
def test_a_note_that_cannot_be_dreamed_does_not_wait(vault: Vault, data: bytes) -> None:
    (vault.root / f"daily/{DAY}/gateway.md").write_bytes(data)
    assert undreamed(vault) == {}
