"""What reaches the person."""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from typing import TYPE_CHECKING

import pytest

from reme_cli.errors import UsageError
from reme_cli.output import Terminal, is_coloured, line_starts
from reme_cli.screen import escaped

if TYPE_CHECKING:
    from collections.abc import Callable


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "env", "coloured"),
    [
        (Screen(), {"TERM": "xterm"}, True),
        (Screen(), {"TERM": "dumb"}, False),
        (Screen(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Screen(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (Screen(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
    ],
)
def test_where_there_is_colour(stream: io.StringIO, env: dict[str, str], coloured: bool) -> None:
    assert is_coloured(stream, env) is coloured


def test_no_escape_sequence_of_a_note_reaches_the_terminal() -> None:
    assert escaped("a\x1b]0;title\x07b\r\n\tc\x9b") == "a\\x1b]0;title\\x07b\\r\n\tc\\x9b"


def test_columns_count_chinese_letters_twice(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal().table([("网关", "1"), ("door", "22")], ("name", "n"), right=frozenset({1}))
    assert capsys.readouterr().out == "name   n\n网关   1\ndoor  22\n"


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Screen]:
    """Puts a terminal in the place of a stream."""

    def put(name: str) -> Screen:
        monkeypatch.setenv("TERM", "xterm-256color")
        shown = Screen()
        monkeypatch.setattr(f"sys.{name}", shown)
        return shown

    return put


def test_a_diff_in_colour_and_plain(
    screen: Callable[[str], Screen], capsys: pytest.CaptureFixture[str]
) -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-[red]old[/red]\n+new\n"
    Terminal().diff(diff)
    assert capsys.readouterr().out == diff
    shown = screen("stdout")
    Terminal().diff(diff)
    assert "\x1b[31m-[red]old[/red]\x1b[0m" in shown.getvalue()


def test_tables_headings_and_marks_on_a_terminal(screen: Callable[[str], Screen]) -> None:
    shown = screen("stdout")
    Terminal().table([("[b]x[/b]", "1")], ("name", "n"))
    Terminal().heading("a.md:1")
    Terminal().marked("see the gate", [(8, 12)], indent=4)
    text = shown.getvalue()
    assert "[b]x[/b]" in text
    assert "\x1b[1ma.md:1\x1b[0m" in text
    assert "    see the \x1b[1;33mgate\x1b[0m" in text


def test_errors_in_colour_and_plain(
    screen: Callable[[str], Screen], capsys: pytest.CaptureFixture[str]
) -> None:
    error = UsageError("no [such] key", where="vault.yaml:1", hint="Did you mean `x`?")
    Terminal().error(error)
    assert capsys.readouterr().err == "reme: error: vault.yaml:1: no [such] key\n      Did you mean `x`?\n"
    shown = screen("stderr")
    Terminal().error(error)
    assert "\x1b[1;31merror:\x1b[0m vault.yaml:1: no [such] key" in shown.getvalue()


def test_the_hint_of_an_error_is_set_in(capsys: pytest.CaptureFixture[str]) -> None:
    Terminal().error(UsageError("no such key", hint="Did you mean `x`?"))
    assert capsys.readouterr().err == "reme: error: no such key\n      Did you mean `x`?\n"


ODD = "a\nb\tc\r\x1b.md"
TOLD = r"a\nb\tc\r\x1b.md"


@pytest.mark.parametrize("is_drawn", [False, True], ids=["pipe", "terminal"])
@pytest.mark.parametrize(
    ("show", "lines"),
    [
        (lambda terminal: terminal.line(ODD), [TOLD]),
        (lambda terminal: terminal.heading(ODD), [TOLD]),
        (lambda terminal: terminal.paragraph(ODD, indent=2), ["  " + TOLD]),
        (lambda terminal: terminal.marked(f"x {ODD}", [(0, 3)]), ["x " + TOLD]),
        (
            lambda terminal: terminal.table([(ODD, "1")], ("note", "n")),
            ["note" + " " * 14 + "n", f"{TOLD}  1"],
        ),
        (lambda terminal: terminal.remark(ODD), [TOLD]),
        (lambda terminal: terminal.warn(ODD), [f"reme: warning: {TOLD}"]),
        (lambda terminal: terminal.failure(ODD), [f"reme: error: {TOLD}"]),
        (
            lambda terminal: terminal.error(
                UsageError(f"no `{ODD}`", where=ODD, hint=f"Did you mean {ODD}?")
            ),
            [f"reme: error: {TOLD}: no `{TOLD}`", f"      Did you mean {TOLD}?"],
        ),
    ],
    ids=["line", "heading", "paragraph", "marked", "table", "remark", "warning", "failure", "error"],
)
def test_a_name_that_holds_a_line_break_stays_on_its_line(
    screen: Callable[[str], Screen], is_drawn: bool, show: Callable[[Terminal], None], lines: list[str]
) -> None:
    streams: list[io.StringIO] = [io.StringIO(), io.StringIO()]
    if is_drawn:
        streams = [screen("stdout"), screen("stderr")]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        show(Terminal())
    shown = re.sub(r"\x1b\[[\d;]*m", "", "".join(stream.getvalue() for stream in streams))
    assert [line.rstrip() for line in shown.split("\n")] == [*lines, ""]


def test_progress_is_drawn_on_a_terminal_and_told_when_verbose(
    screen: Callable[[str], Screen], capsys: pytest.CaptureFixture[str]
) -> None:
    for terminal, told in ((Terminal(), ""), (Terminal(verbose=True), "a.md (1/2)\nlooking\n")):
        with terminal.progress() as step:
            step("a.md", 1, 2)
            step("looking", 0, 0)
        assert capsys.readouterr().err == told
    shown = screen("stderr")
    with Terminal().progress() as step:
        step("[a].md", 1, 2)
    assert "[a].md" in shown.getvalue()
    quiet = screen("stderr")
    with Terminal(quiet=True).progress() as step:
        step("a.md", 1, 2)
    assert quiet.getvalue() == ""


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("short", 10, ["short"]),
        ("one two three", 8, ["one two ", "three"]),
        ("incomprehensibilities", 10, ["incomprehe", "nsibilitie", "s"]),
        ("3. 先查网关流水，再查渠道后台。", 13, ["3. 先查网关流", "水，再查渠道", "后台。"]),
        ("网关流水，再查", 8, ["网关流", "水，再查"]),  # no line begins with a comma
        ("a  b", 2, ["a  ", "b"]),
        ("", 5, [""]),
    ],
)
def test_where_running_text_is_folded(text: str, columns: int, lines: list[str]) -> None:
    starts = [0, *line_starts(text, columns), len(text)]
    assert [text[start:end] for start, end in itertools.pairwise(starts)] == lines


def test_running_text_is_folded_on_a_screen_only(
    screen: Callable[[str], Screen], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    words = "the old key stays published for one day"
    Terminal().marked(words, [(8, 11)], indent=4)
    assert capsys.readouterr().out == f"    {words}\n"
    shown = screen("stdout")
    Terminal().marked(words, [(8, 11)], indent=4)
    assert shown.getvalue() == "    the old \x1b[1;33mkey\x1b[0m stays\n    published for one day\n"
    monkeypatch.setenv("NO_COLOR", "1")
    plain = screen("stdout")
    Terminal().paragraph(words, indent=4)
    assert plain.getvalue() == "    the old key stays\n    published for one day\n"


def test_a_table_is_folded_on_a_screen_only(
    screen: Callable[[str], Screen], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    rows, headings = [("digest/wiki/a-long-name.md", "daily/2026-06-20.md")], ("source", "target")
    assert Terminal().fits(rows, headings)
    monkeypatch.setenv("FORCE_COLOR", "1")
    Terminal().table(rows, headings)
    assert "a-long-name.md  daily/2026-06-20.md" in capsys.readouterr().out
    screen("stdout")
    assert not Terminal().fits(rows, headings)
    assert Terminal().fits([("digest/wiki/a.md", "daily/20.md")], headings)
    assert not Terminal().fits([("digest/wiki/网关.md", "daily/20.md")], headings)


def test_progress_is_no_business_of_a_log_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Terminal().progress() as step:
        step("a.md", 1, 2)
    assert capsys.readouterr().err == ""
