"""What a run's model calls cost, and the budget they stay within."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reme_cli.config import BudgetConfig
from reme_cli.errors import BudgetReached

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one call. `prompt` includes `cached`; `cost` is in US dollars, `None` where no price is known."""

    prompt: int
    cached: int
    completion: int
    cost: float | None
    estimated: bool = False
    """Whether the provider did not count, so that these are reme's own estimates."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The sum over a run's calls. `cost` is `None` as soon as the price of one call is not known."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together, cached ones included."""
        return self.prompt_tokens + self.completion_tokens


class Ledger:
    """Adds up the calls of one run, from any thread, and refuses a call that would leave the budget.

    What a call needs is reserved before it is sent, so that calls in flight at the same time do not overdraw together.
    Answers cannot be foreseen: the last calls may exceed a limit by the length of their answers. A dollar limit only
    binds models whose price litellm knows; the token limit binds all.
    """

    def __init__(self, budget: BudgetConfig | None = None, section: str = "llm") -> None:
        """`section` is where the budget stands in the configuration, for the message that it is reached."""
        self._section = section
        self._budget = budget or BudgetConfig(usd=None, tokens=None)
        self._lock = threading.Lock()
        self._spent = Spent()
        self._dollars = 0.0
        self._reserved_tokens = 0
        self._reserved_dollars = 0.0

    @property
    def spent(self) -> Spent:
        """What was spent so far."""
        with self._lock:
            return self._spent

    @contextmanager
    def reserve(self, tokens: int, dollars: float | None) -> Iterator[None]:
        """Hold this much of the budget while a call is under way. Raises `BudgetReached` if it is not there."""
        price = dollars or 0.0
        with self._lock:
            self._check(tokens, price)
            self._reserved_tokens += tokens
            self._reserved_dollars += price
        try:
            yield
        finally:
            with self._lock:
                self._reserved_tokens -= tokens
                self._reserved_dollars -= price

    def record(self, usage: Usage) -> None:
        """Add one call that was answered."""
        with self._lock:
            before = self._spent
            known = before.cost is not None and usage.cost is not None
            self._dollars += usage.cost or 0.0
            self._spent = Spent(
                calls=before.calls + 1,
                prompt_tokens=before.prompt_tokens + usage.prompt,
                cached_tokens=before.cached_tokens + usage.cached,
                completion_tokens=before.completion_tokens + usage.completion,
                cost=self._dollars if known else None,
                estimated=before.estimated or usage.estimated,
            )

    def _check(self, tokens: int, dollars: float) -> None:
        limit = self._budget.tokens
        used = self._spent.tokens + self._reserved_tokens
        if limit is not None and used + tokens > limit:
            raise _reached(
                f"{self._section}.budget.tokens",
                f"{limit} tokens",
                f"{used} are used, the next call needs about {tokens}",
            )
        ceiling = self._budget.usd
        paid = self._dollars + self._reserved_dollars
        if ceiling is not None and paid + dollars > ceiling:
            raise _reached(
                f"{self._section}.budget.usd",
                f"${ceiling:.2f}",
                f"${paid:.4f} is spent, the next call costs at least ${dollars:.4f}",
            )


def _reached(key: str, limit: str, detail: str) -> BudgetReached:
    return BudgetReached(
        f"the run's budget of {limit} is reached: {detail}",
        where=key,
        hint=f"What is left is done by the next run; raise {key} to do more in one.",
    )
