"""`reme proactive`."""

from __future__ import annotations

from typing import Annotated

from reme_cli.commands.parameter import Option
from reme_cli.commands.session import Session
from reme_cli.dates import parse_date

EXAMPLES = ("reme proactive", "reme proactive date=yesterday", "reme proactive date=2026-06-20 --json")


def proactive(
    session: Session,
    date: Annotated[
        str, Option(metavar="DATE", help="YYYY-MM-DD, today, yesterday or -N (days ago).")
    ] = "today",
    include_content: Annotated[
        bool,
        Option("--include-content/--no-include-content", help="With --json, include the text of the file."),
    ] = True,
) -> int:
    """Show the topics of a day that deserve attention.

    Prints what auto_dream wrote to daily/DATE/interests.yaml: each topic with its reason and the notes it comes from.
    A day without topics is not an error.
    """
    from reme_cli.dream.proactive import as_json
    from reme_cli.dream.proactive import proactive as topics_of

    vault = session.open_vault()
    found = topics_of(vault, parse_date(date, vault.today()), include_content=include_content)
    terminal = session.terminal
    if found.error:
        terminal.failure(found.summary)
    else:
        terminal.remark(found.summary)
    if session.json:
        terminal.json(as_json(found))
        return found.exit_code
    for topic in found.topics:
        terminal.heading(topic.title)
        terminal.paragraph(topic.reason, indent=4)
        terminal.line(f"    {', '.join(topic.paths)}")
    return found.exit_code
