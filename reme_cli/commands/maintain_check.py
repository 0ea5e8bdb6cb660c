"""`reme maintain check`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from reme_cli.commands.parameter import Argument, Option
from reme_cli.commands.session import Session
from reme_cli.output import counted

if TYPE_CHECKING:
    from reme_cli.lint.report import Form

EXAMPLES = ("reme maintain check", "reme maintain check digest/wiki --json")


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"


def maintain_check(
    session: Session,
    paths: Annotated[
        list[str] | None,
        Argument(
            metavar="[PATHS]",
            show_default=False,
            help="Notes, folders or patterns. Default: the whole vault.",
        ),
    ] = None,
    format: Annotated[Format, Option(help="How to print the findings.")] = Format.TEXT,  # noqa: A002 — the option's name
    now: Annotated[
        str | None, Option(metavar="DATE", help="The day, or the time, that counts as now.")
    ] = None,
) -> int:
    """Check for broken links, missing sources, overloaded notes.

    The signals D1, D3 and D10, as `reme lint` finds them: the codes L001, S004, P001 and P002. Exits 1 when there are any.
    """
    from reme_cli.lint.collector import paused_collector
    from reme_cli.lint.moment import moment_of
    from reme_cli.lint.request import Lint, Request
    from reme_cli.maintain.signals import CODES

    vault = session.open_vault()
    terminal = session.terminal
    with paused_collector(), session.open_index(vault) as index:
        request = Request(paths=tuple(paths or ()), select=CODES)
        as_json = session.json or format is Format.JSON
        form: Form | None = None if as_json or terminal.draws else "text"
        report = index.answer(lambda index: Lint(index, request, moment_of(vault, now)).report(form))
        if as_json:
            from reme_cli.lint.formats.json import lint_json

            session.json = True
            terminal.json(lint_json(report, statistics=False, mended=None, diff=None), by_line=True)
        elif "text" in report.written:
            terminal.text(report.written["text"].removesuffix("\n"))
        else:
            from reme_cli.lint.formats.text import text_blocks

            terminal.styled(text_blocks(report))
        found = counted(len(report.findings), "finding") if report.findings else "no findings"
        terminal.remark(f"{found} in {counted(report.notes, 'note')}")
        return int(bool(report.findings))
