"""The model at work on a run of L1: several notes at a time, until all are judged or the model gives out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.linking.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.linking.decision import Candidate, Decision
    from reme_cli.linking.survey import Survey
    from reme_cli.llm.client import Model


class Hearing:
    """Has a model judge the notes of a run. Raises `ModelNotConfigured`."""

    def __init__(self, survey: Survey, env: Mapping[str, str] | None) -> None:
        from reme_cli.linking.judge import Judge  # brings Pydantic along

        self.asking = Asking(survey.vault.config.llm, env)
        self._judge = Judge(survey)

    def settle(
        self, decisions: Sequence[tuple[Decision, Sequence[Candidate]]]
    ) -> dict[str, Sequence[Candidate]]:
        """Adds what the model wants linked to decisions; gives the candidates that it left in each note that it judged.

        The others are decided by their scores alone, and asked about by the next run.
        """

        def ask(model: Model, question: tuple[Decision, Sequence[Candidate]]) -> Sequence[Candidate]:
            return self._judge.settle(model, *question)

        answers = self.asking.answers(decisions, ask)
        judged = {
            decision.note.path: left
            for (decision, _), left in zip(decisions, answers, strict=True)
            if left is not None
        }
        self.asking.asked += len(judged)
        return judged
