"""How relevant notes are to each other that are not linked, by four signals (`config.RelevanceConfig` weighs them).

The sources that both are drawn from; Adamic–Adar over what both are linked with, the sum of 1 / ln(links), the rarer the more (Adamic
and Adar, 2003); the same bucket; the words that both have, by weight, or how near they are in meaning, where that is more.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Final

from reme_cli.linking.likeness import Likeness
from reme_cli.linking.meaning import Meaning
from reme_cli.linking.topic_report import TopicPair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.config import RelevanceConfig
    from reme_cli.index.index import Index

MOST_AROUND: Final = 40
"""What more notes link to, or what links to more, tells nothing of two of them."""
LEAST: Final = 1.5
"""Score from which a pair is told: one weak sign is none."""


def relevant_pairs(index: Index, paths: Sequence[str], weights: RelevanceConfig) -> list[TopicPair]:
    """The pairs among some notes that no link joins, the most relevant first; a bucket alone makes none."""
    places = {path: place for place, path in enumerate(paths)}
    around, sources = _links(index)
    likeness = Likeness(index, paths)
    near = Meaning(index, paths).candidates()
    wanted = likeness.candidates() | near.keys()
    for notes in _holders(places, around) + _holders(places, sources):
        if len(notes) <= MOST_AROUND:
            wanted.update(combinations(notes, 2))
    pairs = []
    for first, second in sorted(wanted):
        one, other = paths[first], paths[second]
        if other in around.get(one, ()) or other in sources.get(one, ()) or one in sources.get(other, ()):
            continue
        shared = len(sources.get(one, set()) & sources.get(other, set()))
        common = sorted(around.get(one, set()) & around.get(other, set()))
        neighbours = sum(
            1 / math.log(len(around[each])) for each in common if 1 < len(around[each]) <= MOST_AROUND
        )
        bucket = index.vault.bucket(one)
        same_bucket = bucket is not None and bucket == index.vault.bucket(other)
        alike, _ = likeness.common(first, second)
        nearness = near.get((first, second), 0.0)
        signs = (
            weights.sources * shared + weights.neighbours * neighbours + weights.words * max(alike, nearness)
        )
        score = signs + weights.bucket * same_bucket
        if signs and score >= LEAST:
            pairs.append(TopicPair(one, other, score, shared, neighbours, same_bucket, alike, near=nearness))
    return sorted(pairs, key=lambda pair: (-pair.score, pair))


def _links(index: Index) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """For each note what it is linked with, in either direction, and the sources that it is drawn from."""
    around: dict[str, set[str]] = {}
    sources: dict[str, set[str]] = {}
    rows = index.read(
        lambda connection: connection.execute(
            "SELECT DISTINCT source.path, target.path, predicate FROM links JOIN notes AS source ON source.id = links.note"
            " JOIN notes AS target ON target.id = links.resolved WHERE links.note != links.resolved"
        ).fetchall()
    )
    for source, target, predicate in rows:
        if predicate == "derived_from" or index.vault.layer(target) in {"daily", "resource"}:
            sources.setdefault(source, set()).add(target)
        else:
            around.setdefault(source, set()).add(target)
            around.setdefault(target, set()).add(source)
    return around, sources


def _holders(places: dict[str, int], links: dict[str, set[str]]) -> list[list[int]]:
    """For each note that some are linked with, the places of those, in order."""
    holders: dict[str, list[int]] = {}
    for path, place in places.items():
        for other in links.get(path, ()):
            holders.setdefault(other, []).append(place)
    return [sorted(notes) for _, notes in sorted(holders.items())]
