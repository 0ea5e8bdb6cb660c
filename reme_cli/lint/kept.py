"""What the rules found, kept until the notes, the configuration or reme changes.

What a text rule found in a note is kept by the note's stamp; what a rule that is `from_notes` found in the vault, by the state
of all notes. See `cache_file`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reme_cli.lint import cache_file
from reme_cli.lint.placed import Placed, decoded, encoded, encoded_rows
from reme_cli.lint.position import line_col
from reme_cli.lint.suppression import Directive, directives_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.lint.finding import Problem
    from reme_cli.lint.placed import FoundRows, Place
    from reme_cli.lint.portion import Portion
    from reme_cli.lint.rule import Rule
    from reme_cli.lint.survey import Subject, Survey
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

NOTES: Final = "lint.json"
VAULT: Final = "lint-vault.json"


class Record(NamedTuple):
    """What the text of one note gave."""

    stamp: Stamp
    problems: tuple[Placed, ...] = ()
    directives: tuple[Directive, ...] = ()


class Kept:
    """What was found before, and what is found now where that is not kept. `rules` are those that are run on a text."""

    def __init__(
        self, rules: Iterable[Rule], notes: dict[str, Any] | None = None, vault: dict[str, Any] | None = None
    ) -> None:
        self._rules = tuple(rule for rule in rules if rule.check_note is not None)
        self._notes = notes if notes is not None else {}
        """By path, as JSON has them: most notes give nothing, and most records are never looked at."""
        self._vault = vault if vault is not None else {}
        """By code, with the state of the notes and with what was looked for on disk."""
        self._fresh: set[str] = set()
        self._is_vault_new = False
        self._is_confirmed = False

    @property
    def looked(self) -> dict[str, bool]:
        """What was looked for on disk to find what is kept."""
        return dict(self._vault.get("looked", {}))

    @classmethod
    def load(cls, vault: Vault, rules: Iterable[Rule]) -> Kept:
        """What `save` kept for this vault, this configuration and this reme."""
        notes, whole = cache_file.load(vault, NOTES), cache_file.load(vault, VAULT)
        return cls(
            rules,
            notes if isinstance(notes, dict) else None,
            whole if isinstance(whole, dict) else None,
        )

    def save(self, survey: Survey) -> None:
        """Keeps what is new of the vault's present notes."""
        if self._fresh:
            present = {path: self._notes[path] for path in survey.paths if path in self._notes}
            cache_file.save(survey.vault, NOTES, present)
        if self._is_vault_new:
            cache_file.save(survey.vault, VAULT, self._vault)
        self._fresh.clear()
        self._is_vault_new = False

    @property
    def fresh(self) -> dict[str, Any]:
        """What was found in texts since it was loaded, as JSON has it, by path."""
        return {path: self._notes[path] for path in self._fresh}

    def records(self, stamps: Mapping[str, Stamp]) -> dict[str, Any]:
        """What is known of notes with these stamps, as JSON has it, by path."""
        known = {path: self._notes.get(path) for path in stamps}
        return {
            path: entry
            for path, entry in known.items()
            if entry is not None and stamps[path] == (entry[0] if isinstance(entry, list) else entry)
        }

    def lacks(self, survey: Survey, rules: Iterable[Rule]) -> bool:
        """Whether something is still to be looked for in the links of notes, by one of these rules."""
        state = survey.state
        if state is None:
            return True
        self._confirm(survey, state)
        return any(
            rule.reach == "note" and rule.code not in self._vault["found"] for rule in rules if rule.check
        )

    def take(self, portion: Portion) -> None:
        """Takes in what was found in the texts of some notes."""
        self._notes |= portion.records
        self._fresh |= portion.records.keys()

    def take_links(self, survey: Survey, rows: Mapping[str, FoundRows]) -> None:
        """Takes in what rules that look at one note at a time found in the links of all notes, by code."""
        state = survey.state
        if state is not None and rows:
            self._confirm(survey, state)
            self._vault["found"] |= rows
            self._vault["looked"] |= survey.looked
            self._is_vault_new = True

    def record(self, survey: Survey, path: str, stamp: Stamp) -> Record:
        """What the present text of a note gives; nothing where it cannot be read."""
        entry = self._notes.get(path)
        if entry == stamp:
            return Record(stamp)
        if isinstance(entry, list) and entry[0] == stamp:
            return _decoded_record(path, entry)
        subject = survey.subject(path)
        if subject is None:
            return Record(stamp)
        record = _record(subject, survey, self._rules)
        self._notes[path] = _encoded_record(record)
        self._fresh.add(path)
        return record

    def problems(self, survey: Survey, rule: Rule) -> Iterable[Placed]:
        """What a rule finds in the whole vault, or in the links of the notes that a survey looks at."""
        if rule.check is None:
            return ()
        if rule.reach == "vault":
            survey = survey.everywhere
        if rule.code in survey.found:
            return survey.found[rule.code]
        state = survey.state if rule.from_notes else None
        if state is not None:
            self._confirm(survey, state)
            if (rows := self._vault["found"].get(rule.code)) is not None:
                survey.found[rule.code] = tuple(decoded(path, row) for path, row in rows)
                return survey.found[rule.code]
        survey.found[rule.code] = found = _found(survey, rule)
        if state is not None:
            self._vault["found"][rule.code] = encoded_rows(found)
            self._vault["looked"] |= survey.looked
            self._is_vault_new = True
        return found

    def _confirm(self, survey: Survey, state: str) -> None:
        """Forgets what was found in another state of the vault."""
        if self._is_confirmed and self._vault["state"] == state:
            return
        looked = self._vault.get("looked", {})
        if self._vault.get("state") != state or any(
            survey.exists(path) is not was for path, was in looked.items()
        ):
            self._vault = {"state": state, "looked": {}, "found": {}}
        self._is_confirmed = True


def place_of(survey: Survey, problem: Problem) -> Place:
    """Lines and columns of a problem; those of the first character for one of a note as a whole."""
    if not problem.end:
        return 1, 1, 1, 1
    text = survey.text(problem.path) or ""
    return *line_col(text, problem.start), *line_col(text, problem.end)


def _found(survey: Survey, rule: Rule) -> tuple[Placed, ...]:
    problems = rule.check(survey) if rule.check else ()
    return tuple(Placed(rule.code, each, place_of(survey, each)) for each in problems)


def _record(subject: Subject, survey: Survey, rules: Iterable[Rule]) -> Record:
    problems = []
    for rule in rules:
        if rule.check_note is not None:
            for problem in rule.check_note(subject, survey):
                place = (1, 1, 1, 1)
                if problem.end:
                    place = (*subject.line_col(problem.start), *subject.line_col(problem.end))
                problems.append(Placed(rule.code, problem, place))
    return Record(subject.note.stamp, tuple(problems), directives_in(subject))


def _encoded_record(record: Record) -> object:
    if not record.problems and not record.directives:
        return record.stamp
    return [record.stamp, list(map(encoded, record.problems)), list(map(list, record.directives))]


def _decoded_record(path: str, entry: list[Any]) -> Record:
    stamp, problems, directives = entry
    return Record(
        stamp,
        tuple(decoded(path, row) for row in problems),
        tuple(Directive(*directive) for directive in directives),
    )
