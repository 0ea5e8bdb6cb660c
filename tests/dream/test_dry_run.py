"""A dry run of several days shows exactly what the run would write."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from reme_cli.changeset.difference import unified_diff
from reme_cli.config import Config
from reme_cli.template import fill
from reme_cli.vault.vault import Vault
from tests.dream.conftest import files_of, run

if TYPE_CHECKING:
    from pathlib import Path

DAYS = [dt.date(2026, 6, day) for day in range(11, 21)]


def test_the_diff_is_what_the_run_writes(tmp_path: Path) -> None:
    fill(tmp_path, {}, demo=True)
    vault = Vault(tmp_path, Config())
    before = files_of(vault)

    shown = run(vault, *DAYS, dry_run=True).diff
    assert files_of(vault) == before

    # what is linked afterwards depends on what was written
    run(vault, *DAYS, follow_up=False)
    after = files_of(vault)
    changed = sorted(path for path, data in after.items() if before.get(path) != data)
    assert any(path in before for path in changed), "some note is made better, not only new ones made"
    assert shown == "".join(
        unified_diff(path, before[path].decode() if path in before else None, after[path].decode())
        for path in changed
    )
