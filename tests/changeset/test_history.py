"""Earlier texts are kept once, and not for ever."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reme_cli.changeset import history
from reme_cli.vault.stamp import ABSENT, Stamp, stamp_of

if TYPE_CHECKING:
    from pathlib import Path

    from reme_cli.vault.vault import Vault

pytestmark = pytest.mark.usefixtures("impatient")


def images(vault: Vault) -> list[Path]:
    return sorted((vault.root / "metadata/history").glob("??/*.z"))


def set_age(vault: Vault, stamp: Stamp, days: float) -> None:
    place = vault.root / "metadata/history" / stamp[:2] / f"{stamp[2:]}.z"
    moment = time.time() - days * 86_400
    os.utime(place, (moment, moment))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=2000))
def test_what_is_kept_comes_back(vault: Vault, data: bytes) -> None:
    assert history.load(vault, history.keep(vault, data)) == data


def test_a_text_is_kept_once(vault: Vault) -> None:
    assert history.keep(vault, b"x" * 10_000) == history.keep(vault, b"x" * 10_000)
    assert len(images(vault)) == 1
    assert images(vault)[0].stat().st_size < 200


@pytest.mark.parametrize("stamp", [stamp_of(b"never"), ABSENT, Stamp("../../../etc/passwd"), Stamp("")])
def test_what_was_never_kept_is_not_there(vault: Vault, stamp: Stamp) -> None:
    assert history.load(vault, stamp) is None
    assert not history.holds(vault, stamp)


@pytest.mark.parametrize("damage", [b"", b"no zlib", None])
def test_a_damaged_image_is_none(vault: Vault, damage: bytes | None) -> None:
    stamp, other = history.keep(vault, b"one"), history.keep(vault, b"two")
    place, other_place = (
        vault.root / "metadata/history" / each[:2] / f"{each[2:]}.z" for each in (stamp, other)
    )
    place.write_bytes(other_place.read_bytes() if damage is None else damage)
    assert history.load(vault, stamp) is None


def test_pruning_goes_by_age_of_use(vault: Vault) -> None:
    old, used_again, young = (history.keep(vault, text) for text in (b"old", b"used again", b"young"))
    for stamp in (old, used_again):
        set_age(vault, stamp, 91)
    history.keep(vault, b"used again")
    assert history.prune(vault) == 1
    assert [history.load(vault, stamp) for stamp in (old, used_again, young)] == [
        None,
        b"used again",
        b"young",
    ]


def test_pruning_by_size_takes_the_oldest(vault: Vault) -> None:
    stamps = [history.keep(vault, os.urandom(1000)) for _ in range(5)]
    for age, stamp in enumerate(reversed(stamps)):
        set_age(vault, stamp, age)
    assert history.prune(vault, size=3100) == 2
    assert [history.holds(vault, stamp) for stamp in stamps] == [False, False, True, True, True]


def test_pruning_is_done_once_a_day(vault: Vault) -> None:
    stamp = history.keep(vault, b"old")
    set_age(vault, stamp, 100)
    history.prune_daily(vault)
    assert not history.holds(vault, stamp)
    stamp = history.keep(vault, b"old")
    set_age(vault, stamp, 100)
    history.prune_daily(vault)
    assert history.holds(vault, stamp)
