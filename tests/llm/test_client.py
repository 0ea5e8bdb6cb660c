"""The model client against a scripted provider, through the real litellm: answers, faults, retries, budget."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel

from reme_cli.config import BudgetConfig, LlmConfig
from reme_cli.errors import (
    BudgetReached,
    ModelError,
    ModelNotConfigured,
    ModelRejected,
    ModelReplyUnusable,
    ModelUnreachable,
)
from reme_cli.llm import calls as calls_module
from reme_cli.llm.calls import RetryPolicy
from reme_cli.llm.client import Model
from reme_cli.llm.connection import CHAT, CallFailed, Connection
from reme_cli.llm.ledger import Ledger
from reme_cli.llm.prompts import Turn
from reme_cli.llm.provider import Provider
from tests.conftest import LONG
from tests.scripted_model import (
    ENVIRONMENT,
    FAULTS,
    KEY,
    MODEL,
    Reply,
    Request,
    Script,
    ScriptedModel,
    calls,
    failure,
    json_text,
    scripted_model,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROMPT = (Turn("system", "Be brief."), Turn("user", "Who?"))
GOOD = json_text({"name": "no", "tags": ["a"]})


class Named(BaseModel):
    name: str
    tags: list[str]


class Play:
    """Scripted servers, with models connected to them whose pauses take no time and are kept in `pauses`."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.servers: list[ScriptedModel] = []

    def serve(self, script: Script) -> ScriptedModel:
        self.servers.append(ScriptedModel(script))
        return self.servers[-1]

    def model(self, script: Script, **config: Any) -> Model:
        return self.connect(
            LlmConfig(**{"model": MODEL, "api_base": self.serve(script).url, "timeout": LONG, **config})
        )

    def connect(self, config: LlmConfig, **options: Any) -> Model:
        given = {"env": ENVIRONMENT, "sleep": self.pauses.append, "jitter": lambda: 0.5, **options}
        return Model.connect(config, Ledger(config.budget), **given)

    @property
    def requests(self) -> tuple[Request, ...]:
        return self.servers[-1].requests


@pytest.fixture
def play() -> Iterator[Play]:
    playing = Play()
    yield playing
    for server in playing.servers:
        server.close()
    # litellm changes the filters of warnings while it calls: one that ended later would change those of another test
    for thread in threading.enumerate():
        if thread.name == "model-call":
            thread.join(20)


def test_a_structured_answer(play: Play) -> None:
    model = play.model([GOOD], temperature=0.25)
    assert model.structured(PROMPT, Named) == Named(name="no", tags=["a"])
    (request,) = play.requests
    assert request.messages == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Who?"},
    ]
    assert request.body["temperature"] == 0.25
    assert request.body["response_format"]["json_schema"]["schema"]["required"] == ["name", "tags"]
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.tools == ()


def test_without_a_model_both_ways_out_are_named() -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        Model.connect(LlmConfig(model=None), Ledger(), {})
    assert "REME_LLM__MODEL" in str(caught.value)
    assert "engine=extractive" in str(caught.value)


# what happens before anything is sent -----------------------------------------------------------------------------


