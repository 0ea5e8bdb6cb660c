"""The findings for a person: grouped by note, each with the line it stands in and a caret below."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from reme_cli.lint.source_line import source_line
from reme_cli.screen import escaped, escaped_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.lint.finding import Finding
    from reme_cli.lint.report import Report
    from reme_cli.screen import Style

Piece = tuple[str, "Style"]


def plain_parts(report: Report) -> dict[str, str]:
    """The report without styles, by path. All parts, one behind the other, are the report and one line end more."""
    parts: dict[str, list[str]] = {}
    for finding, pieces in zip(report.findings, _blocks(report), strict=True):
        parts.setdefault(finding.path, []).append("".join(map(itemgetter(0), pieces)))
    return {path: escaped("\n".join([*blocks, "", ""])) for path, blocks in parts.items()}


def text_blocks(report: Report) -> Iterator[list[Piece]]:
    """The report in blocks of lines: each finding is one, in pieces with a style. It begins with `path:line:col`, to be clicked."""
    path = None
    for finding, pieces in zip(report.findings, _blocks(report), strict=True):
        if path not in {None, finding.path}:
            pieces.insert(0, ("\n", "plain"))
        path = finding.path
        yield pieces


def _blocks(report: Report) -> Iterator[list[Piece]]:
    """Each finding; the first one of a note below the note's path."""
    path = None
    lines: list[str] = []
    for finding in report.findings:
        pieces = _told(report, finding)
        if finding.path != path:
            path = finding.path
            lines = (report.text(path) or "").split("\n")
            pieces[:0] = [(escaped_line(path), "heading"), ("\n", "plain")]
        if finding.end and finding.line <= len(lines):
            pieces += _excerpt(lines[finding.line - 1].rstrip("\r"), finding)
        yield pieces


def _told(report: Report, finding: Finding) -> list[Piece]:
    """What is wrong where."""
    pieces: list[Piece] = [
        (f"{escaped_line(finding.path)}:{finding.line}:{finding.col}", "plain"),
        (f" {finding.severity}", finding.severity),
        (f" {finding.code} {finding.rule}", "heading"),
    ]
    if report.is_fixable(finding):
        pieces.append((" [*]", "info"))
    pieces.append((" " + finding.message.replace("\n", " "), "plain"))
    return pieces


def _excerpt(line: str, finding: Finding) -> Sequence[Piece]:
    """The line as it stands, and a caret under each column of what was found."""
    text, before, carets = source_line(line, finding)
    number = f"\n{finding.line:>5} | "
    margin = " " * (len(number) - 3)
    return (
        (number, "faint"),
        (f"{text}\n", "plain"),
        (f"{margin}| {' ' * before}", "faint"),
        ("^" * carets, finding.severity),
    )
