"""The findings as one JSON object: docs/schemas/lint.schema.json."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.fix import Mended
    from reme_cli.lint.report import Report


def lint_json(
    report: Report, *, statistics: bool = False, mended: Mended | None = None, diff: str | None = None
) -> dict[str, object]:
    """The report as a JSON object; with what fixes made, or would make as `diff` shows. Findings that are written are left out."""
    found: dict[str, object] = {
        "schema": 1,
        "findings": [] if "json" in report.written else [_row(report, each) for each in report.findings],
        "counts": dict(report.summary.counts),
    }
    if statistics:
        found["statistics"] = [dataclasses.asdict(row) for row in report.statistics()]
    if mended is not None:
        found["fixed"] = len(mended.made)
        found["diff"] = diff
    return found


def json_parts(report: Report) -> dict[str, str]:
    """The findings by path, each as a line of JSON."""
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    parts: dict[str, list[str]] = {}
    for finding in report.findings:
        parts.setdefault(finding.path, []).append(encode(_row(report, finding)))
    return {path: "\n".join([*lines, ""]) for path, lines in parts.items()}


def _row(report: Report, finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "col": finding.col,
        "end_line": finding.end_line,
        "end_col": finding.end_col,
        "message": finding.message,
        "fixable": report.is_fixable(finding),
    }
