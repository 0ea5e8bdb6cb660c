"""What a query means; every text is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.index.fulltext import MAX_TERMS, Filter, Query
from reme_cli.index.index import Index
from reme_cli.search.query import parse_query, phrase_tokens, spoken
from reme_cli.search.search import search

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

QUERIES = {
    "": Query(),
    "   ": Query(),
    "vector stores": Query(terms=("vector", "stor")),
    "the vector of it": Query(terms=("vector",)),
    "to be or not": Query(terms=("to", "be", "or", "not")),
    "notes note NOTE": Query(terms=("note",)),
    '"exact words" more': Query(terms=("more",), phrases=(("exact", "word"),)),
    "“exact words”": Query(phrases=(("exact", "word"),)),
    "alpha -beta": Query(terms=("alpha",), excluded=(("beta",),)),
    'alpha -"beta gamma"': Query(terms=("alpha",), excluded=(("beta", "gamma"),)),
    "re-index": Query(terms=("re-index", "re", "index")),
    "tag:idea": Query(filters=(Filter("tag", ("idea",)),)),
    "layer:digest,daily x": Query(terms=("x",), filters=(Filter("layer", ("digest", "daily")),)),
    "-layer:daily x": Query(terms=("x",), filters=(Filter("layer", ("daily",), negated=True),)),
    'path:"my notes/a"': Query(filters=(Filter("path", ("my notes/a",)),)),
    "after:2026-01-01": Query(filters=(Filter("after", ("2026-01-01",)),)),
    # what does not parse is text
    "after:soon": Query(terms=("soon",)),
    "tag:": Query(terms=("tag",)),
    "https://example.org/x": Query(terms=("http", "example.org", "exampl", "org", "x")),
    '"unclosed words': Query(terms=("unclos", "word")),
    "-": Query(),
    "--": Query(),
    '""': Query(),
    "AND OR NEAR(": Query(terms=("near",)),
    # scripts without spaces
    "数据库": Query(terms=("数据", "据库")),
    "猫": Query(terms=("猫",)),
    "数据 库": Query(terms=("数据", "库")),
    '"数据库"': Query(phrases=(("数据", "据库"),)),
}


@pytest.mark.parametrize("text", QUERIES)
def test_meaning(text: str) -> None:
    assert parse_query(text) == QUERIES[text]


PASTED = [
    'She said: "not those words"\n- beta, tag:idea\n',
    'beta "not those words" tag:idea ' * 40,
]


@pytest.mark.parametrize("text", PASTED)
def test_what_is_pasted_is_taken_literally(text: str) -> None:
    query = parse_query(text)
    assert {"beta", "word", "idea"} <= set(query.terms)
    assert query == Query(terms=query.terms)
    assert spoken(text) == text


def test_a_phrase_leaves_out_the_character_that_ends_a_run() -> None:
    assert phrase_tokens("数据库") == ("数据", "据库")
    assert phrase_tokens("猫") == ("猫",)
    assert phrase_tokens("说 猫") == ("说", "猫")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    from reme_cli.config import Config
    from reme_cli.vault.vault import Vault

    root = tmp_path_factory.mktemp("vault")
    (root / "a.md").write_text("# Alpha\nbeta 'gamma' AND NOT \"x\" * 数据库 tag:idea\n", encoding="utf-8")
    (root / "b.md").write_text("---\ntags: [idea]\n---\nbeta\n", encoding="utf-8")

    def warn(line: str) -> None:
        # an index that is taken for damaged and built again would hide an error in the query
        raise AssertionError(line)

    return Index.open(Vault(root, Config()), warn=warn)


@given(
    st.text(max_size=30)
    | st.lists(
        st.sampled_from(
            [
                "AND",
                "OR",
                "NOT",
                "NEAR(",
                ")",
                "(",
                "*",
                "^",
                ":",
                "+",
                "-",
                '"',
                "'",
                "alpha",
                "beta",
                "数",
                "数据",
                "tag:",
                "path:*",
                "path:[",
                "layer:",
                "name:",
                "{a",
                "b}:",
                '-"',
                '""',
                "“",
                "”",
                "C++",
                "NEAR/2",
                "a*",
                "\x00",
                "after:2026-02-30",
                "before:2026-01-01",
                "kind:",
            ]
        ),
        max_size=8,
    ).map(" ".join)
)
def test_no_query_is_an_error(index: Index, text: str) -> None:
    for hit in search(index, text):
        assert hit.path in {"a.md", "b.md"}


def test_a_query_of_many_thousand_characters(index: Index) -> None:
    text = " ".join(f"word{number} 词{number}数据" for number in range(3000)) + " gamma"
    assert [hit.path for hit in search(index, text)] == ["a.md"]


def test_the_rarest_terms_of_a_long_query_are_looked_up(vault_of: Callable[..., Vault]) -> None:
    common = " ".join(f"common{number}" for number in range(2 * MAX_TERMS))
    files = {f"n{number}.md": common for number in range(5)} | {"rare.md": "needle"}
    with Index.open(vault_of(files)) as index:
        assert "rare.md" in [hit.path for hit in search(index, f"{common} needle")]


def test_very_many_phrases_and_exclusions(index: Index) -> None:
    quoted = " ".join(f'"beta {number}"' for number in range(90))
    assert search(index, quoted) == []
    excluded = " ".join(f"-w{number}" for number in range(150))
    assert [hit.path for hit in search(index, f"gamma {excluded}")] == ["a.md"]
    assert [hit.path for hit in search(index, " ".join(['"beta"'] * 140))] == ["b.md", "a.md"]
