"""Which notes changed, and what of them is sent."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import Config, DreamConfig, FoldersConfig
from reme_cli.dream.catalog import LAST_TRY, Catalog, Failure, Reading
from reme_cli.dream.inputs import (
    Calendar,
    Material,
    batches,
    day_of,
    fresh_text,
    says_something,
    scan_inputs,
    window,
)
from reme_cli.dream.unit import Input
from reme_cli.vault.stamp import Stamp, stamp_of
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.dream.inputs import Scan
    from reme_cli.vault.vault import Vault

PATH = "daily/2026-06-20/a.md"
DATE = "2026-06-20"
TEXT = "# A\n\nThe gateway retries three times.\n"
STAMP = stamp_of(TEXT.encode())


def scan(
    vault: Vault, catalog: Catalog, *, retry: bool = False, kept: dict[Stamp, bytes] | None = None
) -> Scan:
    return scan_inputs(
        vault,
        Calendar(vault, vault.listing()).inputs(DATE),
        catalog,
        retry_quarantined=retry,
        recall_text=(kept or {}).get,
        cited_by=lambda path: ["digest/wiki/x.md"],
    )


def test_a_new_note_is_changed_and_knows_who_cites_it(vault_of: Callable[..., Vault]) -> None:
    found = scan(vault_of({PATH: TEXT}), Catalog())
    assert [material.input for material in found.changed] == [
        Input(PATH, TEXT, STAMP, None, ("digest/wiki/x.md",))
    ]
    assert found.changed[0].reading.text == STAMP


@pytest.mark.parametrize(
    "entry", [Reading(PATH, STAMP, STAMP), Reading(PATH, stamp_of(b"with a link"), STAMP)]
)
def test_a_note_that_says_what_was_dreamed_is_settled(vault_of: Callable[..., Vault], entry: Reading) -> None:
    found = scan(vault_of({PATH: TEXT}), Catalog({PATH: entry}))
    assert found.changed == ()
    assert [(reading.path, reading.stamp, reading.text) for reading in found.settled] == [
        (PATH, STAMP, STAMP)
    ]


def test_the_quick_check_saves_the_reading(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({PATH: TEXT})
    status = vault.locate(PATH).stat()
    entry = Reading(PATH, stamp_of(b"other"), stamp_of(b"other"), status.st_size, status.st_mtime_ns)
    found = scan(vault, Catalog({PATH: entry}))
    assert (found.changed, found.settled) == ((), ())


def test_a_note_saved_a_moment_ago_is_compared_again_next_time(
    vault_of: Callable[..., Vault],
) -> None:
    found = scan(vault_of({PATH: TEXT}), Catalog())
    assert found.changed[0].reading.mtime_ns == -1


def test_the_text_of_the_last_dream_comes_along(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({PATH: TEXT + "\nA new line.\n"})
    kept = {STAMP: TEXT.encode()}
    found = scan(vault, Catalog({PATH: Reading(PATH, STAMP, STAMP)}), kept=kept).changed[0].input
    assert found.previous == TEXT
    assert fresh_text(found) == "# A\n\nA new line.\n"
    unkept = scan(vault, Catalog({PATH: Reading(PATH, STAMP, STAMP)})).changed[0].input
    assert fresh_text(unkept) == TEXT + "\nA new line.\n"


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", "# 2026-06-20\n", "# A\n\n## B\n"])
def test_a_note_that_says_nothing_is_settled_without_being_sent(
    vault_of: Callable[..., Vault], text: str
) -> None:
    found = scan(vault_of({PATH: text}), Catalog())
    assert found.changed == ()
    assert [reading.path for reading in found.settled] == [PATH]


def test_a_change_that_only_takes_away_says_nothing_new() -> None:
    assert not says_something(Input(PATH, "# A\n\none\n", STAMP, "# A\n\none\n\ntwo\n"))


def test_what_is_in_quarantine_waits_until_it_changes_or_is_asked_for(
    vault_of: Callable[..., Vault],
) -> None:
    vault = vault_of({PATH: TEXT})
    held = Catalog(failures={PATH: Failure(STAMP, LAST_TRY, "prose")})
    assert scan(vault, held).quarantined == (PATH,)
    assert scan(vault, held, retry=True).changed
    assert scan(vault, Catalog(failures={PATH: Failure(stamp_of(b"before"), LAST_TRY, "prose")})).changed


def test_which_paths_are_inputs_of_which_day(vault_of: Callable[..., Vault]) -> None:
    folders = FoldersConfig(daily="log", resource="library")
    vault = vault_of({}, Config(folders=folders, dream=DreamConfig(inputs=("daily", "resource"))))
    days = {
        "log/2026-06-20.md": DATE,
        "log/2026-06-20/deep/a.md": DATE,
        "log/2026-02-30.md": None,
        "log/notes.md": None,
        "library/2026-06-20/a.md": DATE,
        "library/2026-06-20.md": None,
        "daily/2026-06-20.md": None,
        "digest/wiki/x.md": None,
    }
    assert {path: day_of(vault, path) for path in days} == days


def test_a_window_ends_at_its_date_and_at_the_beginning_of_time() -> None:
    assert window(dt.date(2026, 3, 1), 2) == ["2026-02-28", "2026-03-01"]
    assert window(dt.date(1, 1, 2), 9) == ["0001-01-01", "0001-01-02"]


PARAGRAPHS = st.lists(
    st.sampled_from(
        ["# H\n\n", "some words here\n\n", "更多的文字。\n\n", "- a\n- b\n\n", "x" * 90 + "\n\n"]
    ),
    max_size=8,
)


@given(st.lists(PARAGRAPHS.map("".join), max_size=6), st.integers(2, 60), st.sets(st.integers(0, 5)))
def test_batches_hold_everything_once_in_order_within_the_limit(
    texts: list[str], limit: int, alone: set[int]
) -> None:
    changed = [
        Material(Input(f"{number}.md", text, STAMP), Reading(f"{number}.md", STAMP, STAMP))
        for number, text in enumerate(texts)
    ]
    groups = list(batches(changed, limit, {f"{number}.md" for number in alone}))
    assert [material for materials, _ in groups for material in materials] == changed
    sent = [part for _, parts in groups for part in parts]
    for number, text in enumerate(texts):
        assert "".join(part.text for part in sent if part.path == f"{number}.md") == text
    for materials, parts in groups:
        if len(materials) > 1:
            assert sum(estimate_tokens(part.text) for part in parts) <= limit
            assert not alone & {int(material.reading.path.removesuffix(".md")) for material in materials}
