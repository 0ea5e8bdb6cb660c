"""Calls of one model, from any thread: tried again, bounded in number and in time, within the budget."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Protocol, TypeVar

from reme_cli.errors import ModelError, ModelRejected, ModelReplyUnusable, ModelUnreachable
from reme_cli.llm.connection import CallFailed
from reme_cli.llm.failure import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.llm.connection import Connection
    from reme_cli.llm.ledger import Ledger, Usage
    from reme_cli.llm.secrets import Secrets

LEEWAY = 3.0
"""So many seconds longer than its `timeout` a whole call may take: the HTTP client, which counts anew at each of its steps,
shall be the first to give up, and close the connection."""


class Answered(Protocol):
    """What a request gives: whatever it is, it says what it took."""

    @property
    def usage(self) -> Usage:
        """The tokens of the call."""


A = TypeVar("A", bound=Answered)


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


class Declined(Exception):
    """The provider does not take this request, though it may take another; `error` is what to tell the user."""

    def __init__(self, error: ModelError, *, too_long: bool) -> None:
        super().__init__(error.what)
        self.error = error
        self.too_long = too_long


class Calls:
    """Where the calls of a model are made. Once it cannot work for anyone (wrong key, server gone), every call says so at once.

    `timeout` is in seconds, `max_input_tokens` what a request that proves too long was cut to; `sleep` takes the place of
    the pauses.
    """

    def __init__(
        self,
        connection: Connection,
        ledger: Ledger,
        secrets: Secrets,
        *,
        timeout: float,
        concurrency: int,
        max_input_tokens: int,
        retry: RetryPolicy,
        sleep: Callable[[float], object] | None,
        jitter: Callable[[], float],
    ) -> None:
        self._connection = connection
        self._ledger = ledger
        self._secrets = secrets
        self._timeout = timeout
        self._max_input_tokens = max_input_tokens
        self._retry = retry
        self._jitter = jitter
        self._slots = threading.BoundedSemaphore(max(1, concurrency))
        self._lock = threading.Lock()
        self._broken: ModelError | None = None
        self._given_up = threading.Event()
        self._letting_go: set[Callable[[], None]] = set()
        # Waiting on the event, so that a pause ends when another thread finds the model broken.
        self._sleep = sleep if sleep is not None else self._given_up.wait
        self._answered = 0

    def make(self, send: Callable[[], A], tokens: int) -> A:
        """The answer of `send`, a request of about so many tokens, tried again as often as the policy says.

        Raises `Declined` for a request that is unsuitable or too long, and every other `ModelError`.
        """
        answered_before = self._answered
        tries = 0
        while True:
            try:
                return self._send(send, tokens)
            except ModelRejected as error:
                self._break(error)
                raise
            except CallFailed as error:
                failure = error.failure
            tries += 1
            self._wait_or_raise(failure, tries, nobody_answered=self._answered == answered_before)

    def check_usable(self) -> None:
        """Raise what stands against calling the model at all: an unknown provider, a missing key, an earlier refusal."""
        self._check_alive()
        try:
            self._connection.connected()
        except ModelRejected as error:
            self._break(error)
            raise

    def stop(self) -> None:
        """Let no further call start, end all pauses, wait for no answer: for a run that is being interrupted."""
        self._break(ModelUnreachable("the run was stopped"))
        with self._lock:
            for let_go in self._letting_go:
                let_go()

    def _send(self, send: Callable[[], A], tokens: int) -> A:
        with self._slots:
            self._check_alive()
            with self._ledger.reserve(tokens, self._connection.price_of(tokens)):
                answer = self._complete(send)
                self._ledger.record(answer.usage)
        with self._lock:
            self._answered += 1
        return answer

    def _complete(self, send: Callable[[], A]) -> A:
        """The answer to one request, waited for until it is due or the run is stopped.

        The request is in a thread of its own: a server that sends a byte now and then never exceeds a limit between two
        bytes, and a thread that reads from it cannot be interrupted. A daemon, so that it holds nobody up at the end.
        """
        inbox: SimpleQueue[A | BaseException] = SimpleQueue()

        def call() -> None:
            try:
                inbox.put(send())
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                inbox.put(error)

        def let_go() -> None:
            inbox.put(ModelUnreachable("the run was stopped"))

        with self._lock:
            self._letting_go.add(let_go)
        try:
            self._check_alive()
            threading.Thread(target=call, name="model-call", daemon=True).start()
            outcome = inbox.get(timeout=self._timeout + LEEWAY)
        except Empty:
            late = f"no whole answer within {self._timeout:g} seconds"
            raise CallFailed(Failure("timeout", None, late)) from None
        finally:
            with self._lock:
                self._letting_go.discard(let_go)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def _wait_or_raise(self, failure: Failure, tries: int, *, nobody_answered: bool) -> None:
        """Pause before the next try; or raise what the failure means, for everybody if the model is of no use to anybody."""
        error = self._error(failure, tries)
        if error is None:
            asked = failure.retry_after
            pause = self._retry.pause(tries, self._jitter())
            # Not all at the same moment, when many threads were told to wait equally long.
            self._sleep(pause if asked is None else asked + min(pause, self._retry.first))
            return
        if failure.kind == "unsuitable":
            raise Declined(error, too_long=failure.too_long)
        # One request that fails while others are answered is that request's misfortune.
        if failure.kind == "rejected" or nobody_answered:
            self._break(error)
        raise error

    def _error(self, failure: Failure, tries: int) -> ModelError | None:
        """The error to raise after this many tries, or `None` to try again."""
        said = self._secrets.scrub(failure.message)
        section, name = self._connection.section.name, self._connection.model
        model = f"{section}.model"
        if failure.kind == "rejected":
            return ModelRejected(f"{name} is refused: {said}", where=model, hint=self._mend(failure))
        if failure.too_long:
            return ModelReplyUnusable(
                f"the request is longer than {name} can read: {said}",
                where=f"{section}.max_input_tokens",
                hint=f"Lower {section}.max_input_tokens (now {self._max_input_tokens}).",
            )
        if failure.kind == "unsuitable":
            return ModelRejected(f"{name} refuses the request: {said}", where=model, hint=self._mend(failure))
        allowed = self._retry.timeout_attempts if failure.kind == "timeout" else self._retry.attempts
        asked = failure.retry_after
        if tries < allowed and (asked is None or asked <= self._retry.patience):
            return None
        server = self._secrets.scrub(self._connection.api_base or name)
        if asked is not None and asked > self._retry.patience:
            return ModelUnreachable(
                f"{server} asks to wait {asked:.0f} s: {said}", where=model, hint="Run again later."
            )
        return ModelUnreachable(
            f"no answer from {server} in {tries} {'try' if tries == 1 else 'tries'}: {said}",
            where=model,
            hint=f"Check the network, {section}.api_base and llm.timeout; the next run does what is left.",
        )

    def _mend(self, failure: Failure) -> str:
        """What the user can do about a refusal."""
        section = self._connection.section
        keys = " and ".join(self._connection.key_variables)
        if failure.status in (401, 403) and keys:
            return f"Set {keys} in the environment to a valid key for this model, or change {section.name}.model."
        if failure.status == 404:
            return (
                f"Set {section.name}.model to a model that this provider offers (provider/model),"
                f" and check {section.name}.api_base."
            )
        return (
            f"Change {section.name}.model, {section.tuning} or {section.name}.api_base,"
            " or the account behind the key."
        )

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
