"""What the model is asked about mentions, and what becomes of its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.changeset.run import start_run
from reme_cli.config import BudgetConfig, Config, LlmConfig
from reme_cli.index.index import Index
from reme_cli.linking.l1_mentions import LinkOptions, link_mentions
from tests.scripted_model import ENVIRONMENT, MODEL, Reply, Request, json_text, scripted_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.linking.report import L1Report
    from reme_cli.vault.vault import Vault

PLANET, PROGRAM = "digest/wiki/mercury-planet.md", "digest/wiki/mercury-program.md"
ROTATION = "digest/wiki/jwt-rotation.md"
SOURCE = "digest/wiki/source.md"
NOTES = {
    PLANET: "---\nname: Mercury planet\ndescription: Nearest to the sun.\naliases: [Mercury mission]\n---\nIt is hot.\n",
    PROGRAM: "---\nname: Mercury program\naliases: [Mercury mission]\n---\nIt flew.\n",
    ROTATION: "---\nname: JWT rotation\ndescription: Keys of tokens are rotated.\n---\nToken keys are rotated weekly.\n",
}


def link(vault: Vault) -> L1Report:
    with Index.open(vault) as index, start_run(vault, "test") as run:
        return link_mentions(vault, index, [SOURCE], LinkOptions(use_model=True), run, env=ENVIRONMENT)


def judged(vault_of: Callable[..., Vault], text: str, *links: dict[str, Any], budget: int = 100_000) -> Any:
    """The report, the text that the note has then, and the requests."""
    with scripted_model(lambda _request: json_text({"links": list(links)})) as server:
        llm = LlmConfig(model=MODEL, api_base=server.url, budget=BudgetConfig(usd=None, tokens=budget))
        vault = vault_of({**NOTES, SOURCE: text}, Config(llm=llm))
        report = link(vault)
        return report, vault.read(SOURCE).text, list(server.requests)


def number_of(path: str, request: Request) -> int:
    """The number under which a note was offered."""
    line = next(line for line in str(request.body).split("\\n") if f'"path": "{path}"' in line)
    return int(line.split('"note": ')[1].split(",")[0])


TEXT = "The Mercury mission was flown in 1961 by the agency.\n"


def test_it_chooses_among_notes_of_one_name(vault_of: Callable[..., Vault]) -> None:
    report, text, requests = judged(vault_of, TEXT, {"paragraph": 1, "mention": "Mercury mission", "note": 2})
    assert text == f"The [[{PROGRAM}|Mercury mission]] was flown in 1961 by the agency.\n"
    assert [(each.target, each.by) for each in report.linked] == [(PROGRAM, "model")]
    assert report.left == []
    assert (report.asking.asked, report.asking.spent.calls) == (1, 1)
    assert number_of(PLANET, requests[0]) == 1
    assert "Nearest to the sun." in str(requests[0].body)


def test_what_it_declines_is_left(vault_of: Callable[..., Vault]) -> None:
    report, text, _ = judged(vault_of, TEXT)
    assert text == TEXT
    assert [(each.mention, each.reason) for each in report.left] == [("Mercury mission", "declined")]


def test_a_paraphrase_is_linked_by_its_very_words(vault_of: Callable[..., Vault]) -> None:
    text = "# Log\n\nThe keys of our tokens are rotated every Monday, JWT 轮换 as we call it.\n"
    with scripted_model(
        lambda request: json_text(
            {"links": [{"paragraph": 1, "mention": "JWT 轮换", "note": number_of(ROTATION, request)}]}
        )
    ) as server:
        vault = vault_of({**NOTES, SOURCE: text}, Config(llm=LlmConfig(model=MODEL, api_base=server.url)))
        link(vault)
    assert f"[[{ROTATION}|JWT 轮换]] as we call it" in vault.read(SOURCE).text


@pytest.mark.parametrize(
    "answer",
    [
        {"paragraph": 1, "mention": "mercury Mission", "note": 1},
        {"paragraph": 1, "mention": "ercury missio", "note": 1},
        {"paragraph": 2, "mention": "Mercury mission", "note": 1},
        {"paragraph": 1, "mention": "Mercury mission", "note": 99},
        {"paragraph": 1, "mention": "Mercury mission", "note": 0},
        {"paragraph": 1, "mention": "M", "note": 1},
    ],
)
def test_an_answer_that_names_no_place_is_nothing(
    vault_of: Callable[..., Vault], answer: dict[str, Any]
) -> None:
    _, text, _ = judged(vault_of, TEXT, answer)
    assert text == TEXT


def test_where_no_link_may_stand_it_can_make_none(vault_of: Callable[..., Vault]) -> None:
    text = f"{TEXT}\n`Mercury code` and a lot of further words about the mission.\n"
    _, after, _ = judged(vault_of, text, {"paragraph": 2, "mention": "Mercury code", "note": 1})
    assert after == text


def test_the_budget_stops_it_and_the_scores_go_on(vault_of: Callable[..., Vault]) -> None:
    report, text, requests = judged(vault_of, f"{TEXT}\nWe use JWT rotation.\n", budget=10)
    assert requests == []
    assert "llm.budget.tokens" in report.asking.stopped
    assert f"[[{ROTATION}|JWT rotation]]" in text
    assert [each.reason for each in report.left] == ["ambiguous"]


def test_an_unusable_answer_costs_its_note_only(vault_of: Callable[..., Vault]) -> None:
    with scripted_model(lambda _request: Reply(content="no")) as server:
        vault = vault_of({**NOTES, SOURCE: TEXT}, Config(llm=LlmConfig(model=MODEL, api_base=server.url)))
        report = link(vault)
    assert report.asking is not None
    assert (report.asking.asked, report.asking.stopped) == (0, None)
    assert vault.read(SOURCE).text == TEXT


def test_where_no_model_answers_the_way_out_is_one_that_auto_link_has(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({**NOTES, SOURCE: TEXT}, Config(llm=LlmConfig(model="openai/gpt-5-mini")))
    with Index.open(vault) as index, start_run(vault, "test") as run:
        report = link_mentions(vault, index, [SOURCE], LinkOptions(use_model=True), run, env={})
    assert report.asking is not None
    assert "OPENAI_API_KEY" in (stopped := report.asking.stopped or "")
    assert "--no-llm" in stopped
    assert "engine" not in stopped
