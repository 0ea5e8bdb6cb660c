"""The findings as a Markdown report, which is also the vault's dashboard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.lint.freshness import AGING_DAYS, STALE_DAYS
from reme_cli.regex import regex
from reme_cli.screen import escaped_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reme_cli.lint.finding import Finding
    from reme_cli.lint.freshness import Freshness
    from reme_cli.lint.report import Report
    from reme_cli.lint.rule import Language

STALE: Final = frozenset({"C007"})
SECTIONS: Final[tuple[tuple[dict[Language, str], frozenset[str]], ...]] = (
    ({"en": "Contradictions", "zh": "矛盾"}, frozenset({"C001", "C002", "C003"})),
    ({"en": "Low confidence", "zh": "低置信度"}, frozenset({"C004", "C005"})),
    ({"en": "Stale", "zh": "陈旧"}, STALE),
    ({"en": "Open questions", "zh": "待解问题"}, frozenset({"C006"})),
    ({"en": "Orphans", "zh": "孤立笔记"}, frozenset({"P003"})),
)
"""What a curator looks at: the title of each section, and the codes of the findings in it."""

_FRESHNESS: Final[dict[Freshness, dict[Language, str]]] = {
    "fresh": {"en": f"fresh (under {AGING_DAYS} days)", "zh": f"新鲜（不足 {AGING_DAYS} 天）"},
    "aging": {
        "en": f"aging ({AGING_DAYS} to {STALE_DAYS - 1} days)",
        "zh": f"渐旧（{AGING_DAYS} 至 {STALE_DAYS - 1} 天）",
    },
    "stale": {"en": f"stale ({STALE_DAYS} days or more)", "zh": f"陈旧（{STALE_DAYS} 天及以上）"},
    "unknown": {"en": "unknown", "zh": "未知"},
}
_WORDS: Final[dict[str, dict[Language, str]]] = {
    "title": {"en": "Vault report", "zh": "笔记库报告"},
    "notes": {"en": "notes", "zh": "笔记"},
    "errors": {"en": "errors", "zh": "错误"},
    "warnings": {"en": "warnings", "zh": "警告"},
    "infos": {"en": "remarks", "zh": "提示"},
    "none": {"en": "None.", "zh": "无。"},
    "other": {"en": "Other findings", "zh": "其他问题"},
    "rules": {"en": "By rule", "zh": "按规则统计"},
    "count": {"en": "count", "zh": "数量"},
    "rule": {"en": "rule", "zh": "规则"},
    "severity": {"en": "severity", "zh": "级别"},
    "fixable": {"en": "fixable", "zh": "可自动修复"},
}
_MARKUP: Final = regex(r"([\\`*_\[\]<>#|!$~%&])")


def markdown(report: Report) -> str:
    """The report: counts, a section for each thing that a curator looks at, all other findings by note.

    Above the stale notes stands how many are how fresh.
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    def word(name: str) -> str:
        return _WORDS[name][report.language]

    counts = report.summary.counts
    yield f"# {word('title')}"
    yield ""
    yield f"| {word('notes')} | {word('errors')} | {word('warnings')} | {word('infos')} |"
    yield "|---:|---:|---:|---:|"
    yield f"| {report.notes} | {counts['error']} | {counts['warning']} | {counts['info']} |"
    shown: set[str] = set()
    ran = {rule.code for rule in report.rules}
    for title, codes in SECTIONS:
        if not codes & ran:
            continue  # that nothing was looked for is not told as nothing found
        shown |= codes
        found = [finding for finding in report.findings if finding.code in codes]
        yield from ("", f"## {title[report.language]} ({len(found)})", "")
        if codes == STALE and report.freshness and any(report.freshness.values()):
            yield from (*_freshness(report.freshness, report.language), "")
        yield from _items(found) if found else (word("none"),)
    other = [finding for finding in report.findings if finding.code not in shown]
    yield from ("", f"## {word('other')} ({len(other)})", "")
    if not other:
        yield word("none")
    path = None
    for finding in other:
        if finding.path != path:
            if path is not None:
                yield ""
            path = finding.path
            yield from (f"### {_escaped(escaped_line(path))}", "")
        yield from _items([finding])
    if report.findings:
        yield from ("", f"## {word('rules')}", "")
        yield f"| {word('count')} | {word('rule')} | {word('severity')} | {word('fixable')} |"
        yield "|---:|---|---|---:|"
        for row in report.statistics():
            yield f"| {row.count} | {row.code} {row.rule} | {row.severity} | {row.fixable} |"


def _freshness(counts: Mapping[Freshness, int], language: Language) -> Iterator[str]:
    """How many digest notes were changed, or learnt from a source, how long ago."""
    yield f"| {' | '.join(_FRESHNESS[each][language] for each in counts)} |"
    yield f"|{'---:|' * len(counts)}"
    yield f"| {' | '.join(map(str, counts.values()))} |"


def _items(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        place = f"{escaped_line(finding.path)}:{finding.line}:{finding.col}"
        yield f"- {_code(place)} {finding.code} {finding.rule}: {_escaped(finding.message)}"


def _code(text: str) -> str:
    """A text as a code span, with as many backticks as it needs."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"`{text}`"


def _escaped(text: str) -> str:
    """A text that Markdown shows as it is, on one line and without control characters; code spans of a message stay."""
    parts = re.split(r"(`[^`\n]+`)", escaped_line(" ".join(text.split())))
    return "".join(part if number % 2 else _MARKUP.sub(r"\\\1", part) for number, part in enumerate(parts))
