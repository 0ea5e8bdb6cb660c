"""Comments in a note that switch rules off: `<!-- reme-lint-disable CODE… -->`.

    on a line with text            for that line
    on a line of its own           up to `<!-- reme-lint-enable CODE… -->`; without one, for the block that it touches (up to the
                                   blank lines around it); where it stands alone, to the end of the note
    reme-lint-disable-file         for the whole note, frontmatter included

Codes are named as for `--select`, with spaces or commas between; none: all rules. What follows ` -- ` is a reason. A
comment in code or math is text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.lint.finding import Problem
from reme_cli.lint.selection import ALL, nearest_name, rules_named
from reme_cli.regex import regex
from reme_cli.vault.spans import is_within, merged
from reme_cli.vault.wikilink import prose_spans

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.lint.finding import Finding
    from reme_cli.lint.rule import Rule
    from reme_cli.lint.survey import Subject

MARK: Final = "reme-lint-"
_OPENING: Final = regex(r"<!--\s*reme-lint-(disable-file|disable|enable)(?=[\s,]|--)")
_CLOSING: Final = "-->"
_REASON: Final = regex(r"(?:^|\s)--(?:\s|$)")
_WORD: Final = regex(r"[^\s,]+")
_NOTHING: Final = regex(r"[\s>]*")
_BEFORE: Final = regex(r"[\s>*+\-]*")
_INK: Final = regex(r"\S")
_NEWLINE: Final = regex("\n")
LAST: Final = 1 << 60
"""A line behind every other."""


class Directive(NamedTuple):
    """One word of a disabling comment, and the lines that it is for."""

    word: str
    start: int
    end: int
    first_line: int
    last_line: int


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
    comments = _comments(subject)
    blocks = _Blocks(subject)
    ending = _Ending(comments)
    found = []
    for number, comment in enumerate(comments):
        if comment.kind == "enable":
            continue
        for word, start, end in comment.words:
            first, last = comment.line, comment.last_line
            if comment.kind == "disable-file":
                first, last = 1, LAST
            elif comment.is_alone:
                end_line = ending.line_behind(number, word)
                first, last = blocks.touched(comment) if end_line is None else (comment.line, end_line)
            found.append(Directive(word, start, end, first, last))
    return tuple(found)


def without_suppressed(
    findings: Iterable[Finding], directives: Sequence[Directive]
) -> tuple[list[Finding], frozenset[Directive]]:
    """The findings of one note that no directive switches off, and the directives that switched one off."""
    found = list(findings)
    lines: dict[str, list[int]] = {}
    for finding in sorted(found, key=lambda finding: finding.line):
        lines.setdefault(finding.code, []).append(finding.line)
    used: set[Directive] = set()
    covered: dict[str, list[tuple[int, int]]] = {}
    for directive in directives:
        first, behind = directive.first_line, directive.last_line + 1
        for rule in rules_named(directive.word):
            its_lines = lines.get(rule.code, ())
            if bisect_left(its_lines, first) < bisect_left(its_lines, behind):
                used.add(directive)
                covered.setdefault(rule.code, []).append((first, behind))
    spans = {code: merged(each) for code, each in covered.items()}
    left = [finding for finding in found if not is_within(spans.get(finding.code, ()), finding.line)]
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
    matches = list(_each_comment(text))
    # what would be text in the comment's place is no code: a word of its length is put there to see
    probe, place = [], 0
    for opening, end in matches:
        probe += [text[place : opening.start()], "x" * (end - opening.start())]
        place = end
    probe.append(text[place:])
    spans = prose_spans("".join(probe)) if matches else ()
    starts = [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
    found = []
    for opening, end in matches:
        start, words_start = opening.start(), opening.end()
        if not is_within(spans, start):
            continue
        content = text[words_start : end - len(_CLOSING)]
        if reason := _REASON.search(content):
            content = content[: reason.start()]
        words = tuple(
            (word[0], words_start + word.start(), words_start + word.end())
            for word in _WORD.finditer(content)
        ) or ((ALL, start, end),)
        line, last_line = bisect_right(starts, start), bisect_right(starts, end)
        line_start = starts[line - 1]
        line_start += text.startswith("\ufeff", line_start)
        line_end = starts[last_line] if last_line < len(starts) else len(text)
        is_alone = bool(_BEFORE.fullmatch(text, line_start, start)) and not _INK.search(text, end, line_end)
        found.append(_Comment(opening[1], words, line, last_line, is_alone))
    return found


def _each_comment(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """The beginning of each comment, and its end."""
    opening = _OPENING.search(text)
    while opening and (closing := text.find(_CLOSING, opening.end())) >= 0:
        end = closing + len(_CLOSING)
        yield opening, end
        opening = _OPENING.search(text, end)


class _Ending:
    """Where the comments of a note that enable rules stand."""

    def __init__(self, comments: Sequence[_Comment]) -> None:
        self._comments = comments
        self._enabled = [
            (number, frozenset(code for word, _, _ in comment.words for code in _codes(word)))
            for number, comment in enumerate(comments)
            if comment.kind == "enable"
        ]
        self._ends: dict[frozenset[str], list[int]] = {}
        """By rules, the numbers of the comments that enable all of these."""

    def line_behind(self, number: int, word: str) -> int | None:
        """The line of the first comment behind this one that ends what a word switched off."""
        codes = _codes(word)
        if codes not in self._ends:
            self._ends[codes] = [other for other, enabled in self._enabled if codes <= enabled]
        ends = self._ends[codes]
        at = bisect_right(ends, number)
        return self._comments[ends[at]].line if at < len(ends) else None


def _codes(word: str) -> frozenset[str]:
    return frozenset(rule.code for rule in rules_named(word))


class _Blocks:
    """The lines of a note's body between those that are blank."""

    def __init__(self, subject: Subject) -> None:
        lines = subject.text.split("\n")
        body = subject.block.body_start if subject.block else 0
        first_line = subject.text.count("\n", 0, body) + 1
        self._firsts: list[int] = []
        """By number, less one: for each line that holds text, the first one of its block; else 0."""
        for number, line in enumerate(lines, 1):
            is_text = number >= first_line and not _NOTHING.fullmatch(line)
            goes_on = is_text and self._firsts and self._firsts[-1]
            self._firsts.append((goes_on or number) if is_text else 0)
        self._lasts = [0] * len(lines)
        for number in range(len(lines), 0, -1):
            if self._firsts[number - 1]:
                behind = self._lasts[number] if number < len(lines) else 0
                self._lasts[number - 1] = behind or number

    def touched(self, comment: _Comment) -> tuple[int, int]:
        """The lines of the block that a comment touches; all lines behind one that stands alone."""
        above = self._firsts[comment.line - 2] if comment.line > 1 else 0
        below = self._lasts[comment.last_line] if comment.last_line < len(self._lasts) else 0
        if not above and not below:
            return comment.line, LAST
        return above or comment.line, below or comment.last_line
