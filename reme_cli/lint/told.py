"""What the last run over the whole vault told, kept until something changes that it depends on.

It stands beside `kept`, which has the parts that it was made of. What those rules find that depend on more than the notes
(`Rule.from_notes`) belongs to the question: they are run each time, and where they find the same, the answer is the same.
Where some notes changed and none is called otherwise, the rest of the answer is told again, and what is found in these notes is put in its place.

    lint-told.json              the question, what else the answer depends on, and its summary
    lint-told-basis.json        what the part of each note depends on
    lint-told-findings.json     the findings, for the formats that are made of them
    lint-told-text.json         the report for a person
    lint-told-lines.json        the findings of the report as JSON
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload

from reme_cli.lint import cache_file
from reme_cli.lint.finding import Finding
from reme_cli.lint.placed import decoded
from reme_cli.lint.report import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from reme_cli.lint.cache_file import Parts
    from reme_cli.lint.placed import Placed
    from reme_cli.lint.report import Form
    from reme_cli.lint.rule import Language, Rule
    from reme_cli.lint.survey import Survey
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

TOLD: Final = "lint-told.json"
BASIS: Final = "lint-told-basis.json"
FINDINGS: Final = "lint-told-findings.json"
WRITTEN: Final[Mapping[Form, str]] = {"text": "lint-told-text.json", "json": "lint-told-lines.json"}

Question = list[Any]
"""The state of the vault, and what is asked of it."""
Rows = dict[str, list[Any]]
"""By path, what rules found, as JSON has it."""


class Told(NamedTuple):
    """What was told in short, and what that depends on besides the question."""

    question: Question
    language: Language
    looked: dict[str, bool]
    """What `Survey.exists` was asked, and what it said."""
    others: list[str]
    """The paths that something was found at and that are no notes."""
    summary: Summary


class Basis(NamedTuple):
    """What was told of a note is what would be told now while this is the same."""

    files: str
    """As of `Survey.files`."""
    called: dict[str, str]
    """As of `Survey.called`."""
    stamps: dict[str, Stamp]
    """By path."""
    concerned: dict[str, Sequence[str]]
    """By code of a rule that has it, `Rule.concerned`."""
    of_vault: Rows
    """What was found by the rules that look at the vault as a whole."""

    def calls_alike(self, survey: Survey) -> bool:
        """Whether all notes and files, and no others, are there and are called as they were."""
        if self.files != survey.files or self.stamps.keys() != survey.stamps.keys():
            return False
        names = survey.among(self.read_anew(survey.stamps)).called()
        return all(self.called.get(path) == name for path, name in names.items())

    def is_concerned(self, rule: Rule, survey: Survey, read_anew: Collection[str]) -> bool:
        """Whether a rule that looks at a few notes only looked at one of these, or does now."""
        if rule.concerned is None or not set(read_anew).isdisjoint(self.concerned[rule.code]):
            return True
        return bool(rule.concerned(survey.among(read_anew)))

    def problems(self, code: str) -> Iterator[Placed]:
        """What a rule that looks at the vault found."""
        for path, rows in self.of_vault.items():
            yield from (decoded(path, row) for row in rows if row[0] == code)

    def read_anew(self, stamps: Mapping[str, Stamp]) -> set[str]:
        """Of notes with these stamps, those that are not as they were; and those that cannot be read."""
        return {path for path, stamp in stamps.items() if not stamp or self.stamps.get(path) != stamp}

    def changed(self, now: Basis) -> set[str]:
        """The notes of which something else may be found now, where none is called otherwise."""
        paths = self.read_anew(now.stamps)
        found = self.of_vault.keys() | now.of_vault.keys()
        return paths | {path for path in found if self.of_vault.get(path) != now.of_vault.get(path)}


class KeptFindings(Sequence[Finding]):
    """Findings that are read when the first of them is asked for."""

    def __init__(self, read: Callable[[], Sequence[Finding]]) -> None:
        self._read = read

    @cached_property
    def _findings(self) -> Sequence[Finding]:
        return self._read()

    @overload
    def __getitem__(self, place: int) -> Finding: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Finding]: ...
    def __getitem__(self, place: int | slice) -> Finding | Sequence[Finding]:
        return self._findings[place]

    def __len__(self) -> int:
        return len(self._findings)


def load(vault: Vault) -> Told | None:
    """What was told last."""
    value = cache_file.load(vault, TOLD)
    if not isinstance(value, list):
        return None
    question, language, looked, others, summary = value
    return Told(question, language, looked, others, Summary(*summary))


def load_basis(vault: Vault, question: Question) -> Basis | None:
    """What the answer to this question rests on."""
    value = cache_file.load(vault, BASIS)
    return Basis(*value[1:]) if isinstance(value, list) and value[0] == _digest(question) else None


def load_findings(vault: Vault, question: Question) -> Parts | None:
    """The findings that were told for this question; see `findings_in`."""
    return cache_file.load_parts(vault, FINDINGS, _digest(question))


def load_written(vault: Vault, question: Question, form: Form) -> Parts | None:
    """The findings that were written for this question."""
    return cache_file.load_parts(vault, WRITTEN[form], _digest(question))


def save(vault: Vault, told: Told, basis: Basis, findings: Parts) -> None:
    """Keeps what was told."""
    cache_file.save_parts(vault, FINDINGS, _digest(told.question), findings)
    cache_file.save(vault, BASIS, [_digest(told.question), *basis])
    cache_file.save(vault, TOLD, told)


def save_written(vault: Vault, question: Question, form: Form, text: Parts) -> None:
    """Keeps the findings as they are written."""
    cache_file.save_parts(vault, WRITTEN[form], _digest(question), text)


def parts_of(findings: Iterable[Finding]) -> dict[str, str]:
    """The findings of each note as text, without their fixes."""
    notes: Rows = {}
    for each in findings:
        place = (each.line, each.col, each.end_line, each.end_col)
        row = [each.code, *place, each.message, each.start, each.end, each.is_safe]
        notes.setdefault(each.path, []).append(row)
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return {path: f"{encode([path, rows])}," for path, rows in notes.items()}


def findings_in(text: str, rules: Iterable[Rule]) -> list[Finding]:
    """The findings that some of these texts, one behind the other, stand for."""
    by_code = {rule.code: (rule.slug, rule.severity) for rule in rules}
    found = []
    for path, rows in json.loads(f"[{text[:-1]}]"):
        for code, line, col, end_line, end_col, message, start, end, is_safe in rows:
            slug, severity = by_code[code]
            place = (path, line, col, end_line, end_col)
            found.append(Finding(code, slug, severity, *place, message, None, start, end, is_safe))
    return found


def _digest(question: Question) -> str:
    return hashlib.sha256(json.dumps(question).encode()).hexdigest()
