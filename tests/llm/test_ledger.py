"""Adding up, and staying within the budget."""

from __future__ import annotations

import threading

import pytest

from reme_cli.config import BudgetConfig
from reme_cli.errors import BudgetReached
from reme_cli.llm.ledger import Ledger, Spent, Usage


def test_calls_add_up_with_cached_tokens_apart() -> None:
    ledger = Ledger()
    ledger.record(Usage(prompt=100, cached=60, completion=20, cost=0.01))
    ledger.record(Usage(prompt=50, cached=0, completion=5, cost=0.02, estimated=True))
    assert ledger.spent == Spent(2, 150, 60, 25, 0.03, estimated=True)
    assert ledger.spent.tokens == 175


def test_cost_is_unknown_once_one_price_is() -> None:
    ledger = Ledger()
    assert ledger.spent.cost == 0.0
    ledger.record(Usage(1, 0, 1, None))
    ledger.record(Usage(1, 0, 1, 0.5))
    assert ledger.spent.cost is None


def test_a_call_that_would_pass_the_token_limit_is_refused() -> None:
    ledger = Ledger(BudgetConfig(usd=None, tokens=100))
    with ledger.reserve(60, None):
        ledger.record(Usage(55, 0, 5, None))
    with ledger.reserve(40, None):
        pass
    with pytest.raises(BudgetReached) as caught, ledger.reserve(41, None):
        pass
    assert caught.value.where == "llm.budget.tokens"
    assert "60 are used" in caught.value.what


def test_a_call_that_would_pass_the_dollar_limit_is_refused() -> None:
    ledger = Ledger(BudgetConfig(usd=0.10, tokens=None))
    ledger.record(Usage(1, 0, 1, 0.09))
    with ledger.reserve(1, None):
        pass
    with pytest.raises(BudgetReached) as caught, ledger.reserve(1, 0.02):
        pass
    assert caught.value.where == "llm.budget.usd"


def test_calls_in_flight_do_not_overdraw_together() -> None:
    ledger = Ledger(BudgetConfig(usd=None, tokens=1000))
    inside = threading.Barrier(5)
    refused: list[BudgetReached] = []

    def call() -> None:
        try:
            with ledger.reserve(250, None):
                inside.wait()
        except BudgetReached as error:
            refused.append(error)
            inside.wait()

    threads = [threading.Thread(target=call) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1


def test_a_reservation_ends_with_the_call_even_when_it_fails() -> None:
    ledger = Ledger(BudgetConfig(usd=1.0, tokens=10))
    with pytest.raises(RuntimeError), ledger.reserve(10, 1.0):
        raise RuntimeError
    with ledger.reserve(10, 1.0):
        pass
