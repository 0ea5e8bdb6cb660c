"""Which note a broken link may mean."""

from __future__ import annotations

import pytest

from reme_cli.graph.nearest import Nearest

PATHS = ("digest/wiki/token-rotation.md", "people/mia.md", "密钥轮换.md", "x/---.md", "x/Postgres Tuning.md")
TITLES = (("JSON Web Token", "digest/wiki/token-rotation.md"), ("Mia Chen", "people/mia.md"))


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("token-rotaton", "digest/wiki/token-rotation.md"),
        ("tokenrotation.md", "digest/wiki/token-rotation.md"),
        ("old/folder/Token_Rotation", "digest/wiki/token-rotation.md"),
        ("json web token", "digest/wiki/token-rotation.md"),
        ("Mia Chan", "people/mia.md"),
        ("postgras tuning", "x/Postgres Tuning.md"),
        ("密钥轮转", None),
        ("密钥轮换 ", "密钥轮换.md"),
        ("nothing like it", None),
        ("mi", None),
        ("", None),
        ("-", None),
        ("mia/", "people/mia.md"),
    ],
)
def test_the_nearest_name(target: str, meant: str | None) -> None:
    assert Nearest(PATHS, TITLES).to(target, "a.md") == meant


def test_of_equally_close_names_the_first_is_taken() -> None:
    assert Nearest(("reports-b.md", "reports-a.md"), ()).to("reports-c", "a.md") == "reports-a.md"


@pytest.mark.parametrize(
    ("target", "source", "meant"),
    [
        ("reports-c", "reports-a.md", "reports-b.md"),
        ("reports-b", "x/reports-b.md", "reports-b.md"),
        ("mia chan", "people/mia.md", None),
        ("token rotation", "digest/wiki/token-rotation.md", None),
    ],
)
def test_no_note_is_nearest_to_a_link_of_its_own(target: str, source: str, meant: str | None) -> None:
    paths = (*PATHS, "reports-a.md", "reports-b.md", "x/reports-b.md")
    assert Nearest(paths, TITLES).to(target, source) == meant
