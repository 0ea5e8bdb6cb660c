"""The configured model: structured answers and conversations with tools, with retries, a budget and a ledger.

model = Model.connect(config.llm, Ledger(config.llm.budget))     # litellm is being imported from here on
extraction = model.structured(prompt.render(…), ExtractReply)
talk = model.converse(prompt.render(…), tools, max_turns=12, max_calls=40)
"""

from __future__ import annotations

import json
import os
import random
import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from reme_cli.errors import (
    ModelError,
    ModelNotConfigured,
    ModelRejected,
    ModelReplyUnusable,
    ModelUnreachable,
)
from reme_cli.llm.conversation import Bounds, Conversation, Message, hold
from reme_cli.llm.failure import Failure
from reme_cli.llm.provider import Answer, CallFailed, Provider, check_trusted, estimate_request
from reme_cli.llm.reply import parse_reply
from reme_cli.llm.secrets import Secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import BaseModel

    from reme_cli.config import LlmConfig
    from reme_cli.llm.ledger import Ledger
    from reme_cli.llm.prompts import Turn
    from reme_cli.llm.tool import Tool

    Schema = TypeVar("Schema", bound=BaseModel)

_Inbox = SimpleQueue[Answer | BaseException]
"""Where the one who waits for a call gets its outcome, or the news that waiting is over."""

CUT_OFF = "the answer was cut off by the token limit"
TOOLS_WITHOUT_END = "it called tools without coming to an answer"
_ADVICE: Mapping[str, str] = {
    CUT_OFF: " Answer more briefly.",
    TOOLS_WITHOUT_END: " No more tool calls are possible; answer with what you know.",
}
"""What the model is told besides what is wrong."""

LEEWAY = 3.0
"""So many seconds longer than `llm.timeout` a whole call may take: the HTTP client, which counts anew at each of its steps,
shall be the first to give up, and close the connection."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential backoff with full jitter (Brooker, "Exponential Backoff And Jitter", AWS 2015); seconds.

    A server that asks for a longer pause than `patience` is not waited for.
    """

    attempts: int = 5
    timeout_attempts: int = 2
    first: float = 1.0
    longest: float = 30.0
    patience: float = 60.0

    def pause(self, tries: int, jitter: float) -> float:
        """How long to wait after this many failed tries; `jitter` is in [0, 1)."""
        return jitter * min(self.longest, self.first * 2.0 ** (tries - 1))


