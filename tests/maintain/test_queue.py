"""The queue of what is to be done about written notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.errors import ConfigError
from reme_cli.maintain.queue import Job, queue_follow_ups, waiting_jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


def test_jobs_wait_in_order_and_once(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({})
    assert waiting_jobs(vault) == ()
    assert queue_follow_ups(vault, ["b.md", "a.md", "b.md"], "r1") == 4
    assert queue_follow_ups(vault, ["a.md", "c.md"], "r2") == 2
    assert queue_follow_ups(vault, [], "r3") == 0
    assert waiting_jobs(vault) == (
        Job("D3", "b.md", "r1"),
        Job("L1", "b.md", "r1"),
        Job("D3", "a.md", "r1"),
        Job("L1", "a.md", "r1"),
        Job("D3", "c.md", "r2"),
        Job("L1", "c.md", "r2"),
    )


@pytest.mark.parametrize(
    "damage", ["", "{}", "[" * 100_000, '{"jobs": [{"kind": "rm", "path": "a", "run": "r", "attempts": 0}]}']
)
def test_a_damaged_queue_says_so(vault_of: Callable[..., Vault], damage: str) -> None:
    vault = vault_of({"metadata/queue/jobs.json": damage})
    with pytest.raises(ConfigError, match=r"metadata/queue/jobs\.json"):
        waiting_jobs(vault)


def test_a_queue_that_is_no_file_says_so(vault_of: Callable[..., Vault]) -> None:
    with pytest.raises(ConfigError, match=r"metadata/queue/jobs\.json"):
        waiting_jobs(vault_of({"metadata": "a file"}))
