"""The formats on findings that are hard to print: wide letters, long lines, control characters, markup."""

from __future__ import annotations

import pytest

from reme_cli.lint.finding import Finding
from reme_cli.lint.formats.github import workflow_commands
from reme_cli.lint.formats.markdown import markdown
from reme_cli.lint.formats.sarif import sarif
from reme_cli.lint.formats.text import text_blocks
from reme_cli.lint.position import line_col
from reme_cli.lint.report import Report
from reme_cli.lint.rules import RULES
from reme_cli.lint.source_line import COLUMNS
from reme_cli.screen import text_width


def report_on(text: str, start: int, end: int, *, path: str = "a.md", message: str = "x") -> Report:
    places = (*line_col(text, start), *line_col(text, end))
    finding = Finding("L001", "broken-link", "warning", path, *places, message, None, start, end)
    return Report((finding,), RULES, 1, lambda _: text)


def text_lines(report: Report) -> list[str]:
    blocks = ("".join(piece for piece, _ in block) for block in text_blocks(report))
    return "\n".join(blocks).split("\n")


def excerpt(text: str, found: str) -> tuple[str, str]:
    """The source line and the line with the caret, without the margin."""
    start = text.index(found)
    lines = text_lines(report_on(text, start, start + len(found)))
    return lines[2][8:], lines[3][8:]


@pytest.mark.parametrize(
    ("text", "found", "source", "caret"),
    [
        ("See [[x]].", "[[x]]", "See [[x]].", "    ^^^^^"),
        ("看看 [[笔记]]。", "[[笔记]]", "看看 [[笔记]]。", "     ^^^^^^^^"),
        ("😀 [[x]]", "[[x]]", "😀 [[x]]", "   ^^^^^"),
        ("e\u0301 [[x]]", "[[x]]", "e\u0301 [[x]]", "  ^^^^^"),
        ("\t[[x]]", "[[x]]", "    [[x]]", "    ^^^^^"),
        ("a\x1b[31m [[x]]", "[[x]]", "a\\x1b[31m [[x]]", "          ^^^^^"),
        ("\ufeff[[x]]", "[[x]]", "[[x]]", "^^^^^"),
        ("one\r\n[[x]]\r\ntwo\r\n", "[[x]]", "[[x]]", "^^^^^"),
        ("[[x\ny]]", "[[x\ny]]", "[[x", "^^^"),
    ],
)
def test_the_caret_is_under_what_was_found(text: str, found: str, source: str, caret: str) -> None:
    assert excerpt(text, found) == (source, caret)


@pytest.mark.parametrize("letter", ["a", "字", "\x07"])
@pytest.mark.parametrize("before", [0, 20, 5000])
@pytest.mark.parametrize("length", [1, 300])
def test_a_long_line_is_cut_around_what_was_found(letter: str, before: int, length: int) -> None:
    found = f"[[{'x' * length}]]"
    source, caret = excerpt(letter * before + found + letter * 5000, found)
    assert text_width(source) <= COLUMNS
    assert "[[x" in source
    at = len(caret) - len(caret.lstrip())
    assert text_width(source[: source.index("[[")]) == at
    assert at + len(caret.strip()) <= COLUMNS


def test_a_finding_on_the_note_as_a_whole_has_no_excerpt() -> None:
    assert text_lines(report_on("text", 0, 0)) == ["a.md", "a.md:1:1 warning L001 broken-link x"]


def test_a_message_of_several_lines_is_one_line() -> None:
    assert text_lines(report_on("text", 0, 0, message="one\ntwo"))[1].endswith("one two")


def test_github_gets_no_command_from_a_note() -> None:
    told = workflow_commands(report_on("text", 0, 4, path="a,b:c%.md", message="100%\r\n::error::x"))
    assert told == (
        "::warning file=a%2Cb%3Ac%25.md,line=1,endLine=1,col=1,endColumn=5,title=L001 broken-link"
        "::100%25%0D%0A::error::x\n"
    )


def test_github_has_columns_on_one_line_only() -> None:
    assert ",line=1,endLine=2,title=" in workflow_commands(report_on("[[x\ny]]", 0, 7))


def test_the_report_shows_a_message_as_it_is() -> None:
    told = markdown(report_on("x", 0, 0, path="a`b|*.md", message="`[[a|b]]` is <b>bold</b> *here*\n# not"))
    (item,) = (line for line in told.splitlines() if line.startswith("- "))
    assert item == r"- `` a`b|*.md:1:1 `` L001 broken-link: `[[a|b]]` is \<b\>bold\</b\> \*here\* \# not"
    assert "### a\\`b\\|\\*.md" in told


def test_a_name_adds_no_line_and_no_control_character_to_the_report() -> None:
    told = markdown(report_on("x", 0, 0, path="a\n# b\x1b.md", message="`c\n# d\x1b`"))
    (item,) = (line for line in told.splitlines() if line.startswith("- "))
    assert item == r"- `a\n# b\x1b.md:1:1` L001 broken-link: `c # d\x1b`"
    assert r"### a\\n\# b\\x1b.md" in told.splitlines()


def test_sarif_spells_a_path_as_an_address() -> None:
    log = sarif(report_on("x", 0, 1, path="笔记 #1.md"))
    assert "%E7%AC%94%E8%AE%B0%20%231.md" in str(log)
