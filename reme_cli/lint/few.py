"""The findings in a few notes of a vault that is open: what is kept of the whole takes longer to read and to write than they to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.gitignored import Ignored
from reme_cli.lint.kept import Kept
from reme_cli.lint.language import report_language
from reme_cli.lint.report import Report
from reme_cli.lint.rule import no_notes
from reme_cli.lint.rules import RULES
from reme_cli.lint.selection import selection
from reme_cli.lint.survey import Survey

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from reme_cli.index.index import Index


def check_few(index: Index, paths: Iterable[str], now: dt.datetime) -> Report:
    """What a report of the whole vault has in these notes. `now` is aware, in the vault's time zone."""
    vault = index.vault
    ignored = Ignored(vault.root)
    wanted = frozenset(path for path in paths if path not in ignored)
    chosen = selection(vault.config.lint)
    language = report_language(index)
    whole = Survey(vault, index, now)
    survey = whole.among(wanted)
    for rule in chosen.rules:
        # a rule that compares the texts of a few notes finds nothing in these if it looks at none of them
        if rule.concerned not in {None, no_notes} and not survey.once(rule.concerned):
            whole.found[rule.code] = ()
    found = check(survey, Inquiry(chosen.rules, language, wanted.__contains__, chosen.admits), Kept(RULES))
    return Report(found, chosen.rules, len(survey.asked), survey.text, language)
