"""What a search finds, and shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index.fulltext import Filter
from reme_cli.index.index import Index
from reme_cli.search.hit import search_json
from reme_cli.search.query import parse_query
from reme_cli.search.score import Parts
from reme_cli.search.search import node_search, search
from reme_cli.search.words import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

FILES = {
    "digest/wiki/vector-store.md": "---\nname: Vector store\ndescription: Where embeddings live\naliases: [embedding database, 向量库]\n"
    "tags: [area/search]\nkind: concept\n---\n# Vector store\n\nAn index of embeddings.\n\n## Cost\n\nMemory is the cost.\n\nThe\tmemory of a vector is large.\n",
    "digest/procedure/deploy.md": "---\nname: Deploy the gateway\ndescription: Steps\n---\n1. Run `auto_dream.py` with node_search.\n2. 重启数据库网关\n",
    "daily/2026-06-20/chat.md": "We talked about C++ and R&D, rule E-1, the .env file, and a vector store.\nNothing is running.\n",
    "daily/2026-06-21/log.md": "Caf\u00e9 memory memory memory. 网关重启了。养了一只猫。\n",
    "resource/paper.md": "# Embeddings\n\nvector store\n",
    "loose.md": "nothing of note\r\n\r\nrunner runs\r\n",
}


@pytest.fixture
def index(vault_of: Callable[..., Vault]) -> Index:
    return Index.open(vault_of(FILES))


FOUND = {
    "embedding database": "digest/wiki/vector-store.md",
    "向量库": "digest/wiki/vector-store.md",
    "向量": "digest/wiki/vector-store.md",
    "where embeddings live": "digest/wiki/vector-store.md",
    "C++": "daily/2026-06-20/chat.md",
    "r&d": "daily/2026-06-20/chat.md",
    "E-1": "daily/2026-06-20/chat.md",
    ".env": "daily/2026-06-20/chat.md",
    "env": "daily/2026-06-20/chat.md",
    "node_search": "digest/procedure/deploy.md",
    "dream": "digest/procedure/deploy.md",
    "auto_dream.py": "digest/procedure/deploy.md",
    "数据库": "digest/procedure/deploy.md",
    "数据": "digest/procedure/deploy.md",
    "重启": "digest/procedure/deploy.md",
    "网关重启": "daily/2026-06-21/log.md",
    "猫": "daily/2026-06-21/log.md",
    "了": "daily/2026-06-21/log.md",
    "cafe": "daily/2026-06-21/log.md",
    "ＣＡＦＥ": "daily/2026-06-21/log.md",
    '"memory of a vector"': "digest/wiki/vector-store.md",
    "run": "loose.md",
}


@pytest.mark.parametrize("query", FOUND)
def test_found_first(index: Index, query: str) -> None:
    assert [hit.path for hit in search(index, query)][:1] == [FOUND[query]]


NARROWED = {
    "vector store -layer:digest": {"daily/2026-06-20/chat.md", "resource/paper.md"},
    "vector -embeddings": {"daily/2026-06-20/chat.md"},
    '"vector store" -"of embeddings"': {"daily/2026-06-20/chat.md", "resource/paper.md"},
    '"store vector"': set(),
    "memory layer:daily": {"daily/2026-06-21/log.md"},
    "tag:area": {"digest/wiki/vector-store.md"},
    "tag:#area/search": {"digest/wiki/vector-store.md"},
    "tag:are": set(),
    "kind:Concept": {"digest/wiki/vector-store.md"},
    "bucket:procedure": {"digest/procedure/deploy.md"},
    "path:daily/*": {"daily/2026-06-20/chat.md", "daily/2026-06-21/log.md"},
    "path:**/chat.md": {"daily/2026-06-20/chat.md"},
    "path:PAPER": {"resource/paper.md"},
    "after:2026-06-21": {"daily/2026-06-21/log.md"},
    "before:2026-06-21": {"daily/2026-06-20/chat.md"},
    "-layer:daily -layer:digest": {"resource/paper.md", "loose.md"},
    "-vector layer:digest": {"digest/procedure/deploy.md"},
    "zzz": set(),
    "": set(),
}


@pytest.mark.parametrize("query", NARROWED)
def test_found_at_all(index: Index, query: str) -> None:
    assert {hit.path for hit in search(index, query)} == NARROWED[query]


def test_name_before_alias_before_heading_before_body(vault_of: Callable[..., Vault]) -> None:
    filler = "other words stand here so that all notes are of one length"
    files = {
        "a.md": f"{filler} zebra\n",
        "b.md": f"# zebra\n{filler}\n",
        "c.md": f"---\naliases: [zebra]\n---\n{filler}\n",
        "zebra.md": f"{filler}\n",
    } | {f"x{number}.md": filler for number in range(8)}
    with Index.open(vault_of(files)) as index:
        assert [hit.path for hit in search(index, "zebra")] == ["zebra.md", "c.md", "b.md", "a.md"]


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_of_equal_notes_the_path_decides_which_are_left_out(
    vault_of: Callable[..., Vault], limit: int
) -> None:
    vault = vault_of({f"{name}.md": "the gateway" for name in "bcd"})
    with Index.open(vault) as index:
        (vault.root / "a.md").write_text("the gateway", encoding="utf-8")
        index.update(["a.md"])  # the last in the index
        found = index.matches(parse_query("gateway"), WEIGHTS, limit).candidates
        assert [note.path for note in found] == ["a.md", "b.md", "c.md", "d.md"][:limit]


def test_equal_scores_are_ordered_by_path(vault_of: Callable[..., Vault]) -> None:
    files = {f"{name}.md": "same words" for name in "dbca"} | {
        f"z/{number}.md": "filler" for number in range(9)
    }
    with Index.open(vault_of(files)) as index:
        assert [hit.path for hit in search(index, "same", limit=3)] == ["a.md", "b.md", "c.md"]


def test_the_best_passage_is_shown_with_its_line(index: Index) -> None:
    hit = search(index, "memory vector large")[0]
    assert (hit.path, hit.line, hit.heading) == ("digest/wiki/vector-store.md", 16, "Vector store > Cost")
    assert hit.snippet == "The memory of a vector is large."
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["memory", "vector", "large"]


def test_marks_in_a_script_without_spaces(index: Index) -> None:
    hit = search(index, "数据库")[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["数据库"]
    assert hit.line == 6
    hit = search(index, "猫")[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["猫"]


def test_lines_are_counted_with_any_line_ending(index: Index) -> None:
    hit = search(index, "runner")[0]
    assert (hit.line, hit.snippet) == (3, "runner runs")


def test_a_match_in_the_name_alone_shows_how_the_note_begins(index: Index) -> None:
    hit = search(index, "gateway", filters=[Filter("layer", ("digest",))])[0]
    assert hit.snippet.startswith("1. Run `auto_dream.py`")
    assert (hit.line, hit.marks) == (5, ())


def test_a_note_changed_or_gone_since_the_refresh_is_a_hit_all_the_same(index: Index) -> None:
    (index.vault.root / "loose.md").write_text("# New\n\nfirst\n\nthe runner\n", encoding="utf-8")
    assert [(hit.line, hit.heading, hit.snippet) for hit in search(index, "runner")] == [
        (5, "New", "the runner")
    ]
    (index.vault.root / "loose.md").unlink()
    assert [(hit.path, hit.snippet) for hit in search(index, "runner")] == [("loose.md", "")]


def test_json_is_the_contract(index: Index) -> None:
    found = search_json("vector", search(index, "vector", limit=1))
    assert list(found) == ["schema", "query", "answers", "hits"]
    (hit,) = found["hits"]
    assert list(hit) == [
        "path",
        "name",
        "description",
        "score",
        "line",
        "heading",
        "snippet",
        "layer",
        "flags",
        "parts",
    ]
    assert (hit["name"], hit["layer"], hit["flags"]) == ("Vector store", "digest", [])
    parts = Parts(**hit["parts"])
    assert hit["score"] == pytest.approx(parts.score, abs=1e-5)
    assert parts.bm25 > 0


def test_node_search_gives_digest_notes_once_each(index: Index) -> None:
    summary = (
        "We decided how the vector store is deployed: the gateway (重启数据库网关) runs `auto_dream.py`. "
        * 60
    )
    hits = node_search(index, summary)
    assert [(hit.path, hit.name, hit.description) for hit in hits] == [
        ("digest/procedure/deploy.md", "Deploy the gateway", "Steps"),
        ("digest/wiki/vector-store.md", "Vector store", "Where embeddings live"),
    ]
    assert hits[0].score > hits[1].score > 0


def test_node_search_takes_the_text_literally(index: Index) -> None:
    assert [hit.path for hit in node_search(index, '-vector layer:daily "store" NOT')] == [
        "digest/wiki/vector-store.md"
    ]
    assert node_search(index, "  ") == []


def test_node_search_sees_what_was_just_written(index: Index) -> None:
    path = "digest/wiki/quokka.md"
    (index.vault.root / path).write_text(
        "---\nname: Quokka\ndescription: A marsupial\n---\nsmall\n", encoding="utf-8"
    )
    index.update([path])
    assert [hit.path for hit in node_search(index, "the quokkas")] == [path]


def test_links_are_searched_as_they_are_read(vault_of: Callable[..., Vault]) -> None:
    text = "We use [[digest/wiki/jwt-rotation.md|the rotation of keys]] since [May](x/plan.md), see [[x/y/quokka]]."
    with Index.open(vault_of({"a.md": text})) as index:
        found = {
            query: bool(search(index, query))
            for query in ('"use the rotation of keys since may see quokka"', "jwt", "plan", "wiki", "digest")
        }
    assert found == {
        '"use the rotation of keys since may see quokka"': True,
        "jwt": True,
        "plan": True,
        "wiki": False,
        "digest": False,
    }
