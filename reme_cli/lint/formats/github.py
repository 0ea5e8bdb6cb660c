"""The findings as annotations of a GitHub workflow.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.report import Report

_LEVELS: Final = {"error": "error", "warning": "warning", "info": "notice"}


def workflow_commands(report: Report) -> str:
    """A line for each finding."""
    return "".join(f"{_annotation(finding, report.folder)}\n" for finding in report.findings)


def _annotation(finding: Finding, folder: str) -> str:
    properties = {"file": folder + finding.path, "line": finding.line, "endLine": finding.end_line}
    # columns are those of one line
    if finding.line == finding.end_line and finding.col < finding.end_col:
        properties |= {"col": finding.col, "endColumn": finding.end_col}
    properties["title"] = f"{finding.code} {finding.rule}"
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_LEVELS[finding.severity]} {told}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
