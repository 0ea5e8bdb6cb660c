"""How the parts of a score are mixed, and how they are shown."""

from __future__ import annotations

import math

import pytest

from reme_cli.search.score import Mix, Parts, explained, fused, mixed, relevance
from reme_cli.search.words import Evidence

MIX = Mix(layers={"digest": 1.0, "daily": 0.5}, alpha=0.7, damping=0.85, centrality=0.05)


def test_the_formula_of_the_contract() -> None:
    parts = mixed(Evidence(4.0, 0.0), 0.0, 0.8, 0.5, 3, "daily", MIX)
    assert parts.score == pytest.approx((0.7 * 0.8 + 0.3 * 0.5) * (1 + 0.05 * math.log(1 + 3)) * 0.5)


def test_without_links_only_relevance_counts() -> None:
    parts = mixed(Evidence(4.0, 0.0), 0.0, 0.8, None, 0, "digest", MIX)
    assert (parts.score, parts.alpha, parts.links) == (0.8, 1.0, 0.0)


def test_a_note_in_no_layer_is_not_weighed() -> None:
    assert MIX.layer(None) == 1.0


def test_relevance_is_of_the_best() -> None:
    found = {1: Evidence(10.0, 0.0), 2: Evidence(5.0, 0.0), 3: Evidence(5.0, 1.0)}
    assert relevance(found, MIX) == pytest.approx({1: 1 / 1.5, 2: 0.5 / 1.5, 3: 1.0})
    assert relevance({1: Evidence(0.0, 0.0)}, MIX) == {1: 0.0}
    assert relevance({}, MIX) == {}


def test_reciprocal_rank_fusion() -> None:
    scores = fused([[1, 2], [2, 3]])
    best = 1 / 62 + 1 / 61
    assert scores == pytest.approx({2: 1.0, 1: 1 / 61 / best, 3: 1 / 62 / best})
    assert fused([]) == {}


def test_what_is_shown_adds_up() -> None:
    parts = mixed(Evidence(4.2, 0.25), 0.0, 0.8, 0.5, 3, "daily", MIX)
    assert list(explained(parts.score, parts._asdict())) == [
        "score 0.380 = (0.7 · 0.800 relevance + 0.3 · 0.500 links) · 1.069 centrality (3 inbound) · 0.5 layer",
        "relevance: BM25 4.200, named 0.250",
    ]
    alone = Parts(4.2, 0.0, 0.75, 0.8, 0.0, 1.0, 0, 1.0, 1.0)
    assert list(explained(alone.score, alone._asdict())) == [
        "score 0.800 = 0.800 relevance · 1.000 centrality (0 inbound) · 1 layer",
        "relevance: BM25 4.200, named 0.000, meaning 0.750",
    ]
