"""Reading a body stretch by stretch finds what reading it as a whole finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reme_cli.vault import stretches
from reme_cli.vault.stretches import Stretch
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from reme_cli.vault.link import Scan

LINES = [
    *(
        "",
        "",
        "",
        " ",
        "words",
        "[[a]] and ![[b|c]]",
        "  [[a#b]]",
        "[x](y.md)",
        "![[a",
        "b]]",
        "[[a]]: b",
        "[[[a]]]",
    ),
    *(
        "# h [[a]] #",
        "## ",
        "#h",
        " # h",
        "####### h",
        "- # h",
        "> ## h",
        "- [[a]]",
        "  - b",
        "1. [[a]]",
        "2) b",
    ),
    *(
        "- x:: [[a]]",
        "x:: [[a]]",
        "(x:: [[a]])",
        "> [[a]]",
        ">",
        "---",
        "===",
        "-",
        "> ---",
        "- ---",
        "* * *",
    ),
    *(
        "| a | [[b]] |",
        "|---|---|",
        "a | b",
        "-|-",
        "- | a |",
        "  |---|",
        "```",
        "```py",
        "  ```",
        "````",
        "```a``` b",
    ),
    *(
        "~~~",
        "    code [[a]]",
        "\tb",
        "-      [[a]]",
        "$$",
        "$a$ [[b]]",
        "%%",
        "%% a %%",
        "<!-- a",
        "-->",
        "<div>",
        "  <div>",
        "- <div>",
        "  `b",
        "2. x:: [[a]]",
        "</div>",
    ),
    *(
        "<pre>",
        "</pre>",
        "<b>[[a]]</b>",
        "[x]: y.md",
        "[^1]: z",
        "[x] [^1]",
        "`[[a]]`",
        "`",
        "\\[[a]]",
        "http://a.b/[[c]]",
    ),
]
"""What may mean something else beside another line of it; the blank ones are what separates stretches."""


@given(
    st.lists(st.sampled_from(LINES), max_size=14), st.sampled_from(["", "---\na: '[[b]]'\n---\n", "\ufeff"])
)
@example(["- a", "", "  [[b]]", "---"], "")
@example(["- a", "", "- | b |", "-|-", "[[c]]", "# d"], "")
@example(["- a", "", "  <div>", "# b"], "")
@example(["- a", "", "  `b", "2. c:: [[d]]"], "")
@example(["- [[a]]", "", "  |b|", "|---|"], "")
def test_equals_the_whole(lines: list[str], before: str) -> None:
    text = before + "\n".join(lines)
    assert scan(text) == as_a_whole(text)


def as_a_whole(text: str) -> Scan:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "_LONGEST", -1)
        return scan(text)


def test_an_ordinary_body_is_plain_but_for_what_has_structure() -> None:
    text = "# h\n\n[[a]] b\n\n- c [d](e.md)\n- f\n\n```py\n# [[g]]\n\n    h\n```\n\nlast\n"
    bare, found = stretches.stretches(text, 0)
    assert [(text[start:end], is_plain) for start, end, is_plain in found] == [
        ("# h\n\n[[a]] b\n\n", True),
        ("- c [d](e.md)\n- f\n\n", False),
        ("```py\n# [[g]]\n\n    h\n```\n\nlast\n", True),
    ]
    assert bare == text.replace("```py\n# [[g]]\n\n    h\n```", "\n" * 24)


@pytest.mark.parametrize(
    "text", ["a\n\n\tb\n", "a\n\n[x]: y.md\n", "%% a\n\nb %%\n", "<!-- a\n\nb -->\n", "  ```\n\n"]
)
def test_what_reaches_over_blank_lines_is_read_as_a_whole(text: str) -> None:
    assert stretches.stretches(text, 0) == (text, [Stretch(0, len(text), is_plain=False)])


@pytest.mark.parametrize("line", [">\n", "> # a\n", "===\n"])
def test_very_many_lines_without_a_blank_one_are_read_in_linear_time(line: str) -> None:
    # Quadratic, each of these would take half a minute.
    text = f"a\n\nb\n{line * (190_000 // len(line))}\nc\n"
    _, found = stretches.stretches(text, 0)
    assert [(text[start:end][:3], is_plain) for start, end, is_plain in found] == [
        ("a\n\n", True),
        (f"b\n{line[0]}", False),
        ("c\n", True),
    ]
