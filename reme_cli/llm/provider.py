"""A chat model as litellm reaches it: one request in, one answer out."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reme_cli.llm.connection import CallFailed
from reme_cli.llm.failure import Failure, failure_of
from reme_cli.llm.ledger import Usage
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from reme_cli.config import LlmConfig
    from reme_cli.llm.connection import Connection

# Providers whose own structured output and tools work in one request; elsewhere litellm plays one with the other.
_SCHEMA_BESIDE_TOOLS = frozenset({"openai", "azure"})
# Providers that cache a prompt only up to a mark in it.
_MARKED_CACHE = frozenset({"anthropic"})
# Ollama cuts the beginning off what exceeds a context of some thousand tokens, unless it is told how long one is wanted.
_ASKS_FOR_CONTEXT = frozenset({"ollama", "ollama_chat"})
_ROOM_FOR_THE_REST = 12_000
"""Tokens besides the material: the prompt itself, tool calls with their answers, the answer."""
# Anthropic wants a limit for the answer; of a model that litellm does not know it would be 4096 tokens.
_WANTS_ANSWER_LIMIT = frozenset({"anthropic"})
_LONGEST_ANSWER = 16_000


@dataclass(frozen=True, slots=True)
class Requested:
    """A tool call as the model made it; `arguments` is whatever it wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the model; `message` is what has to stand in the transcript for it."""

    text: str
    requested: tuple[Requested, ...]
    cut_off: bool
    message: Mapping[str, Any]
    usage: Usage


class Provider:
    """The model of `config`, reached over `connection`."""

    def __init__(self, config: LlmConfig, connection: Connection) -> None:
        self.model = connection.model
        self._config = config
        self._connection = connection

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        schema: type[BaseModel] | None,
    ) -> Answer:
        """One request, without retries. Raises `CallFailed`, and `ModelRejected` where no request can be made."""
        litellm = self._connection.connected()
        options = self._options(litellm)
        if tools:
            options["tools"] = list(tools)
        if schema is not None:
            options["response_format"] = schema
        try:
            response = litellm.completion(
                model=self.model,
                messages=self._cacheable(messages),
                timeout=self._config.timeout,
                # Retrying is the client's: it knows about the other threads, Retry-After and the budget.
                num_retries=0,
                max_retries=0,
                **options,
            )
        except Exception as error:
            raise CallFailed(failure_of(error, dt.datetime.now(dt.UTC))) from error
        if not response.choices:
            raise CallFailed(Failure("transient", None, "the provider's answer holds no message"))
        return self._answer(response, messages, tools)

    def takes_schema(self, *, with_tools: bool) -> bool:
        """Whether it is worth sending the schema of the answer in the request."""
        self._connection.connected()
        return not with_tools or self._connection.provider in _SCHEMA_BESIDE_TOOLS

    def _options(self, litellm: Any) -> dict[str, Any]:
        """The arguments that all requests have in common."""
        name = self._connection.provider
        options = dict(self._connection.options)
        if self._config.temperature is not None:
            options["temperature"] = self._config.temperature
        if name in _ASKS_FOR_CONTEXT:
            options["num_ctx"] = self._config.max_input_tokens + _ROOM_FOR_THE_REST
        if name in _WANTS_ANSWER_LIMIT and not _is_listed(litellm, self.model):
            options["max_tokens"] = _LONGEST_ANSWER
        return options

    def _cacheable(self, messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The messages, the stable system part marked where the provider caches only what is marked."""
        if self._connection.provider not in _MARKED_CACHE:
            return list(messages)
        mark = {"type": "ephemeral"}
        return [
            {**message, "content": [{"type": "text", "text": message["content"], "cache_control": mark}]}
            if message["role"] == "system"
            else message
            for message in messages
        ]

    def _answer(
        self, response: Any, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> Answer:
        choice = response.choices[0]
        content = choice.message.content
        text = content if isinstance(content, str) else ""
        requested = _requested(choice.message.tool_calls or ())
        written = text + "".join(call.arguments for call in requested)
        return Answer(
            text=text,
            requested=requested,
            cut_off=choice.finish_reason == "length",
            message=_for_transcript(choice.message, requested),
            usage=self._usage(response, estimate_request(messages, tools), estimate_tokens(written)),
        )

    def _usage(self, response: Any, prompt_estimate: int, completion_estimate: int) -> Usage:
        counted: Any = getattr(response, "usage", None)
        prompt = getattr(counted, "prompt_tokens", None) or 0
        if prompt == 0:
            # No usage, or litellm's zeroes in its place: no request has an empty prompt.
            return Usage(
                prompt_estimate,
                0,
                completion_estimate,
                self._connection.price_of(prompt_estimate),
                estimated=True,
            )
        details = getattr(counted, "prompt_tokens_details", None)
        cached = getattr(details, "cached_tokens", None) or 0
        litellm = self._connection.connected()
        try:
            cost = float(litellm.completion_cost(completion_response=response, model=self.model))
        except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model that is not on its price list
            cost = None
        return Usage(prompt, cached, getattr(counted, "completion_tokens", None) or 0, cost)


def estimate_request(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens a request has, tool declarations included."""
    texts = (f"{message.get('content') or ''}{message.get('tool_calls') or ''}" for message in messages)
    return sum(estimate_tokens(text) + 4 for text in texts) + (estimate_tokens(str(tools)) if tools else 0)


def _requested(tool_calls: Sequence[Any]) -> tuple[Requested, ...]:
    """The tool calls, each with an id of its own: some servers send none, or the same for all."""
    requested: list[Requested] = []
    taken: set[str] = set()
    for number, call in enumerate(tool_calls):
        identity = call.id if call.id and call.id not in taken else f"call_{number}_{len(taken)}"
        taken.add(identity)
        requested.append(Requested(identity, call.function.name or "", call.function.arguments or ""))
    return tuple(requested)


def _for_transcript(message: Any, requested: Sequence[Requested]) -> dict[str, Any]:
    """The message to send back. What is provider-specific (signed thoughts) is kept, unusable arguments are not: some
    providers refuse a transcript with arguments that are not JSON."""
    kept: dict[str, Any] = message.model_dump(exclude_none=True)
    kept.pop("tool_calls", None)
    kept.pop("function_call", None)
    kept.setdefault("content", "")
    if requested:
        kept["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": call.arguments if _is_object(call.arguments) else "{}",
                },
            }
            for call in requested
        ]
    return kept


def _is_listed(litellm: Any, model: str) -> bool:
    """Whether litellm knows how long the answers of this model may be."""
    try:
        return litellm.get_max_tokens(model) is not None
    except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model that is not on its list
        return False


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
