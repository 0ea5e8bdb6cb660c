"""The policy for a day's topics: what stays, what competes, what is nearly the same."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.dream.topics import Standing, distinct, is_same_topic, settle
from reme_cli.dream.unit import Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.dream.engine import TopicRound

DAY = dt.date(2026, 6, 20)


def topic(title: str, *keywords: str, paths: tuple[str, ...] = ("daily/2026-06-20/a.md",)) -> Topic:
    return Topic(title, f"Why {title}.", paths[0], keywords, paths)


def in_order(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
    return tuple(pool)


def standing(
    existing: Sequence[Topic] = (),
    written: Sequence[Topic] = (),
    recent: Sequence[Topic] = (),
    count: int = 3,
) -> Standing:
    marks = frozenset(one.mark for one in written)
    return Standing(DAY, count, 7, tuple(existing), marks, tuple(recent))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (topic("Memory search"), topic("memory  SEARCH!"), True),
        (topic("Memory search"), topic("search of memory", "x"), True),
        (topic("Memory search"), topic("Retry budget"), False),
        (topic("密钥轮换"), topic("密钥轮换。"), True),
        (topic("密钥轮换"), topic("对账差异"), False),
        (topic("결제 게이트웨이"), topic("결제 게이트웨이!"), True),
        (topic("결제 게이트웨이"), topic("배포 일정"), False),
        (topic("ゲートウェイ"), topic("ｹﾞｰﾄｳｪｲ"), True),
        (topic("Платёжный шлюз"), topic("платежный ШЛЮЗ"), True),
        (topic("Платёжный шлюз"), topic("Ночное дежурство"), False),
        (topic("JWT rotation", "jwt", "keys"), topic("JWT rotation of the partner API", "jwt", "keys"), True),
        (topic("JWT rotation", "jwt"), topic("JWT rotation for the partner API", "billing"), False),
        (topic("Slow provider", "koru", "breaker"), topic("Slow provider answers", "koru", "breaker"), True),
        (topic("🔥"), topic("🔥"), True),
        (topic("🔥"), topic("🎉"), False),
    ],
)
def test_near_duplicates_in_any_script(one: Topic, other: Topic, same: bool) -> None:
    assert is_same_topic(one, other) is same
    assert is_same_topic(other, one) is same


def test_candidates_fill_an_empty_day_up_to_the_count() -> None:
    found = settle([topic("Alpha one"), topic("Beta two"), topic("Gamma three")], standing(count=2), in_order)
    assert [one.title for one in found] == ["Alpha one", "Beta two"]


def test_no_candidates_leave_the_file_as_it_is() -> None:
    existing = [topic("Alpha one"), topic("alpha one")]
    assert settle([], standing(existing), in_order) == tuple(existing)


def test_what_a_person_wrote_stays_even_beyond_the_count() -> None:
    mine = [topic(f"Mine number {word}") for word in ("apple", "birch", "cedar", "daisy")]
    found = settle([topic("New thing")], standing(mine, count=3), in_order)
    assert found == tuple(mine)


def test_an_edited_topic_is_a_persons() -> None:
    written = topic("Alpha one")
    edited = Topic("Alpha one", "My own reason.", written.evidence)

    def last_first(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        return tuple(reversed(pool))

    new = [topic("Beta two"), topic("Gamma three")]
    assert edited in settle(new, standing([edited], [written], count=2), last_first)
    assert written not in settle(new, standing([written], [written], count=2), last_first)


def test_a_full_list_of_the_models_own_does_not_starve_a_better_topic() -> None:
    own = [topic("Alpha one"), topic("Beta two"), topic("Gamma three")]
    better = topic("Delta four", paths=("daily/2026-06-20/a.md", "daily/2026-06-20/b.md"))

    def by_paths(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        return tuple(sorted(pool, key=lambda one: -len(one.paths)))

    found = settle([better], standing(own, own), by_paths)
    assert better in found
    assert len(found) == 3
    assert [one.title for one in found] == ["Alpha one", "Beta two", "Delta four"]


def test_recent_topics_are_not_repeated() -> None:
    found = settle([topic("密钥轮换"), topic("对账差异")], standing(recent=[topic("密钥轮换")]), in_order)
    assert [one.title for one in found] == ["对账差异"]


def test_what_an_engine_makes_up_is_not_taken() -> None:
    def inventing(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        return (topic("Invented"), *pool, *pool)

    assert [one.title for one in settle([topic("Real thing")], standing(), inventing)] == ["Real thing"]


def test_an_engine_learns_how_many_places_are_left() -> None:
    seen: list[TopicRound] = []

    def watching(pool: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        seen.append(around)
        return tuple(pool)

    mine = topic("Mine alone")
    settle([topic("New thing")], standing([mine], recent=[topic("Old thing")]), watching)
    assert (seen[0].count, seen[0].kept, seen[0].recent) == (2, (mine,), (topic("Old thing"),))


titles = st.text(alphabet="ab 密钥轮换кл한국ゲー🔥!", min_size=1, max_size=8).filter(str.strip)
topics = st.lists(st.builds(topic, titles), max_size=6, unique_by=lambda one: one.mark)


@given(topics, topics, topics, st.integers(0, 4), st.data())
def test_settling_again_changes_nothing(
    candidates: list[Topic], existing: list[Topic], recent: list[Topic], count: int, data: st.DataObject
) -> None:
    written = [one for one in existing if data.draw(st.booleans())]
    first = settle(candidates, standing(existing, written, recent, count), in_order)
    kept = [one for one in existing if one not in written]
    assert all(one in first for one in kept)
    assert len(first) <= max(count, len(kept), len(existing) if not candidates else 0)
    now_written = [*written, *(one for one in first if one not in existing)]
    again = settle(candidates, standing(first, now_written, recent, count), in_order)
    assert again == first or not candidates


@given(topics)
def test_distinct_topics_are_distinct(found: list[Topic]) -> None:
    kept = distinct(found, beside=())
    assert not any(is_same_topic(one, other) for place, one in enumerate(kept) for other in kept[:place])
    assert all(any(is_same_topic(one, other) for other in kept) for one in found)