def test_a_missing_key_is_named_before_anything_is_sent(play: Play) -> None:
    for model_id, variable in (
        ("openai/gpt-5-mini", "OPENAI_API_KEY"),
        ("claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("together_ai/x/y", "TOGETHERAI_API_KEY"),
    ):
        model = play.connect(LlmConfig(model=model_id), env={})
        with pytest.raises(ModelRejected) as caught:
            model.structured(PROMPT, Named)
        assert f"{variable} is not set" in caught.value.what
        assert caught.value.where == "llm.model"
    assert play.pauses == []


def test_an_unknown_provider_is_refused_with_examples(play: Play) -> None:
    model = play.connect(LlmConfig(model="nonsense"))
    for _ in range(2):
        with pytest.raises(ModelRejected, match="no provider is known for the model 'nonsense'"):
            model.converse(PROMPT, [])


def test_a_server_of_ones_own_needs_no_key(play: Play) -> None:
    config = LlmConfig(model=MODEL, api_base=play.serve([GOOD]).url)
    assert play.connect(config, env={}).structured(PROMPT, Named).name == "no"


def test_white_space_around_a_key_is_not_sent(play: Play) -> None:
    config = LlmConfig(model=MODEL, api_base=play.serve([GOOD]).url)
    play.connect(config, env={"OPENAI_API_KEY": f"{KEY}\n"}).structured(PROMPT, Named)
    assert play.requests[0].headers["authorization"] == f"Bearer {KEY}"


# faults -----------------------------------------------------------------------------------------------------------

TRANSIENT = (
    "rate_limited", "server_error", "overloaded", "reset", "garbage", "broken_body", "no_choices",
)  # fmt: skip


@pytest.mark.parametrize("fault", TRANSIENT)
def test_a_transient_fault_is_tried_again(play: Play, fault: str) -> None:
    model = play.model([FAULTS[fault], FAULTS[fault], GOOD])
    assert model.structured(PROMPT, Named).name == "no"
    assert len(play.requests) == 3
    assert len(play.pauses) == 2
    assert model.ledger.spent.calls == 1


def test_a_hanging_server_is_tried_once_more(play: Play) -> None:
    """Which of the two limits is noticed first, and whether a request had arrived by then, is up to a busy machine."""
    model = play.model(lambda _: FAULTS["hang"], timeout=0.2)
    with pytest.raises(
        ModelUnreachable, match=r"in 2 tries: (Request timed out|no whole answer within 0\.2 seconds)"
    ):
        model.structured(PROMPT, Named)
    assert len(play.pauses) == 1
    assert len(play.requests) <= 2


def test_a_server_that_sends_a_byte_now_and_then_is_not_waited_for_for_ever(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time between two bytes is limited to so much here that it is never the reason."""
    model = play.model(lambda request: GOOD if request.number == 0 else FAULTS["trickle"], timeout=LONG)
    model.structured(PROMPT, Named)
    monkeypatch.setattr(calls_module, "LEEWAY", 0.3 - LONG)
    with pytest.raises(ModelUnreachable, match=rf"in 2 tries: no whole answer within {LONG:g} seconds"):
        model.structured(PROMPT, Named)
    assert len(play.pauses) == 1
    assert len(play.requests) <= 3


def test_who_waits_for_an_answer_is_let_go_when_the_run_is_stopped(play: Play) -> None:
    asked = threading.Event()

    def script(_: Request) -> Reply:
        asked.set()
        return FAULTS["hang"]

    model = play.model(script, timeout=600.0)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.structured, PROMPT, Named)
        assert asked.wait(LONG)
        model.stop()
        with pytest.raises(ModelUnreachable, match="the run was stopped"):
            waiting.result(timeout=LONG)
    with pytest.raises(ModelUnreachable, match="the run was stopped"):
        model.structured(PROMPT, Named)
    assert len(play.requests) == 1


def test_after_the_last_try_the_server_is_named(play: Play) -> None:
    model = play.model(lambda _: FAULTS["server_error"])
    with pytest.raises(ModelUnreachable) as caught:
        model.structured(PROMPT, Named)
    assert caught.value.what.startswith(
        f"no answer from {play.servers[0].url} in 5 tries: The server had an error"
    )
    assert caught.value.exit_code == 3
    assert len(play.requests) == 5


def test_nobody_listening(play: Play) -> None:
    server = play.serve([])
    server.close()
    model = play.connect(LlmConfig(model=MODEL, api_base=server.url))
    with pytest.raises(ModelUnreachable, match="Connection error"):
        model.structured(PROMPT, Named)
    assert len(play.pauses) == 4
    play.servers.clear()


def test_pauses_grow_exponentially_with_full_jitter(play: Play) -> None:
    with pytest.raises(ModelUnreachable):
        play.model(lambda _: FAULTS["overloaded"]).structured(PROMPT, Named)
    assert play.pauses == [0.5, 1.0, 2.0, 4.0]
    policy = RetryPolicy()
    assert policy.pause(20, 0.999) < 30.0
    assert policy.pause(3, 0.0) == 0.0


def test_retry_after_is_honoured(play: Play) -> None:
    play.model([failure(429, "slow down", Retry_After="17"), GOOD]).structured(PROMPT, Named)
    play.model([failure(503, "busy", Retry_After="3"), GOOD]).structured(PROMPT, Named)
    assert play.pauses == [17.5, 3.5]


def test_nobody_waits_for_an_hour(play: Play) -> None:
    model = play.model([failure(429, "come back later", Retry_After="3600"), GOOD])
    with pytest.raises(ModelUnreachable, match="asks to wait 3600 s: come back later"):
        model.structured(PROMPT, Named)
    assert play.pauses == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("wrong_key", "Set OPENAI_API_KEY"),
        ("no_permission", "Set OPENAI_API_KEY"),
        ("unknown_model", "Set llm.model"),
    ],
)
def test_a_refusal_for_good_is_not_tried_again(play: Play, fault: str, said: str) -> None:
    model = play.model([FAULTS[fault], GOOD])
    with pytest.raises(ModelRejected) as caught:
        model.structured(PROMPT, Named)
    assert said in str(caught.value)
    assert len(play.requests) == 1
    assert play.pauses == []


def test_a_model_not_found_said_with_400_is_a_refusal_too(play: Play) -> None:
    model = play.model([failure(400, "Model 'test' not found, try pulling it first"), GOOD])
    with pytest.raises(ModelRejected):
        model.structured(PROMPT, Named)
    assert len(play.requests) == 1


def test_an_empty_account_is_not_waited_for(play: Play) -> None:
    model = play.model([failure(429, "You exceeded your current quota", "insufficient_quota"), GOOD])
    with pytest.raises(ModelRejected):
        model.structured(PROMPT, Named)
    assert play.pauses == []


def test_no_key_in_any_message(play: Play) -> None:
    for script in ([FAULTS["wrong_key"]], [failure(500, f"bad {KEY}")] * 5, [text(KEY), text(KEY)]):
        with pytest.raises(ModelError) as caught:
            play.model(script).structured(PROMPT, Named)
        assert KEY not in str(caught.value)
        assert KEY[:12] not in str(caught.value)


def test_a_request_that_is_too_long_names_the_setting(play: Play) -> None:
    message = (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
    )
    model = play.model([failure(400, message, "context_length_exceeded"), GOOD])
    with pytest.raises(ModelReplyUnusable) as caught:
        model.structured(PROMPT, Named)
    assert "llm.max_input_tokens" in str(caught.value)
    assert model.structured(PROMPT, Named).name == "no"


# unusable answers -------------------------------------------------------------------------------------------------

UNUSABLE = {
    "cut_off": "cut off by the token limit",
    "empty": "the answer is empty",
    "prose": "holds no JSON object",
    "wrong_schema": "name: Field required",
}


@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_unusable_answer_goes_back_once_with_what_is_wrong(play: Play, fault: str) -> None:
    model = play.model([FAULTS[fault], GOOD])
    assert model.structured(PROMPT, Named).name == "no"
    assert UNUSABLE[fault] in play.requests[1].last
    assert '"required":["name","tags"]' in play.requests[1].last
    assert model.ledger.spent.calls == 2


@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_answer_that_is_unusable_twice_is_an_error(play: Play, fault: str) -> None:
    model = play.model([FAULTS[fault], FAULTS[fault], GOOD])
    with pytest.raises(ModelReplyUnusable) as caught:
        model.structured(PROMPT, Named)
    assert UNUSABLE[fault] in caught.value.what
    assert caught.value.exit_code == 1
    assert len(play.requests) == 2
    # the next unit has its own chance
    assert model.structured(PROMPT, Named).name == "no"


def test_a_complete_object_in_an_answer_that_was_cut_off_does_not_count(play: Play) -> None:
    model = play.model([text('{"name": "a", "tags": []} {"name": "b', finish_reason="length"), GOOD])
    assert model.structured(PROMPT, Named).name == "no"


def test_a_server_that_refuses_response_format_is_asked_without_it_from_then_on(play: Play) -> None:
    def script(request: Request) -> Reply:
        refused = "response_format" in request.body
        return failure(400, "response_format is not supported") if refused else GOOD

    model = play.model(script)
    model.structured(PROMPT, Named)
    model.structured(PROMPT, Named)
    assert ["response_format" in request.body for request in play.requests] == [True, False, False]
    assert play.pauses == []


def test_a_request_refused_for_another_reason_is_an_error_of_its_own(play: Play) -> None:
    model = play.model([failure(400, "temperature is odd"), failure(400, "temperature is odd"), GOOD])
    with pytest.raises(ModelRejected, match="temperature is odd"):
        model.structured(PROMPT, Named)
    assert model.structured(PROMPT, Named).name == "no"
    assert "response_format" in play.requests[2].body


# threads ----------------------------------------------------------------------------------------------------------


def test_calls_at_once_are_bounded(play: Play) -> None:
    lock = threading.Lock()
    both = threading.Barrier(2, timeout=LONG)
    now = most = 0

    def script(request: Request) -> Reply:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        both.wait()  # passes only if two are under way at once
        with lock:
            now -= 1
        return GOOD

    model = play.model(script, concurrency=2)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: model.structured(PROMPT, Named), range(6)))
    assert most == 2
    assert model.ledger.spent.calls == 6


def test_one_wrong_key_stops_all_threads(play: Play) -> None:
    model = play.model(lambda _: FAULTS["wrong_key"], concurrency=1)

    def call(_: int) -> ModelError | None:
        try:
            model.structured(PROMPT, Named)
        except ModelError as error:
            return error
        return None

    with ThreadPoolExecutor(4) as pool:
        errors = list(pool.map(call, range(4)))
    assert [type(error) for error in errors] == [ModelRejected] * 4
    assert len(set(map(id, errors))) == 4
    assert len({str(error) for error in errors}) == 1
    assert len(play.requests) == 1


@pytest.mark.parametrize("ended_by", ["wrong key elsewhere", "stop"])
def test_a_pause_ends_when_the_model_is_of_no_use_any_more(play: Play, ended_by: str) -> None:
    asked = threading.Event()

    def script(request: Request) -> Reply:
        asked.set()
        return FAULTS["wrong_key" if request.user == "other" else "server_error"]

    config = LlmConfig(model=MODEL, api_base=play.serve(script).url)
    an_hour = RetryPolicy(first=7200.0, longest=7200.0)
    model = play.connect(config, sleep=None, retry=an_hour)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(model.structured, PROMPT, Named)
        assert asked.wait(LONG)
        if ended_by == "stop":
            model.stop()
        else:
            with pytest.raises(ModelRejected):
                model.structured((Turn("system", ""), Turn("user", "other")), Named)
        with pytest.raises(ModelError) as caught:
            waiting.result(timeout=LONG)
    assert type(caught.value) is (ModelUnreachable if ended_by == "stop" else ModelRejected)


def test_a_request_that_fails_while_others_are_answered_stops_nobody(play: Play) -> None:
    model: Model

    def script(request: Request) -> Reply:
        return FAULTS["server_error"] if "poison" in request.user else GOOD

    model = play.model(script)
    poison = (Turn("system", ""), Turn("user", "poison"))
    # each pause of the failing call lets another call through
    failing = play.connect(LlmConfig(model=MODEL, api_base=play.servers[0].url))
    failing._calls._sleep = lambda _: failing.structured(PROMPT, Named)
    with pytest.raises(ModelUnreachable):
        failing.structured(poison, Named)
    assert failing.structured(PROMPT, Named).name == "no"

    with pytest.raises(ModelUnreachable):
        model.structured(poison, Named)
    with pytest.raises(ModelUnreachable):
        model.structured(PROMPT, Named)


# budget and ledger ------------------------------------------------------------------------------------------------


def test_the_ledger_takes_the_providers_count(play: Play) -> None:
    model = play.model([text(GOOD.content or "", usage=(1000, 50, 800))], model="openai/gpt-5-mini")
    model.structured(PROMPT, Named)
    spent = model.ledger.spent
    assert (spent.prompt_tokens, spent.cached_tokens, spent.completion_tokens) == (1000, 800, 50)
    assert not spent.estimated
    assert spent.cost is not None
    assert 0 < spent.cost < 0.001


def test_a_missing_count_is_estimated_and_marked(play: Play) -> None:
    model = play.model([text(GOOD.content or "", usage="missing")])
    model.structured(PROMPT, Named)
    assert model.ledger.spent.estimated
    assert model.ledger.spent.prompt_tokens > 0
    assert model.ledger.spent.completion_tokens > 0
    assert model.ledger.spent.cost is None


def test_the_budget_stops_before_the_call(play: Play) -> None:
    model = play.model(
        lambda _: text(GOOD.content or "", usage=(300, 100, 0)), budget=BudgetConfig(usd=None, tokens=1000)
    )
    model.structured(PROMPT, Named)
    model.structured(PROMPT, Named)
    long = (Turn("system", ""), Turn("user", "word " * 1000))
    with pytest.raises(BudgetReached) as caught:
        model.structured(long, Named)
    assert caught.value.exit_code == 1
    assert len(play.requests) == 2
    # what still fits is still done
    model.structured(PROMPT, Named)


def test_the_dollar_budget_binds_a_model_with_a_known_price(play: Play) -> None:
    budget = BudgetConfig(usd=0.0001, tokens=None)
    model = play.model(lambda _: GOOD, model="openai/gpt-5-mini", budget=budget)
    model.structured(PROMPT, Named)
    with pytest.raises(BudgetReached):
        model.structured((Turn("system", ""), Turn("user", "word " * 2000)), Named)
    assert len(play.requests) == 1


def test_tools_and_schema_together(play: Play) -> None:
    from tests.llm.test_conversation import read_tool

    model = play.model([calls(("read", {"path": "a.md"})), GOOD])
    assert model.structured(PROMPT, Named, tools=[read_tool()]).name == "no"
    assert play.requests[1].tool_answers == ("text of a.md",)
    assert play.requests[1].tools == ("read",)


def test_a_model_that_never_stops_calling_tools_gives_no_structured_answer(play: Play) -> None:
    from tests.llm.test_conversation import read_tool

    model = play.model(lambda _: calls(("read", {"path": "a.md"})))
    with pytest.raises(ModelReplyUnusable, match="called tools without coming to an answer"):
        model.structured(PROMPT, Named, tools=[read_tool()], max_turns=3, max_calls=9)
    assert len(play.requests) == 6


def test_a_bug_of_ours_is_not_taken_for_a_failing_server(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: str) -> int:
        raise TypeError("a bug")

    model = play.model([GOOD])
    monkeypatch.setattr("reme_cli.llm.provider.estimate_tokens", broken)
    with pytest.raises(TypeError, match="a bug"):
        model.structured(PROMPT, Named)
    assert play.pauses == []


def test_anthropic_gets_its_cache_mark_on_the_stable_part() -> None:
    bodies: list[Mapping[str, Any]] = []
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [{"type": "text", "text": '{"name": "a", "tags": []}'}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100},
    }

    def answer(request: Request) -> Reply:
        bodies.append(request.body)
        return Reply(raw=json.dumps(message).encode())

    with scripted_model(answer) as server:
        config = LlmConfig(model="anthropic/claude-sonnet-4-5", api_base=server.url.removesuffix("/v1"))
        model = Model.connect(config, Ledger(), {"ANTHROPIC_API_KEY": "k" * 20})
        assert model.converse(PROMPT, []).text == '{"name": "a", "tags": []}'
    assert bodies[0]["system"] == [
        {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    ]
    assert model.ledger.spent.cached_tokens == 100


@pytest.mark.parametrize(
    "api_base",
    ["https://llm.example.org/v1", "http://192.168.1.7:8000/v1", "http://localhost.example.org/v1"],
)
def test_a_server_elsewhere_needs_a_word_from_outside_the_vault(api_base: str) -> None:
    config = LlmConfig(model=MODEL, api_base=api_base)
    with pytest.raises(ModelNotConfigured) as caught:
        Model.connect(config, Ledger(), ENVIRONMENT)
    assert caught.value.where == "llm.api_base"
    assert f"REME_LLM__API_BASE={api_base}" in (caught.value.hint or "")
    other = {**ENVIRONMENT, "REME_LLM__API_BASE": "https://other.example.org/v1"}
    with pytest.raises(ModelNotConfigured):
        Model.connect(config, Ledger(), other)
    Model.connect(config, Ledger(), {**ENVIRONMENT, "REME_LLM__API_BASE": api_base})


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "reme.localhost"])
def test_a_server_on_this_machine_needs_none(host: str) -> None:
    Model.connect(LlmConfig(model=MODEL, api_base=f"http://{host}:11434/v1"), Ledger(), ENVIRONMENT)


def test_an_address_does_not_hide_in_the_name_of_a_model() -> None:
    config = LlmConfig(model="huggingface/https://llm.example.org")
    with pytest.raises(ModelNotConfigured, match="holds an address"):
        Model.connect(config, Ledger(), ENVIRONMENT)


def sent_to(config: LlmConfig, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The parameters that litellm makes for the provider of what a request is called with."""
    connection = Connection(CHAT, str(config.model), None, {"ANTHROPIC_API_KEY": "sk-ant-0123456789"})
    provider = Provider(config, connection)
    litellm = connection.connected()
    given: dict[str, Any] = {}

    def completion(**options: Any) -> object:
        given.update(options)
        raise ConnectionError

    monkeypatch.setattr(litellm, "completion", completion)
    with pytest.raises(CallFailed):
        provider.complete([{"role": "user", "content": "Who?"}], (), None)
    model, name, _, _ = litellm.get_llm_provider(config.model)
    known = {key: value for key, value in given.items() if key in {"num_ctx", "max_tokens", "temperature"}}
    made: dict[str, Any] = litellm.utils.get_optional_params(model=model, custom_llm_provider=name, **known)
    return made


def test_ollama_is_told_how_much_it_has_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = sent_to(LlmConfig(model="ollama_chat/qwen3", max_input_tokens=20_000), monkeypatch)
    assert sent["num_ctx"] == 32_000


@pytest.mark.parametrize(
    ("name", "limit"), [("anthropic/claude-of-tomorrow", 16_000), ("anthropic/claude-sonnet-4-5", None)]
)
def test_the_answer_of_an_unlisted_anthropic_model_is_not_cut_at_4096(
    name: str, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sent_to(LlmConfig(model=name), monkeypatch).get("max_tokens") == limit
