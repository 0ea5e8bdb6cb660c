"""The configured model: structured answers and conversations with tools, with retries, a budget and a ledger.

model = Model.connect(config.llm, Ledger(config.llm.budget))     # litellm is being imported from here on
extraction = model.structured(prompt.render(…), ExtractReply)
talk = model.converse(prompt.render(…), tools, max_turns=12, max_calls=40)
"""

from __future__ import annotations

import json
import os
import random
from typing import TYPE_CHECKING, TypeVar

from reme_cli.errors import ModelNotConfigured, ModelReplyUnusable
from reme_cli.llm.calls import Calls, Declined, RetryPolicy
from reme_cli.llm.connection import CHAT, Connection, check_trusted
from reme_cli.llm.conversation import Bounds, Conversation, Message, hold
from reme_cli.llm.provider import Answer, Provider, estimate_request
from reme_cli.llm.reply import parse_reply
from reme_cli.llm.secrets import Secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import BaseModel

    from reme_cli.config import LlmConfig
    from reme_cli.llm.connection import Section
    from reme_cli.llm.ledger import Ledger
    from reme_cli.llm.prompts import Turn
    from reme_cli.llm.tool import Tool

    Schema = TypeVar("Schema", bound=BaseModel)

CUT_OFF = "the answer was cut off by the token limit"
TOOLS_WITHOUT_END = "it called tools without coming to an answer"
_ADVICE: Mapping[str, str] = {
    CUT_OFF: " Answer more briefly.",
    TOOLS_WITHOUT_END: " No more tool calls are possible; answer with what you know.",
}
"""What the model is told besides what is wrong."""


