"""What properties of two notes say about whether they are one thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.linking.records import Record, Records, record_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


@pytest.mark.parametrize(
    ("properties", "record"),
    [
        ("doubanId: 35\nurl: https://x.org/35", {("doubanid", "35"), ("url", "https://x.org/35")}),
        ("isbn: 9787544269452\nISBN13: 1", {("isbn", "9787544269452"), ("isbn13", "1")}),
        ("imdb: tt1\nbook_id: 7\nvideo-id: v", {("imdb", "tt1"), ("book_id", "7"), ("video-id", "v")}),
        ("url:\nisbn: null\ndoi: []", set()),
        ("id: 7\nuid: x\nuuid: y\nnoteId: 3\npage-id: 4\nblock_id: 5", set()),
        ("grid: 4\nvalid: x\nliquid: y\ncurl: z", set()),
    ],
)
def test_what_tells_which_thing_a_note_describes(
    vault_of: Callable[..., Vault], properties: str, record: set[tuple[str, str]]
) -> None:
    vault = vault_of({"a.md": f"---\n{properties}\n---\ntext\n"})
    assert record_of(vault, "a.md") == Record(frozenset(record))


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ("东野圭吾", ("东野圭吾",)),
        ("Jane Doe", ("jane doe",)),
        ("Jane Doe, Max Mu", ("jane doe, max mu", "jane doe", "max mu")),
        ("[Jane Doe, Max-Mu]", ("jane doe", "max mu")),
        ("Strunk and White", ("strunk and white", "strunk", "white")),
        ("null", ()),
    ],
)
def test_authors(vault_of: Callable[..., Vault], author: str, authors: tuple[str, ...]) -> None:
    vault = vault_of({"a.md": f"---\nauthor: {author}\n---\n", "b.md": f"---\n作者: {author}\n---\n"})
    assert record_of(vault, "a.md").authors == record_of(vault, "b.md").authors == authors


def test_what_cannot_be_compared(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "board.md": "---\nkanban-plugin: basic\n---\n",
            "broken.md": "---\nurl: [\n---\ntext\n",
            "bytes.md": b"\xff\xfe\x00",
        }
    )
    records = Records(vault)
    assert not records["board.md"].is_comparable
    assert not records["bytes.md"].is_comparable
    assert not records["missing.md"].is_comparable
    assert records["broken.md"] == Record(), "its text can still be compared"


def test_two_records_are_two_things_unless_they_share_an_identity(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "film.md": "---\nimdb: tt1\nurl: https://x.org/1\n---\n",
            "same film.md": "---\nIMDb: tt1\n---\n",
            "remake.md": "---\nimdb: tt2\n---\n",
            "book.md": "---\nisbn: 1\n---\n",
            "own note.md": "---\ntags: [film]\n---\n",
        }
    )
    records = Records(vault)
    assert not records.are_two_things("film.md", "same film.md")
    assert records.are_two_things("film.md", "remake.md")
    assert records.are_two_things("film.md", "book.md")
    assert not records.are_two_things("film.md", "own note.md")


@pytest.mark.parametrize(
    ("first", "second", "is_by"),
    [
        ("日本-东野圭吾", "恶意-东野圭吾", True),
        ("恶意-东野圭吾", "日本-东野圭吾", True),
        ("白夜行-东野圭吾", "恶意-东野圭吾", True),
        ("Jane Doe", "Solo - Jane Doe", True),
        ("Jane Doering", "Solo - Jane Doe", False),
        ("恶意", "恶意-东野圭吾", False),
    ],
)
def test_an_author_and_a_work(
    vault_of: Callable[..., Vault], first: str, second: str, *, is_by: bool
) -> None:
    works = {"恶意-东野圭吾": "东野圭吾", "白夜行-东野圭吾": "东野圭吾", "Solo - Jane Doe": "Jane Doe"}
    vault = vault_of(
        {
            f"{name}.md": f"---\nauthor: {works[name]}\n---\n" if name in works else "text\n"
            for name in (first, second)
        }
    )
    assert Records(vault).are_by_author(f"{first}.md", f"{second}.md") is is_by
