"""What reaches the person: results on stdout, everything else on stderr; colour and progress only on a terminal.

The only user of rich, and only where there is a terminal to draw on: rich takes longer to import than a search takes.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from reme_cli.screen import Style, escaped, escaped_line, is_wide, text_width

if TYPE_CHECKING:
    import json

    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from rich.text import Text

    from reme_cli.errors import RemeError

Progress = Callable[[str, int, int], None]
"""Called with what the work is on, how many are done, and of how many (0: unknown)."""

STYLES: dict[Style, str] = {
    "plain": "",
    "heading": "bold",
    "faint": "dim",
    "error": "bold red",
    "warning": "bold yellow",
    "info": "bold cyan",
}

HINT = " " * 6
"""What the second line of an error begins with: the width of `reme: `."""

UNFOLDED = 100_000
"""Columns of what is no screen: a coloured table in a pipe is not folded, so that each row is a line."""

MOST_DRAWN = 1000
"""Rows of a table that is drawn on a terminal; rich takes a second for some thousand, so longer ones are plain lines."""

NARROWEST = 20
"""Columns that text is folded to at least, however far it is indented."""


class Terminal:
    """Where results and remarks go. `quiet` drops remarks but no warning; `verbose` adds detail."""

    __slots__ = ("quiet", "verbose")

    def __init__(self, *, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose

    @property
    def draws(self) -> bool:
        """Whether results are shown in styles."""
        return _console(sys.stdout) is not None

    def line(self, text: str = "") -> None:
        """One line of the result, whatever a file's name in it holds."""
        sys.stdout.write(escaped_line(text) + "\n")

    def record(self, text: str) -> None:
        """One piece of the result, as it is, ended by a NUL: for a program that reads it."""
        sys.stdout.write(f"{text}\0")

    def text(self, text: str) -> None:
        """A longer piece of the result, such as a note, as it is."""
        sys.stdout.write(escaped(text) if sys.stdout.isatty() else text)

    def document(self, text: str) -> None:
        """A file of its own, for a pipe: in UTF-8, which formats such as HTML declare, whatever the stream's encoding is."""
        binary: IO[bytes] | None = None if sys.stdout.isatty() else getattr(sys.stdout, "buffer", None)
        if binary is None:
            self.text(text)
            return
        sys.stdout.flush()
        binary.write(text.encode(errors="replace"))

    @property
    def takes_unicode(self) -> bool:
        """Whether the stream of results encodes every character."""
        return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")

    def json(
        self, value: Mapping[str, object], *, by_line: bool = False, written: Mapping[str, str] | None = None
    ) -> None:
        """The result as one JSON object, keys in the order they have; in ASCII where the stream is not Unicode.

        `by_line` gives each element of a list one line, which for thousands of them takes half the time. `written` has lists that
        are in this form already, by their key: a line for each element.
        """
        encoder = _encoder(ensure_ascii=not self.takes_unicode, indent=None if by_line else 2)
        if not by_line:
            sys.stdout.write(encoder.encode(value) + "\n")
            return
        fields = []
        for key, item in value.items():
            lines = ",\n    ".join(map(encoder.encode, item)) if isinstance(item, list) else ""
            if written and key in written:
                lines = written[key].removesuffix("\n").replace("\n", ",\n    ")
            told = f"[\n    {lines}\n  ]" if lines else encoder.encode(item)
            fields.append(f"  {encoder.encode(key)}: {told}")
        sys.stdout.write("{\n" + ",\n".join(fields) + "\n}\n")

    def json_line(self, value: Mapping[str, object]) -> None:
        """One of several JSON objects, each of which is a line, for who reads them as they come."""
        sys.stdout.write(_encoder(ensure_ascii=not self.takes_unicode, indent=None).encode(value) + "\n")
        sys.stdout.flush()

    def table(
        self, rows: Sequence[Sequence[str]], headings: Sequence[str], *, right: frozenset[int] = frozenset()
    ) -> None:
        """Rows under headings; columns `right` are set flush right."""
        if len(rows) <= MOST_DRAWN and (console := _console(sys.stdout)):
            from rich.table import Table
            from rich.text import Text

            table = Table(box=None, pad_edge=False, header_style="bold", show_edge=False)
            for number, heading in enumerate(headings):
                table.add_column(heading, justify="right" if number in right else "left", overflow="fold")
            for row in rows:
                table.add_row(*(Text(escaped_line(cell)) for cell in row))
            console.print(table)
            return
        columns = [
            _padded(column, flush_right=number in right)
            for number, column in enumerate(zip(headings, *rows, strict=True))
        ]
        sys.stdout.write("".join("  ".join(row).rstrip() + "\n" for row in zip(*columns, strict=True)))

    def fits(self, rows: Sequence[Sequence[str]], headings: Sequence[str]) -> bool:
        """Whether a table can be shown without folding a cell. Where there is no screen, every table fits."""
        if not is_screen(sys.stdout, os.environ):
            return True
        columns = zip(*((escaped_line(cell) for cell in row) for row in (headings, *rows)), strict=True)
        return sum(2 + max(map(text_width, column)) for column in columns) - 2 <= _columns(sys.stdout)

    def paragraph(self, text: str, *, indent: int = 0) -> None:
        """Running text: one line, which a screen shows as several, all of them indented."""
        self.marked(text, (), indent=indent)

    def diff(self, text: str) -> None:
        """A unified diff, coloured on a terminal."""
        console = _console(sys.stdout)
        if console is None:
            sys.stdout.write(text)
            return
        from rich.text import Text

        styles = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}
        for line in text.splitlines():
            style = next((style for start, style in styles.items() if line.startswith(start)), "")
            console.print(Text(escaped(line), style=style), soft_wrap=True)

    def heading(self, text: str) -> None:
        """A line that stands out on a terminal."""
        if console := _console(sys.stdout):
            from rich.text import Text

            console.print(Text(escaped_line(text), style="bold"), soft_wrap=True)
        else:
            self.line(text)

    def marked(self, text: str, marks: Iterable[tuple[int, int]], *, indent: int = 0) -> None:
        """Running text as `paragraph`, in which the character ranges `marks` stand out on a terminal."""
        console = _console(sys.stdout)
        if console is None:
            self.line(" " * indent + text)
            return
        from rich.text import Text

        pieces: list[str | tuple[str, str]] = []
        at = 0
        for start, end in marks:
            pieces += [escaped_line(text[at:start]), (escaped_line(text[start:end]), "bold yellow")]
            at = end
        shown = Text.assemble(*pieces, escaped_line(text[at:]))
        for line in _folded(shown, max(NARROWEST, console.width - indent)):
            console.print(Text.assemble(" " * indent, line), soft_wrap=True)

    def styled(self, blocks: Iterable[Iterable[tuple[str, Style]]]) -> None:
        """Blocks of whole lines of the result, in pieces that each look on a terminal as their style says."""
        console = _console(sys.stdout)
        if console is None:
            for pieces in blocks:
                sys.stdout.write(escaped("".join([text for text, _ in pieces])) + "\n")
            return
        from rich.text import Text

        for pieces in blocks:
            shown = Text.assemble(*((escaped(text), STYLES[style]) for text, style in pieces))
            console.print(shown, soft_wrap=True)

    def remark(self, text: str) -> None:
        """What a person may like to know, on stderr."""
        if not self.quiet:
            sys.stderr.write(escaped_line(text) + "\n")

    def detail(self, text: str) -> None:
        """What a person wants to know who asked for more, on stderr."""
        if self.verbose:
            sys.stderr.write(escaped_line(text) + "\n")

    def warn(self, text: str) -> None:
        """What a person should know, on stderr."""
        self._labelled("warning", text, "yellow")

    def failure(self, text: str) -> None:
        """Something that went wrong without ending the command, on stderr."""
        self._labelled("error", text, "red")

    def error(self, error: RemeError) -> None:
        """An error in one or two lines on stderr: where, what, how to mend it."""
        located = f"{error.where}: {error.what}" if error.where else error.what
        self._labelled("error", located, "red")
        if error.hint:
            sys.stderr.write(HINT + escaped_line(error.hint) + "\n")

    def _labelled(self, label: str, text: str, colour: str) -> None:
        text = escaped_line(text)
        console = _console(sys.stderr)
        if console is None:
            sys.stderr.write(f"reme: {label}: {text}\n")
            return
        from rich.text import Text

        shown = Text.assemble("reme: ", (f"{label}:", f"bold {colour}"), f" {text}")
        console.print(shown, soft_wrap=True)

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """A bar on stderr until the block ends; without a terminal, a line for each step when `verbose`."""
        if self.quiet or not is_screen(sys.stderr, os.environ):
            yield lambda what, done, total: self.detail(f"{what} ({done}/{total})" if total else what)
            return
        bar = _Bar()
        try:
            yield bar.step
        finally:
            bar.end()


