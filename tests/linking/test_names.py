"""Names and their spellings, and the form in which they are compared."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.linking.folding import fold_name, folded, is_bound
from reme_cli.linking.names import names_of


def keys(*texts: str, kind: str = "file") -> dict[str, str]:
    return {name.key: name.origin for name in names_of((kind, text) for text in texts)}


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Large Language Models (LLMs)", {"large language models", "large language model", "llms", "llm"}),
        ("Mercury (planet)", {"mercury"}),
        ("🍀 花园导览", {"花园导览"}),
        ("2026-06-20 Team retro", {"team retro", "team retros"}),
        ("Processes", {"process"}),
        ("Policy paper", {"policy papers"}),
        ("Box", {"boxes"}),
        ("City", {"cities"}),
        ("Core Values", {"core value"}),
        ("Physics", set()),
        ("Analysis", set()),
        ("What is a note?", {"what is a note"}),
    ],
)
def test_spellings_by_rule(text: str, others: set[str]) -> None:
    assert others <= keys(text).keys()
    assert all(origin in {"variant", "plural"} for key, origin in keys(text).items() if key in others)


@pytest.mark.parametrize(
    "text",
    [
        "Notes",
        "README",
        "2026-06-20",
        "20260620",
        "202606201530",
        "2026 W25",
        "6月20日",
        "123",
        "x",
        "中",
        "of",
        "的",
        "—",
        "a|b",
    ],
)
def test_names_that_say_nothing(text: str) -> None:
    assert text.lower() not in keys(text)
    assert fold_name(text) not in keys(text)


@pytest.mark.parametrize("text", ["AI", "C#", "k8", "上下文", "Go routines", "人工", "DNA"])
def test_short_names_that_say_something(text: str) -> None:
    assert keys(text)[fold_name(text)] == "name"


def test_the_strongest_origin_counts_and_every_spelling_is_kept() -> None:
    (name, *_) = names_of([("file", "jwt-rotation"), ("name", "JWT rotation"), ("alias", "jwt rotation")])
    assert (name.key, name.origin) == ("jwt rotation", "name")
    assert name.texts == ("jwt-rotation", "JWT rotation", "jwt rotation")


@given(st.text(alphabet=st.sampled_from("aAéßİΣς-_ ｆＦ　中が\u0301\u3099ᄒ\u1161\u11ab\n’"), max_size=20))
def test_every_character_has_its_place(text: str) -> None:
    found = folded(text)
    assert len(found.text) == len(found.folded)
    places = range(len(text) + 1) if found.places is None else found.places
    assert len(places) == len(found.text) + 1
    by_place: dict[int, str] = {}
    for place, character in zip(places, found.text, strict=False):
        by_place[place] = by_place.get(place, "") + character
    ends = [*list(by_place)[1:], len(text)]
    for (start, characters), end in zip(by_place.items(), ends, strict=False):
        assert unicodedata.normalize("NFC", text[start:end]) == characters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Feedback-Loop", "feedback loop"),
        ("ＡＰＩ", "api"),
        ("İstanbul", "i\u0307stanbul"[:1] + "stanbul"),
        ("ΟΔΟΣ", "οδος"),
    ],
)
def test_alike(one: str, other: str) -> None:
    assert fold_name(one) == fold_name(other)


@pytest.mark.parametrize(
    ("before", "after", "bound"),
    [
        ("a", "b", True),
        ("a", "1", True),
        ("a", "中", False),
        ("中", "文", False),
        ("a", " ", False),
        ("e", "\u0301", True),
    ],
)
def test_words(before: str, after: str, bound: bool) -> None:
    assert is_bound(before, after) == bound


@pytest.mark.parametrize(
    ("heading", "origin"),
    [
        ("Internetworking with TCP/IP", "name"),
        ("Internetworking with: TCP IP?", "name"),
        ("Internetworking by TCP/IP", "heading"),
    ],
)
def test_a_heading_may_hold_what_a_file_name_cannot(heading: str, origin: str) -> None:
    names = names_of([("file", "Internetworking with TCP IP"), ("heading", heading)])
    assert {name.origin for name in names if heading in name.texts} == {origin}


@pytest.mark.parametrize("text", ["Values", "Value", "Customs", "goods"])
def test_a_plural_that_means_something_else_is_another_name(text: str) -> None:
    assert keys(text) == {text.lower(): "name"}


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("Retry budget", ("Retry budget", "retry budget")),
        ("Économie de marché", ("Économie de marché", "économie de marché")),
        ("Retry Budget", ("Retry Budget",)),
        ("Retry", ("Retry",)),
        ("HTTP retry", ("HTTP retry",)),
        ("I think", ("I think",)),
        ("Phase 2", ("Phase 2",)),
        ("retry budget", ("retry budget",)),
    ],
)
def test_a_name_in_sentence_case_stands_in_small_letters_within_one(
    text: str, texts: tuple[str, ...]
) -> None:
    (name, *_) = names_of([("file", text)])
    assert name.texts == texts
