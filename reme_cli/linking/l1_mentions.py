"""L1: mentions of notes in running text become links to them.

with start_run(vault, "auto_link l1") as run:
    report = link_mentions(vault, index, None, LinkOptions(), run)
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.difference import diff_in_lines
from reme_cli.changeset.edit import Edit
from reme_cli.errors import EdgesLost, NoteError, PathRefused
from reme_cli.graph.conservation import Additive
from reme_cli.linking.decision import Candidate, Decision, candidates_in, decide, leave, wanted_in
from reme_cli.linking.forked import mapped
from reme_cli.linking.hearing import Hearing
from reme_cli.linking.refusal import may_be_refused, refused_among
from reme_cli.linking.report import L1Report, Left
from reme_cli.linking.scope import scope_of
from reme_cli.linking.survey import Survey
from reme_cli.lint.collector import paused_collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.linking.decision import PlainCandidate, Which
    from reme_cli.linking.placing import Place
    from reme_cli.linking.reading import Reading
    from reme_cli.linking.weights import Threshold
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

_BATCH: Final = 64
"""Notes that are written by one change set: bounds what is in memory, and what waits for the vault's lock."""
MOST_INBOUND: Final = 20
"""Notes in which the mentions of one note are linked when it was written."""


Look: TypeAlias = "tuple[Note | None, list[PlainCandidate]]"
"""What was found in a note before it is its turn, with the note as it was then; `None` for one that had nothing to look for."""
Looks: TypeAlias = "Mapping[str, Look | None]"
"""By the path of each note that it is the turn of; `None` where nothing was found before."""


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """How mentions are linked."""

    threshold: Threshold = "balanced"
    mentions: Which = "first"
    dry_run: bool = False
    use_model: bool = False
    """Whether the model of `llm.model` decides what is unsure, and finds what no name gives away."""
    only_to: str | None = None
    """The one note that links may lead to."""
    unwanted: frozenset[tuple[str, str]] = frozenset()
    """Note and target of links that are not made."""


