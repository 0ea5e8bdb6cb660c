"""The embedding client against a scripted provider, through the real litellm."""

from __future__ import annotations

import json
import math
import threading
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.config import BudgetConfig, EmbeddingConfig, LlmConfig
from reme_cli.errors import (
    BudgetReached,
    ModelError,
    ModelNotConfigured,
    ModelRejected,
    ModelReplyUnusable,
    ModelUnreachable,
)
from reme_cli.llm.embedding import Embedder, api_base_of
from reme_cli.llm.ledger import Ledger
from tests.conftest import LONG
from tests.scripted_model import (
    ENVIRONMENT,
    FAULTS,
    KEY,
    Reply,
    Request,
    Script,
    ScriptedModel,
    embeddings,
    failure,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODEL = "openai/test-embedding"


class Play:
    """A scripted server and the embedders that ask it, whose pauses take no time and are kept."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.servers: list[ScriptedModel] = []

    def embedder(self, script: Script, *, llm: LlmConfig | None = None, **config: Any) -> Embedder:
        self.servers.append(ScriptedModel(script))
        given = {"model": MODEL, "api_base": self.servers[-1].url, **config}
        return self.connect(EmbeddingConfig(**given), llm or LlmConfig(timeout=LONG))

    def connect(self, config: EmbeddingConfig, llm: LlmConfig, **options: Any) -> Embedder:
        given = {"env": ENVIRONMENT, "sleep": self.pauses.append, "jitter": lambda: 0.5, **options}
        return Embedder.connect(config, llm, Ledger(config.budget, "embedding"), **given)

    @property
    def requests(self) -> tuple[Request, ...]:
        return self.servers[-1].requests


@pytest.fixture
def play() -> Iterator[Play]:
    playing = Play()
    yield playing
    for server in playing.servers:
        server.close()
    for thread in threading.enumerate():
        if thread.name == "model-call":
            thread.join(20)


def answering(*replies: Reply) -> Callable[[Request], Reply]:
    """A script that gives these replies, then vectors."""
    return lambda request: replies[request.number] if request.number < len(replies) else embeddings(request)


def raw(value: object) -> Reply:
    return Reply(raw=json.dumps(value).encode())


def test_a_vector_for_each_text(play: Play) -> None:
    embedder = play.embedder(embeddings)
    vectors = embedder.embed(["gateway tokens", "数据库迁移", "tokens of the gateway"])
    assert [len(vector) for vector in vectors if not isinstance(vector, ModelError)] == [64] * 3
    assert all(math.isclose(math.hypot(*vector), 1) for vector in vectors if isinstance(vector, tuple))
    (request,) = play.requests
    assert request.path == "/v1/embeddings"
    assert request.inputs == ["gateway tokens", "数据库迁移", "tokens of the gateway"]
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "dimensions" not in request.body
    assert embedder.ledger.spent.calls == 1


def test_vectors_come_in_the_order_of_the_texts_whatever_the_provider_does(play: Play) -> None:
    def backwards(_: Request) -> Reply:
        data = [{"object": "embedding", "index": at, "embedding": [float(at), 1.0]} for at in (2, 0, 1)]
        return raw({"object": "list", "model": "m", "data": data})

    found = play.embedder(backwards).embed(["a", "b", "c"])
    assert [vector[0] / vector[1] for vector in found if isinstance(vector, tuple)] == pytest.approx(
        [0, 1, 2]
    )


def test_dimensions_are_asked_for_of_any_model(play: Play) -> None:
    play.embedder(embeddings, dimensions=32).embed(["a"])
    assert play.requests[0].body["dimensions"] == 32


@pytest.mark.parametrize(
    ("model", "variable", "said"),
    [
        ("cohere/embed-v4.0", "COHERE_API_KEY", ["search_document", "search_query"]),
        ("nvidia_nim/nvidia/nv-embedqa-e5-v5", "NVIDIA_NIM_API_KEY", ["passage", "query"]),
        ("voyage/voyage-3.5", "VOYAGE_API_KEY", ["document", "query"]),
        (MODEL, "OPENAI_API_KEY", [None, None]),
    ],
)
def test_models_that_tell_queries_from_passages_are_told(
    play: Play, model: str, variable: str, said: list[str | None]
) -> None:
    play.embedder(lambda _: failure(400, "enough"))
    config = EmbeddingConfig(model=model, api_base=play.servers[0].url)
    embedder = play.connect(config, LlmConfig(timeout=LONG), env={variable: KEY})
    embedder.embed(["a"])
    embedder.embed(["a"], "query")
    assert [request.body.get("input_type") for request in play.requests] == said


def test_a_missing_count_is_estimated(play: Play) -> None:
    def uncounted(request: Request) -> Reply:
        return embeddings(request, usage=None)

    embedder = play.embedder(uncounted)
    embedder.embed(["some words to count"])
    assert embedder.ledger.spent.estimated
    assert 2 <= embedder.ledger.spent.prompt_tokens <= 6


def test_the_price_of_a_listed_model_is_known(play: Play) -> None:
    embedder = play.embedder(embeddings, model="openai/text-embedding-3-small")
    embedder.embed(["word " * 4000])
    assert embedder.ledger.spent.cost == pytest.approx(5001 * 0.02 / 1e6, rel=0.01)


# faults -----------------------------------------------------------------------------------------------------------

NO_VECTORS = {
    "short": [{"index": 0, "embedding": [1.0, 2.0]}],
    "twice": [{"index": 0, "embedding": [1.0, 2.0]}] * 2,
    "words": [{"index": at, "embedding": ["one", "two"]} for at in range(2)],
    "nothing": [{"index": at, "embedding": []} for at in range(2)],
    "zero": [{"index": at, "embedding": [0.0, 0.0]} for at in range(2)],
    "no number": [{"index": at, "embedding": [float("nan"), 1.0]} for at in range(2)],
    "uneven": [{"index": 0, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0]}],
    "no embedding": [{"index": at} for at in range(2)],
}


@pytest.mark.parametrize("kind", NO_VECTORS)
def test_an_answer_that_holds_no_vectors_is_asked_for_again(play: Play, kind: str) -> None:
    bad = raw({"object": "list", "model": "m", "data": NO_VECTORS[kind]})
    assert len(play.embedder(answering(bad)).embed(["a", "b"])) == 2
    with pytest.raises(ModelUnreachable, match="in 5 tries"):
        play.embedder(lambda _: bad).embed(["a", "b"])


@pytest.mark.parametrize("fault", ["rate_limited", "server_error", "reset", "garbage", "broken_body"])
def test_a_transient_fault_is_tried_again(play: Play, fault: str) -> None:
    embedder = play.embedder(answering(FAULTS[fault], FAULTS[fault]))
    assert len(embedder.embed(["a"])) == 1
    assert len(play.pauses) == 2
    assert embedder.ledger.spent.calls == 1


def test_retry_after_is_honoured(play: Play) -> None:
    play.embedder(answering(failure(429, "slow down", Retry_After="17"))).embed(["a"])
    assert play.pauses == [17.5]


def test_a_hanging_server_is_not_waited_for(play: Play) -> None:
    with pytest.raises(ModelUnreachable, match=r"embedding\.api_base"):
        play.embedder(lambda _: FAULTS["hang"], llm=LlmConfig(timeout=0.2)).embed(["a"])
    assert len(play.pauses) == 1


def test_a_wrong_key_is_named_without_the_key(play: Play) -> None:
    embedder = play.embedder(lambda _: FAULTS["wrong_key"])
    with pytest.raises(ModelRejected) as caught:
        embedder.embed(["a"])
    assert KEY not in str(caught.value)
    assert "OPENAI_API_KEY" in str(caught.value)
    assert caught.value.where == "embedding.model"
    assert len(play.requests) == 1


def test_a_missing_key_is_named_before_anything_is_sent(play: Play) -> None:
    embedder = play.connect(EmbeddingConfig(model="openai/text-embedding-3-small"), LlmConfig(), env={})
    with pytest.raises(ModelRejected, match="OPENAI_API_KEY is not set") as caught:
        embedder.embed(["a"])
    assert "leave embedding.model empty" in str(caught.value)


def test_a_provider_that_takes_few_at_once_gets_few(play: Play) -> None:
    def ten_at_most(request: Request) -> Reply:
        return (
            embeddings(request) if len(request.inputs) <= 10 else failure(400, "batch size is larger than 10")
        )

    embedder = play.embedder(ten_at_most, batch=40)
    texts = [f"text {number}" for number in range(40)]
    assert len(embedder.embed(texts)) == 40
    assert embedder.batch == 10
    assert [
        text for request in play.requests if len(request.inputs) <= 10 for text in request.inputs
    ] == texts


def test_one_text_that_is_refused_does_not_spoil_the_others(play: Play) -> None:
    def picky(request: Request) -> Reply:
        return failure(400, "unsafe text") if "poison" in request.inputs else embeddings(request)

    answers = play.embedder(picky).embed(["a", "b", "poison", "c", "d"])
    assert [isinstance(answer, ModelRejected) for answer in answers] == [False, False, True, False, False]


def test_a_text_that_is_too_long_names_the_setting(play: Play) -> None:
    message = "This model's maximum context length is 512 tokens, however you requested 600 tokens."
    script = lambda _: failure(400, message, "context_length_exceeded")  # noqa: E731
    (answer,) = play.embedder(script).embed(["long"])
    assert isinstance(answer, ModelReplyUnusable)
    assert answer.where == "embedding.max_input_tokens"


def test_a_parameter_that_litellm_knows_to_be_unsupported_is_a_refusal(play: Play) -> None:
    config = EmbeddingConfig(model="mistral/mistral-embed", api_base="http://127.0.0.1:9", dimensions=8)
    (answer,) = play.connect(config, LlmConfig()).embed(["a"])
    assert isinstance(answer, ModelRejected)
    assert "embedding.dimensions" in str(answer)
    assert play.pauses == []


def test_the_budget_stops_before_the_call(play: Play) -> None:
    embedder = play.embedder(embeddings, budget=BudgetConfig(usd=None, tokens=50))
    embedder.embed(["a few words"])
    with pytest.raises(BudgetReached, match=r"embedding\.budget\.tokens"):
        embedder.embed(["word " * 100])
    assert len(play.requests) == 1


# whom it asks -----------------------------------------------------------------------------------------------------

ELSEWHERE = "https://vectors.example.org/v1"


@pytest.mark.parametrize(
    ("llm", "expected"),
    [
        (LlmConfig(), None),
        (LlmConfig(api_base="http://localhost:1/v1"), "http://localhost:1/v1"),
        (LlmConfig(model="openai/gpt-5-mini", api_base="http://localhost:1/v1"), "http://localhost:1/v1"),
        (LlmConfig(model="anthropic/claude-sonnet-4-5", api_base="http://localhost:1/v1"), None),
    ],
)
def test_the_server_is_that_of_the_chat_model_unless_it_is_another_providers(
    llm: LlmConfig, expected: str | None
) -> None:
    assert api_base_of(EmbeddingConfig(model=MODEL), llm) == expected
    assert api_base_of(EmbeddingConfig(model=MODEL, api_base=ELSEWHERE), llm) == ELSEWHERE


def test_ollama_is_one_server_under_two_names() -> None:
    llm = LlmConfig(model="ollama_chat/qwen3", api_base="http://localhost:11434")
    assert api_base_of(EmbeddingConfig(model="ollama/nomic-embed-text"), llm) == "http://localhost:11434"


@pytest.mark.parametrize("section", ["llm", "embedding"])
def test_a_server_elsewhere_needs_a_word_from_outside_the_vault(section: str) -> None:
    config = EmbeddingConfig(model=MODEL, api_base=ELSEWHERE if section == "embedding" else None)
    llm = LlmConfig(api_base=ELSEWHERE if section == "llm" else None)
    with pytest.raises(ModelNotConfigured) as caught:
        Embedder.connect(config, llm, Ledger(), ENVIRONMENT)
    assert caught.value.where == "embedding.api_base"
    assert f"REME_EMBEDDING__API_BASE={ELSEWHERE}" in (caught.value.hint or "")
    for variable in ("REME_EMBEDDING__API_BASE", "REME_LLM__API_BASE"):
        Embedder.connect(config, llm, Ledger(), {**ENVIRONMENT, variable: ELSEWHERE})


def test_an_address_does_not_hide_in_the_name_of_a_model() -> None:
    config = EmbeddingConfig(model="huggingface/https://vectors.example.org")
    with pytest.raises(ModelNotConfigured, match="holds an address"):
        Embedder.connect(config, LlmConfig(), Ledger(), ENVIRONMENT)
