"""How relevant notes are to each other that are not linked, by four signals (`config.RelevanceConfig` weighs them).

The sources that both are drawn from; Adamic–Adar over what both are linked with, the sum of 1 / ln(links), the rarer the more (Adamic
and Adar, 2003); the same bucket; the words that both have, by weight, or how near they are in meaning, where that is more.
"""

from __future__ import annotations

import math
from heapq import heappush, heappushpop
from itertools import chain
from typing import TYPE_CHECKING, Final

from reme_cli.linking.likeness import Likeness
from reme_cli.linking.meaning import Meaning
from reme_cli.linking.note_pairs import NotePairs
from reme_cli.linking.topic_report import TopicPair

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from reme_cli.config import RelevanceConfig
    from reme_cli.index.index import Index

MOST_AROUND: Final = 40
"""What more notes link to, or what links to more, tells nothing of two of them."""
LEAST: Final = 1.5
"""Score from which a pair is told: one weak sign is none."""
MOST_KEPT: Final = 20_000
"""Pairs that are kept, the most relevant ones: what bounds the memory in a large vault."""


def relevant_pairs(
    index: Index,
    paths: Sequence[str],
    weights: RelevanceConfig,
    *,
    within: Collection[str] | None = None,
    most: int = MOST_KEPT,
) -> list[TopicPair]:
    """The pairs among some notes, which are in order, that no link joins, the most relevant first; a bucket alone makes none.

    `within`: one of a pair must be of these. `most`: so many at most.
    """
    places = {path: place for place, path in enumerate(paths)}
    asked = None if within is None else frozenset(places[path] for path in within if path in places)
    around, sources = _links(index)
    likeness = Likeness(index, paths)
    near = Meaning(index, paths).candidates()
    wanted = NotePairs(len(paths))
    wanted.add(
        pair for pair in chain(likeness.candidates(), near) if asked is None or not asked.isdisjoint(pair)
    )
    for links in (around, sources):
        for notes in _holders(places, links):
            wanted.add_all_of(notes, asked)
    buckets = [index.vault.bucket(path) for path in paths]
    nothing: frozenset[str] = frozenset()
    best: list[tuple[float, int, int, TopicPair]] = []
    for first, second in wanted:
        one, other = paths[first], paths[second]
        around_one, sources_one = around.get(one, nothing), sources.get(one, nothing)
        sources_other = sources.get(other, nothing)
        if other in around_one or other in sources_one or one in sources_other:
            continue
        shared = len(sources_one & sources_other)
        # exact, so that the order of a set makes no difference
        neighbours = math.fsum(
            1 / math.log(len(around[each]))
            for each in around_one & around.get(other, nothing)
            if 1 < len(around[each]) <= MOST_AROUND
        )
        same_bucket = buckets[first] is not None and buckets[first] == buckets[second]
        by_links = weights.sources * shared + weights.neighbours * neighbours
        by_bucket = weights.bucket * same_bucket
        least = best[0][0] if len(best) == most else LEAST
        if by_links + by_bucket + weights.words < least:
            continue  # whatever their words are
        alike, _ = likeness.common(first, second)
        nearness = near.get((first, second), 0.0)
        signs = by_links + weights.words * max(alike, nearness)
        if not signs or signs + by_bucket < least:
            continue
        score = signs + by_bucket
        pair = TopicPair(one, other, score, shared, neighbours, same_bucket, alike, near=nearness)
        # of two that score alike the one that comes first in order is the better
        (heappushpop if len(best) == most else heappush)(best, (score, -first, -second, pair))
    return [pair for *_, pair in sorted(best, reverse=True)]


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


def _holders(places: Mapping[str, int], links: Mapping[str, set[str]]) -> list[list[int]]:
    """For each note that some are linked with, the places of those, in order; without what too many are."""
    holders: dict[str, list[int]] = {}
    for path, place in places.items():
        for other in links.get(path, ()):
            holders.setdefault(other, []).append(place)
    return [notes for notes in holders.values() if len(notes) <= MOST_AROUND]
