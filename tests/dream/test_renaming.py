"""What was dreamed stays dreamed when notes get other paths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.lock import run_lock
from reme_cli.changeset.moves import COMMAND
from reme_cli.changeset.run import start_run
from reme_cli.changeset.undo import undo
from reme_cli.dream.catalog import Batch, Catalog, Failure, OpenUnit, Reading, read_catalog
from reme_cli.dream.renaming import caught_up, renamed
from reme_cli.dream.unit import Quote, Source, Topic, Unit
from reme_cli.maintain.move import move
from reme_cli.maintain.place import existing
from reme_cli.vault.stamp import Stamp
from tests.dream.conftest import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

STAMP = Stamp("0" * 64)


def test_every_path_of_a_catalog_is_renamed() -> None:
    reading = Reading("daily/a.md", STAMP, STAMP)
    sources = (Source("daily/a.md", STAMP),)
    quotes = (Quote("q", "daily/a.md"),)
    unit = Unit("u", "n", "wiki", "s", sources, (), quotes)
    catalog = Catalog(
        entries={"daily/a.md": reading},
        batches=(
            Batch(
                "2026-06-20",
                "20260620T000000-000000",
                (reading,),
                (OpenUnit(unit),),
                (Topic("t", "r", "e", (), ("daily/a.md",)),),
            ),
        ),
        failures={"daily/a.md": Failure(STAMP, 1, "")},
        due={"daily/a.md": "2026-06-20"},
    )
    assert "daily/a.md" not in repr(renamed(catalog, {"daily/a.md": "daily/b.md"}))
    assert renamed(catalog, {"daily/c.md": "daily/b.md"}) == catalog


def test_a_moved_and_a_retargeted_daily_note_are_not_dreamed_again(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    text = "# Keys\n\nThe [[gateway]] rotates its signing keys every seven days, and keeps the old key for one day.\n"
    vault = vault_of(
        {
            "daily/2026-06-20/keys.md": text,
            "daily/2026-06-20/other.md": "# Other\n\nSee [[keys]], where all of it is explained at some length.\n",
            "gateway.md": "# Gateway\n",
        }
    )
    assert run(vault).total("extracted") > 0
    for old, new in (
        ("gateway.md", "broker.md"),
        ("daily/2026-06-20/keys.md", "daily/2026-06-20/signing.md"),
    ):
        assert reme("maintain", "mv", old, new, vault=vault.root).code == 0
    assert "[[broker]]" in vault.read("daily/2026-06-20/signing.md").text
    assert sorted(
        path for path in read_catalog(vault).entries if "/2026-06-20/" in path and path.endswith(".md")
    ) == [
        "daily/2026-06-20/other.md",
        "daily/2026-06-20/signing.md",
    ]
    assert run(vault).total("extracted") == 0
    undo(vault)
    assert run(vault).total("extracted") == 0, "not even after the undo"


KEYS = "# Keys\n\nThe gateway rotates its signing keys every seven days, and keeps the old key for one day.\n"


def test_a_move_that_is_killed_before_the_catalog_knows_is_followed_by_the_next_dream(
    vault_of: Callable[..., Vault],
) -> None:
    vault = vault_of({"daily/2026-06-20/keys.md": f"---\nname: keys\n---\n{KEYS}"})
    assert run(vault).total("extracted") > 0
    place = existing(vault, "daily/2026-06-20/keys.md", vault.root)
    with start_run(vault, COMMAND) as moving:
        move(vault, place, "daily/2026-06-20/signing.md", moving)
    assert "daily/2026-06-20/keys.md" in read_catalog(vault).entries, "nobody has told it"
    assert run(vault).total("extracted") == 0
    undo(vault, moving.id)
    assert vault.read("daily/2026-06-20/keys.md").text.startswith("---\nname: keys\n")
    assert run(vault).total("extracted") == 0
    assert set(read_catalog(vault).entries) >= {"daily/2026-06-20/keys.md"}


def test_a_dream_that_changes_nothing_writes_nothing(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"daily/2026-06-20/keys.md": KEYS})
    run(vault)
    catalog = vault.metadata("file_catalog", "dream.json")
    before = catalog.stat().st_ino
    run(vault)
    assert catalog.stat().st_ino == before


def test_a_catalog_of_an_older_version_takes_moves_from_then_on(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "x\n"})
    old = Catalog(entries={"a.md": Reading("a.md", STAMP, STAMP)})
    with start_run(vault, COMMAND) as moving:
        move(vault, existing(vault, "a.md", vault.root), "b.md", moving)
    assert caught_up(vault, old).entries.keys() == {"a.md"}, "that one was told at once"
    assert caught_up(vault, replace(old, audited="")).entries.keys() == {"b.md"}


def test_while_a_dream_is_at_work_a_move_does_not_wait(
    vault_of: Callable[..., Vault], reme: Callable[..., Outcome]
) -> None:
    vault = vault_of({"daily/2026-06-20/keys.md": KEYS})
    run(vault)
    with run_lock(vault, "dream", command="auto_dream"):
        told = reme(
            "maintain", "mv", "daily/2026-06-20/keys.md", "daily/2026-06-20/signing.md", vault=vault.root
        )
    assert told.code == 0
    assert "daily/2026-06-20/keys.md" in read_catalog(vault).entries
    assert run(vault).total("extracted") == 0


@pytest.mark.parametrize("level", ["l1", "l3"])
def test_what_reme_links_is_not_dreamed_again(
    make_vault: Callable[..., Path], reme: Callable[..., Outcome], level: str
) -> None:
    """A dream, links and predicates in its inputs, a dream: nothing is new until a person writes something."""
    text = "# Log\n\nThe circuit breaker guards the upstream calls of the payment service. We found that Mia founded [[acme]].\n"
    day = "daily/2026-06-20/mia.md"
    root = make_vault(
        {
            day: "# Mia\n\nMia founded [[acme]]. The circuit breaker guards the upstream calls of her payment service.\n",
            "digest/wiki/acme.md": "---\nname: acme\n---\nIt makes robots.\n",
            "digest/wiki/circuit-breaker.md": "---\nname: circuit breaker\n---\nIt opens when calls fail.\n",
        }
    )
    dream = ("auto_dream", "date=2026-06-20", "engine=extractive", "--no-follow-up", "--json")
    assert reme(*dream, vault=root).json["changed"] == 1
    before = (root / day).read_text()
    done = reme("auto_link", f"level={level}", *(["--apply"] if level == "l3" else []), "--json", vault=root)
    assert day in done.json["changed"]
    assert (root / day).read_text() != before
    assert reme(*dream, vault=root).json["changed"] == 0
    assert reme("undo", done.json["run"], vault=root).code == 0
    assert reme(*dream, vault=root).json["changed"] == 0
    (root / day).write_text(f"{before}\n{text}")
    assert reme(*dream, vault=root).json["changed"] == 1
