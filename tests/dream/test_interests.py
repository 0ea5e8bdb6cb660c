"""`interests.yaml`: its shape, reading it as written, revising it around a person's words."""

from __future__ import annotations

import datetime as dt

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.dream.interests import read, render, revise
from reme_cli.dream.unit import Topic
from reme_cli.errors import NoteError

DAY = dt.date(2026, 6, 20)
PATH = "daily/2026-06-20/interests.yaml"
SEARCH = Topic(
    "Memory search",
    "It was asked for on three days.",
    "daily/2026-06-20/session.md",
    ("memory search", "auto dream"),
    ("daily/2026-06-20/session.md",),
)
KEYS = Topic("密钥轮换", "“轮换” 之后: 没有人掉线 #jwt", "daily/2026-06-20/a.md")


def test_a_new_file_has_the_shape_of_the_contract() -> None:
    assert render(DAY, 3, 7, [SEARCH]) == (
        "date: 2026-06-20\n"
        "topic_count: 3\n"
        "diversity_days: 7\n"
        "topics:\n"
        "- title: Memory search\n"
        "  reason: It was asked for on three days.\n"
        "  evidence: daily/2026-06-20/session.md\n"
        "  keywords: [memory search, auto dream]\n"
        "  paths: [daily/2026-06-20/session.md]\n"
    )


def test_what_looks_like_another_type_stays_text() -> None:
    odd = Topic(
        "no", "2026-06-20", "daily/1.md", ("yes", "1.5", "a, b", "null", "~", "[x]", "a: b"), ("daily/1.md",)
    )
    text = render(DAY, 3, 7, [odd])
    assert read(text, PATH).topics == (odd,)
    # any other reader gets texts too
    assert yaml.safe_load(text)["topics"][0] == {
        "title": "no",
        "reason": "2026-06-20",
        "evidence": "daily/1.md",
        "keywords": list(odd.keywords),
        "paths": ["daily/1.md"],
    }


printable = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=30
)
line = printable.map(lambda text: " ".join(text.split())).filter(bool)
some_topics = st.lists(
    st.builds(
        Topic, line, line, line, st.lists(line, max_size=3).map(tuple), st.lists(line, max_size=3).map(tuple)
    ),
    max_size=4,
    unique_by=lambda topic: topic.mark,
)


@settings(max_examples=60)
@given(some_topics)
def test_rendered_topics_read_back(topics: list[Topic]) -> None:
    text = render(DAY, 3, 7, topics)
    assert read(text, PATH).topics == tuple(topics)
    assert read(text, PATH).untouched({topic.mark for topic in topics}) == {topic.mark for topic in topics}


@settings(max_examples=60)
@given(some_topics, some_topics)
def test_revised_topics_read_back(before: list[Topic], after: list[Topic]) -> None:
    text = revise(read(render(DAY, 3, 7, before), PATH), DAY, 3, 7, after)
    assert read(text, PATH).topics == tuple(after)


HAND_MADE = """\
# my list
date: 2026-06-20
mood: good   # unknown to reme
topics:
  # first things first
  - title: Memory search  # really
    reason: It was asked for on three days.
    evidence: daily/2026-06-20/session.md
    keywords: [memory search, auto dream]
    paths: [daily/2026-06-20/session.md]
    due: friday
  - call the dentist
  - [not, a, topic]
# the end
"""


def test_what_a_person_wrote_keeps_its_bytes() -> None:
    before = read(HAND_MADE, PATH)
    assert [topic.title for topic in before.topics] == ["Memory search", "call the dentist"]
    revised = revise(before, DAY, 3, 7, [*before.topics, KEYS])
    added = (
        "  - title: 密钥轮换\n"
        '    reason: "“轮换” 之后: 没有人掉线 #jwt"\n'
        "    evidence: daily/2026-06-20/a.md\n"
        "    keywords: []\n"
        "    paths: []\n"
    )
    assert revised.replace(added, "") == HAND_MADE
    assert read(revised, PATH).topics == (*before.topics, KEYS)


def test_a_topic_with_an_added_key_is_no_longer_remes() -> None:
    before = read(HAND_MADE, PATH)
    assert before.topics[0].mark == SEARCH.mark
    assert before.untouched({SEARCH.mark}) == frozenset()
    assert read(render(DAY, 3, 7, [SEARCH]), PATH).untouched({SEARCH.mark}) == {SEARCH.mark}
    deeper = revise(before, DAY, 3, 7, [*before.topics, KEYS])
    assert read(deeper, PATH).untouched({SEARCH.mark, KEYS.mark}) == {KEYS.mark}