def _encoder(*, ensure_ascii: bool, indent: int | None) -> json.JSONEncoder:
    """How JSON is written to stdout."""
    import json  # most results are told without it

    # what the stream cannot encode would come out as Python's `\xe9`, which is no JSON
    return json.JSONEncoder(ensure_ascii=ensure_ascii, allow_nan=False, indent=indent)


class _Bar:
    """A bar that is drawn from its first step on: most commands find the index fresh, and have no use for rich."""

    def __init__(self) -> None:
        self._drawn: tuple[Bar, TaskID] | None = None

    def step(self, what: str, done: int, total: int) -> None:
        """Shows what the work is on, and how far it is."""
        from rich.markup import escape

        shown = escape(escaped_line(what))
        if self._drawn is None:
            self._drawn = self._start(shown, done, total)
        bar, task = self._drawn
        bar.update(task, description=shown, completed=done, total=total or None)

    def _start(self, shown: str, done: int, total: int) -> tuple[Bar, TaskID]:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        bar = Progress(*columns, console=_console(sys.stderr), transient=True)
        task = bar.add_task(shown, completed=done, total=total or None)
        bar.start()
        return bar, task

    def end(self) -> None:
        """Takes the bar away."""
        if self._drawn:
            self._drawn[0].stop()


def _padded(column: Sequence[str], *, flush_right: bool) -> list[str]:
    """The cells of a column, all as wide as the widest."""
    column = [escaped_line(cell) for cell in column]
    width = max(map(text_width, column))
    if all(map(str.isascii, column)):  # by far most columns, and tables may be long
        return [cell.rjust(width) if flush_right else cell.ljust(width) for cell in column]
    blanks = (" " * (width - text_width(cell)) for cell in column)
    return [blank + cell if flush_right else cell + blank for cell, blank in zip(column, blanks, strict=True)]


