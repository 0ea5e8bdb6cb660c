"""The configured model as litellm reaches it: one request in, one answer out. Nothing else in reme knows litellm."""

from __future__ import annotations

import contextlib
import datetime as dt
import importlib
import json
import logging
import os
import threading
import warnings
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from reme_cli.errors import ModelNotConfigured, ModelRejected
from reme_cli.llm.failure import Failure, failure_of
from reme_cli.llm.ledger import Usage
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    from reme_cli.config import LlmConfig

API_BASE_VARIABLE = "REME_LLM__API_BASE"

# Providers whose own structured output and tools work in one request; elsewhere litellm plays one with the other.
_SCHEMA_BESIDE_TOOLS = frozenset({"openai", "azure"})
# Providers that cache a prompt only up to a mark in it.
_MARKED_CACHE = frozenset({"anthropic"})
# Where litellm looks for a provider's key; the others are called PROVIDER_API_KEY.
_KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY",),
    "ai21_chat": ("AI21_API_KEY",),
}
# No key at all, or credentials of another kind.
_KEYLESS = frozenset({"", "ollama", "ollama_chat", "bedrock", "sagemaker", "vertex_ai"})
# Ollama cuts the beginning off what exceeds a context of some thousand tokens, unless it is told how long one is wanted.
_ASKS_FOR_CONTEXT = frozenset({"ollama", "ollama_chat"})
_ROOM_FOR_THE_REST = 12_000
"""Tokens besides the material: the prompt itself, tool calls with their answers, the answer."""
# Anthropic wants a limit for the answer; of a model that litellm does not know it would be 4096 tokens.
_WANTS_ANSWER_LIMIT = frozenset({"anthropic"})
_LONGEST_ANSWER = 16_000
# A server of one's own often wants no key, but the client library insists on one.
_NO_KEY = "no-key-needed"


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


def check_trusted(config: LlmConfig, model: str, env: Mapping[str, str]) -> None:
    """Raise `ModelNotConfigured` if nobody but the vault's own file says that notes and a key go to another machine.

    A vault may have been made by somebody else. That a server outside this machine is meant, the environment must say.
    """
    if "://" in model:
        # litellm takes an address in the name of a model for the server to call
        raise ModelNotConfigured(
            f"the model {model!r} holds an address",
            where="llm.model",
            hint="Write provider/model, and the address of a server into llm.api_base.",
        )
    base = config.api_base
    if base is None or _is_here(base) or env.get(API_BASE_VARIABLE, "").strip() == base.strip():
        return
    raise ModelNotConfigured(
        f"vault.yaml would send your notes and your key to {base}, and nothing outside the vault says that you want it",
        where="llm.api_base",
        hint=f"If you trust that server, set {API_BASE_VARIABLE}={base} in your environment.",
    )


