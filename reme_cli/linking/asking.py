"""A model asked about many things at a time, until all are answered or it gives out; what it said before is not asked again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from reme_cli.errors import ModelError, ModelReplyUnusable, VaultUnwritable
from reme_cli.index.judgements import Judgements, digest_of
from reme_cli.llm.ledger import Ledger, Spent

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from reme_cli.index.index import Index
    from reme_cli.llm.client import Model
    from reme_cli.llm.prompts import Prompt

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Asking:
    """The calls of one run. Raises `ModelNotConfigured`."""

    def __init__(self, index: Index, env: Mapping[str, str] | None) -> None:
        # pydantic and what asks a model are only imported where one is asked
        from reme_cli.llm.client import Model
        from reme_cli.llm.connection import JUDGE

        config = index.vault.config.llm
        self._index = index
        self._model_name = config.model or ""
        self._ledger = Ledger(config.budget)
        self._model = Model.connect(config, self._ledger, env, section=JUDGE)
        self._parallel = max(1, config.concurrency)
        self.asked = 0
        """How many notes, or pairs of notes, were judged;"""
        self.remembered = 0
        """and of how many it was known from earlier runs what the model says."""
        self.stopped: str | None = None
        """Why no more are."""

    @property
    def spent(self) -> Spent:
        """What the calls took."""
        return self._ledger.spent

    def digest(self, prompt: Prompt, *about: str) -> bytes:
        """By which a judgement is kept: it holds for this model, this prompt, and what it is about."""
        return digest_of(self._model_name, prompt.role, prompt.system, prompt.user, *about)

    def known(self, digests: Collection[bytes]) -> dict[bytes, object]:
        """What was said before, as JSON has it. It is as much to be checked as an answer: the file may come from anywhere. Raises `Busy`."""
        with Judgements.open(self._index.vault, self._index.warn) as judgements:
            said = judgements.known(digests)
        values = {}
        for digest, text in said.items():
            with suppress(ValueError, RecursionError):  # else it is asked again
                values[digest] = json.loads(text)
        return values

    def keep(self, said: Mapping[bytes, object]) -> None:
        """Keeps what was said, where the vault can be written."""
        texts = {digest: json.dumps(value, ensure_ascii=False) for digest, value in said.items()}
        try:
            with Judgements.open(self._index.vault, self._index.warn) as judgements:
                judgements.keep(texts)
        except VaultUnwritable as error:
            self._index.warn(error.one_line)

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
        "remembered": asking.remembered,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "tokens_per_note": round(spent.tokens / asking.asked) if asking.asked else 0,
        "cost": spent.cost,
        "stopped": asking.stopped,
    }
