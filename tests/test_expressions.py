"""Expressions that some Python of those that the project runs on matches wrongly, and those that may never come to an end."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import re
from pathlib import Path
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]  # nothing public takes an expression apart
from typing import TYPE_CHECKING, Any, Final

import pytest

import reme_cli
from reme_cli.regex import _Uncompiled

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT: Final = Path(__file__).resolve().parent.parent
_OF_A_GROUP: Final = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+|\(\?>")


def test_no_group_is_repeated_possessively() -> None:
    """Before Python 3.11.5 a possessive repetition of a group that can be matched in several ways finds too little.

    https://github.com/python/cpython/issues/106052. A possessive repetition of one character, or of a set of them, is right.
    """
    found = [
        f"{path.relative_to(PROJECT)}: {line.strip()}"
        for path in sorted((PROJECT / "reme_cli").rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if _OF_A_GROUP.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "is_one"), [("(?:a|b)++", True), ("(?>a)", True), ("[ab]++", False), (r"[)]\)++", False)]
)
def test_what_counts(source: str, is_one: bool) -> None:
    assert bool(_OF_A_GROUP.search(source)) is is_one


_PROBES: Final = "aZ_1 -\n\t字\u0301é.,:;!?'\"`#*~=+<>()[]{}|\\/@&%$^"


def test_nothing_is_repeated_that_fits_in_two_ways() -> None:
    """Such an expression tries every combination before it gives up: twice as long for each further character.

    Two alternatives fit the same, or a repetition within a repetition splits the same text elsewhere.
    """
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(reme_cli.__path__, "reme_cli.")
        if not module.name.endswith("__main__")
    ]
    sources = {
        (value.pattern, value.flags)
        for module in modules
        for value in vars(module).values()
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    } | {found._definition for found in gc.get_objects() if type(found) is _Uncompiled}
    assert len(sources) > 300
    assert [source for source, flags in sorted(sources) if _fits_twice(source, flags)] == []


@pytest.mark.parametrize(
    ("source", "is_endless"),
    [
        (r"(?:[\w-]|[^\x00-\u02ff])*::", True),
        (r"(?:[\w-]|(?!\w)[^\x00-\u02ff])*::", False),
        (r"(a+)+b", True),
        (r"(?:a+b)+c", False),
        (r"(?:\s|\n)*x", False),  # one set of characters to Python
        (r"(?:\s|[\n]?x|\n\n)*y", True),
        (r"x(?:\((?:#[^\n]*)*)?y", True),
        (r"(?:ab|a)*c", False),
    ],
)
def test_what_fits_in_two_ways(source: str, is_endless: bool) -> None:
    assert _fits_twice(source, 0) is is_endless


def _fits_twice(source: str, flags: int) -> bool:
    """Whether what is repeated in an expression fits one character, or two equal ones, in two ways."""
    for body in _repeated(_parser.parse(source, flags)):
        once = _compiler.compile(body, flags | re.UNICODE)
        twice = _compiler.compile(_times(body, 2), flags | re.UNICODE)
        each = [_compiler.compile(one, flags | re.UNICODE) for one in _alternatives(body)]
        for probe in (text for mark in _PROBES for text in (mark, mark * 2)):
            if once.fullmatch(probe) and twice.fullmatch(probe):
                return True
            if sum(one.fullmatch(probe) is not None for one in each) > 1:
                return True
    return False


def _repeated(tree: Any) -> Iterator[Any]:
    """What stands in the repetitions of an expression that can be given up again, in those within others, too."""
    if not isinstance(tree, tuple | list | _parser.SubPattern):
        return
    if isinstance(tree, tuple) and tree[0] in {_constants.MAX_REPEAT, _constants.MIN_REPEAT}:
        _, most, body = tree[1]
        if most > 1:
            yield body
    for part in tree:
        yield from _repeated(part)


def _alternatives(body: Any) -> list[Any]:
    """The alternatives that a group is made of; else the whole of it."""
    if len(body) == 1:
        kind, value = body[0]
        if kind is _constants.SUBPATTERN:
            return _alternatives(value[3])
        if kind is _constants.BRANCH:
            return list(value[1])
    return [body]


def _times(body: Any, count: int) -> Any:
    """What is repeated, so many times."""
    return _parser.SubPattern(body.state, [(_constants.MAX_REPEAT, (count, count, body))])
