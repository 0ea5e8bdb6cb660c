"""What of a note is found again in other texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from reme_cli.maintain.coverage import blocks, coverage, pieces

HERE = Path(__file__).parent
BLOCK = re.compile(r"^~~~~(before|after|lost)\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)


class Case(NamedTuple):
    """A section of coverage.md."""

    title: str
    before: str
    after: list[str]
    lost: tuple[str, ...]


def cases() -> list[Case]:
    """The sections of coverage.md."""
    found = []
    for section in (HERE / "coverage.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        parts = dict(BLOCK.findall(section))
        found.append(
            Case(
                section.split("\n", 1)[0],
                parts["before"],
                parts["after"].split("=====\n"),
                tuple(parts["lost"].splitlines()),
            )
        )
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_what_is_lost(case: Case) -> None:
    assert coverage(case.before, case.after).lost == case.lost


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_line_endings_make_no_difference(case: Case) -> None:
    crlf = case.before.replace("\n", "\r\n")
    assert coverage(crlf, case.after) == coverage(case.before, case.after)


def test_the_ratio_is_that_of_different_words() -> None:
    assert coverage("alpha beta gamma delta delta delta", ["delta alpha"]).ratio == 0.5
    assert coverage("", ["anything"]).ratio == 1.0


def test_blocks() -> None:
    text = "# A\ntext of\na paragraph\n- one\n  more\n- two\n\n```py\nx = 1\n\ny = 2\n```\nend"
    assert [(text[start:end], is_code) for start, end, is_code in blocks(text)] == [
        ("# A\n", False),
        ("text of\na paragraph\n", False),
        ("- one\n  more\n", False),
        ("- two\n", False),
        ("x = 1\n", True),
        ("y = 2\n", True),
        ("end", False),
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("# The heading of all this\n\nOne paragraph of text.\nWith a second line here.\n", 1),
        ("One paragraph of text.\n\nAnother paragraph of text.\n", 2),
        ("- one item of a list\n- another item of it\n  with more lines below\n", 1),
        ("| plan | price |\n|---|---|\n| small business plan | 5 |\n| large business plan | 9 |\n", 1),
        ("```\nkubectl scale deployment workers\n\nkubectl restart deployment gateway\n```\n", 1),
        ("One paragraph of text.\n\nbelongs_to:: [[digest/wiki/some-long-name.md]]\n", 1),
        ("---\nname: A B C D E F\n---\n\n## Sources\n\n- derived_from:: [[daily/2026-06-20.md]]\n", 0),
        ("One paragraph of text.\n## A heading\nAnother paragraph of text.\n", 2),
        ("One paragraph of text.\r\n\r\nAnother paragraph of text.\r\n", 2),
    ],
)
def test_pieces(text: str, count: int) -> None:
    assert pieces(text) == count