def _is_here(address: str) -> bool:
    """Whether the server at this address is on this machine."""
    host = urlsplit(address.strip()).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class CallFailed(Exception):
    """A request that came to nothing; `failure` says what that means."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Provider:
    """The model of `config`, called with keys from `env`. Importing litellm starts at once, in the background."""

    def __init__(self, config: LlmConfig, model: str, env: Mapping[str, str]) -> None:
        self.model = model
        self._config = config
        self._env = env
        self._litellm: Any = None
        self._name = ""
        self._options: dict[str, Any] = {}
        self._ready = threading.Lock()
        # A daemon: a command that ends without having called the model does not wait for the import.
        self._import = threading.Thread(target=_import_early, name="litellm-import", daemon=True)
        self._import.start()

    @property
    def key_variables(self) -> tuple[str, ...]:
        """The environment variables that this provider's key may be in; none for one that has no keys."""
        if self._name in _KEYLESS:
            return ()
        return _KEY_VARIABLES.get(self._name, (f"{self._name.upper()}_API_KEY",))

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        schema: type[BaseModel] | None,
    ) -> Answer:
        """One request, without retries. Raises `CallFailed`, and `ModelRejected` where no request can be made."""
        litellm = self.connected()
        options = dict(self._options)
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

    def connected(self) -> Any:
        """litellm, imported and set up for this model. Raises `ModelRejected` for an unknown provider or a missing key."""
        with self._ready:
            if self._litellm is None:
                self._import.join()
                try:
                    litellm = _import_litellm()
                except ImportError as error:
                    raise ModelRejected(
                        f"litellm cannot be imported: {error}",
                        hint="Install reme again, with its dependencies.",
                    ) from error
                self._name = self._provider_name(litellm)
                self._options = self._fixed_options(litellm)
                self._litellm = litellm
            return self._litellm

    def takes_schema(self, *, with_tools: bool) -> bool:
        """Whether it is worth sending the schema of the answer in the request."""
        self.connected()
        return not with_tools or self._name in _SCHEMA_BESIDE_TOOLS

    def price_of(self, tokens: int) -> float | None:
        """What a prompt of this length costs at least, in US dollars."""
        litellm = self.connected()
        try:
            prompt, _ = litellm.cost_per_token(model=self.model, prompt_tokens=tokens, completion_tokens=0)
        except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model that is not on its price list
            return None
        return float(prompt)

    def _provider_name(self, litellm: Any) -> str:
        try:
            _, name, _, _ = litellm.get_llm_provider(self.model, api_base=self._config.api_base)
        except litellm.exceptions.BadRequestError:
            raise ModelRejected(
                f"no provider is known for the model {self.model!r}",
                where="llm.model",
                hint="Write provider/model, e.g. openai/gpt-5-mini, anthropic/claude-sonnet-4-5, ollama_chat/qwen3.",
            ) from None
        return str(name)

    def _fixed_options(self, litellm: Any) -> dict[str, Any]:
        """The arguments that all requests have in common, the key among them."""
        options: dict[str, Any] = {}
        if self._config.temperature is not None:
            options["temperature"] = self._config.temperature
        if self._config.api_base is not None:
            options["api_base"] = self._config.api_base
        if self._name in _ASKS_FOR_CONTEXT:
            options["num_ctx"] = self._config.max_input_tokens + _ROOM_FOR_THE_REST
        if self._name in _WANTS_ANSWER_LIMIT and not _is_listed(litellm, self.model):
            options["max_tokens"] = _LONGEST_ANSWER
        key = next((self._env[name].strip() for name in self.key_variables if self._env.get(name)), None)
        if key is not None:
            options["api_key"] = key
        elif self._has_own_server():
            options["api_key"] = _NO_KEY
        else:
            self._check_key_found(litellm)
        return options

    def _has_own_server(self) -> bool:
        """Whether a server is named, in the configuration or the way the providers' own libraries read it."""
        variables = (f"{self._name.upper()}_API_BASE", f"{self._name.upper()}_BASE_URL")
        return self._config.api_base is not None or any(self._env.get(name) for name in variables)

    def _check_key_found(self, litellm: Any) -> None:
        """Raise `ModelRejected` if the provider needs a key: some client libraries report a missing one as a server error."""
        missing = litellm.validate_environment(self.model)["missing_keys"]
        for variable in self.key_variables:
            if variable in missing:
                raise ModelRejected(
                    f"{self.model} needs a key and {variable} is not set",
                    where="llm.model",
                    hint=f"Set {variable} in the environment, set llm.api_base to a server without keys, "
                    "or use engine=extractive.",
                )

    def _cacheable(self, messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The messages, the stable system part marked where the provider caches only what is marked."""
        if self._name not in _MARKED_CACHE:
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
                prompt_estimate, 0, completion_estimate, self.price_of(prompt_estimate), estimated=True
            )
        details = getattr(counted, "prompt_tokens_details", None)
        cached = getattr(details, "cached_tokens", None) or 0
        try:
            cost = float(self._litellm.completion_cost(completion_response=response, model=self.model))
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


def _import_early() -> None:
    """Import litellm while others work. Where it cannot be imported, the first call finds out again and says so."""
    with contextlib.suppress(ImportError):
        _import_litellm()


def _import_litellm() -> Any:
    """litellm, set up to contact the configured model and nothing else, and to print nothing."""
    # Read while litellm is imported: no price list from the network, no `.env` file searched for keys.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    # By name, because its annotations take mypy minutes; litellm takes seconds to import
    litellm: Any = importlib.import_module("litellm")
    # its own types, when pydantic reads them for a provider's first call, are nothing a user could mend
    warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic\.")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpx2", "openai"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm
