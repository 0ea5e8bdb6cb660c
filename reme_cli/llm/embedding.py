"""The configured embedding model: texts in, one vector for each out, with retries, a budget and a ledger.

embedder = Embedder.connect(config.embedding, config.llm, Ledger(config.embedding.budget, "embedding"))
vectors = embedder.embed(["the text of a passage", …])
"""

from __future__ import annotations

import datetime as dt
import math
import os
import random
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from reme_cli.errors import ModelError, ModelNotConfigured
from reme_cli.llm.calls import Calls, Declined, RetryPolicy
from reme_cli.llm.connection import EMBEDDING, CallFailed, Connection, check_trusted
from reme_cli.llm.failure import Failure, failure_of
from reme_cli.llm.ledger import Usage
from reme_cli.llm.secrets import Secrets
from reme_cli.vault.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reme_cli.config import EmbeddingConfig, LlmConfig
    from reme_cli.llm.ledger import Ledger

    Vector = tuple[float, ...]

Role = Literal["passage", "query"]
"""What a text is: one that is looked in, or one that is looked for."""

# Asked for in so many words where servers differ in what they send unasked.
_TAKES_ENCODING_FORMAT: Final = frozenset({"openai", "azure"})
# Models of these make another vector of a text that is looked for than of one that is looked in, when they are told.
_INPUT_TYPES: Final[Mapping[str, Mapping[Role, str]]] = {
    "cohere": {"passage": "search_document", "query": "search_query"},
    "nvidia_nim": {"passage": "passage", "query": "query"},
    "voyage": {"passage": "document", "query": "query"},
}
# One server under two names.
_SAME_SERVER: Final = {"ollama_chat": "ollama"}


@dataclass(frozen=True, slots=True)
class _Embeddings:
    """What one request gave: a vector for each text, in their order."""

    vectors: tuple[Vector, ...]
    usage: Usage


def api_base_of(embedding: EmbeddingConfig, llm: LlmConfig) -> str | None:
    """Where the embedding model is: the server of its own, or that of `llm` unless that is another provider's."""
    if embedding.api_base is not None:
        return embedding.api_base
    return llm.api_base if _provider(llm.model) in {None, _provider(embedding.model)} else None


def _provider(model: str | None) -> str | None:
    name = (model or "").strip().partition("/")[0]
    return _SAME_SERVER.get(name, name) or None


class Embedder:
    """An embedding model that threads may share."""

    def __init__(
        self, connection: Connection, calls: Calls, config: EmbeddingConfig, timeout: float, ledger: Ledger
    ) -> None:
        self._connection = connection
        self._calls = calls
        self._dimensions = config.dimensions
        self._timeout = timeout
        self.model = connection.model
        self.ledger = ledger
        self.batch = config.batch
        """How many texts to give at once: as configured, or fewer where the provider took no more."""

    @classmethod
    def connect(
        cls,
        config: EmbeddingConfig,
        llm: LlmConfig,
        ledger: Ledger,
        env: Mapping[str, str] | None = None,
        *,
        timeout: float | None = None,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], object] | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> Embedder:
        """The model of `config`, its keys taken from `env` (default: the process's environment); `timeout` in seconds.

        Returns at once; what can only be known with litellm (an unknown provider, a missing key) is raised by the first
        call. Raises `ModelNotConfigured`, also for a server elsewhere that only the vault's file names.
        """
        model = config.model
        if not model:
            raise ModelNotConfigured("no embedding model is configured", where="embedding.model")
        env = os.environ if env is None else env
        timeout = llm.timeout if timeout is None else timeout
        api_base = api_base_of(config, llm)
        check_trusted(EMBEDDING, model, api_base, env)
        connection = Connection(EMBEDDING, model, api_base, env)
        calls = Calls(
            connection,
            ledger,
            Secrets(env),
            timeout=timeout,
            concurrency=llm.concurrency,
            max_input_tokens=config.max_input_tokens,
            retry=retry or RetryPolicy(),
            sleep=sleep,
            jitter=jitter,
        )
        return cls(connection, calls, config, timeout, ledger)

    def embed(self, texts: Sequence[str], role: Role = "passage") -> list[Vector | ModelError]:
        """A vector of length 1 for each text, or why the provider takes this text alone not. Raises `ModelError`.

        What is refused as a whole is sent again in halves: too many texts at once, or one among them that it takes not.
        """
        try:
            return list(
                self._calls.make(
                    partial(self._request, texts, role), sum(map(estimate_tokens, texts))
                ).vectors
            )
        except Declined as declined:
            if len(texts) == 1:
                return [declined.error]
        half = (len(texts) + 1) // 2
        first = self.embed(texts[:half], role)
        if not any(isinstance(vector, ModelError) for vector in first):
            self.batch = min(self.batch, half)
        return first + self.embed(texts[half:], role)

    def stop(self) -> None:
        """Let no further request start, end all pauses, wait for no answer."""
        self._calls.stop()

    def _request(self, texts: Sequence[str], role: Role) -> _Embeddings:
        """One request, without retries. Raises `CallFailed`, and `ModelRejected` where no request can be made."""
        litellm = self._connection.connected()
        options = dict(self._connection.options)
        if self._connection.provider in _TAKES_ENCODING_FORMAT:
            options["encoding_format"] = "float"
        if self._connection.provider in _INPUT_TYPES:
            options["input_type"] = _INPUT_TYPES[self._connection.provider][role]
        if self._dimensions is not None:
            # litellm knows of OpenAI's own models only which of them take it
            options |= {"dimensions": self._dimensions, "allowed_openai_params": ["dimensions"]}
        try:
            response = litellm.embedding(
                model=self.model,
                input=list(texts),
                timeout=self._timeout,
                num_retries=0,
                max_retries=0,
                **options,
            )
        except Exception as error:
            raise CallFailed(failure_of(error, dt.datetime.now(dt.UTC))) from error
        return _Embeddings(_vectors(response, len(texts)), self._usage(response, texts))

    def _usage(self, response: Any, texts: Sequence[str]) -> Usage:
        counted = getattr(getattr(response, "usage", None), "prompt_tokens", None) or 0
        tokens = counted or sum(map(estimate_tokens, texts))
        return Usage(tokens, 0, 0, self._connection.price_of(tokens), estimated=not counted)


def _vectors(response: Any, wanted: int) -> tuple[Vector, ...]:
    """The vectors of an answer, in the order of the texts. Raises `CallFailed` for an answer that is none."""
    try:
        entries = [_entry(entry, place) for place, entry in enumerate(response.data)]
        by_place = {place: _unit(numbers) for place, numbers in entries}
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError):
        raise _unusable("the provider's answer holds something that is no vector") from None
    if sorted(by_place) != list(range(wanted)) or len(entries) != wanted:
        raise _unusable(f"the provider gave {len(entries)} vectors for {wanted} texts")
    vectors = tuple(by_place[place] for place in range(wanted))
    if len(set(map(len, vectors))) != 1:
        raise _unusable("the provider gave vectors of different lengths")
    return vectors


def _entry(entry: Any, place: int) -> tuple[int, list[Any]]:
    fields = entry if isinstance(entry, dict) else vars(entry)
    given = fields.get("index")
    return (given if isinstance(given, int) else place), fields["embedding"]


def _unit(numbers: list[Any]) -> Vector:
    """The vector of length 1 in this direction. Raises `ValueError` or `TypeError` where there is none."""
    length = math.sqrt(math.fsum(number * number for number in numbers))
    if not math.isfinite(length) or length == 0:
        raise ValueError("no direction")
    return tuple(number / length for number in numbers)


def _unusable(what: str) -> CallFailed:
    return CallFailed(Failure("transient", None, what))
