"""A portion of a large vault: some hundred notes that are looked at together, by this process or by another one.

A portion is looked at by its notes alone. What a rule over the whole vault found in them is known before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reme_cli.lint import told
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.finding import SEVERITIES
from reme_cli.lint.formats import PARTS
from reme_cli.lint.kept import Kept
from reme_cli.lint.placed import encoded_rows
from reme_cli.lint.report import Report, Summary
from reme_cli.lint.rules import RULES
from reme_cli.lint.selection import selection
from reme_cli.lint.survey import Survey

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence

    from reme_cli.index.index import Index
    from reme_cli.lint.placed import FoundRows, Placed
    from reme_cli.lint.report import Form
    from reme_cli.lint.rule import Language
    from reme_cli.vault.vault import Vault

NOTES: Final = 400
"""In one portion. What is looked up for each portion again is a tenth of the time that its notes take."""


class Errand(NamedTuple):
    """What is asked about every portion."""

    vault: Vault
    now: dt.datetime
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    language: Language
    form: Form | None
    """In which form the findings are written, too."""
    tells: bool
    """Whether the findings are told; else it is only looked for what texts and links give, to be kept."""
    reads_links: bool


class Share(NamedTuple):
    """The notes of one portion, and what is known of them."""

    paths: Sequence[str]
    """Of the notes, and of what else was found by rules that look at the vault."""
    records: dict[str, Any]
    """As of `Kept.records`."""
    of_vault: dict[str, tuple[Placed, ...]]
    """What rules that look at the vault found, by code."""


class Told(NamedTuple):
    """Findings in some notes."""

    findings: dict[str, str]
    """By path, as of `told.parts_of`."""
    written: dict[str, str]
    """By path, in the form that was asked for."""
    summary: Summary

    def with_more(self, other: Told) -> Told:
        """These findings and those in other notes."""
        self.findings.update(other.findings)
        self.written.update(other.written)
        return self._replace(summary=self.summary.more(other.summary))


class Portion(NamedTuple):
    """What was found in some notes."""

    records: dict[str, Any]
    """What their texts gave that was not known, as of `Kept.fresh`."""
    links: dict[str, FoundRows]
    """What rules that look at one note at a time found in their links, by code."""
    looked: dict[str, bool]
    """What `Survey.exists` was asked, and what it said."""
    told: Told | None


def nothing_told() -> Told:
    """What there is to tell of no note."""
    return Told({}, {}, Summary(dict.fromkeys(SEVERITIES, 0), 0))


def shares(
    paths: Sequence[str], records: Mapping[str, Any], of_vault: Mapping[str, Sequence[Placed]]
) -> Iterator[Share]:
    """All these notes in portions, with what is known of each."""
    by_path: dict[str, dict[str, list[Placed]]] = {}
    for code, found in of_vault.items():
        for each in found:
            by_path.setdefault(each.problem.path, {}).setdefault(code, []).append(each)
    for at in range(0, len(paths), NOTES):
        some = paths[at : at + NOTES]
        found_here: dict[str, tuple[Placed, ...]] = dict.fromkeys(of_vault, ())
        for path in some:
            for code, found in by_path.get(path, {}).items():
                found_here[code] += tuple(found)
        yield Share(some, {path: records[path] for path in some if path in records}, found_here)


def survey_for(errand: Errand, index: Index) -> Survey:
    """The vault as another process sees it."""
    return Survey(errand.vault, index, errand.now)


def portion_of(survey: Survey, errand: Errand, share: Share) -> Portion:
    """What is found in a share of the notes, of all of which this is the survey."""
    chosen = selection(errand.vault.config.lint, errand.select, errand.ignore)
    kept = Kept(RULES, dict(share.records))
    narrowed = survey.among(share.paths)
    narrowed.looked = {}
    answer: Told | None = None
    if errand.tells:
        survey.found |= share.of_vault
        wanted = frozenset(share.paths)
        inquiry = Inquiry(chosen.rules, errand.language, wanted.__contains__, chosen.admits)
        answer = tell(narrowed, inquiry, kept, errand.form)
    else:
        for path, stamp in narrowed.asked.items():
            kept.record(narrowed, path, stamp)
    links = {}
    for rule in chosen.rules if errand.reads_links else ():
        if rule.reach == "note":
            links[rule.code] = encoded_rows(kept.problems(narrowed, rule))
    return Portion(kept.fresh, links, narrowed.looked, answer)


def tell(survey: Survey, inquiry: Inquiry, kept: Kept, form: Form | None) -> Told:
    """What is told of the notes that are looked at."""
    found = check(survey, inquiry, kept)
    report = Report(found, inquiry.rules, len(survey.asked), survey.text, inquiry.language)
    return Told(told.parts_of(found), PARTS[form](report) if form else {}, report.summary)
