"""One call of lint: what is asked, and what it comes to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reme_cli.lint import told
from reme_cli.lint.cache_file import Parts
from reme_cli.lint.check import Inquiry, check, found_anew
from reme_cli.lint.consequence import Consequences
from reme_cli.lint.formats import PARTS
from reme_cli.lint.freshness import FRESHNESS, ages
from reme_cli.lint.gitignored import Ignored
from reme_cli.lint.kept import Kept
from reme_cli.lint.language import report_language
from reme_cli.lint.placed import encoded
from reme_cli.lint.places import Places, is_there, places
from reme_cli.lint.portion import NOTES, Errand, nothing_told, shares, tell
from reme_cli.lint.report import Report
from reme_cli.lint.repository import HEAD, Change, change_since, is_revision, top_of
from reme_cli.lint.rules import RULES
from reme_cli.lint.selection import Selection, selection
from reme_cli.lint.survey import Survey

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.fix import Mended
    from reme_cli.lint.freshness import Freshness
    from reme_cli.lint.placed import FoundRows, Placed
    from reme_cli.lint.portion import Portion, Share, Told
    from reme_cli.lint.report import Form
    from reme_cli.lint.rule import Language
    from reme_cli.lint.workers import Look
    from reme_cli.vault.stamp import Stamp

MANY: Final = 500
"""Of so many notes that changed, it is quicker to look at the whole vault."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks for on the command line."""

    paths: Sequence[str] = ()
    here: Path = field(default_factory=Path.cwd)
    """The folder that paths are relative to."""
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    changed: str | None = None
    """Only what changed since this commit, and what that broke. Empty: since the commit among `paths`, else since `HEAD`."""
    respects_gitignore: bool = True
    texts: dict[str, str] = field(default_factory=dict)
    """Texts that count in the place of what is on disk, by path; the index holds them."""


