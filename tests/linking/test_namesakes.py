"""Notes that are called the same are found, and those that only share a name are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.linking.namesakes import Namesakes, titles_of
from reme_cli.linking.records import Records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reme_cli.vault.vault import Vault


def namesakes(vault: Vault) -> list[tuple[str, str]]:
    """The pairs of a vault, in order."""
    with Index.open(vault) as index:
        paths = sorted(index.stamps())
        pairs = Namesakes(index, paths, Records(vault)).pairs
    return sorted((paths[first], paths[second]) for first, second in pairs)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("One Switch", "one-switch"),
        ("TL;DR", "tldr"),
        ("📚思考·快与慢", "思考，快与慢"),
        ("《人生的智慧》", "人生的智慧"),
        ("∑ golang", "Golang"),
        ("🎬 Dune", "Dune"),
        ("Ｇｏｌａｎｇ", "golang"),
        ("Cafe\u0301 Noir", "Caf\u00e9 Noir"),
    ],
)
def test_case_marks_and_punctuation_make_no_other_name(
    vault_of: Callable[..., Vault], one: str, other: str
) -> None:
    vault = vault_of({f"a/{one}.md": "", f"b/{other}.md": "text\n"})
    assert len(namesakes(vault)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("Go", "Go to"),
        ("README", "readme"),
        ("未命名", "未命名"),
        ("2026-06-20", "2026-06-20"),
        ("会议纪要", "会议纪要"),
        ("Mercury (planet)", "Mercury (element)"),
        ("Docker", "Docker - networks"),
        ("恶意", "恶意-东野圭吾"),
    ],
)
def test_other_names_and_names_that_say_nothing(vault_of: Callable[..., Vault], one: str, other: str) -> None:
    assert namesakes(vault_of({f"a/{one}.md": "", f"b/{other}.md": "text\n"})) == []


ALIASED = "---\naliases: [Big Fish, Brook]\n---\n"


@pytest.mark.parametrize(
    ("files", "pairs"),
    [
        ({"a/pike.md": ALIASED, "b/big-fish.md": ""}, [("a/pike.md", "b/big-fish.md")]),
        ({"a/pike.md": "---\ntitle: Big Fish\n---\n", "b/big-fish.md": ""}, [("a/pike.md", "b/big-fish.md")]),
        ({"a/pike.md": "---\nname: big-fish\n---\n", "b/big-fish.md": ""}, [("a/pike.md", "b/big-fish.md")]),
        ({"a/pike.md": ALIASED, "b/carp.md": ALIASED}, []),
        ({"a/pike.md": ALIASED.replace("aliases", "imdb: tt1\naliases"), "b/big-fish.md": ""}, []),
        ({"a/pike.md": "# Big Fish\n", "b/big-fish.md": ""}, []),
    ],
    ids=["alias", "title", "name", "two aliases", "alias of a record", "heading"],
)
def test_by_which_names(
    vault_of: Callable[..., Vault], files: Mapping[str, str], pairs: list[tuple[str, str]]
) -> None:
    assert namesakes(vault_of(files)) == pairs


@pytest.mark.parametrize(
    ("name", "authors", "titles"),
    [
        ("恶意 东野圭吾", ("东野圭吾",), ["恶意", "恶意", "恶意"]),
        ("三体(全集) 刘慈欣", ("刘慈欣",), ["三体(全集)", "三体", "三体"]),
        (
            "deep work: rules for focus cal newport",
            ("cal newport",),
            ["deep work: rules for focus", "deep work: rules for focus", "deep work"],
        ),
        ("cal newport – deep work", ("cal newport",), ["deep work", "deep work", "deep work"]),
        ("紫金陈:高智商犯罪 紫金陈", ("紫金陈",), ["紫金陈:高智商犯罪", "紫金陈:高智商犯罪"]),
        ("solo", ("jane doe",), ["solo", "solo", "solo"]),
        ("stalin", ("lin",), ["stalin", "stalin", "stalin"]),
    ],
)
def test_titles_of_works(name: str, authors: tuple[str, ...], titles: list[str]) -> None:
    assert titles_of(name, authors) == titles


BOOK = "---\nauthor: {}\nisbn: {}\n---\nHighlights\n"


@pytest.mark.parametrize(
    ("book", "author"),
    [
        ("Deep Work - Cal Newport", "Cal Newport"),
        ("Cal Newport - Deep Work", "Cal Newport"),
        ("Deep Work： Rules for Focus-Cal Newport", "Cal Newport"),
        ("Deep Work (2nd edition)", "Cal Newport"),
    ],
)
def test_a_work_is_called_by_its_title(vault_of: Callable[..., Vault], book: str, author: str) -> None:
    vault = vault_of({f"books/{book}.md": BOOK.format(author, 1), "notes/📚Deep Work.md": "Mine\n"})
    assert namesakes(vault) == [(f"books/{book}.md", "notes/📚Deep Work.md")]


def test_two_records_of_one_name_are_two_things(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "books/Solo - Jane Doe.md": BOOK.format("Jane Doe", 1),
            "films/Solo.md": "---\nimdb: tt1\n---\n",
            "own/🎬Solo.md": "Seen twice.\n",
        }
    )
    assert namesakes(vault) == [
        ("books/Solo - Jane Doe.md", "own/🎬Solo.md"),
        ("films/Solo.md", "own/🎬Solo.md"),
    ]


@pytest.mark.parametrize(("notes", "pairs"), [(2, 1), (4, 6), (5, 0)])
def test_what_many_are_called_is_a_kind(vault_of: Callable[..., Vault], notes: int, pairs: int) -> None:
    assert len(namesakes(vault_of({f"{'abcde'[place]}/Goals.md": "" for place in range(notes)}))) == pairs


@pytest.mark.parametrize(
    ("one", "other"),
    [("2024/Retro.md", "2025/Retro.md"), ("docs/v1/api/Tokens.md", "docs/v2/api/Tokens.md")],
)
def test_paths_that_differ_in_a_number(vault_of: Callable[..., Vault], one: str, other: str) -> None:
    assert namesakes(vault_of({one: "", other: ""})) == []


@pytest.mark.parametrize(("common", "others", "pairs"), [(2, 0, 2), (3, 0, 0), (3, 6, 0), (3, 7, 3)], ids=str)
def test_parallel_folders(vault_of: Callable[..., Vault], common: int, others: int, pairs: int) -> None:
    names = ("Anchor", "Bellows", "Capstan")
    files = {f"docs/{side}/{name}.md": "" for side in ("en", "zh") for name in names[:common]}
    more = {f"docs/en/More {'abcdefg'[place]}{'xyzuvwt'[place]}.md": "" for place in range(others)}
    assert len(namesakes(vault_of({**files, **more}))) == pairs


def test_a_folder_within_the_other_runs_parallel_as_well(vault_of: Callable[..., Vault]) -> None:
    files = {f"{folder}/{name}.md": "" for folder in ("a", "a/m") for name in ("bow", "kettle", "zebra")}
    assert namesakes(vault_of(files)) == []