def _folded(text: Text, columns: int) -> list[Text]:
    """The text as lines that are not wider than so many columns."""
    lines = list(text.divide(line_starts(text.plain, columns)))
    for line in lines:
        line.rstrip()
    return lines


def line_starts(text: str, columns: int) -> list[int]:
    """Where the second and later lines of a text begin that is folded to so many columns.

    It is folded after white space, or beside a letter of two columns but not before punctuation; else inside a word.
    """
    starts = []
    start = fold = used = 0
    for at, letter in enumerate(text):
        before = text[at - 1] if at else ""
        if before.isspace() or (
            before and (is_wide(before) or is_wide(letter)) and unicodedata.category(letter)[0] not in "PM"
        ):
            fold = at
        if used + text_width(letter) > columns and not letter.isspace():
            start = fold if fold > start else at
            starts.append(start)
            used = text_width(text[start:at])
        used += text_width(letter)
    return starts


def counted(number: int, noun: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def is_coloured(stream: IO[str], env: Mapping[str, str]) -> bool:
    """Whether to draw on this stream: https://no-color.org, https://force-color.org, and `TERM=dumb`."""
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR"):
        return True
    return stream.isatty() and env.get("TERM") != "dumb"


def is_screen(stream: IO[str], env: Mapping[str, str]) -> bool:
    """Whether this stream is a terminal with a width and a cursor that can be moved."""
    return stream.isatty() and env.get("TERM") != "dumb"


def _console(stream: IO[str]) -> Console | None:
    """A rich console for this stream; `None` where plain lines are wanted."""
    coloured, screen = is_coloured(stream, os.environ), is_screen(stream, os.environ)
    if not (coloured or screen):
        return None
    from rich.console import Console

    class Pipe(Console):
        """A console that leaves a closed pipe to the error boundary; rich would end the process with exit code 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Pipe(
        file=stream,
        highlight=False,
        markup=False,
        force_terminal=True,
        color_system="auto" if coloured else None,
        width=None if screen else UNFOLDED,
    )


def _columns(stream: IO[str]) -> int:
    """Columns of a screen."""
    console = _console(stream)
    return console.width if console else UNFOLDED
