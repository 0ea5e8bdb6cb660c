"""What a run of lint comes to, ready to be told in any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.lint.finding import SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reme_cli.config import FailOn
    from reme_cli.lint.finding import Finding, Severity
    from reme_cli.lint.freshness import Freshness
    from reme_cli.lint.rule import Language, Rule

Form = Literal["text", "json"]
"""A form that is written note by note, and kept: the report for a person without styles, or JSON with a line for each finding."""

NOTHING_WRITTEN: Final[Mapping[Form, str]] = {}


@dataclass(frozen=True, slots=True)
class Statistic:
    """How often one rule found something."""

    code: str
    rule: str
    severity: Severity
    count: int
    fixable: int


class Summary(NamedTuple):
    """A report in short."""

    counts: dict[Severity, int]
    """How many findings there are of each severity, the gravest first."""
    fixable: int
    """How many of them `--fix` mends."""

    def more(self, other: Summary, times: int = 1) -> Summary:
        """Of these findings and of others."""
        counts = {severity: count + times * other.counts[severity] for severity, count in self.counts.items()}
        return Summary(counts, self.fixable + times * other.fixable)

    def less(self, other: Summary) -> Summary:
        """Of these findings without others."""
        return self.more(other, -1)


class Report(NamedTuple):
    """The findings in order, and what they are findings of."""

    findings: Sequence[Finding]
    rules: tuple[Rule, ...]
    """The rules that were run."""
    notes: int
    """How many notes were looked at."""
    text: Callable[[str], str | None]
    """The exact text of a note, or of another file; `None` where it cannot be read."""
    language: Language = "en"
    unsafe: bool = False
    """Whether unsafe fixes count as fixes."""
    folder: str = ""
    """Where the vault is in its git repository, with `/` at the end; empty at the top, or without one."""

    freshness: Mapping[Freshness, int] | None = None
    """How many digest notes are how fresh, where that was asked for."""
    known: Summary | None = None
    """The summary, where it is kept."""
    written: Mapping[Form, str] = NOTHING_WRITTEN
    """The findings as they are written, where that was asked for."""

    @property
    def summary(self) -> Summary:
        """The report in short."""
        if self.known is not None:
            return self.known
        return self.summary_of(self.findings)

    def summary_of(self, findings: Sequence[Finding]) -> Summary:
        """Findings in short."""
        severities = [finding.severity for finding in findings]
        counts = {severity: severities.count(severity) for severity in SEVERITIES}
        return Summary(counts, sum(map(self.is_fixable, findings)))

    def is_fixable(self, finding: Finding) -> bool:
        """Whether `--fix` mends it."""
        return finding.is_safe is not None and (finding.is_safe or self.unsafe)

    def statistics(self) -> tuple[Statistic, ...]:
        """The rules that found something, the most frequent first."""
        found: dict[str, list[Finding]] = {}
        for finding in self.findings:
            found.setdefault(finding.code, []).append(finding)
        rows = [
            Statistic(code, each[0].rule, each[0].severity, len(each), sum(map(self.is_fixable, each)))
            for code, each in found.items()
        ]
        return tuple(sorted(rows, key=lambda row: (-row.count, row.code)))

    def fails(self, on: FailOn) -> bool:
        """Whether any finding is at least this grave."""
        if on == "never":
            return False
        counts = self.summary.counts
        return any(counts[severity] for severity in SEVERITIES[: SEVERITIES.index(on) + 1])
