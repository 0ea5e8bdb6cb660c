"""What a model said is not asked again while the notes, the model and the prompt say the same: for the judges of all levels."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.run import start_run
from reme_cli.config import Config, LlmConfig
from reme_cli.index.index import Index
from reme_cli.linking.l1_mentions import LinkOptions, link_mentions
from reme_cli.linking.l2_same_topic import TopicOptions, link_topics
from reme_cli.linking.l3_predicates import TypingOptions, type_links
from reme_cli.linking.l4_duplicates import DuplicateOptions, list_duplicates
from tests.scripted_model import ENVIRONMENT, MODEL, json_text, scripted_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.linking.asking import Asking
    from reme_cli.vault.vault import Vault
    from tests.scripted_model import Reply, Request, ScriptedModel

A, B, C, HUB = (f"digest/wiki/{name}.md" for name in ("mercury-planet", "mercury-program", "venus", "log"))
PLANET = (
    "Mercury turns slowly around the sun, and its surface is full of craters from the early days of the solar system;"
    " hot by day, cold by night, without air. [[digest/wiki/log.md|The log]] knows more of it, as people said.\n"
)
NOTES = {
    A: f"---\nname: Mercury planet\naliases: [Mercury mission]\n---\n{PLANET}\n",
    B: "---\nname: Mercury program\naliases: [Mercury mission]\n---\nIt flew.\n",
    C: f"---\nname: Venus\n---\n{PLANET.replace('Mercury', 'Venus').replace('slowly', 'very slowly')}",
    HUB: "The Mercury mission was flown in 1961 by the agency.\n",
}


def l1(vault: Vault, *, dry_run: bool) -> Asking | None:
    with Index.open(vault) as index, start_run(vault, "test") as run:
        options = LinkOptions(use_model=True, dry_run=dry_run)
        return link_mentions(vault, index, [HUB], options, run, env=ENVIRONMENT).asking


def l2(vault: Vault, *, dry_run: bool) -> Asking | None:
    with Index.open(vault) as index, start_run(vault, "test") as run:
        options = TopicOptions(use_model=True, dry_run=dry_run)
        return link_topics(vault, index, None, options, run, env=ENVIRONMENT).asking


def l3(vault: Vault, *, dry_run: bool) -> Asking | None:
    with Index.open(vault) as index, start_run(vault, "test") as run:
        options = TypingOptions(use_model=True, apply=True, dry_run=dry_run)
        return type_links(vault, index, [A, C], options, run, env=ENVIRONMENT).asking


def l4(vault: Vault, *, dry_run: bool) -> Asking | None:
    with Index.open(vault) as index:
        options = DuplicateOptions(use_model=True, dry_run=dry_run)
        return list_duplicates(vault, index, None, options, env=ENVIRONMENT).asking


RUNS = {"l1": l1, "l2": l2, "l3": l3, "l4": l4}


def answer(_request: Request) -> Reply:
    """Says yes to whatever is asked."""
    links = [{"paragraph": 1, "mention": "Mercury mission", "note": 2}]
    pairs = [{"pair": 1, "why": "both turn"}]
    predicates = [{"link": 1, "predicate": "is_a"}]
    return json_text({"links": links, "related": pairs, "duplicates": pairs, "predicates": predicates})


def vault_for(vault_of: Callable[..., Vault], server: ScriptedModel, model: str = MODEL) -> Vault:
    return vault_of(NOTES, Config(llm=LlmConfig(model=model, api_base=server.url)))


@pytest.mark.parametrize("name", sorted(RUNS))
def test_it_is_asked_once(vault_of: Callable[..., Vault], name: str) -> None:
    with scripted_model(answer) as server:
        vault = vault_for(vault_of, server)
        first = RUNS[name](vault, dry_run=True)
        calls = len(server.requests)
        assert first is not None
        assert calls > 0
        assert (first.asked > 0, first.remembered) == (True, 0)
        second = RUNS[name](vault, dry_run=False)
        assert second is not None
        assert (second.asked, second.remembered) == (0, first.asked), "a dry run is not paid for twice"
        written = {path: vault.read(path).text for path in NOTES}
        third = RUNS[name](vault, dry_run=False)
        assert third is not None
        assert third.asked == 0
        assert len(server.requests) == calls
    assert {path: vault.read(path).text for path in NOTES} == written
    assert (written != NOTES) == (name != "l4"), "what is remembered is done as if it were said now"


@pytest.mark.parametrize("name", sorted(RUNS))
@pytest.mark.parametrize("changed", ["note", "model", "prompt"])
def test_it_is_asked_again_where_something_changed(
    vault_of: Callable[..., Vault], name: str, changed: str
) -> None:
    with scripted_model(answer) as server:
        vault = vault_for(vault_of, server)
        RUNS[name](vault, dry_run=True)
        calls = len(server.requests)
        if changed == "note":
            for path in (A, HUB):
                place = vault.root / path
                place.write_text(
                    place.read_text(encoding="utf-8").replace("The", "One day, the"), encoding="utf-8"
                )
        elif changed == "model":
            vault = vault_for(vault_of, server, f"{MODEL}-2")
        else:
            for role in ("judge_mention", "judge_same_topic", "judge_predicate", "judge_duplicate"):
                shipped = (Path(__file__).parents[2] / "prompts/en" / f"{role}.md").read_text(
                    encoding="utf-8"
                )
                place = vault.root / "prompts" / f"{role}.md"
                place.parent.mkdir(exist_ok=True)
                place.write_text(shipped.replace("In doubt", "Whenever in doubt"), encoding="utf-8")
        again = RUNS[name](vault, dry_run=True)
        assert again is not None
        assert again.asked > 0
        assert len(server.requests) > calls


def test_in_a_vault_that_cannot_be_written_it_is_asked_again(vault_of: Callable[..., Vault]) -> None:
    with scripted_model(answer) as server:
        vault = vault_for(vault_of, server)
        with Index.open(vault):
            place = vault.metadata("cache", "judgements.db")
        place.mkdir()  # nothing can be written there
        for _ in range(2):
            asking = l1(vault, dry_run=True)
            assert asking is not None
            assert (asking.asked, asking.remembered) == (1, 0)


def test_what_was_kept_is_checked_as_an_answer_is(vault_of: Callable[..., Vault]) -> None:
    """The file may come with a vault that somebody else made."""
    with scripted_model(answer) as server:
        vault = vault_for(vault_of, server)
        l2(vault, dry_run=True)
        with sqlite3.connect(vault.metadata("cache", "judgements.db")) as connection:
            connection.execute("UPDATE judgements SET said = ?", (json.dumps("[[evil]]\n# <script>"),))
        connection.close()
        l2(vault, dry_run=False)
        assert ": evil script." in vault.read(A).text
        with sqlite3.connect(vault.metadata("cache", "judgements.db")) as connection:
            connection.execute("UPDATE judgements SET said = '{'")
        connection.close()
        assert l4(vault, dry_run=True) is not None
