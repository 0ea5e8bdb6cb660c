"""Mending what can be mended: rounds of fixes in memory until none is left, then one write of each note."""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reme_cli.changeset.around import Around
from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.difference import unified_diff
from reme_cli.changeset.edit import Edit
from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import E1, change_of
from reme_cli.graph.mend import Mend
from reme_cli.lint.check import check
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reme_cli.changeset.run import Run
    from reme_cli.graph.conservation import EdgeKey, Rule
    from reme_cli.lint.check import Inquiry
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.kept import Kept
    from reme_cli.lint.survey import Survey

ROUNDS: Final = 20
"""Fixes of fixes go three or four rounds deep; what goes on beyond this would go on for ever."""

Edges = set[tuple["EdgeKey", "EdgeKey | None"]]


@dataclass(frozen=True, slots=True)
class Left:
    """A fix that was not made, and why."""

    finding: Finding
    reason: str


@dataclass(slots=True)
class Mended:
    """What the fixes make of a vault."""

    texts: dict[str, str] = field(default_factory=dict)
    """The new texts of the notes that change."""
    made: list[Finding] = field(default_factory=list)
    """The findings whose fixes these are."""
    left: list[Left] = field(default_factory=list)
    stale: set[str] = field(default_factory=set)
    """Notes that changed on disk while they were looked at."""
    edges: dict[str, Edges] = field(default_factory=dict)
    """The edges that the fixes of a note change."""
    remaining: tuple[Finding, ...] = ()
    """What is still found afterwards."""
    before: dict[str, str] = field(default_factory=dict)
    """The texts that these notes had."""

    def diff(self) -> str:
        """The changes as one unified diff."""
        return "".join(
            unified_diff(path, self.before[path], text) for path, text in sorted(self.texts.items())
        )

    def edits(self, survey: Survey) -> list[Edit]:
        """One edit for each note that changes."""
        found = []
        for path, text in sorted(self.texts.items()):
            subject = survey.subject(path)
            if subject is not None:
                found.append(Edit(path, text, subject.note.stamp, _rule(self.edges.get(path, set()))))
        return found


def mended(survey: Survey, inquiry: Inquiry, kept: Kept | None = None, *, unsafe: bool = False) -> Mended:
    """What the fixes of the findings make of the vault. Writes nothing."""
    done = Mended(remaining=check(survey, inquiry, kept))
    if not any(_is_wanted(finding, unsafe) for finding in done.remaining):
        return done
    names = survey.names
    around = Around(survey.vault, names, added=(), removed=())
    refused: set[tuple[str, ...]] = set()
    with survey.index.imagined() as imagined:
        here = survey
        for _ in range(ROUNDS):
            changed = False
            for path, findings in _by_note(done.remaining, unsafe).items():
                subject = here.subject(path)
                known = here.note(path)
                if subject is None or known is None:
                    continue
                if subject.note.stamp != known.stamp:
                    done.stale.add(path)
                    continue
                text = subject.text
                fixes = [finding for finding in findings if _key(finding, text) not in refused]
                passing, left = _passing(path, text, _apart(fixes), around)
                if passing:
                    done.before.setdefault(path, text)
                    done.texts[path] = _replaced(text, passing)
                    done.made += passing
                    done.edges.setdefault(path, set()).update(_edges(passing))
                    # what was refused in the old text, alone or in company, may do in the new one
                    refused = {key for key in refused if key[0] != path}
                    done.left = [each for each in done.left if each.finding.path != path]
                    changed = True
                else:
                    refused.update(_key(each.finding, text) for each in left)
                    done.left += left
                if path in done.texts and done.texts[path] != text:
                    imagined.suppose(Note(path, done.texts[path], stamp_of(done.texts[path].encode())))
            if not changed:
                break
            here = survey.with_texts(imagined, done.texts)
            done.remaining = check(here, inquiry, kept)
    return done


