"""Which notes the walk from a hit reaches, and how much of it stays there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.index.nearby import MOST_SOURCES, Surroundings
from reme_cli.search.spread import spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

    MakeVault = Callable[..., Vault]


def reached(vault: Vault, *starts: str) -> dict[str, float]:
    """The notes by their file names, without the starts."""
    with Index.open(vault) as index:
        rows = index.read(lambda connection: connection.execute("SELECT id, path FROM notes").fetchall())
        names = {number: path.removesuffix(".md") for number, path in rows}
        numbers = {name: number for number, name in names.items()}
        shares = spread(Surroundings(index), {numbers[start]: 1.0 for start in starts}, 0.85)
        return {names[number]: share for number, share in shares.items() if names[number] not in starts}


def chain(link: str) -> dict[str, str]:
    """Eight notes, each with such a link to the next one."""
    return {f"n{number}.md": link.replace("NEXT", f"[[n{number + 1}]]") + "\n" for number in range(7)} | {
        "n7.md": "end\n"
    }


DEPTHS = [
    ("see NEXT", 1, 1),
    ("related_to:: NEXT", 1, 1),
    ("supports:: NEXT", 1, 1),
    ("contradicts:: NEXT", 1, 1),
    ("belongs_to:: NEXT", 3, 3),
    ("Belongs-To:: NEXT", 3, 3),
    ("caused_by:: NEXT", 2, 1),
    ("derived_from:: NEXT", 1, 1),
    ("evolved_from:: NEXT", 1, 5),
    # told from the other end, or by another name
    ("superseded_by:: NEXT", 5, 1),
    ("supersedes:: NEXT", 1, 5),
    ("causes:: NEXT", 1, 2),
]


@pytest.mark.parametrize(("link", "out", "into"), DEPTHS)
def test_the_depths_of_the_contract(vault_of: MakeVault, link: str, out: int, into: int) -> None:
    vault = vault_of(chain(link))
    assert set(reached(vault, "n0")) == {f"n{number}" for number in range(1, out + 1)}
    assert set(reached(vault, "n7")) == {f"n{7 - number}" for number in range(1, into + 1)}


def test_weights_share_the_walk(vault_of: MakeVault) -> None:
    vault = vault_of(
        {"a.md": "contradicts:: [[b]]\n\nsee [[c]] and [[c]] again\n", "b.md": "", "c.md": "", "d.md": ""}
    )
    shares = reached(vault, "a")
    assert shares.keys() == {"b", "c"}
    assert shares["b"] == pytest.approx(2 * shares["c"])


def test_a_note_between_two_hits_gets_from_both(vault_of: MakeVault) -> None:
    vault = vault_of({"a.md": "[[x]] [[y]]", "b.md": "[[x]] [[z]]", "x.md": "", "y.md": "", "z.md": ""})
    shares = reached(vault, "a", "b")
    assert shares["x"] == pytest.approx(2 * shares["y"])
    assert shares["y"] == pytest.approx(shares["z"])


def test_no_links_no_walk(vault_of: MakeVault) -> None:
    assert reached(vault_of({"a.md": "[[a]] [[missing]] [[#here]]", "b.md": ""}), "a") == {}


def test_cycles_end(vault_of: MakeVault) -> None:
    vault = vault_of({"a.md": "belongs_to:: [[b]]", "b.md": "belongs_to:: [[a]] [[b]]"})
    assert reached(vault, "a").keys() == {"b"}


def test_a_hub_leads_nowhere(vault_of: MakeVault) -> None:
    files = {f"s{number}.md": "[[hub]]" for number in range(MOST_SOURCES + 1)}
    vault = vault_of({**files, "hub.md": "[[out]]", "out.md": ""})
    assert set(reached(vault, "hub")) == {"out"}
    assert set(reached(vault, "s0")) == {"hub"}
