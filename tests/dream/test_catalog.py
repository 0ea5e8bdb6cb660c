"""What the catalog remembers, and what it must not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config
from reme_cli.dream.carry import release
from reme_cli.dream.catalog import (
    LAST_TRY,
    Batch,
    Catalog,
    Failure,
    OpenUnit,
    Reading,
    moved,
    quarantined,
    read_catalog,
    settle,
    write_catalog,
)
from reme_cli.dream.unit import Quote, Source, Topic, Unit, new_unit
from reme_cli.errors import ConfigError
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ONE, TWO, THREE = (stamp_of(text) for text in (b"1", b"2", b"3"))
DAY = "2026-06-20"
TOPIC = Topic("Title: yes", "reason", "daily/a.md", ("k",), ("daily/a.md",))


def unit(name: str, *paths: str) -> Unit:
    return new_unit(
        name, "wiki", "summary", [Source(path, ONE) for path in paths], quotes=[Quote("„q“", paths[0])]
    )


def batch(*units: Unit, inputs: tuple[str, ...] = ("a", "b", "c"), topics: tuple[Topic, ...] = ()) -> Batch:
    return Batch(
        DAY,
        "20260620T033000-4f2a1c",
        tuple(Reading(path, ONE, ONE, 1, 2) for path in inputs),
        tuple(map(OpenUnit, units)),
        topics,
    )


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Vault:
    return Vault(make_vault({}), Config())


def test_a_catalog_is_read_as_it_was_written(vault: Vault) -> None:
    catalog = Catalog(
        {"daily/日.md": Reading("daily/日.md", ONE, TWO, 3, 4)},
        (batch(unit("u", "a"), topics=(TOPIC,)),),
        {"daily/x.md": Failure(THREE, 2, "no JSON")},
        {"daily/x.md": DAY},
        {DAY: ("m1", "m2")},
    )
    write_catalog(vault, catalog)
    assert read_catalog(vault) == catalog
    assert read_catalog(Vault(vault.root, Config())) == catalog


def test_without_a_file_the_catalog_is_empty(vault: Vault) -> None:
    assert read_catalog(vault) == Catalog()


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"schema": 1}', '{"schema": 2}', '{"schema":1,"entries":{"a":{}}}']
)
def test_a_damaged_catalog_is_an_error_and_no_reason_to_dream_again(vault: Vault, damage: str) -> None:
    place = vault.metadata("file_catalog", "dream.json")
    place.parent.mkdir(parents=True)
    place.write_text(damage)
    with pytest.raises(ConfigError, match=r"metadata/file_catalog/dream\.json") as caught:
        read_catalog(vault)
    assert caught.value.hint
    assert place.read_text() == damage


def test_the_file_is_json_with_sorted_paths(vault: Vault) -> None:
    write_catalog(vault, Catalog({path: Reading(path, ONE, ONE) for path in ("b", "a")}))
    raw = json.loads(vault.metadata("file_catalog", "dream.json").read_text())
    assert list(raw["entries"]) == ["a", "b"]


def test_an_own_write_moves_the_stamps_of_entries_and_open_inputs() -> None:
    catalog = Catalog({"a": Reading("a", ONE, ONE, 1, 2)}, (batch(unit("u", "a")),))
    after = moved(catalog, "a", ONE, TWO)
    assert after.entries["a"] == Reading("a", TWO, ONE)
    assert after.batches[0].inputs[0] == Reading("a", TWO, ONE)
    assert after.batches[0].units == catalog.batches[0].units


def test_an_own_write_on_a_text_that_was_not_dreamed_moves_nothing() -> None:
    catalog = Catalog({"a": Reading("a", ONE, ONE, 1, 2)})
    assert moved(catalog, "a", TWO, THREE) == catalog
    assert moved(catalog, "b", ONE, THREE) == catalog


OPEN = '{"schema":1,"entries":{},"failures":{},"topics":{},"due":%s,"batches":%s}'


@pytest.mark.parametrize(
    "damage",
    [
        "[" * 100_000,
        OPEN % ('{"daily/a.md":"soon"}', "[]"),
        OPEN % ("{}", '[{"date":"2026-06-20","run":"r","inputs":[],"units":[],"topics":[]}]'),
        OPEN % ("{}", '[{"date":"x","run":"20260620T0-a","inputs":[],"units":[],"topics":[]}]'),
    ],
)
def test_what_is_reckoned_with_is_checked_when_it_is_read(vault: Vault, damage: str) -> None:
    place = vault.metadata("file_catalog", "dream.json")
    place.parent.mkdir(parents=True)
    place.write_text(damage)
    with pytest.raises(ConfigError, match=r"dream\.json.*damaged"):
        read_catalog(vault)


def test_a_catalog_that_is_no_file_says_so(vault: Vault) -> None:
    vault.metadata("file_catalog", "dream.json").mkdir(parents=True)
    with pytest.raises(ConfigError, match=r"dream\.json.*cannot be read"):
        read_catalog(vault)


def test_an_input_is_done_when_no_open_unit_names_it() -> None:
    first, second = unit("first", "a", "b"), unit("second", "b")
    left, finished = settle(batch(first, second), [first.id], topics_done=True)
    assert left is not None
    assert [item.unit for item in left.units] == [second]
    assert [reading.path for reading in finished] == ["a", "c"]
    assert [reading.path for reading in left.inputs] == ["b"]
    assert settle(left, [second.id], topics_done=True)[0] is None


def test_a_batch_stays_for_topics_that_could_not_be_settled() -> None:
    left, finished = settle(batch(topics=(TOPIC,)), [], topics_done=False)
    assert left is not None
    assert left.topics == (TOPIC,)
    assert len(finished) == 3
    assert settle(left, [], topics_done=True) == (None, ())


def test_a_stale_input_takes_its_units_along_and_their_other_inputs_in_turn() -> None:
    one, two, three = unit("1", "a", "b"), unit("2", "b", "c"), unit("3", "d")
    catalog = Catalog(batches=(batch(one, two, three, inputs=("a", "b", "c", "d")),))
    left, released = release(catalog, {"a"})
    assert released == {"a", "b", "c"}
    assert [item.unit.name for item in left.batches[0].units] == ["3"]
    assert [reading.path for reading in left.batches[0].inputs] == ["d"]
    assert release(catalog, set()) == (catalog, set())


def test_what_failed_too_often_is_in_quarantine() -> None:
    bad = OpenUnit(unit("bad", "a", "b"), LAST_TRY, "why")
    catalog = Catalog(
        batches=(replace(batch(), units=(bad, OpenUnit(unit("good", "c"), LAST_TRY - 1))),),
        failures={"d": Failure(ONE, LAST_TRY, "prose"), "e": Failure(ONE, LAST_TRY - 1, "prose")},
    )
    assert quarantined(catalog) == {"a": "why", "b": "why", "d": "prose"}