def write_fixes(
    survey: Survey, inquiry: Inquiry, kept: Kept | None, run: Run, *, unsafe: bool = False
) -> Mended:
    """Makes the fixes; what they make of the vault. Where somebody else writes in between, they are planned anew.

    Raises what `ChangeSet.apply` raises.
    """
    made: list[Finding] = []
    texts: dict[str, str] = {}
    for attempt in range(REDOS + 1):
        plan = mended(survey, inquiry, kept, unsafe=unsafe)
        edits = plan.edits(survey)
        missed = set(plan.stale)
        if edits:
            applied = ChangeSet(survey.vault, run, edits, names=survey.names, together=False).apply()
            missed |= {edit.path for edit in applied.edits if edit.outcome != "written"}
        made += [finding for finding in plan.made if finding.path not in missed]
        texts |= {path: text for path, text in plan.texts.items() if path not in missed}
        if not edits and not missed:
            break
        survey.index.refresh()
        survey = survey.again()
        if not missed:
            break
        if attempt == REDOS:
            for path in sorted(missed):
                run.record(path, "skipped", reason=f"still changing after {REDOS} redos")
    plan.made, plan.texts = made, texts
    plan.remaining = check(survey, inquiry, kept)
    return plan


def _rule(edges: Edges) -> Rule:
    return Mend(frozenset(edges)) if edges else E1()


def _is_wanted(finding: Finding, unsafe: bool) -> bool:
    return finding.fix is not None and (unsafe or finding.fix.is_safe)


def _by_note(findings: Iterable[Finding], unsafe: bool) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if _is_wanted(finding, unsafe):
            found.setdefault(finding.path, []).append(finding)
    return found


def _apart(findings: Iterable[Finding]) -> list[Finding]:
    """The findings whose fixes do not touch each other; of two that do, the first."""
    taken: list[tuple[int, int]] = []
    apart = []
    for finding in findings:
        own = [(each.start, each.end) for each in finding.fix.replacements] if finding.fix else []
        if own and not any(_is_taken(start, end, taken) for start, end in own):
            for place in own:
                insort(taken, place)
            apart.append(finding)
    return apart


def _is_taken(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a place overlaps one of these, which are in order and apart, or begins where one begins."""
    at = bisect_left(taken, (start, -1))
    follows = at < len(taken) and (taken[at][0] == start or taken[at][0] < end)
    return follows or (at > 0 and taken[at - 1][1] > start)


def _passing(
    path: str, text: str, findings: Sequence[Finding], around: Around
) -> tuple[list[Finding], list[Left]]:
    """As many of the findings as may be mended together, and the others, with the reason.

    Where not all may, they are halved until the fault is found: of thousands with one at fault a few are tried alone.
    """
    passing: list[Finding] = []
    left: list[Left] = []
    waiting = [findings] if findings else []
    while waiting:
        some = waiting.pop()
        together = [*passing, *some]
        reason = _objection(path, text, _replaced(text, together), together, around)
        if reason is None:
            passing = together
        elif len(some) == 1:
            left.append(Left(some[0], reason))
        else:
            middle = len(some) // 2
            waiting += (some[middle:], some[:middle])
    return passing, left


def _replaced(text: str, findings: Iterable[Finding]) -> str:
    places = sorted(
        (each.start, each.end, each.text)
        for finding in findings
        for each in (finding.fix.replacements if finding.fix else ())
    )
    parts, at = [], 0
    for start, end, new in places:
        parts += [text[at:start], new]
        at = end
    return "".join((*parts, text[at:]))


def _edges(findings: Iterable[Finding]) -> Edges:
    return {change for finding in findings if finding.fix for change in finding.fix.edges}


def _objection(path: str, old: str, new: str, findings: Sequence[Finding], around: Around) -> str | None:
    """Why these fixes may not be made, if so."""
    if old == new:
        return "it would change nothing"
    change = change_of(path, old, new)
    try:
        _rule(_edges(findings)).check(change, around, (change,))
    except EdgesLost as error:
        return error.what
    return None


def _key(finding: Finding, text: str) -> tuple[str, ...]:
    """What tells a fix from others though places move."""
    replacements = finding.fix.replacements if finding.fix else ()
    words = (word for each in replacements for word in (text[each.start : each.end], each.text))
    return finding.path, finding.code, *words