def link_mentions(
    vault: Vault,
    index: Index,
    paths: Iterable[str] | None,
    options: LinkOptions,
    run: Run,
    *,
    env: Mapping[str, str] | None = None,
    survey: Survey | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> L1Report:
    """Links the mentions in these notes, or in all that L1 works on, and tells what was linked and what not.

    What it writes belongs to `run`; the model's keys are taken from `env`, or else from the process's environment. Where the
    model gives out, the rest is done without it. `survey` is one that was made or renewed since these notes changed. Raises
    `ModelNotConfigured`, `Busy`, `VaultUnwritable`.
    """
    report = L1Report(dry_run=options.dry_run, run="" if options.dry_run else run.id)
    # what a dry run makes stays, nearly all of it; writing and a model leave much that only the collector frees
    is_kept = options.dry_run and not options.use_model
    with paused_collector() if is_kept else nullcontext():
        survey = survey or Survey(vault, index)
        hearing = Hearing(survey, env) if options.use_model else None
        sources, left_out = sources_among(survey, paths)
        report.left += left_out
        with mapped(partial(_look, survey), sources) as looks:
            for at in range(0, len(sources), _BATCH):
                progress(at, len(sources))
                batch = sources[at : at + _BATCH]
                _link_batch(survey, dict(zip(batch, looks, strict=False)), options, run, report, hearing)
    report.looked_at = len(sources)
    if hearing is not None:
        report.asking = hearing.asking
    report.settle()
    return report


def link_both_ways(
    vault: Vault,
    index: Index,
    path: str,
    options: LinkOptions,
    run: Run,
    *,
    survey: Survey | None = None,
    most: int = MOST_INBOUND,
) -> L1Report:
    """Links what a note mentions, and where others mention it: in so many of them at most, those changed last first.

    Without a model. `survey` is one that was made since the note came or changed; making it reads the whole vault. Raises what
    `link_mentions` does.
    """
    survey = survey or Survey(vault, index)
    report = L1Report(dry_run=options.dry_run, run="" if options.dry_run else run.id)
    sources, report.left = sources_among(survey, [path])
    _link_batch(survey, dict.fromkeys(sources), options, run, report, None)
    others, _ = sources_among(survey, _mentioning(survey, path, most))
    _link_batch(survey, dict.fromkeys(others), replace(options, only_to=path), run, report, None)
    report.looked_at = len(sources) + len(others)
    report.settle()
    return report


def _mentioning(survey: Survey, path: str, most: int) -> list[str]:
    """The notes that mention another and do not link it, those changed last first."""
    names = survey.weigher.names_of(path)
    found = [
        other
        for other, reading in survey.readings.items()
        if other != path and path not in reading.linked and not names.isdisjoint(reading.numbers())
    ]
    times = dict(
        survey.index.read(
            lambda connection: connection.execute("SELECT path, mtime_ns FROM notes").fetchall()
        )
    )
    # a time that proves nothing is that of a note which was changed just now
    return sorted(found, key=lambda other: (times[other] >= 0, -times[other], other))[:most]


def sources_among(survey: Survey, paths: Iterable[str] | None) -> tuple[list[str], list[Left]]:
    """The notes that L1 works on, in order, and which of those that were asked for it leaves, and why.

    Those of `scope_of`.
    """
    scope = scope_of(survey.vault, survey.readings, paths)
    return scope.paths, [Left(path, 0, 0, "", (), 0.0, reason) for path, reason in scope.skipped]


def _link_batch(
    survey: Survey, looks: Looks, options: LinkOptions, run: Run, report: L1Report, hearing: Hearing | None
) -> None:
    """Decides on some notes and writes them; what somebody else changed meanwhile is decided anew."""
    for attempt in range(REDOS + 1):
        decisions = {decision.note.path: decision for decision in _decisions(survey, looks, options, hearing)}
        missed = _write(survey, decisions, options, run, report)
        if not missed:
            return
        if attempt < REDOS:
            for path in missed:
                survey.renew(path)
            looks = dict.fromkeys(missed)
            continue
        for path in missed:
            report.left.append(Left(path, 0, 0, "", (), 0.0, "conflict"))
            run.record(path, "skipped", reason=f"still changing after {REDOS} redos")


def _decisions(survey: Survey, looks: Looks, options: LinkOptions, hearing: Hearing | None) -> list[Decision]:
    found = []
    for path, look in looks.items():
        if look is not None and not look[1] and hearing is None:
            continue
        note = look[0] if look is not None else None
        if look is not None and note is not None:
            # not read again: what somebody wrote since then, the change set finds
            candidates = list(map(Candidate.of, look[1]))
        else:
            reading, note = _read(survey, path)
            if reading is None or note is None:
                continue
            candidates = candidates_in(survey, reading, note, wanted_in(survey, reading))
        if options.only_to is not None:
            candidates = [each for each in candidates if each.targets == (options.only_to,)]
        if options.unwanted:
            candidates = [
                each
                for each in candidates
                if options.unwanted.isdisjoint((path, target) for target in each.targets)
            ]
        found.append(decide(note, candidates, options.threshold, options.mentions))
    judged = hearing.settle(found) if hearing else {}
    for decision, undecided in found:
        path = decision.note.path
        leave(decision, judged.get(path, undecided), judged=path in judged)
    return [decision for decision, _ in found]


def _look(survey: Survey, path: str) -> Look | None:
    """The candidates in a note that is as it was read; `None` where it is not. Only a note that may hold one is read again."""
    reading = survey.readings[path]
    wanted = wanted_in(survey, reading)
    if not wanted and path not in survey.misspelt:
        return None, []
    try:
        note = survey.vault.read(path)
    except (NoteError, PathRefused):
        return None
    if note.stamp != reading.stamp:
        return None
    return note, [candidate.plain for candidate in candidates_in(survey, reading, note, wanted)]


def _read(survey: Survey, path: str) -> tuple[Reading | None, Note | None]:
    """A note and its reading, which is made again where the note changed since; `None` where it cannot be read."""
    try:
        note = survey.vault.read(path)
        reading = survey.readings.get(path)
        if reading is None or note.stamp != reading.stamp:
            reading = survey.renew(path)
            note = survey.vault.read(path)
    except (NoteError, PathRefused):
        return None, None
    return (reading, note) if reading is not None and note.stamp == reading.stamp else (None, None)


def _write(
    survey: Survey, decisions: dict[str, Decision], options: LinkOptions, run: Run, report: L1Report
) -> list[str]:
    """Writes what was decided and reports it; gives the notes that somebody else changed meanwhile."""
    changing = {path: decision for path, decision in decisions.items() if decision.links}
    for decision in changing.values():
        if may_be_refused(decision.links):
            _thin(decision, refused_among(survey, decision.note, decision.links))
    missed: set[str] = set()
    while changing and not options.dry_run:
        edits = [
            Edit(path, decision.text, decision.note.stamp, Additive())
            for path, decision in changing.items()
            if decision.links
        ]
        changes = ChangeSet(survey.vault, run, edits, names=survey.index.names(), together=False)
        try:
            missed = {edit.path for edit in changes.apply().edits if edit.outcome != "written"}
            break
        except EdgesLost as error:
            decision = changing[error.where or ""]
            # one that is refused in what it is written among, and not here, loses all: which of them is at fault cannot be told
            _thin(decision, refused_among(survey, decision.note, decision.links) or list(decision.links))
    for path, decision in decisions.items():
        if path in missed:
            continue
        report.left += decision.left
        report.linked += decision.links.values()
        if decision.links:
            report.changed.append(path)
        if decision.links and options.dry_run:
            report.diffs.append(diff_in_lines(path, decision.note.text, decision.text))
    if not options.dry_run:
        survey.index.update(changing.keys() - missed)
    return sorted(missed)


def _thin(decision: Decision, refused: Iterable[Place]) -> None:
    """Takes links out that the note may not get."""
    for place in refused:
        link = decision.links.pop(place)
        decision.left.append(
            Left(link.path, link.line, link.col, link.mention, (link.target,), link.score, "forbidden")
        )
