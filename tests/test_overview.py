"""What `reme status` says waits for a dream is what a dream would take up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.index.index import Index
from reme_cli.maintain.queue import Job, queue_follow_ups, take_out
from reme_cli.overview import overview
from reme_cli.vault.vault import Vault
from tests.dream.conftest import DAY, run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

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


def test_what_waits_in_the_queue_is_counted_by_kind(vault: Vault, reme: Callable[..., Outcome]) -> None:
    def told() -> list[str]:
        return [line.strip() for line in reme("status", vault=vault.root).out.splitlines()]

    assert "queue       empty" in told()
    queue_follow_ups(vault, ["digest/wiki/a.md", "digest/wiki/b.md"], "r1")
    take_out(vault, Job("D3", "digest/wiki/b.md", "r1"))
    lines = told()
    at = lines.index("queue       1 note to check for size (D3)")
    assert lines[at + 1 : at + 3] == ["2 notes to link with others (L1)", "`reme maintain run` does them"]
    vault.metadata("queue", "jobs.json").write_text("{")
    assert "queue       unknown" in told()
    done = reme("status", "--json", vault=vault.root)
    assert done.json["queue"] == {"jobs": {}, "remark": None}
    assert "the queue of follow-ups is damaged" in done.json["problems"][0]
