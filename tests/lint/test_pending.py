"""What lint reads of the catalog is what `auto_dream` writes into it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from reme_cli.dream.catalog import Batch, Catalog, Failure, OpenUnit, Reading, write_catalog
from reme_cli.dream.unit import Source, new_unit
from reme_cli.lint.pending import waiting_since
from reme_cli.vault.stamp import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


def test_a_catalog_that_auto_dream_wrote(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of()
    stamp = stamp_of(b"x")

    def reading(path: str) -> Reading:
        return Reading(path, stamp, stamp)

    unit = new_unit("Rotation", "wiki", "Keys change.", [Source("daily/2026-06-02/open.md", stamp)])
    batch = Batch(
        "2026-06-02", "20260605T080000-ab12cd", (reading("daily/2026-06-02/open.md"),), (OpenUnit(unit),)
    )
    catalog = Catalog(
        entries={"daily/2026-06-01.md": reading("daily/2026-06-01.md")},
        batches=(batch,),
        failures={"daily/2026-06-03.md": Failure(stamp, 2, "no reply")},
        due={"daily/2026-06-04.md": "2026-06-04"},
    )
    write_catalog(vault, catalog)
    assert waiting_since(vault) == {
        "daily/2026-06-02/open.md": dt.date(2026, 6, 5),
        "daily/2026-06-03.md": dt.date(2026, 6, 3),
        "daily/2026-06-04.md": dt.date(2026, 6, 4),
    }


def test_no_catalog_or_one_that_cannot_be_read(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of()
    assert waiting_since(vault) == {}
    vault.metadata("file_catalog", "dream.json").mkdir(parents=True)
    assert waiting_since(vault) == {}
