"""What is known of a note that another one mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.linking.pairs import pairs_in
from reme_cli.linking.survey import Survey
from reme_cli.linking.weights import probability, total_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

NOTES = {
    "digest/acme.md": "---\nname: Acme\n---\nRuns the Feedback loop of [[acme-labs]].\n",
    "digest/acme-labs.md": "---\nname: 🏭 Acme Labs\n---\nAcme? A Feedback loop, twice: feedback loop.\n",
    "digest/acme-labs-north.md": "---\nname: Acme Labs North\n---\nAcme built a Feedback loop.\n# One\n# Two\n",
    "digest/loop.md": "---\nname: Feedback loop\n---\nBuilt at Acme, then at Acme Labs.\n",
}


@pytest.fixture
def survey(vault_of: Callable[..., Vault]) -> Survey:
    vault = vault_of(NOTES)
    with Index.open(vault) as index:
        return Survey(vault, index)


def test_score_is_that_of_all_features(survey: Survey) -> None:
    pairs = [
        (reading, pair)
        for reading in survey.readings.values()
        for pair in pairs_in(reading, survey.lexicon)[0]
    ]
    assert len(pairs) == 7
    for reading, pair in pairs:
        expected = probability(total_of(survey.weigher.features(reading, pair)))
        assert survey.weigher.score(reading, pair) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("path", "target", "short"),
    [
        # a word less than its own name, which has a symbol, is short for it; two less are not
        ("digest/acme-labs.md", "digest/acme.md", True),
        ("digest/acme-labs.md", "digest/loop.md", False),
        ("digest/acme-labs-north.md", "digest/acme.md", False),
        ("digest/loop.md", "digest/acme.md", False),
        ("digest/loop.md", "digest/acme-labs.md", False),
    ],
)
def test_which_names_may_be_short_for_the_note(survey: Survey, path: str, target: str, short: bool) -> None:
    reading = survey.readings[path]
    (pair,) = (pair for pair in pairs_in(reading, survey.lexicon)[0] if pair.meaning.path == target)
    assert bool(survey.weigher.features(reading, pair).short) is short
