"""`reme maintain report`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.maintain.report import Report
    from reme_cli.output import Terminal

EXAMPLES = ("reme maintain report", "reme maintain report by=day last=14 format=markdown")


class Period(StrEnum):
    """By what growth is counted."""

    DAY = "day"
    WEEK = "week"


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def maintain_report(
    session: Session,
    by: Annotated[Period, Option(help="Count new notes by day or by week.")] = Period.WEEK,
    last: Annotated[int, Option(min=1, metavar="N", help="Count the last N of them.")] = 6,
    days: Annotated[int, Option(min=1, metavar="N", help="Tell of writes refused in the last N days.")] = 30,
    largest: Annotated[int, Option(min=1, metavar="N", help="Name the N largest notes.")] = 5,
    format: Annotated[Format, Option(help="How to print the report.")] = Format.TEXT,  # noqa: A002 — the option's name
    now: Annotated[
        str | None, Option(metavar="DATE", help="The day, or the time, that counts as now.")
    ] = None,
) -> None:
    """Show how the digest grows, and what needs attention.

    New notes by bucket, the largest notes, those that are overloaded (S004), open conflicts (C001), and writes that were
    refused. When a note came is told by the audit, or by its file's time where reme did not make it.
    """
    from reme_cli.lint.moment import moment_of
    from reme_cli.maintain.report import report

    vault = session.open_vault()
    with session.open_index(vault) as index:
        seen = report(
            vault,
            index,
            moment_of(vault, now),
            period="day" if by is Period.DAY else "week",
            periods=last,
            days=days,
            largest=largest,
        )
    if session.json or format is Format.JSON:
        session.json = True
        session.terminal.json(as_json(seen))
    elif format is Format.MARKDOWN:
        session.terminal.text("".join(_markdown(seen)))
    else:
        _print(seen, session.terminal)


def as_json(seen: Report) -> dict[str, object]:
    """The report's versioned JSON object (`"schema": 1`), keys in a stable order."""
    return {
        "schema": 1,
        "by": seen.period,
        "growth": [
            {
                "bucket": growth.bucket,
                "notes": growth.notes,
                "new": [
                    {"since": since, "notes": notes}
                    for since, notes in zip(seen.since, growth.new, strict=True)
                ],
            }
            for growth in seen.growth
        ],
        "largest": [note._asdict() for note in seen.largest],
        "overloaded": [{"path": each.path, "message": each.message} for each in seen.overloaded],
        "conflicts": [
            {"path": each.path, "line": each.line, "col": each.col, "message": each.message}
            for each in seen.conflicts
        ],
        "refused_since": seen.refused_since,
        "refused": [
            {
                "path": line.path,
                "outcome": line.outcome,
                "command": line.command,
                "time": line.time,
                "run": line.run,
                "reason": line.reason,
            }
            for line in seen.refused
        ],
    }


def _sections(seen: Report) -> Iterator[tuple[str, Sequence[str], Sequence[tuple[str, ...]]]]:
    """Each part as a title, the headings of its columns, and its rows."""
    growth = [(each.bucket, str(each.notes), *map(str, each.new)) for each in seen.growth]
    yield f"new notes by {seen.period}", ("bucket", "notes", *seen.since), growth
    yield "largest notes", ("note", "tokens"), [(note.path, str(note.tokens)) for note in seen.largest]
    yield "overloaded", ("note", "what"), [(each.path, each.message) for each in seen.overloaded]
    conflicts = [(f"{each.path}:{each.line}:{each.col}", each.message) for each in seen.conflicts]
    yield "open conflicts", ("place", "what"), conflicts
    refused = [
        (line.time[:10], line.path, line.command, line.reason or line.outcome) for line in seen.refused
    ]
    yield f"refused since {seen.refused_since}", ("day", "note", "command", "reason"), refused


def _print(seen: Report, terminal: Terminal) -> None:
    for number, (title, headings, rows) in enumerate(_sections(seen)):
        if number:
            terminal.line()
        terminal.heading(title if rows else f"{title}: none")
        if rows:
            right = [place for place, cell in enumerate(rows[0]) if cell.isdecimal()]
            terminal.table(rows, headings, right=frozenset(right))


def _markdown(seen: Report) -> Iterator[str]:
    for number, (title, headings, rows) in enumerate(_sections(seen)):
        gap = "\n" if number else ""
        yield f"{gap}## {title[0].upper()}{title[1:]}\n\n"
        if not rows:
            yield "None.\n"
            continue
        for cells in (headings, ["---"] * len(headings), *rows):
            yield f"| {' | '.join(map(_cell, cells))} |\n"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
