"""Which note a person means."""

from __future__ import annotations

import pytest

from reme_cli.graph.query import find_notes

PATHS = ["digest/wiki/jwt.md", "daily/jwt.md", "t.md", "x/t.md", "x/Café.md", "A.md", "a.md"]
TITLES = [
    ("JSON Web Token", "digest/wiki/jwt.md"),
    ("token", "x/t.md"),
    ("Token", "daily/jwt.md"),
    ("t", "x/Café.md"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("digest/wiki/jwt.md", ["digest/wiki/jwt.md"]),
        ("digest/wiki/jwt", ["digest/wiki/jwt.md"]),
        ("/digest/wiki/JWT", ["digest/wiki/jwt.md"]),
        ("wiki/jwt", ["digest/wiki/jwt.md"]),
        ("jwt", ["daily/jwt.md", "digest/wiki/jwt.md"]),
        ("wt", []),
        ("t", ["t.md"]),
        ("json web token", ["digest/wiki/jwt.md"]),
        ("token", ["daily/jwt.md", "x/t.md"]),
        ("cafe\u0301", ["x/Café.md"]),
        ("a", ["a.md"]),
        ("./a.md", ["a.md"]),
        ("digest", []),
        ("", []),
    ],
)
def test_a_note_is_found_by_path_short_name_or_alias(text: str, found: list[str]) -> None:
    assert list(find_notes(text, PATHS, TITLES)) == found


def test_a_name_and_an_alias_that_are_the_same_are_both_listed() -> None:
    assert find_notes("jwt", ["x/jwt.md", "b.md"], [("JWT", "b.md")]) == ("b.md", "x/jwt.md")
