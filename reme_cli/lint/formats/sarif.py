"""The findings as SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import reme_cli
from reme_cli.lint.baseline import fingerprints

if TYPE_CHECKING:
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.report import Report
    from reme_cli.lint.rule import Rule

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"error": "error", "warning": "warning", "info": "note"}


def sarif(report: Report) -> dict[str, object]:
    """The report as a SARIF log of one run."""
    numbers = {rule.code: number for number, rule in enumerate(report.rules)}
    marks = fingerprints(report.findings, report.text)
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "reme",
                        "version": reme_cli.__version__,
                        "rules": [_rule(rule) for rule in report.rules],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [
                    _result(report, finding, numbers[finding.code], mark)
                    for finding, mark in zip(report.findings, marks, strict=True)
                ],
            }
        ],
    }


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.slug.split("-")),
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.slug]},
    }


def _result(report: Report, finding: Finding, number: int, mark: str) -> dict[str, object]:
    place = {"uri": quote(report.folder + finding.path), "uriBaseId": "%SRCROOT%"}
    region = {"startLine": finding.line, "startColumn": finding.col}
    if (finding.line, finding.col) < (finding.end_line, finding.end_col):
        region |= {"endLine": finding.end_line, "endColumn": finding.end_col}
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": place, "region": region}}],
        "partialFingerprints": {"reme/v1": mark},
    }
    if finding.fix is not None and report.is_fixable(finding):
        replacements = [
            {
                "deletedRegion": {"charOffset": each.start, "charLength": each.end - each.start},
                "insertedContent": {"text": each.text},
            }
            for each in finding.fix.replacements
        ]
        result["fixes"] = [{"artifactChanges": [{"artifactLocation": place, "replacements": replacements}]}]
    return result