def test_the_same_topics_leave_every_byte_alone() -> None:
    for text in (HAND_MADE, HAND_MADE.replace("\n", "\r\n"), "\ufeff" + HAND_MADE, "topics: [{title: a}]"):
        before = read(text, PATH)
        assert revise(before, DAY, 3, 7, before.topics) == text


def test_line_endings_of_the_file_are_followed() -> None:
    before = read(HAND_MADE.replace("\n", "\r\n"), PATH)
    revised = revise(before, DAY, 3, 7, [*before.topics, KEYS])
    assert revised.count("\n") == revised.count("\r\n")
    assert read(revised, PATH).topics[-1] == KEYS


LISTED = render(DAY, 3, 7, [KEYS]).partition("topics:\n")[2]


@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
def test_an_empty_file_becomes_a_new_one(text: str) -> None:
    assert revise(read(text, PATH), DAY, 3, 7, [KEYS]) == render(DAY, 3, 7, [KEYS])


@pytest.mark.parametrize(
    ("text", "head", "tail"),
    [
        ("date: 2026-06-20\n", "date: 2026-06-20\ntopics:\n", ""),
        ("owner: me", "owner: me\ntopics:\n", ""),
        ("# only a comment\n", "# only a comment\ntopics:\n", ""),
        ("topics:\n", "topics:\n", ""),
        ("topics: ~\nz: 1\n", "topics:\n", "z: 1\n"),
        ("topics: [] # none yet\n# mine\nz: 1", "topics: # none yet\n", "# mine\nz: 1"),
        ("\ufeffa: 1\ntopics:\n  []\nz: 1\n", "\ufeffa: 1\ntopics:\n", "z: 1\n"),
        (
            "# mine\ntopics: [{title: My own, note: keep}, plain,]\nz: 1\n",
            "# mine\ntopics:\n- {title: My own, note: keep}\n- plain\n",
            "z: 1\n",
        ),
        ("topics: [{title: a,\n  note: b}]\nz: 1\n", "topics:\n- {title: a,\n    note: b}\n", "z: 1\n"),
        ("topics:\n-\n  title: below\n  k: v\nz: 1\n", "topics:\n-\n  title: below\n  k: v\n", "z: 1\n"),
    ],
)
def test_what_stands_around_another_kind_of_list_keeps_its_bytes(text: str, head: str, tail: str) -> None:
    before = read(text, PATH)
    assert revise(before, DAY, 3, 7, [*before.topics, KEYS]) == head + LISTED + tail


@pytest.mark.parametrize(
    "text",
    [
        "{topics: [{title: a}], k: v}\n",
        "{}\n",
        "topics: [{title: a}, # why\n  {title: b}]\n",
        "x: &a {title: a}\ntopics: [*a]\n",
        "x: &a {title: a}\ntopics:\n- *a\n- {title: b}\n",
        "owner: me\n...\n",
    ],
)
def test_a_file_in_which_new_topics_have_no_place_is_left_alone(text: str) -> None:
    before = read(text, PATH)
    with pytest.raises(NoteError, match="unusual") as caught:
        revise(before, DAY, 3, 7, [*before.topics, KEYS])
    assert caught.value.where == PATH


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("topics: [", 1),
        ("date: x\ntopics:\n- title: a: b\n", 3),
        ("- a\n- b\n", 1),
        ("just text", 1),
        ("date: x\n\ntopics: soon\n", 3),
        ("topics:\n  title: a\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("topics: *nothing\n", 1),
        ("\tdate: x\n", 1),
        ("[" * 1500, 1),
    ],
)
def test_a_file_that_cannot_be_read_is_an_error_with_its_line(text: str, line: int) -> None:
    with pytest.raises(NoteError) as caught:
        read(text, PATH)
    where, _, number = str(caught.value.where).rpartition(":")
    assert where == PATH
    assert int(number) == line or line == 1
    assert caught.value.hint


@pytest.mark.parametrize(
    "item",
    [
        "- title: ''",
        "- {}",
        "- []",
        "- ''",
        "- reason: no title",
        "- title: [a]",
        "-\n  title: below",
        "- &a {title: b}",
    ],
)
def test_odd_items_harm_nobody(item: str) -> None:
    text = f"topics:\n- title: First\n{item}\n- title: Last\n"
    before = read(text, PATH)
    titles = [topic.title for topic in before.topics]
    assert titles[0] == "First"
    assert titles[-1] == "Last"
    revised = read(revise(before, DAY, 3, 7, [*before.topics, KEYS]), PATH)
    assert revised.topics == (*before.topics, KEYS)


def test_no_tag_is_obeyed() -> None:
    text = "topics:\n- title: !!python/object/apply:os.system ['true']\n- title: !!binary aGk=\n"
    assert [topic.title for topic in read(text, PATH).topics] == ["aGk="]
