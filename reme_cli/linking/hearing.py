"""The model at work on a run of L1: several notes at a time, until all are judged or the model gives out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.linking.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.linking.decision import Candidate, Decision
    from reme_cli.linking.judge import Question
    from reme_cli.linking.survey import Survey
    from reme_cli.llm.client import Model


class Hearing:
    """Has a model judge the notes of a run. Raises `ModelNotConfigured`."""

    def __init__(self, survey: Survey, env: Mapping[str, str] | None) -> None:
        from reme_cli.linking.judge import Judge  # brings Pydantic along

        self.asking = Asking(survey.index, env)
        self._judge = Judge(survey, self.asking)

    def settle(
        self, decisions: Sequence[tuple[Decision, Sequence[Candidate]]]
    ) -> dict[str, Sequence[Candidate]]:
        """Adds what the model wants linked to decisions; gives the candidates that it left in each note that it judged.

        What it said of a note in an earlier run holds as long as the note, and what may be meant, says the same. The others are
        decided by their scores alone, and asked about by the next run.
        """
        asking, judge = self.asking, self._judge
        questions = judge.questions(decisions)
        known = asking.known([digest for question in questions for digest in question.digests.values()])
        for question in questions:
            question.offer(known)
        open_ones = [question for question in questions if not question.is_known(known)]
        asking.remembered += sum(bool(question.offered) for question in questions) - len(open_ones)

        def ask(model: Model, question: Question) -> Mapping[bytes, object]:
            said = judge.ask(model, question)
            asking.keep(said)
            return said

        for said in asking.answers(open_ones, ask):
            if said is not None:
                asking.asked += 1
                known.update(said)
        return {
            question.decision.note.path: judge.settle(question, known)
            for question in questions
            if question.is_known(known)
        }
