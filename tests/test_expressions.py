"""Expressions that some Python of those that the project runs on matches wrongly."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

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
