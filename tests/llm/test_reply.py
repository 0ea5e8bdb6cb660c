"""From what a model wrote to a validated value."""

from __future__ import annotations

import datetime as dt

import pytest
from pydantic import BaseModel, ConfigDict

from reme_cli.errors import ModelReplyUnusable
from reme_cli.llm.reply import parse_reply, validate


class Unit(BaseModel):
    model_config = ConfigDict(extra="ignore")

    name: str
    paths: tuple[str, ...]
    keywords: list[str] = []
    sure: bool = True
    day: dt.date | None = None


def test_the_first_object_that_is_valid_counts() -> None:
    text = 'I thought of {"x": 1}, but: {"name": "A", "paths": ["p"]} or {"name": "B", "paths": []}'
    assert parse_reply(text, Unit).name == "A"


def test_drafts_in_thoughts_do_not_count() -> None:
    text = '<think>{"name": "draft", "paths": []}</think>\n{"name": "final", "paths": []}'
    assert parse_reply(text, Unit).name == "final"


def test_tags_inside_an_answer_are_part_of_it() -> None:
    text = '{"name": "strip <think>…</think> first", "paths": []}'
    assert parse_reply(text, Unit).name == "strip <think>…</think> first"


def test_what_looks_like_another_type_stays_a_string() -> None:
    assert parse_reply('{"name": "no", "paths": ["2026-06-20", "1.10", "null"]}', Unit).paths == (
        "2026-06-20",
        "1.10",
        "null",
    )


def test_unmistakable_slips_are_mended() -> None:
    unit = parse_reply('{"name": 2026, "paths": "a.md", "keywords": null}', Unit)
    assert (unit.name, unit.paths, unit.keywords) == ("2026", ("a.md",), [])


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"paths": []}, "name: Field required"),
        ({"name": True, "paths": []}, "name: Input should be a valid string"),
        ({"name": "a", "paths": [], "sure": "no"}, "sure: Input should be a valid boolean"),
        ({"name": "a", "paths": [1.5]}, "paths.0: Input should be a valid string"),
        ({"name": "a", "paths": {"b": 1}}, "paths: Input should be a valid array"),
    ],
)
def test_wrong_values_are_named_not_coerced(value: dict[str, object], problem: str) -> None:
    with pytest.raises(ModelReplyUnusable) as caught:
        validate(value, Unit)
    assert problem in caught.value.what


def test_strict_mode_still_takes_json_for_dates() -> None:
    assert validate({"name": "a", "paths": [], "day": "2026-06-20"}, Unit).day == dt.date(2026, 6, 20)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the answer is empty"),
        (" \n", "the answer is empty"),
        ("no JSON here", "holds no JSON object"),
        ('{"name": "cut', "holds no JSON object"),
        ('{"answer": 42}', "name: Field required\npaths: Field required"),
    ],
)
def test_unusable_answers_say_why(text: str, problem: str) -> None:
    with pytest.raises(ModelReplyUnusable) as caught:
        parse_reply(text, Unit)
    assert problem in caught.value.what


def test_many_problems_are_cut_short() -> None:
    with pytest.raises(ModelReplyUnusable, match="and 12 more"):
        validate({"name": "a", "paths": [None] * 20}, Unit)
