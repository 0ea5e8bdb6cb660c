"""Rows that contradict each other: such an index is damaged, and is built again."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.database import FILE
from reme_cli.index.index import Index
from reme_cli.index.soundness import contradiction

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault
    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

NOTES = {
    "people/mia.md": "---\nname: Mia Chen\naliases: [MC]\ntags: [x]\n---\n# Mia\n\nworks_at:: [[acme]]\n",
    "companies/acme.md": "Acme was founded by [[mia]]; it makes gateways.\n\n## More\n\n[[zenith]] and [[gone]]\n",
    "companies/zenith.md": "belongs_to:: [[acme]]\n\nThe gateway.\n",
}

QUESTIONS = (
    "search gateway",
    "search who founded acme",
    "graph-query acme direction=both depth=2 --implied",
    "graph-query --top pagerank",
    "graph-query format=json",
    "lint",
)

CONTRADICTIONS = {
    "links of no note": ("UPDATE links SET note = note + 100", "graph-query --top pagerank"),
    "links to no note": ("UPDATE links SET resolved = 99 WHERE resolved = 1", "graph-query format=json"),
    "notes of other numbers": ("UPDATE notes SET id = id + 50", "graph-query --top pagerank"),
    "notes without names": ("DELETE FROM names", "search gateway"),
    "a name that is no text": ("UPDATE names SET text = x'00'", "search who founded acme"),
    "a passage that is nowhere": ("UPDATE passages SET start = 'x'", "search gateway"),
    "a link that is no text": ("UPDATE links SET target = x'ff'", "graph-query format=json"),
}


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    """A vault whose files are as they were long ago, so that a refresh has nothing to do."""
    root = make_vault(NOTES)
    for path in NOTES:
        os.utime(root / path, ns=(0, 10**18))
    return root


def write(vault: Path, statement: str) -> None:
    """Writes rows that reme would not."""
    connection = sqlite3.connect(vault / "metadata" / "cache" / FILE)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_it_is_built_again_with_one_line_and_answers_right(reme: Reme, vault: Path, name: str) -> None:
    statement, question = CONTRADICTIONS[name]
    right = reme(*question.split(), vault=vault)
    write(vault, statement)
    told = reme(*question.split(), vault=vault)
    assert (told.code, told.out) == (right.code, right.out)
    (line,) = [line for line in told.err.splitlines() if line not in right.err.splitlines()]
    assert line.startswith("reme: warning: index: index.db is damaged (it has ")
    assert line.endswith("building it again")
    assert reme(*question.split(), vault=vault) == right


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_no_command_ends_by_a_mistake_of_its_own(reme: Reme, vault: Path, question: str, name: str) -> None:
    reme("index", vault=vault)
    write(vault, CONTRADICTIONS[name][0])
    assert reme(*question.split(), vault=vault).code in {0, 1}


def test_a_row_that_bars_another_is_no_reason_to_go_without_the_file(reme: Reme, vault: Path) -> None:
    reme("index", vault=vault)
    write(vault, "INSERT INTO names VALUES (4, 0, 'file', 'x', 'x')")
    (vault / "new.md").write_text("zebra\n", encoding="utf-8")
    told = reme("search", "zebra", vault=vault)
    assert (told.code, told.out.split()[0]) == (0, "new.md:1")
    assert "building it again" in told.err
    assert reme("search", "zebra", vault=vault).err == ""


def test_every_rule_finds_what_it_is_for(vault_of: Callable[..., Vault]) -> None:
    statements = {
        "UPDATE tags SET note = 9": "tags of no note",
        "INSERT INTO fulltext (rowid, body) VALUES (9, 'x')": "full text of no note",
        "DELETE FROM fulltext WHERE rowid = 1": "a note that was read without full text",
        "UPDATE implied SET place = 9": "a relation of no link",
        "UPDATE passages SET line = 9": "a passage without a place",
        "UPDATE links SET kind = 'x'": "an unknown kind in links",
        "UPDATE notes SET layer = 'x'": "an unknown layer in notes",
        "UPDATE notes SET description = x'00'": "description of the wrong type in notes",
        "DROP TABLE names": "no such table: names",
    }
    with Index.open(vault_of(NOTES)) as index:

        def found(connection: sqlite3.Connection) -> dict[str, str]:
            assert contradiction(connection) is None
            seen = {}
            for statement in statements:
                connection.execute("BEGIN")
                connection.execute(statement)
                seen[statement] = str(contradiction(connection))
                connection.execute("ROLLBACK")
            return seen

        seen = index.read(found)
    assert {statement: what.removeprefix("it has ") for statement, what in seen.items()} == statements


def test_a_mistake_that_is_not_the_index_s_is_raised(vault_of: Callable[..., Vault]) -> None:
    warnings: list[str] = []
    with Index.open(vault_of(NOTES), warn=warnings.append) as index, pytest.raises(KeyError):
        index.answer(lambda _: dict[str, int]()["nothing"])
    assert warnings == []


def test_what_another_process_exchanged_meanwhile_is_asked_again(vault_of: Callable[..., Vault]) -> None:
    asked = []

    def question(index: Index) -> int:
        asked.append(index)
        if len(asked) == 1:
            raise KeyError(7)
        return len(index.notes())

    with Index.open(vault_of(NOTES)) as index:
        assert index.answer(question) == 3
