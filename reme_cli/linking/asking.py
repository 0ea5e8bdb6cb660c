"""A model asked about many things at a time, until all are answered or it gives out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from reme_cli.errors import ModelError, ModelReplyUnusable
from reme_cli.llm.ledger import Ledger, Spent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.config import LlmConfig
    from reme_cli.llm.client import Model

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Asking:
    """The calls of one run. Raises `ModelNotConfigured`."""

    def __init__(self, config: LlmConfig, env: Mapping[str, str] | None) -> None:
        # pydantic and what asks a model are only imported where one is asked
        from reme_cli.llm.client import Model

        self._ledger = Ledger(config.budget)
        self._model = Model.connect(config, self._ledger, env)
        self._parallel = max(1, config.concurrency)
        self.asked = 0
        """How many notes, or pairs of notes, were judged."""
        self.stopped: str | None = None
        """Why no more are."""

    @property
    def spent(self) -> Spent:
        """What the calls took."""
        return self._ledger.spent

    def answers(
        self, questions: Iterable[Question], ask: Callable[[Model, Question], Answer]
    ) -> list[Answer | None]:
        """What `ask` makes of each question, in their order; `None` where the model gave no usable answer, or no more."""

        def answer(question: Question) -> Answer | None:
            if self.stopped is not None:
                return None
            try:
                return ask(self._model, question)
            except ModelReplyUnusable:
                return None  # asked again by the next run
            except ModelError as error:
                self.stopped = error.one_line
                return None

        with ThreadPoolExecutor(self._parallel) as pool:
            try:
                return list(pool.map(answer, questions))
            except BaseException:
                self._model.stop()
                raise


def spent_json(asking: Asking | None) -> dict[str, object] | None:
    """What `--json` tells of the model's part; `None` where none was asked."""
    if asking is None:
        return None
    spent = asking.spent
    return {
        "notes": asking.asked,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "tokens_per_note": round(spent.tokens / asking.asked) if asking.asked else 0,
        "cost": spent.cost,
        "stopped": asking.stopped,
    }
