"""Comments in a note that switch rules off: `<!-- reme-lint-disable CODE… -->`.

    on a line with text            for that line
    on a line of its own           up to `<!-- reme-lint-enable CODE… -->`; without one, for the block that it touches (up to the
                                   blank lines around it); where it stands alone, to the end of the note
    reme-lint-disable-file         for the whole note, frontmatter included

Codes are named as for `--select`, with spaces or commas between; none: all rules. What follows ` -- ` is a reason. A
comment in code or math is text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.lint.finding import Problem
from reme_cli.lint.selection import ALL, nearest_name, rules_named
from reme_cli.regex import regex
from reme_cli.vault.wikilink import prose_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.lint.finding import Finding
    from reme_cli.lint.rule import Rule
    from reme_cli.lint.survey import Subject

MARK: Final = "reme-lint-"
_COMMENT: Final = regex(r"<!--\s*reme-lint-(disable-file|disable|enable)(?=[\s,]|--)(.*?)-->", re.DOTALL)
_REASON: Final = regex(r"(?:^|\s)--(?:\s|$)")
_WORD: Final = regex(r"[^\s,]+")
_NOTHING: Final = regex(r"[\s>]*")
_BEFORE: Final = regex(r"[\s>*+\-]*")
LAST: Final = 1 << 60
"""A line behind every other."""


class Directive(NamedTuple):
    """One word of a disabling comment, and the lines that it is for."""

    word: str
    start: int
    end: int
    first_line: int
    last_line: int

    def covers(self, finding: Finding) -> bool:
        """Whether it switches a finding off."""
        return self.first_line <= finding.line <= self.last_line and any(
            rule.code == finding.code for rule in rules_named(self.word)
        )


class _Comment(NamedTuple):
    kind: str
    words: tuple[tuple[str, int, int], ...]
    line: int
    last_line: int
    is_alone: bool
    """Whether nothing else stands on its lines."""


def directives_in(subject: Subject) -> tuple[Directive, ...]:
    """The directives of a note, in order of place."""
    if MARK not in subject.text:
        return ()
    lines = subject.text.split("\n")
    body = subject.block.body_start if subject.block else 0
    first_line = subject.text.count("\n", 0, body) + 1
    comments = _comments(subject)
    found = []
    for number, comment in enumerate(comments):
        if comment.kind == "enable":
            continue
        for word, start, end in comment.words:
            first, last = comment.line, comment.last_line
            if comment.kind == "disable-file":
                first, last = 1, LAST
            elif comment.is_alone:
                ends = (
                    other.line
                    for other in comments[number + 1 :]
                    if other.kind == "enable" and _ends(other, word)
                )
                end_line = next(ends, None)
                first, last = (
                    _block(lines, comment, first_line) if end_line is None else (comment.line, end_line)
                )
            found.append(Directive(word, start, end, first, last))
    return tuple(found)


def without_suppressed(
    findings: Iterable[Finding], directives: Sequence[Directive]
) -> tuple[list[Finding], frozenset[Directive]]:
    """The findings of one note that no directive switches off, and the directives that switched one off."""
    used: set[Directive] = set()
    left = []
    for finding in findings:
        covering = [directive for directive in directives if directive.covers(finding)]
        used.update(covering)
        if not covering:
            left.append(finding)
    return left, frozenset(used)


def unused(
    path: str, directives: Iterable[Directive], used: frozenset[Directive], run: Iterable[Rule]
) -> Iterator[Problem]:
    """The directives of a note that switched nothing off though all of their rules were run."""
    codes = {rule.code for rule in run}
    for directive in directives:
        named = {rule.code for rule in rules_named(directive.word)}
        if named and directive not in used and named <= codes:
            yield Problem(path, directive.start, directive.end, {"code": directive.word})


def unknown(path: str, directives: Iterable[Directive]) -> Iterator[Problem]:
    """The directives of a note that name no rule."""
    for directive in directives:
        if not rules_named(directive.word):
            close = nearest_name(directive.word)
            values = {"code": directive.word, "nearest": close or ""}
            message = "nearest" if close else "default"
            yield Problem(path, directive.start, directive.end, values, message)


def _comments(subject: Subject) -> list[_Comment]:
    text = subject.text
    matches = list(_COMMENT.finditer(text))
    # what would be text in the comment's place is no code: a word of its length is put there to see
    probe, place = [], 0
    for match in matches:
        probe += [text[place : match.start()], "x" * len(match[0])]
        place = match.end()
    probe.append(text[place:])
    spans = prose_spans("".join(probe)) if matches else ()
    found = []
    for match in matches:
        if not any(start <= match.start() < end for start, end in spans):
            continue
        content = match[2]
        if reason := _REASON.search(content):
            content = content[: reason.start()]
        words = tuple(
            (word[0], match.start(2) + word.start(), match.start(2) + word.end())
            for word in _WORD.finditer(content)
        ) or ((ALL, match.start(), match.end()),)
        line = text.count("\n", 0, match.start()) + 1
        last_line = line + match[0].count("\n")
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        after = text[match.end() : len(text) if (stop := text.find("\n", match.end())) < 0 else stop]
        is_alone = bool(_BEFORE.fullmatch(before.removeprefix("\ufeff"))) and not after.strip()
        found.append(_Comment(match[1], words, line, last_line, is_alone))
    return found


def _ends(comment: _Comment, word: str) -> bool:
    """Whether an enabling comment ends what a word switched off."""
    ended = {rule.code for each, _, _ in comment.words for rule in rules_named(each)}
    return {rule.code for rule in rules_named(word)} <= ended


def _block(lines: Sequence[str], comment: _Comment, first_line: int) -> tuple[int, int]:
    """The lines of the block that a comment touches; all lines behind one that stands alone."""

    def is_text(line: int) -> bool:
        return first_line <= line <= len(lines) and not _NOTHING.fullmatch(lines[line - 1])

    first, last = comment.line, comment.last_line
    if not is_text(first - 1) and not is_text(last + 1):
        return first, LAST
    while is_text(first - 1):
        first -= 1
    while is_text(last + 1):
        last += 1
    return first, last