class Lint:
    """A request on a vault, read as far as is needed to answer it."""

    def __init__(self, index: Index, request: Request, now: dt.datetime) -> None:
        self.vault = index.vault
        request = _with_revision(self.vault.root, request)
        self._request = request
        self._places: Places | None = (
            places(self.vault.root, request.paths, request.here) if request.paths else None
        )
        self._wanted: dict[str, bool] = {}
        self._ignored = Ignored(self.vault.root) if request.respects_gitignore else None
        self._selection: Selection = selection(self.vault.config.lint, request.select, request.ignore)
        self._change: Change | None = (
            change_since(self.vault, request.changed) if request.changed is not None else None
        )
        before = None
        if self._change is not None:
            before = index.names().with_changes(added=self._change.removed, removed=self._change.added)
        self.survey = Survey(
            self.vault,
            index,
            now,
            texts=dict(request.texts),
            before=before,
            renames=self._change.renames if self._change is not None else {},
        )
        self._consequences = None if self._change is None else Consequences(self.survey, self._change)
        self._unspoken = Inquiry(self._selection.rules, wants=self._wants, admits=self._admits)
        """What is asked, but for the language: a vault that did not change keeps the one it had."""
        self._language: Language | None = None

    @cached_property
    def _inquiry(self) -> Inquiry:
        language = self._language or report_language(self.survey.index)
        return self._unspoken._replace(language=language)

    @cached_property
    def kept(self) -> Kept:
        """What the text rules found before."""
        return Kept.load(self.vault, RULES)

    def report(self, form: Form | None = None, *, with_fixes: bool = False) -> Report:
        """The findings, with their fixes or perhaps without; in a `form`, where one is asked for, they are written, too."""
        question = None if with_fixes else self._question()
        last = self._last(question) if question else None
        if question and last:
            if last.question == question:
                return self._told_again(last, form)
            report = self._retold(last, question, form)
            if report is not None:
                return report
        return self._told_anew(question, form)

    def plan(self, *, unsafe: bool = False) -> tuple[Mended, Report]:
        """What fixes would make of the vault, and what would be left. Writes nothing."""
        from reme_cli.lint.fix import mended  # here, since it brings the writer along

        self._gather()
        planned = mended(self.survey, self._inquiry, self.kept, unsafe=unsafe)
        self._keep()
        return planned, self._told(planned.remaining, texts=planned.texts, unsafe=unsafe)

    def fix(self, run: Run, *, unsafe: bool = False) -> tuple[Mended, Report]:
        """Makes the fixes; what they made of the vault, and what is left. Raises what `ChangeSet.apply` raises."""
        from reme_cli.lint.fix import write_fixes  # here, since it brings the writer along

        self._gather()
        done = write_fixes(self.survey, self._inquiry, self.kept, run, unsafe=unsafe)
        self.survey = self.survey.again()
        self._keep()
        return done, self._told(done.remaining, unsafe=unsafe)

    def freshness(self) -> dict[Freshness, int]:
        """How many of the digest notes that are looked at are how fresh."""
        counts = dict.fromkeys(FRESHNESS, 0)
        for path, age in ages(self.survey).items():
            if self._wants(path):
                counts[age.freshness] += 1
        return counts

    def _question(self) -> told.Question | None:
        """What is asked of which vault; `None` where the answer is of no use the next time. Without a state of the vault, which
        comes first, the answer may be another one the next time."""
        if self._request.texts or self._places is not None or self._change is not None:
            return None
        codes = [rule.code for rule in self._selection.rules]
        unwanted = self._ignored.among(self.survey.paths) if self._ignored else []
        self._wanted = dict.fromkeys(self.survey.paths, True) | dict.fromkeys(unwanted, False)
        return [self.survey.state, codes, unwanted, found_anew(self.survey, self._unspoken)]

    def _last(self, question: told.Question) -> told.Told | None:
        """What was told last, where the same was asked, and nothing else changed than the vault."""
        last = told.load(self.vault)
        if last is None or last.question[1:3] != question[1:3] or not all(map(self._wants, last.others)):
            return None
        is_same = all(self.survey.exists(path) is was for path, was in last.looked.items())
        return last if is_same else None

    def _told_anew(self, question: told.Question | None, form: Form | None) -> Report:
        if question is None:
            report = self._told(self._found())
            return _written(report, form, Parts.of(PARTS[form](report))) if form else report
        with self._looking(form, tells=True) as look:
            basis = self._basis(self.kept)
            if look is None:
                answer = tell(self.survey, self._inquiry, self.kept, form)
            else:
                answer = self._taken(look(self._shares(tells=True)))
        self._keep()
        findings, text = Parts.of(answer.findings), Parts.of(answer.written)
        others = sorted(self._wanted.keys() - set(self.survey.paths))
        # what else git leaves out, the question does not say
        if question[0] is not None and all(map(self._wants, others)):
            looked = self.kept.looked | self.survey.looked
            last = told.Told(question, self._inquiry.language, looked, others, answer.summary)
            told.save(self.vault, last, basis, findings)
            if form:
                told.save_written(self.vault, question, form, text)
        rules = self._selection.rules
        report = self._told(told.KeptFindings(lambda: told.findings_in(findings.text, rules)))
        return _written(report._replace(known=answer.summary), form, text)

    def _told_again(self, last: told.Told, form: Form | None) -> Report:
        """What was told last, where nothing changed."""
        self._language = last.language

        def findings() -> Sequence[Finding]:
            parts = told.load_findings(self.vault, last.question)
            return self._found() if parts is None else told.findings_in(parts.text, self._selection.rules)

        report = self._told(told.KeptFindings(findings))._replace(known=last.summary)
        if form is None:
            return report
        text = told.load_written(self.vault, last.question, form)
        if text is None:
            text = Parts.of(PARTS[form](report))
            told.save_written(self.vault, last.question, form, text)
        return _written(report, form, text)

    def _retold(self, last: told.Told, question: told.Question, form: Form | None) -> Report | None:
        """What was told last, with what is to be told now of the notes that changed; `None` where that may not be all."""
        basis = told.load_basis(self.vault, last.question)
        findings = told.load_findings(self.vault, last.question)
        if basis is None or findings is None or not basis.calls_alike(self.survey):
            return None
        read_anew = basis.read_anew(self.survey.stamps)
        if len(read_anew) > MANY:
            return None
        rules = self._selection.rules
        kept = Kept(rules)
        now = self._basis(kept, basis, read_anew)
        changed = basis.changed(now)
        told_of = changed | self.survey.pointing_into(changed) | set(last.others)
        told_of = set(filter(self._wants, told_of))
        self._language = last.language
        inquiry = self._inquiry._replace(wants=told_of.__contains__)
        anew = tell(self.survey.among(told_of), inquiry, kept, form)
        before = told.findings_in("".join(findings.some(told_of).values()), rules)
        findings = findings.with_some(told_of, anew.findings)
        report = self._told(told.KeptFindings(lambda: told.findings_in(findings.text, rules)))
        summary = last.summary.less(report.summary_of(before)).more(anew.summary)
        report = report._replace(known=summary)
        text = told.load_written(self.vault, last.question, form) if form else None
        if text is not None:
            text = text.with_some(told_of, anew.written)
        elif form:
            text = Parts.of(PARTS[form](report))
        if question[0] is not None:
            looked = last.looked | self.survey.looked
            answer = told.Told(question, last.language, looked, last.others, summary)
            told.save(self.vault, answer, now, findings)
            if form and text:
                told.save_written(self.vault, question, form, text)
        return _written(report, form, text) if text else report

    def _found(self) -> Sequence[Finding]:
        self._gather()
        found = check(self._survey_of_wanted, self._inquiry, self.kept)
        self._keep()
        return found

    def _gather(self) -> None:
        """Looks for what texts and links give and is not known, where that is much."""
        with self._looking(None, tells=False) as look:
            if look is not None:
                self._taken(look(self._shares(tells=False)))

    @property
    def _survey_of_wanted(self) -> Survey:
        """The vault, in which links are looked for in no other notes than these where some were named."""
        if self._places is None or not self.kept.lacks(self.survey, self._selection.rules):
            return self.survey
        return self.survey.among(self._stamps)

    @cached_property
    def _stamps(self) -> dict[str, Stamp]:
        """The stamps of the notes that are asked about, by path, in order."""
        return {path: stamp for path, stamp in self.survey.stamps.items() if self._wants(path)}

    @contextmanager
    def _looking(self, form: Form | None, *, tells: bool) -> Iterator[Look | None]:
        """What looks at the notes in portions; `None` where there is little to look at that is not known."""
        survey, kept, rules = self.survey, self.kept, self._selection.rules
        is_asked = tells or (survey.state is not None and self._places is None)
        reads_links = is_asked and kept.lacks(survey, rules)
        unknown = len(self._stamps) - len(kept.records(self._stamps))
        if self._request.texts or len(self._stamps) <= NOTES or (unknown <= NOTES and not reads_links):
            yield None
            return
        from reme_cli.lint.workers import looking  # a vault that is known, and a small one, does without

        errand = Errand(
            self.vault,
            survey.now,
            tuple(self._request.select),
            tuple(self._request.ignore),
            self._inquiry.language,
            form,
            tells=tells,
            reads_links=reads_links,
        )
        with looking(errand, survey.index, survey.size_of(self._stamps)) as look:
            yield look

    def _shares(self, *, tells: bool) -> Iterator[Share]:
        """All that is asked about, with what is known of it."""
        of_vault: dict[str, Sequence[Placed]] = {}
        if tells:
            whole = [rule for rule in self._selection.rules if rule.check and rule.reach == "vault"]
            of_vault = {rule.code: tuple(self.kept.problems(self.survey, rule)) for rule in whole}
        others = {each.problem.path for found in of_vault.values() for each in found} - self._stamps.keys()
        paths = [*self._stamps, *sorted(filter(self._wants, others))]
        return shares(paths, self.kept.records(self._stamps), of_vault)

    def _taken(self, portions: Iterable[Portion]) -> Told:
        """What is told in all portions, of which what was found is kept."""
        answer = nothing_told()
        links: dict[str, FoundRows] = {}
        for portion in portions:
            self.kept.take(portion)
            self.survey.looked |= portion.looked
            for code, rows in portion.links.items():
                links.setdefault(code, []).extend(rows)
            if portion.told is not None:
                answer = answer.with_more(portion.told)
        if len(self._stamps) == len(self.survey.paths):
            self.kept.take_links(self.survey, links)
        return answer

    def _basis(
        self, kept: Kept, last: told.Basis | None = None, read_anew: Collection[str] = ()
    ) -> told.Basis:
        """What the findings in each note depend on; `last` is what they depended on before some notes were `read_anew`."""
        of_vault: told.Rows = {}
        concerned: dict[str, Sequence[str]] = {}
        for rule in self._selection.rules:
            if rule.concerned is not None:
                if last and not last.is_concerned(rule, self.survey, read_anew):
                    concerned[rule.code] = last.concerned[rule.code]
                    self.survey.found[rule.code] = tuple(last.problems(rule.code))
                else:
                    concerned[rule.code] = self.survey.once(rule.concerned)
            for each in kept.problems(self.survey, rule) if rule.reach == "vault" else ():
                if self._wants(each.problem.path):
                    of_vault.setdefault(each.problem.path, []).append(encoded(each))
        called = last.called if last else self.survey.called()
        return told.Basis(self.survey.files, called, self.survey.stamps, concerned, of_vault)

    def _keep(self) -> None:
        if not self._request.texts:
            self.kept.save(self.survey)

    def _told(
        self, findings: Sequence[Finding], *, texts: Mapping[str, str] | None = None, unsafe: bool = False
    ) -> Report:
        top = top_of(self.vault.root)
        inside = "." if top is None else self.vault.root.relative_to(top).as_posix()
        survey = self.survey
        return Report(
            findings=findings,
            rules=self._selection.rules,
            notes=sum(map(self._wants, survey.paths)),
            text=lambda path: texts[path] if texts and path in texts else survey.text(path),
            language=self._inquiry.language,
            unsafe=unsafe,
            folder="" if inside == "." else f"{inside}/",
        )

    def _wants(self, path: str) -> bool:
        wanted = self._wanted.get(path)
        if wanted is None:
            wanted = self._wanted[path] = self._is_wanted(path)
        return wanted

    def _is_wanted(self, path: str) -> bool:
        if self._request.texts:
            return path in self._request.texts
        if self._places is not None:
            if path in self._places.files:
                return True
            if not self._places.hold(path):
                return False
        return self._ignored is None or path not in self._ignored

    def _admits(self, finding: Finding) -> bool:
        if not self._selection.admits(finding):
            return False
        if self._change is None or self._consequences is None or finding.path in self._change.touched:
            return True
        return self._consequences.include(finding)


def _written(report: Report, form: Form | None, text: Parts) -> Report:
    return report._replace(written={form: text.text}) if form else report


def _with_revision(root: Path, request: Request) -> Request:
    """The request with the commit that `--changed` leaves open: a word that names a commit and no file, else `HEAD`."""
    if request.changed != "":
        return request
    for word in request.paths:
        if not is_there(root, word, request.here) and is_revision(root, word):
            rest = tuple(path for path in request.paths if path != word)
            return replace(request, paths=rest, changed=word)
    return replace(request, changed=HEAD)
