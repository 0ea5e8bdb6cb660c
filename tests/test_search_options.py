"""The conditions of `search` as options: lists with commas, and values that no note can have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(
        {"digest/wiki/a.md": "zebra\n", "daily/2026-06-20/b.md": "zebra\n", "resource/c.md": "zebra\n"}
    )


@pytest.mark.parametrize("layers", ["digest,daily", "digest, daily", " daily ,digest,"])
def test_a_list_may_have_spaces(reme: Reme, vault: Path, layers: str) -> None:
    found = reme("search", "zebra", f"layer={layers}", "--files-only", vault=vault)
    assert sorted(found.out.split()) == ["daily/2026-06-20/b.md", "digest/wiki/a.md"]


@pytest.mark.parametrize("layers", ["digset", "digest,weekly"])
def test_a_layer_that_is_none_is_a_usage_error(reme: Reme, vault: Path, layers: str) -> None:
    outcome = reme("search", "zebra", f"layer={layers}", vault=vault)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"`{layers.rpartition(',')[2]}` is not a layer" in outcome.err
    assert "digest, daily, resource" in outcome.err


def test_in_a_query_it_is_no_error(reme: Reme, vault: Path) -> None:
    assert reme("search", "zebra layer:digset", vault=vault).code == 1


def test_paths_ended_by_a_nul_are_written_as_they_are(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"a b.md": "zebra\n", "网关.md": "zebra\n"})
    assert reme("search", "zebra", "-0", vault=vault).out == "a b.md\0网关.md\0"
    assert reme("search", "zebra", "--files-only", "--null", vault=vault).out == "a b.md\0网关.md\0"
    nothing = reme("search", "quagga", "-0", vault=vault)
    assert (nothing.code, nothing.out) == (1, "")


def test_a_score_is_explained(reme: Reme, vault: Path) -> None:
    shown = reme("search", "zebra", "limit=1", "--explain", vault=vault).out.splitlines()
    hit = reme("search", "zebra", "limit=1", "--json", vault=vault).json["hits"][0]
    assert (
        shown[-2].strip()
        == f"score {hit['score']:.3f} = 1.000 relevance · 1.000 centrality (0 inbound) · 1 layer"
    )
    assert shown[-1].strip() == f"relevance: BM25 {hit['parts']['bm25']:.3f}, named 0.000"


def test_flags_are_shown(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"old.md": "zebra\n", "new.md": "zebra, later\n\nevolved_from:: [[old]]\n"})
    assert "    ! superseded by new.md\n" in reme("search", "zebra", vault=vault).out


NO_NOTE_HAS_IT = {
    "no tag": "tag=,",
    "more tags than SQLite takes values": "tag=" + ",".join(f"t{number}" for number in range(1_100)),
    "more kinds": "kind=" + ",".join(f"k{number}" for number in range(1_100)),
    "a pattern that is too long for SQLite": "path=" + "*a" * 30_000,
    "bytes in a pattern that are no Unicode": "path=*\udcff",
    "bytes in a path that are no Unicode": "path=\udcff",
    "bytes in a tag that are no Unicode": "tag=\udcff",
    "bytes in a kind that are no Unicode": "kind=\udcff",
}


@pytest.mark.parametrize("condition", NO_NOTE_HAS_IT.values(), ids=NO_NOTE_HAS_IT)
def test_a_condition_that_no_note_meets_finds_none(reme: Reme, vault: Path, condition: str) -> None:
    """It is a right statement: a wrong one would have the index taken for damaged, and built again."""
    reme("index", vault=vault)
    outcome = reme("search", "zebra", condition, vault=vault)
    assert (outcome.code, outcome.out, outcome.err) == (1, "", "no note matches\n")


def test_a_limit_may_be_greater_than_any_number_that_sqlite_knows(reme: Reme, vault: Path) -> None:
    found = reme("search", "zebra", f"limit={10**30}", "--files-only", vault=vault)
    assert len(found.out.split()) == 3


def test_a_date_in_a_query_may_be_written_without_hyphens(reme: Reme, vault: Path) -> None:
    found = reme("search", "zebra after:20260620 before:2026-W26-1", "--files-only", vault=vault)
    assert found.out == "daily/2026-06-20/b.md\n"


def test_bytes_that_are_no_unicode_name_no_note(reme: Reme, vault: Path) -> None:
    outcome = reme("graph-query", "\udcff", vault=vault)
    assert (outcome.code, outcome.out) == (2, "")
    assert "there is no note" in outcome.err
