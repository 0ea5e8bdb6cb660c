"""Judgements are kept by what they are about, the latest of very many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index import judgements
from reme_cli.index.index import Index
from reme_cli.index.judgements import Judgements, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


@pytest.fixture
def vault(vault_of: Callable[..., Vault]) -> Vault:
    """A vault with an index."""
    vault = vault_of({"a.md": "x\n"})
    with Index.open(vault):
        return vault


def test_they_outlive_the_process_and_a_later_one_counts(vault: Vault) -> None:
    one, other = digest_of("a", "b"), digest_of("ab")
    assert one != other
    for said in ("no", "yes"):
        with Judgements.open(vault, pytest.fail) as kept:
            kept.keep({one: said})
    with Judgements.open(vault, pytest.fail) as kept:
        assert kept.known([one, other]) == {one: "yes"}


def test_those_made_longest_ago_go_first(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "MOST_KEPT", 3)
    digests = [digest_of(str(number)) for number in range(5)]
    with Judgements.open(vault, pytest.fail) as kept:
        for digest in digests:
            kept.keep({digest: "x"})
        assert set(kept.known(digests)) == set(digests[2:])


def test_a_damaged_file_is_begun_anew(vault: Vault) -> None:
    place = vault.metadata("cache", "judgements.db")
    place.write_bytes(b"no database at all" * 99)
    warnings: list[str] = []
    with Judgements.open(vault, warnings.append) as kept:
        kept.keep({digest_of("a"): "x"})
        assert kept.known([digest_of("a")]) == {digest_of("a"): "x"}
    assert len(warnings) == 1
    assert "judgements.db is damaged" in warnings[0]


def test_more_than_one_statement_takes(vault: Vault) -> None:
    said = {digest_of(str(number)): str(number) for number in range(1203)}
    with Judgements.open(vault, pytest.fail) as kept:
        kept.keep(said)
        assert kept.known(said.keys()) == said
