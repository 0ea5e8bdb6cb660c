"""What is known of a note that another one mentions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.index.index import Index
from reme_cli.linking.mentions import EXACT, JOINED, LONGER, PROPER, Mention
from reme_cli.linking.pairs import _shift, in_their_own_right, pairs_in
from reme_cli.linking.survey import Survey
from reme_cli.linking.weights import probability, total_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.linking.weights import Features
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


def test_a_quotation_is_short_for_the_note_of_it_and_its_source(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "✨器欲尽其能，必先得其法。——《某书》.md": "器欲尽其能，必先得其法。\n",
            "器欲尽其能，必先得其法.md": "某。\n",
        }
    )
    assert features_of(vault, "✨器欲尽其能，必先得其法。——《某书》.md", "器欲尽其能，必先得其法.md").short


def features_of(vault: Vault, path: str, target: str) -> Features:
    with Index.open(vault) as index:
        survey = Survey(vault, index)
    reading = survey.readings[path]
    (pair,) = (pair for pair in pairs_in(reading, survey.lexicon)[0] if pair.meaning.path == target)
    return survey.weigher.features(reading, pair)


@pytest.mark.parametrize(
    ("name", "text", "plural"),
    [
        ("Network Partition", "By some Network Partitions, and a network partition.", 0.35),
        ("Network Partition", "By some network partitions.", 1),
        ("SLO", "SLOs are not all.", 0.35),
        ("SLOs", "An SLO is not all.", 0.35),
        ("Mushroom", "Mushrooms grow.", 1),  # a sentence begins with a capital anyway
        ("Network Partition", "By a Network Partition.", 0),
    ],
)
def test_the_other_number_in_the_capitals_of_the_title(
    vault_of: Callable[..., Vault], name: str, text: str, plural: float
) -> None:
    vault = vault_of({f"{name}.md": "One.\n", "note.md": text + "\n"})
    assert features_of(vault, "note.md", f"{name}.md").plural == plural


def test_mentions_in_their_own_right() -> None:
    own, joined, longer = (
        Mention(9, 12, 1, PROPER),
        Mention(0, 3, 1, JOINED),
        Mention(4, 7, 1, LONGER | EXACT),
    )
    assert in_their_own_right((joined, longer, own)) == (own,)
    assert in_their_own_right((joined, longer)) == (joined, longer)
    assert in_their_own_right((longer,)) == (longer,)


def test_the_level_is_what_makes_the_scores_agree_with_the_links() -> None:
    assert _shift([], 0) == 0
    low, high = [-2.0] * 50, [2.0] * 50
    assert _shift(low, 44) > 2 > _shift(low, 10) > _shift(low, 0)
    assert _shift(high, 44) == pytest.approx(-0.21, abs=0.05)
    assert _shift(high, 2) < -2
    # few pairs move it less
    assert 0 < _shift(low[:3], 3) < _shift(low, 50)


def test_people_s_links_set_the_level(vault_of: Callable[..., Vault]) -> None:
    names = ("参数", "概率", "训练", "梯度", "神经元", "损失")
    notes = {f"{name}.md": "一段话\n" for name in names}
    linked = {f"note {i}.md": "".join(f"先看[[{name}]]再说。" for name in names) + "\n" for i in range(5)}
    plain = {"last.md": "先看参数再说。\n"}
    kept = features_of(vault_of(notes | linked | plain), "last.md", "参数.md")
    stripped = {path: text.replace("[[", "").replace("]]", "") for path, text in linked.items()}
    assert features_of(vault_of(notes | stripped | plain), "last.md", "参数.md").level == 0
    assert kept.level > 0.5


def test_where_all_names_are_short_a_short_one_says_nothing(vault_of: Callable[..., Vault]) -> None:
    short = {f"{name}.md": "无\n" for name in ("参数", "概率", "训练", "梯度", "损失", "向量")}
    text = {f"note {i}.md": "先看参数，概率，训练，梯度，损失，向量再说。\n" for i in range(30)}
    among_short = features_of(vault_of(short | text), "note 1.md", "参数.md")
    assert among_short.unspaced_two == pytest.approx(0.08, abs=0.01)
    assert abs(among_short.unspaced_length) < 0.1
    long = {f"{name}.md": "无\n" for name in ("参数", "概率分布函数", "训练数据集合", "梯度下降算法")}
    text = {f"note {i}.md": "先看参数，概率分布函数，训练数据集合，梯度下降算法再说。\n" for i in range(30)}
    among_long = features_of(vault_of(long | text), "note 1.md", "参数.md")
    assert among_long.unspaced_two > 0.7
    assert among_long.unspaced_length < -0.5
