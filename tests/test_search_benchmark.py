"""The benchmark of the search measures what it says: its sets hold no answer, and each variant is another search."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from benchmarks.quality.ablation import VARIANTS, Variant, ranker
from benchmarks.quality.pairs import looked_for
from benchmarks.quality.sets import layer_path, without_markup
from reme_cli.index.index import Index
from reme_cli.search.search import search

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from reme_cli.vault.vault import Vault

FILES = {
    "digest/wiki/gateway.md": "---\naliases: [token rotations]\n---\n# Gateway\n\nrotates tokens\n",
    "daily/2026-06-20.md": "The gateway rotated tokens; tokens of the gateway rotate. 网关重启\n",
    "daily/2026-06-21.md": "gateway gateway [[gateway]]\n",
    "resource/web.md": "关网 and the [[gateway]]\n",
    "resource/other.md": "nothing, [[web]]\n",
}
QUESTIONS = ("token rotation of the gateway", "rotating", "网关", "web gateway")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_searches(vault_of: Callable[..., Vault], variant: Variant) -> None:
    vault = vault_of(FILES)

    def results(one: Variant) -> list[list[str]]:
        shutil.rmtree(vault.root / "metadata", ignore_errors=True)
        with one.replaced(), Index.open(vault) as index:
            return [ranker(one)(index, question) for question in QUESTIONS]

    ordinary = results(VARIANTS[0])
    assert all(ordinary)
    found = results(variant)
    assert any(found)
    assert results(VARIANTS[0]) == ordinary  # nothing is left behind
    if variant.is_indexed_anew:
        assert found != ordinary


def test_the_first_variant_is_the_search_as_it_is(vault_of: Callable[..., Vault]) -> None:
    questions = (*QUESTIONS, 'who rotated the tokens of "no such phrase" at the gateway')
    with Index.open(vault_of(FILES)) as index:
        for question in questions:
            assert ranker(VARIANTS[0])(index, question) == [hit.path for hit in search(index, question)] != []


def test_a_question_holds_no_link() -> None:
    text = "---\nup: '[[x]]'\n---\nsaw [[Cards/note|it]], ![[a/b/c#d]] and [[plain]]\n"
    assert without_markup(text) == "saw it, c and plain\n"


def test_layers() -> None:
    assert layer_path("Calendar/Daily notes/2022.md") == "daily/Calendar/Daily notes/2022.md"
    assert layer_path("Sources/a.md") == "resource/Sources/a.md"
    assert layer_path("Cards/a.md") == "digest/wiki/Cards/a.md"


def test_words_are_looked_for(make_vault: Callable[..., Path]) -> None:
    files = {f"{number}.md": "- 网关\n" for number in range(11)} | {
        "a.md": "- 重启\n",
        "b.md": "重启数据库，备份。\n",
    }
    looked = looked_for(make_vault(files))
    assert (looked.words, looked.missed) == (2, [])
