"""How alike two notes are called, of which each may have thousands of names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rapidfuzz import fuzz

from reme_cli.index.index import Index
from reme_cli.linking.titles import MOST_COMPARED, MOST_OF_A_WORD, Titles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reme_cli.vault.vault import Vault


def note(aliases: Iterable[str]) -> str:
    return "---\naliases:\n" + "".join(f"  - {alias}\n" for alias in aliases) + "---\nText.\n"


def titles_of(vault: Vault, *paths: str) -> Titles:
    with Index.open(vault) as index:
        return Titles(index, paths)


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The names that are compared."""
    pairs: list[tuple[str, str]] = []
    ratio = fuzz.token_sort_ratio

    def counted(one: str, other: str) -> float:
        pairs.append((one, other))
        return float(ratio(one, other))

    monkeypatch.setattr(fuzz, "token_sort_ratio", counted)
    return pairs


def test_few_names_are_compared_each_with_each(
    vault_of: Callable[..., Vault], compared: list[tuple[str, str]]
) -> None:
    vault = vault_of({"a.md": note(["Green tea", "Colour"]), "b.md": note(["Color", "Tea ceremony"])})
    assert titles_of(vault, "a.md", "b.md").likeness(0, 1) == pytest.approx(10 / 11)
    assert len(compared) == 4 <= MOST_COMPARED


@pytest.mark.parametrize(
    ("one", "other", "likeness", "common"),
    [
        ("Zorbl thing number 7", "Zorbl thing number 7", 1.0, 1.0),
        ("thing number 7 of Zorbl", "of Zorbl thing number 7", 1.0, 1.0),
        ("thing number", "number thing", 1.0, 1.0),
    ],
)
def test_of_very_many_names_those_with_a_rare_word_in_common_are_compared(
    vault_of: Callable[..., Vault],
    compared: list[tuple[str, str]],
    one: str,
    other: str,
    likeness: float,
    common: float,
) -> None:
    count = 300
    vault = vault_of(
        {
            "a.md": note([*(f"first thing {number} number" for number in range(count)), one]),
            "b.md": note([other, *(f"second {number} number thing" for number in range(count))]),
        }
    )
    found = titles_of(vault, "a.md", "b.md")
    assert found.likeness(0, 1) == pytest.approx(likeness)
    assert found.common(0, 1) == pytest.approx(common)
    assert found.likeness(1, 0) == pytest.approx(likeness)
    assert len(compared) <= 2 * (MOST_OF_A_WORD + 1) * (count + 2)


def test_names_that_have_no_word_in_common_are_not_alike(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {path: note(f"{path[0] * 3}{number}" for number in range(50)) for path in ("a.md", "b.md")}
    )
    found = titles_of(vault, "a.md", "b.md")
    assert (found.likeness(0, 1), found.common(0, 1)) == (0.0, 0.0)
