"""Objects in text that a model wrote."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.llm.lenient_json import MAX_DEPTH, objects, whole_object

READ = {
    "plain": ('{"a": 1}', {"a": 1}),
    "prose around": ('Sure! Here it is: {"a": 1}. Anything else?', {"a": 1}),
    "fenced": ('```json\n{"a": [1, 2]}\n```', {"a": [1, 2]}),
    "braces in prose": ('For {x} in {"y"}: {"a": {"b": "}"}}', {"a": {"b": "}"}}),
    "trailing commas": ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
    "comments": ('{\n// the name\n"a": 1, /* two */ "b": 2, # three\n}', {"a": 1, "b": 2}),
    "single quotes": ("{'a': 'x', 'b': True}", {"a": "x", "b": True}),
    "single quotes, apostrophe": ("{'a': 'the dog's tail', 'b': 2}", {"a": "the dog's tail", "b": 2}),
    "python words": ("{'a': None, 'b': True, 'c': False}", {"a": None, "b": True, "c": False}),
    "bare names": ("{a: 1, b_2: {c: 'x'}}", {"a": 1, "b_2": {"c": "x"}}),
    "line break in a string": ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    "quotes in a string": ('{"a": "he said "hi" to me", "b": 1}', {"a": 'he said "hi" to me', "b": 1}),
    "URL in a string": ('{"a": "http://x.org/#y", "b": [1,]}', {"a": "http://x.org/#y", "b": [1]}),
    "escapes": (r"""{'a': 'x\ty\u00e9\'z\\', }""", {"a": "x\tyé'z\\"}),
    "full-width punctuation": ('{"名称"："迁移"，"数"：2}', {"名称": "迁移", "数": 2}),
    "numbers": ("{a: -1.5e3, b: 0, c: 12,}", {"a": -1500.0, "b": 0, "c": 12}),
    "a word that is no value": ("{a: maybe}", None),
    "missing comma": ('{"a": 1 "b": 2}', None),
    "cut off": ('{"a": [1, 2', None),
    "an array": ("[1, 2]", None),
    "prose": ("I would rather not.", None),
    "empty": ("", None),
}


@pytest.mark.parametrize("case", READ)
def test_first_object(case: str) -> None:
    text, expected = READ[case]
    assert next(objects(text), None) == expected


def test_objects_come_in_order_and_outermost_first() -> None:
    assert list(objects('{"a": {"b": 1}} and {"c": 2}')) == [{"a": {"b": 1}}, {"c": 2}]


def test_lone_surrogates_and_nul_cannot_reach_a_file() -> None:
    found = next(objects(r'{"a": "x\ud800y", "b": "\u0000", "\udfff": ["\ud83d\ude00"]}'))
    assert found == {"a": "x\ufffdy", "b": "\ufffd", "\ufffd": ["😀"]}
    json.dumps(found, ensure_ascii=False).encode()


def test_escaped_surrogate_pair_read_leniently_is_one_character() -> None:
    assert next(objects(r"{'a': '\ud83d\ude00'}")) == {"a": "😀"}


def test_nesting_is_bounded() -> None:
    deep = "{a:" * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1)
    assert whole_object(deep) is None
    assert whole_object('{"a":' * 200_000) is None
    for depth in (MAX_DEPTH, MAX_DEPTH + 1, 600):
        valid = '{"a":' * depth + "1" + "}" * depth
        assert (whole_object(valid) is None) == (depth > MAX_DEPTH)


def test_whole_object_wants_nothing_around() -> None:
    assert whole_object(' {"a": 1,}\n') == {"a": 1}
    assert whole_object('{"a": 1} {"b": 2}') is None
    assert whole_object('{"a": {"b": 1}, "c": ') is None
    assert whole_object("[]") is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_characters="\0", codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="ascii", exclude_characters="\0")), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECT = st.dictionaries(st.text("abc_", min_size=1), JSON, min_size=1, max_size=3)


@given(OBJECT, st.text(st.characters(exclude_characters="{", codec="utf-8")), st.booleans())
def test_json_in_prose_is_found_unchanged(value: dict[str, object], prose: str, ascii_only: bool) -> None:
    text = f"{prose}\n```json\n{json.dumps(value, ensure_ascii=ascii_only, indent=1)}\n```\n{prose}"
    assert next(objects(text)) == value


@given(OBJECT, st.data())
def test_a_cut_off_object_is_never_whole(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    assert whole_object(text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(st.text(st.sampled_from("{}[]\"':,ab1\\/*# \n")))
def test_no_text_is_too_strange(text: str) -> None:
    for value in objects(text):
        assert isinstance(value, dict)
