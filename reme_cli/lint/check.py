"""Running the rules over a vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reme_cli.lint.finding import Finding
from reme_cli.lint.kept import Kept, place_of
from reme_cli.lint.placed import encoded
from reme_cli.lint.rule import message_of
from reme_cli.lint.rules import unknown_code_in_suppression, unused_suppression
from reme_cli.lint.suppression import unknown, unused, without_suppressed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reme_cli.lint.finding import Problem
    from reme_cli.lint.placed import Place
    from reme_cli.lint.rule import Language, Rule
    from reme_cli.lint.suppression import Directive
    from reme_cli.lint.survey import Survey


def everywhere(path: str) -> bool:
    """Every path is wanted."""
    del path
    return True


def everything(finding: Finding) -> bool:
    """Every finding is wanted."""
    del finding
    return True


class Inquiry(NamedTuple):
    """What is asked of a vault."""

    rules: tuple[Rule, ...]
    language: Language = "en"
    wants: Callable[[str], bool] = everywhere
    """Of a path: whether what is found there is asked for."""
    admits: Callable[[Finding], bool] = everything
    """Of a finding that no comment switches off: whether it is asked for."""


def check(survey: Survey, inquiry: Inquiry, kept: Kept | None = None) -> tuple[Finding, ...]:
    """What the rules find that no comment switches off, by path, then by place, then by code; of one thing one rule tells."""
    kept = kept or Kept(inquiry.rules)
    by_code = {rule.code: rule for rule in inquiry.rules}
    found: dict[str, list[Finding]] = {}
    for rule in inquiry.rules:
        for each in kept.problems(survey, rule):
            path = each.problem.path
            if inquiry.wants(path):
                found.setdefault(path, []).append(_told(rule, each.problem, each.place, inquiry.language))
    for path, stamp in survey.asked.items():
        if not inquiry.wants(path):
            continue
        record = kept.record(survey, path, stamp)
        if record.problems:
            found.setdefault(path, []).extend(
                _told(by_code[each.code], each.problem, each.place, inquiry.language)
                for each in record.problems
                if each.code in by_code
            )
        if record.directives:
            found[path] = _suppressed(survey, inquiry, path, found.get(path, ()), record.directives)
    admitted = [finding for findings in found.values() for finding in findings if inquiry.admits(finding)]
    return in_order(_told_once(admitted, inquiry.rules))


def found_anew(survey: Survey, inquiry: Inquiry) -> list[object]:
    """What those rules find that depend on more than the notes, as JSON has it, be it switched off by a comment or not."""
    return [
        [each.problem.path, encoded(each)]
        for rule in inquiry.rules
        if not rule.from_notes
        for each in Kept(()).problems(survey, rule)
        if inquiry.wants(each.problem.path)
    ]


def _told_once(findings: list[Finding], rules: Iterable[Rule]) -> list[Finding]:
    """The findings but those of whose place another rule says more."""
    instead_of = {rule.code: rule.instead_of for rule in rules if rule.instead_of}
    told = {
        (each.path, each.start, each.end, code)
        for each in findings
        if each.code in instead_of
        for code in instead_of[each.code]
    }
    if not told:
        return findings
    return [each for each in findings if (each.path, each.start, each.end, each.code) not in told]


def _suppressed(
    survey: Survey,
    inquiry: Inquiry,
    path: str,
    findings: Iterable[Finding],
    directives: tuple[Directive, ...],
) -> list[Finding]:
    """The findings of a note that its comments leave, and what is to be said of the comments."""
    left, used = without_suppressed(findings, directives)
    for rule, problems in (
        (unused_suppression.RULE, unused(path, directives, used, inquiry.rules)),
        (unknown_code_in_suppression.RULE, unknown(path, directives)),
    ):
        if rule in inquiry.rules:
            left += [_told(rule, each, place_of(survey, each), inquiry.language) for each in problems]
    return left


def _told(rule: Rule, problem: Problem, place: Place, language: Language) -> Finding:
    """A problem with its place and its message."""
    for each in problem.fix.replacements if problem.fix else ():
        if each.path != problem.path:
            raise ValueError(f"{rule.code} would mend {problem.path} in another note")
    line, col, end_line, end_col = place
    return Finding(
        code=rule.code,
        rule=rule.slug,
        severity=rule.severity,
        path=problem.path,
        line=line,
        col=col,
        end_line=end_line,
        end_col=end_col,
        message=message_of(rule, problem, language),
        fix=problem.fix,
        start=problem.start,
        end=problem.end,
        is_safe=None if problem.fix is None else problem.fix.is_safe,
    )


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings by path, then by place, then by code."""
    return tuple(
        sorted(findings, key=lambda each: (each.path, each.start, each.end, each.code, each.message))
    )
