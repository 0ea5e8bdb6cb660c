"""Notes that are near in meaning are found whatever their words are, by vectors that a scripted model gave."""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING

import pytest

from reme_cli.config import Config, EmbeddingConfig, LlmConfig
from reme_cli.index.index import Index
from reme_cli.linking import meaning
from reme_cli.linking.l4_duplicates import DuplicateOptions, list_duplicates
from reme_cli.linking.meaning import Meaning, mutual, standing_out
from reme_cli.linking.relevance import relevant_pairs
from reme_cli.search.coverage import cover
from tests.scripted_model import ENVIRONMENT, KEY, MODEL, Reply, Request, json_text, scripted_model

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reme_cli.vault.vault import Vault
    from tests.scripted_model import ScriptedModel

ENGLISH, CHINESE, BREAD = (f"digest/wiki/{name}.md" for name in ("key-rotation", "密钥轮换", "bread"))
NOTES = {
    ENGLISH: "The gateway rotates signing keys every week; the old key stays valid for another day.\n",
    CHINESE: "网关每周轮换签名密钥，旧密钥再保留一天有效。\n",
    BREAD: "Sourdough needs a starter, flour, salt and patience.\n",
    "digest/wiki/tea.md": "Green tea wants cooler water than black tea does.\n",
    "digest/wiki/bike.md": "The chain of a bicycle is oiled in spring.\n",
}
SIZE = 64
OWN = 0.2
"""How much of its own each vector has besides its topic's."""


def topic_vector(text: str) -> list[float]:
    """The vector of a text's topic, which is what it says in whatever language, with a little of its own."""
    topic = "rotation" if "key" in text or "密钥" in text else text
    common, own = random.Random(topic), random.Random(text)
    return [common.gauss(0, 1) + own.gauss(0, OWN) for _ in range(SIZE)]


def answer(request: Request) -> Reply:
    if not request.path.endswith("/embeddings"):
        return json_text({"duplicates": [{"pair": 1, "why": "both rotate keys"}], "related": []})
    data = [
        {"object": "embedding", "index": place, "embedding": topic_vector(text)}
        for place, text in enumerate(request.inputs)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    body = {"object": "list", "model": request.body["model"], "data": data, "usage": usage}
    return Reply(raw=json.dumps(body).encode())


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with scripted_model(answer) as running:
        yield running


def embedded(vault_of: Callable[..., Vault], server: ScriptedModel, notes: dict[str, str]) -> Vault:
    config = Config(
        llm=LlmConfig(model=MODEL, api_base=server.url),
        embedding=EmbeddingConfig(model="openai/test-embedding", api_base=server.url),
    )
    vault = vault_of(notes, config)
    with Index.open(vault) as index:
        assert cover(index).problem is None
    return vault


def test_a_duplicate_in_another_language(vault_of: Callable[..., Vault], server: ScriptedModel) -> None:
    vault = embedded(vault_of, server, NOTES)
    with Index.open(vault) as index:
        found = list_duplicates(vault, index, None, DuplicateOptions(dry_run=True))
        asked = list_duplicates(
            vault, index, None, DuplicateOptions(dry_run=True, use_model=True), env=ENVIRONMENT
        )
    assert [{*pair[:2]} for pair in found.pairs] == [{ENGLISH, CHINESE}]
    assert found.pairs[0].near >= 0.8
    assert "near in meaning" in found.text
    assert [pair.why for pair in asked.pairs] == ["both rotate keys"]


def test_the_same_topic_in_another_language(vault_of: Callable[..., Vault], server: ScriptedModel) -> None:
    vault = embedded(vault_of, server, NOTES)
    with Index.open(vault) as index:
        found = relevant_pairs(index, sorted(NOTES), vault.config.relevance)
    assert [{*pair[:2]} for pair in found] == [{ENGLISH, CHINESE}]
    assert "near in meaning" in found[0].evidence


def test_nothing_is_sent_and_notes_without_vectors_are_told(
    vault_of: Callable[..., Vault], server: ScriptedModel
) -> None:
    vault = embedded(vault_of, server, NOTES)
    before = len(server.requests)
    (vault.root / "digest/wiki/new.md").write_text("Signing keys rotate.\n", encoding="utf-8")
    warnings: list[str] = []
    with Index.open(vault, warn=warnings.append) as index:
        list_duplicates(vault, index, None, DuplicateOptions(dry_run=True))
    assert warnings == ["vectors: 1 note has none; `reme index` makes them"]
    assert len(server.requests) == before


def test_without_an_embedding_model_nothing_is_near(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(NOTES)
    with Index.open(vault) as index:
        assert Meaning(index, sorted(NOTES)).candidates() == {}
    assert not (vault.root / "metadata/cache/vectors.db").exists()


def test_bands_find_what_comparing_all_finds(
    vault_of: Callable[..., Vault], server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = embedded(vault_of, server, NOTES)
    with Index.open(vault) as index:
        near = Meaning(index, sorted(NOTES))
        all_with_all = near.candidates()
        monkeypatch.setattr(meaning, "MOST_COMPARED", 0)
        assert near.candidates() == all_with_all
    assert len(all_with_all) == 1


def test_only_the_nearest_of_both_are_mutual() -> None:
    assert mutual({(0, 1): 0.9, (1, 2): 0.8, (3, 4): 0.7}) == {(0, 1), (3, 4)}


def test_what_stands_out_does_so_on_any_scale() -> None:
    assert standing_out({(0, 1): 0.7, (0, 2): 0.45, (1, 3): 0.4}) == {(0, 1)}
    assert standing_out({(0, 1): 0.7, (0, 2): 0.6}) == set(), "the next one is hardly farther"
    assert standing_out({(0, 1): 0.6}) == {(0, 1)}, "nothing else is even faintly near"
    assert standing_out({(0, 1): 0.5}) == set()


def test_a_translation_that_the_model_puts_farther_off(
    vault_of: Callable[..., Vault], server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models differ in how near they put two languages; that nothing else is as near holds for all of them."""
    monkeypatch.setattr(sys.modules[__name__], "OWN", 0.75)
    vault = embedded(vault_of, server, NOTES)
    with Index.open(vault) as index:
        nearness = Meaning(index, sorted(NOTES)).candidates(0.0)
        found = list_duplicates(vault, index, None, DuplicateOptions(dry_run=True))
    assert 0.55 < max(nearness.values()) < 0.75
    assert [{*pair[:2]} for pair in found.pairs] == [{ENGLISH, CHINESE}]
    assert found.pairs[0].sureness == "likely"