class Model:
    """A model that threads may share. Once it cannot work for anyone (wrong key, server gone), every call says so at once."""

    def __init__(
        self,
        provider: Provider,
        config: LlmConfig,
        ledger: Ledger,
        secrets: Secrets,
        *,
        retry: RetryPolicy,
        sleep: Callable[[float], object] | None,
        jitter: Callable[[], float],
    ) -> None:
        self._provider = provider
        self._config = config
        self.ledger = ledger
        self._secrets = secrets
        self._retry = retry
        self._jitter = jitter
        self._slots = threading.BoundedSemaphore(max(1, config.concurrency))
        self._lock = threading.Lock()
        self._broken: ModelError | None = None
        self._given_up = threading.Event()
        self._waiting: set[_Inbox] = set()
        # Waiting on the event, so that a pause ends when another thread finds the model broken.
        self._sleep = sleep if sleep is not None else self._given_up.wait
        self._answered = 0
        self._schema_refused = False

    @classmethod
    def connect(
        cls,
        config: LlmConfig,
        ledger: Ledger,
        env: Mapping[str, str] | None = None,
        *,
        retry: RetryPolicy | None = None,
        sleep: Callable[[float], object] | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> Model:
        """The model of `config`, its keys taken from `env` (default: the process's environment).

        Returns at once; what can only be known with litellm (an unknown provider, a missing key) is raised by the first
        call. Raises `ModelNotConfigured`, also for a server elsewhere that only the vault's file names.
        """
        if config.model is None or not config.model.strip():
            raise ModelNotConfigured(
                "this needs a model and none is configured",
                where="llm.model",
                hint="Set llm.model in vault.yaml or REME_LLM__MODEL (e.g. openai/gpt-5-mini), "
                "or work without a model: engine=extractive.",
            )
        env = os.environ if env is None else env
        check_trusted(config, config.model.strip(), env)
        provider = Provider(config, config.model.strip(), env)
        return cls(
            provider,
            config,
            ledger,
            Secrets(env),
            retry=retry or RetryPolicy(),
            sleep=sleep,
            jitter=jitter,
        )

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
        stopped = ModelUnreachable("the run was stopped")
        self._break(stopped)
        with self._lock:
            for inbox in self._waiting:
                inbox.put(ModelUnreachable(stopped.what))

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
        """One answer, tried again as often as the policy says."""
        answered_before = self._answered
        tries = 0
        sends_schema = schema is not None and self._takes_schema(tools)
        refused = False
        while True:
            try:
                answer = self._send(messages, tools, schema if sends_schema else None)
            except ModelRejected as error:
                self._break(error)
                raise
            except CallFailed as error:
                failure = error.failure
            else:
                self._schema_refused = self._schema_refused or refused
                return answer
            if failure.kind == "unsuitable" and sends_schema and not failure.too_long:
                # Many servers that call themselves compatible refuse response_format. Without it we read leniently.
                sends_schema, refused = False, True
                continue
            tries += 1
            self._wait_or_raise(failure, tries, nobody_answered=self._answered == answered_before)

    def _send(
        self,
        messages: Sequence[Mapping[str, object]],
        tools: Sequence[Mapping[str, object]],
        schema: type[BaseModel] | None,
    ) -> Answer:
        estimate = estimate_request(messages, tools)
        with self._slots:
            self._check_alive()
            with self.ledger.reserve(estimate, self._provider.price_of(estimate)):
                answer = self._complete(messages, tools, schema)
                self.ledger.record(answer.usage)
        with self._lock:
            self._answered += 1
        return answer

    def _complete(
        self,
        messages: Sequence[Mapping[str, object]],
        tools: Sequence[Mapping[str, object]],
        schema: type[BaseModel] | None,
    ) -> Answer:
        """The answer to one request, waited for until it is due or the run is stopped.

        The request is in a thread of its own: a server that sends a byte now and then never exceeds a limit between two
        bytes, and a thread that reads from it cannot be interrupted. A daemon, so that it holds nobody up at the end.
        """
        inbox: _Inbox = SimpleQueue()

        def send() -> None:
            try:
                inbox.put(self._provider.complete(messages, tools, schema))
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                inbox.put(error)

        with self._lock:
            self._waiting.add(inbox)
        try:
            self._check_alive()
            threading.Thread(target=send, name="model-call", daemon=True).start()
            outcome = inbox.get(timeout=self._config.timeout + LEEWAY)
        except Empty:
            late = f"no whole answer within {self._config.timeout:g} seconds"
            raise CallFailed(Failure("timeout", None, late)) from None
        finally:
            with self._lock:
                self._waiting.discard(inbox)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def _takes_schema(self, tools: Sequence[object]) -> bool:
        """Whether the schema of the answer goes into the request. Raises `ModelRejected` where the model cannot be used."""
        self._check_alive()
        try:
            return not self._schema_refused and self._provider.takes_schema(with_tools=bool(tools))
        except ModelRejected as error:
            self._break(error)
            raise

    def _wait_or_raise(self, failure: Failure, tries: int, *, nobody_answered: bool) -> None:
        """Pause before the next try; or raise what the failure means, for everybody if the model is of no use to anybody."""
        error = self._error(failure, tries)
        if error is None:
            asked = failure.retry_after
            pause = self._retry.pause(tries, self._jitter())
            # Not all at the same moment, when many threads were told to wait equally long.
            self._sleep(pause if asked is None else asked + min(pause, self._retry.first))
            return
        # One request that fails while others are answered is that request's misfortune.
        if failure.kind == "rejected" or (nobody_answered and failure.kind != "unsuitable"):
            self._break(error)
        raise error

    def _error(self, failure: Failure, tries: int) -> ModelError | None:
        """The error to raise after this many tries, or `None` to try again."""
        said = self._secrets.scrub(failure.message)
        name = self._provider.model
        if failure.kind == "rejected":
            return ModelRejected(f"{name} is refused: {said}", where="llm.model", hint=self._mend(failure))
        if failure.too_long:
            return ModelReplyUnusable(
                f"the request is longer than {name} can read: {said}",
                where="llm.max_input_tokens",
                hint=f"Lower llm.max_input_tokens (now {self._config.max_input_tokens}).",
            )
        if failure.kind == "unsuitable":
            return ModelRejected(
                f"{name} refuses the request: {said}", where="llm.model", hint=self._mend(failure)
            )
        allowed = self._retry.timeout_attempts if failure.kind == "timeout" else self._retry.attempts
        asked = failure.retry_after
        if tries < allowed and (asked is None or asked <= self._retry.patience):
            return None
        server = self._secrets.scrub(self._config.api_base or name)
        if asked is not None and asked > self._retry.patience:
            return ModelUnreachable(
                f"{server} asks to wait {asked:.0f} s: {said}", where="llm.model", hint="Run again later."
            )
        return ModelUnreachable(
            f"no answer from {server} in {tries} {'try' if tries == 1 else 'tries'}: {said}",
            where="llm.model",
            hint="Check the network, llm.api_base and llm.timeout; the next run does what is left.",
        )

    def _mend(self, failure: Failure) -> str:
        """What the user can do about a refusal."""
        keys = " and ".join(self._provider.key_variables)
        if failure.status in (401, 403) and keys:
            return f"Set {keys} in the environment to a valid key for this model, or change llm.model."
        if failure.status == 404:
            return (
                "Set llm.model to a model that this provider offers (provider/model), and check llm.api_base."
            )
        return "Change llm.model, llm.temperature or llm.api_base, or the account behind the key."

    def _check_alive(self) -> None:
        with self._lock:
            broken = self._broken
        if broken is not None:
            # A fresh one for each thread: raising a shared exception mixes up tracebacks.
            raise type(broken)(broken.what, where=broken.where, hint=broken.hint)

    def _break(self, error: ModelError) -> None:
        with self._lock:
            self._broken = self._broken or error
        self._given_up.set()


def _opening(prompt: Sequence[Turn]) -> list[Message]:
    return [{"role": turn.role, "content": turn.text} for turn in prompt]


def _correction(problem: str, schema: type[BaseModel]) -> str:
    shape = json.dumps(schema.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return (
        f"Your answer could not be used: {problem}.{_ADVICE.get(problem, '')}\n\n"
        f"Answer again with one JSON object of this JSON Schema, and nothing else:\n{shape}"
    )
