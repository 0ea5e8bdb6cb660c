"""YAML values: read as they are spelled, and emitted so that they read back."""

from __future__ import annotations

import contextlib
import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.errors import FrontmatterError
from reme_cli.vault.yaml_text import emit, emit_pair, parse

# Surrogates cannot be in a file; everything else can.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
TRICKY = st.text(st.sampled_from(list("-:#'\"\\[]{},&*!|>%@`~? \n\t=01.eE+_a中🚀")), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | TEXTS | TRICKY,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS | TRICKY, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("spelled", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("2026-06-20", "2026-06-20"),
        ("2026-06-20 10:00:00", "2026-06-20 10:00:00"),
        ("12:30:00", "12:30:00"),
        ("1_000", "1_000"),
        ("0o17", "0o17"),
        ("0x1F", "0x1F"),
        ("017", "017"),
        (".5", ".5"),
        (".inf", ".inf"),
        ("1e9999", "1e9999"),
        ("9" * 30, "9" * 30),
        ("7", 7),
        ("-7", -7),
        ("0.25", 0.25),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("'7'", "7"),
        ("!!str 7", "7"),
        ("!!int many", "many"),
        ("!!python/object/apply:os.system [ls]", ["ls"]),
        ("[[a]]", [["a"]]),
        ("{a: no}", {"a": "no"}),
        ("&x [1]", [1]),
    ],
)
def test_a_plain_scalar_is_text_unless_it_is_json_like(spelled: str, value: object) -> None:
    found = parse(f"k: {spelled}")["k"]
    assert found == value
    assert type(found) is type(value)


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdef", "bcdefg", strict=True)
)


@pytest.mark.parametrize(
    ("document", "line", "says"),
    [
        ("a: 1\nb: c: d\n", 2, "mapping values are not allowed"),
        ("a: 1\n\tb: 2\n", 2, ""),
        ("a: 1\nb: 2\na: 3\n", 3, "`a` is there twice"),
        ("a:\n  x: 1\n  x: 2\n", 3, "`x` is there twice"),
        ("- a\n- b\n", 1, "not a mapping"),
        ("text\n", 1, "not a mapping"),
        ('a: 1\nb: "open\n', 3, ""),
        ("a: 1\nb: \x07\n", 2, "control character"),
        ("a: *gone\n", 1, "undefined alias"),
        ("a: &a [*a]\n", 1, "too deep"),
        ("b: 1\na: {{date}}\n", 2, "a key that is no text"),
        ("a: " + "[" * 150 + "]" * 150, 1, "too deep"),
        ("a: " + "[" * 100_000, 1, ""),
        ("- " * 5_000 + "x", 1, ""),
        (LAUGHS, 1, "too many aliases"),
        ("a: 1\n--- \nb: 2\n", 2, ""),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_line(document: str, line: int, says: str) -> None:
    with pytest.raises(FrontmatterError) as error:
        parse(document)
    assert says in error.value.what
    assert error.value.line == line


def test_lines_are_counted_from_the_first_line_given() -> None:
    with pytest.raises(FrontmatterError) as error:
        parse("a: 1\nb: c: d\n", first_line=11)
    assert (error.value.line, error.value.where) == (12, "line 12")


@given(st.text(max_size=60) | TRICKY)
def test_no_document_does_worse_than_an_error(document: str) -> None:
    with contextlib.suppress(FrontmatterError):
        json.dumps(parse(document), allow_nan=False)


@pytest.mark.parametrize(
    ("text", "emitted"),
    [
        ("plain words", "plain words"),
        ("中文 🚀", "中文 🚀"),
        ("it's", "it's"),
        ('say "hi"', 'say "hi"'),
        ("no", '"no"'),
        ("2026-06-20", '"2026-06-20"'),
        ("a: b", '"a: b"'),
        ("# x", '"# x"'),
        ("[[a|B]]", '"[[a|B]]"'),
        ('"[[a]]"', "'\"[[a]]\"'"),
        ("🚀: x", '"🚀: x"'),
        ("a\nb", '"a\\nb"'),
        ("", '""'),
        (" a", '" a"'),
        ("1e3", '"1e3"'),
        ("0o17", '"0o17"'),
        ("y", '"y"'),
        ("x" * 500 + " " + "y" * 500, "x" * 500 + " " + "y" * 500),
    ],
)
def test_text_is_quoted_only_where_it_must_be(text: str, emitted: str) -> None:
    assert emit(text) == emitted


@given(TEXTS | TRICKY)
def test_emitted_text_is_one_line_that_reads_back_here_and_in_yaml_1_1(text: str) -> None:
    emitted = emit(text)
    assert len(emitted.splitlines()) == 1
    for line in (f"k: {emitted}", f"k: [{emit(text, flow=True)}, x]"):
        assert yaml.safe_load(line)["k"] in (text, [text, "x"])
        assert parse(line)["k"] in (text, [text, "x"])


@given(st.dictionaries(TEXTS | TRICKY, VALUES, min_size=1, max_size=4))
def test_emitted_values_read_back_in_order(mapping: dict[str, object]) -> None:
    for emitted in (
        emit(mapping),
        emit(mapping, flow=True),
        "\n".join(emit_pair(*item) for item in mapping.items()),
    ):
        assert list(parse(emitted).items()) == list(mapping.items())
        assert yaml.safe_load(emitted) == mapping


def test_a_list_that_is_used_twice_is_written_twice() -> None:
    paths = ["daily/a.md"]
    assert "*" not in emit({"a": paths, "b": paths})


def test_a_lone_surrogate_cannot_be_written() -> None:
    with pytest.raises(FrontmatterError):
        emit("\ud800")


@given(TEXTS | TRICKY | st.from_regex(r"([A-Za-z]{1,5}|[一笔]{1,2})[ \-_A-Za-z0-9记]{0,8}", fullmatch=True))
def test_a_pair_is_written_as_its_value_is(text: str) -> None:
    assert (
        emit_pair("name", text) == f"name: {emit(text)}"
    )  # one of them without the emitter, where that is safe
