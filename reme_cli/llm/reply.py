"""Structured data from what a model wrote: JSON found in prose, read leniently, validated strictly.

Lenient is the syntax: code fences, text around, comments, trailing commas, single quotes, Python's `True`, `None`, line
breaks in strings. Strict are the values: nothing is coerced, `"no"` stays a string. Three slips of models are mended because
there is only one thing they can mean: a lone string where a list is wanted, `null` for a list, a whole number for a string.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeVar

from reme_cli.errors import ModelReplyUnusable
from reme_cli.llm import lenient_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import BaseModel

    Schema = TypeVar("Schema", bound=BaseModel)

# Only at the beginning: elsewhere such a tag may be what the answer is about.
_THOUGHTS = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_MAX_PROBLEMS = 8
_LIST_ERRORS = frozenset({"list_type", "tuple_type", "set_type", "frozen_set_type"})


def parse_reply(text: str, schema: type[Schema]) -> Schema:
    """The first JSON object in `text` that is a valid `schema`; drafts in leading thinking tags do not count.

    Raises `ModelReplyUnusable` that says in words what is wrong with the first object, or that there is none.
    """
    thoughts = _THOUGHTS.match(text)
    problem = ""
    for value in lenient_json.objects(text[thoughts.end() :] if thoughts else text):
        try:
            return validate(value, schema)
        except ModelReplyUnusable as error:
            problem = problem or error.what
    if problem:
        raise ModelReplyUnusable(problem)
    if not text.strip():
        raise ModelReplyUnusable("the answer is empty")
    raise ModelReplyUnusable("the answer holds no JSON object")


def validate(value: Mapping[str, object], schema: type[Schema]) -> Schema:
    """`value`, as JSON gives it, as a `schema`. Raises `ModelReplyUnusable` with one line per wrong field."""
    # pydantic is imported where text from outside is validated: it would slow the start of every other command
    from pydantic import ValidationError

    # As JSON, so that strict mode takes an array for a tuple and a string for a date.
    try:
        return schema.model_validate_json(json.dumps(value), strict=True)
    except ValidationError as error:
        mended = _mended(value, error.errors(include_url=False))
    try:
        return schema.model_validate_json(json.dumps(mended), strict=True)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        lines = [f"{_place(problem['loc'])}: {problem['msg']}" for problem in problems[:_MAX_PROBLEMS]]
        if len(problems) > _MAX_PROBLEMS:
            lines.append(f"and {len(problems) - _MAX_PROBLEMS} more")
        raise ModelReplyUnusable("\n".join(lines)) from None


def _mended(value: Mapping[str, object], problems: Sequence[Any]) -> object:
    """A copy of `value` with the unmistakable slips among the problems put right."""
    copy: Any = json.loads(json.dumps(value))
    for problem in problems:
        kind, given = problem["type"], problem["input"]
        if kind in _LIST_ERRORS and isinstance(given, str):
            _put(copy, problem["loc"], [given])
        elif kind in _LIST_ERRORS and given is None:
            _put(copy, problem["loc"], [])
        elif kind == "string_type" and isinstance(given, int) and not isinstance(given, bool):
            _put(copy, problem["loc"], str(given))
    return copy


def _put(root: Any, place: tuple[str | int, ...], value: object) -> None:
    """Set what is at `place`; a place that is not in the data (a branch of a union) is left alone."""
    if not place:
        return
    *parents, last = place
    inner = root
    try:
        for step in parents:
            inner = inner[step]
        if inner[last] is not value:
            inner[last] = value
    except (LookupError, TypeError):
        return


def _place(place: Sequence[str | int]) -> str:
    return ".".join(str(step) for step in place) or "the object"