class Model:
    """A model that threads may share. Once it cannot work for anyone (wrong key, server gone), every call says so at once."""

    def __init__(self, provider: Provider, calls: Calls, ledger: Ledger, secrets: Secrets) -> None:
        self._provider = provider
        self._calls = calls
        self.ledger = ledger
        self._secrets = secrets
        self._schema_refused = False

    @classmethod
    def connect(
        cls,
        config: LlmConfig,
        ledger: Ledger,
        env: Mapping[str, str] | None = None,
        *,
        section: Section = CHAT,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], object] | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> Model:
        """The model of `config`, its keys taken from `env` (default: the process's environment), as `section` speaks of it.

        Returns at once; what can only be known with litellm (an unknown provider, a missing key) is raised by the first
        call. Raises `ModelNotConfigured`, also for a server elsewhere that only the vault's file names.
        """
        if config.model is None or not config.model.strip():
            raise ModelNotConfigured(
                "this needs a model and none is configured",
                where="llm.model",
                hint="Set llm.model in vault.yaml or REME_LLM__MODEL (e.g. openai/gpt-5-mini), "
                f"or {section.instead}.",
            )
        env = os.environ if env is None else env
        model = config.model.strip()
        check_trusted(section, model, config.api_base, env)
        connection = Connection(section, model, config.api_base, env)
        secrets = Secrets(env)
        calls = Calls(
            connection,
            ledger,
            secrets,
            timeout=config.timeout,
            concurrency=config.concurrency,
            max_input_tokens=config.max_input_tokens,
            retry=retry or RetryPolicy(),
            sleep=sleep,
            jitter=jitter,
        )
        return cls(Provider(config, connection), calls, ledger, secrets)

    def structured(
        self,
        prompt: Sequence[Turn],
        schema: type[Schema],
        *,
        tools: Sequence[Tool] = (),
        max_turns: int = 8,
        max_calls: int = 16,
    ) -> Schema:
        """The model's answer as a `schema`; with `tools`, after it has used them.

        An unusable answer is sent back once with what is wrong. Raises `ModelReplyUnusable` after the second one, and
        every other `ModelError`.
        """
        transcript = _opening(prompt)
        first = self._attempt(transcript, schema, tools, Bounds(max_turns, max_calls))
        if not isinstance(first, str):
            return first
        transcript.append({"role": "user", "content": _correction(first, schema)})
        second = self._attempt(transcript, schema, tools, Bounds(max_turns, max_calls))
        if not isinstance(second, str):
            return second
        raise ModelReplyUnusable(
            f"{self._provider.model} gave no usable answer, twice: {self._secrets.scrub(second)}",
            where="llm.model",
            hint="Nothing was written. Try again, or use a model that follows instructions more closely.",
        )

    def converse(
        self, prompt: Sequence[Turn], tools: Sequence[Tool], *, max_turns: int = 12, max_calls: int = 40
    ) -> Conversation:
        """Let the model work with the tools until it answers without calling one, or a bound is reached.

        An empty answer is asked for again once. Raises `ModelError`, and whatever a tool raises besides `ToolRefused`.
        """
        transcript = _opening(prompt)
        talk = hold(self._asking(tools, None), transcript, tools, Bounds(max_turns, max_calls))
        if talk.ended != "empty" or talk.turns == max_turns:
            return talk
        transcript.append(
            {"role": "user", "content": "Your answer was empty. Go on, or give your final answer."}
        )
        left = Bounds(max_turns - talk.turns, max_calls - len(talk.calls))
        more = hold(self._asking(tools, None), transcript, tools, left)
        return Conversation(more.text, more.ended, talk.turns + more.turns, talk.calls + more.calls)

    def stop(self) -> None:
        """Let no further call start, end all pauses, wait for no answer: for a run that is being interrupted."""
        self._calls.stop()

    def _attempt(
        self, transcript: list[Message], schema: type[Schema], tools: Sequence[Tool], bounds: Bounds
    ) -> Schema | str:
        """The answer, or what is wrong with it in words."""
        talk = hold(self._asking(tools, schema), transcript, tools, bounds)
        if talk.ended == "cut_off":
            return CUT_OFF
        if talk.ended in ("max_turns", "max_calls"):
            return TOOLS_WITHOUT_END
        try:
            return parse_reply(talk.text, schema)
        except ModelReplyUnusable as error:
            return error.what

    def _asking(
        self, tools: Sequence[Tool], schema: type[BaseModel] | None
    ) -> Callable[[Sequence[Mapping[str, object]]], Answer]:
        declared = [tool.declaration() for tool in tools]
        return lambda transcript: self._ask(transcript, declared, schema)

    def _ask(
        self,
        messages: Sequence[Mapping[str, object]],
        tools: Sequence[Mapping[str, object]],
        schema: type[BaseModel] | None,
    ) -> Answer:
        """One answer; with the schema in the request where that is worth it and not refused."""
        tokens = estimate_request(messages, tools)
        if schema is not None and self._takes_schema(tools):
            try:
                return self._calls.make(lambda: self._provider.complete(messages, tools, schema), tokens)
            except Declined as declined:
                if declined.too_long:
                    raise declined.error from None
            # Many servers that call themselves compatible refuse response_format. Without it we read leniently.
            answer = self._plain(messages, tools, tokens)
            self._schema_refused = True
            return answer
        return self._plain(messages, tools, tokens)

    def _plain(
        self, messages: Sequence[Mapping[str, object]], tools: Sequence[Mapping[str, object]], tokens: int
    ) -> Answer:
        try:
            return self._calls.make(lambda: self._provider.complete(messages, tools, None), tokens)
        except Declined as declined:
            raise declined.error from None

    def _takes_schema(self, tools: Sequence[object]) -> bool:
        """Whether the schema of the answer goes into the request. Raises `ModelRejected` where the model cannot be used."""
        self._calls.check_usable()
        return not self._schema_refused and self._provider.takes_schema(with_tools=bool(tools))


def _opening(prompt: Sequence[Turn]) -> list[Message]:
    return [{"role": turn.role, "content": turn.text} for turn in prompt]


def _correction(problem: str, schema: type[BaseModel]) -> str:
    shape = json.dumps(schema.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return (
        f"Your answer could not be used: {problem}.{_ADVICE.get(problem, '')}\n\n"
        f"Answer again with one JSON object of this JSON Schema, and nothing else:\n{shape}"
    )
