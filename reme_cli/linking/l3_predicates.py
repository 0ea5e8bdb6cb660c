"""L3: a link whose own sentence states the relation gets the predicate.

with start_run(vault, "auto_link l3") as run:
    report = type_links(vault, index, None, TypingOptions(apply=True), run)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset.around import Around
from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.errors import NoteError, PathRefused
from reme_cli.graph.conservation import Change, EdgeKey, Upgrade, moved_edges
from reme_cli.linking.asking import Asking
from reme_cli.linking.predicate_markup import typable_links, with_predicates
from reme_cli.linking.scope import scope_of
from reme_cli.linking.stated import predicates_stated
from reme_cli.linking.typing_report import L3Report, Typed, Untyped
from reme_cli.vault.paths import NOTE_SUFFIX
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.linking.typing_report import By, Kept
    from reme_cli.vault.link import Scan
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

_BATCH: Final = 64
"""Notes that are read, judged and written together."""


@dataclass(frozen=True, slots=True)
class TypingOptions:
    """How links are typed."""

    apply: bool = False
    """Whether anything is written; else the report tells what would be."""
    dry_run: bool = False
    """Whether the report holds the diff of what would be written; then nothing is."""
    use_model: bool = False
    """Whether the model of `llm.model` judges the links of whose sentences the table of phrasings says nothing."""


class Step(NamedTuple):
    """One edge of a note that gets a predicate."""

    rule: Upgrade
    predicates: Mapping[int, str]
    """The one predicate, by the ordinals of the links that are typed."""
    typed: tuple[Typed, ...]
    """One for each of these links."""


class Plan:
    """The edges of one note that get predicates, one after the other, and the links that do not."""

    def __init__(self, note: Note, names: Names, around: Around) -> None:
        self.note = note
        self.found: Scan = scan(note.text)
        self.text = note.text
        """The text of the note with all steps made."""
        self.steps: list[Step] = []
        self.left: list[Untyped] = []
        self._around = around
        self._written = self.found
        """What is found in the text with all steps made."""
        self.typable = typable_links(note.text, self.found)
        """The ordinals of the links that may be typed at their place."""
        self.targets = {
            number: target
            for number, link in enumerate(self.found.links)
            if link.predicate is None
            and (target := names.resolve(link, note.path).path) is not None
            and target != note.path
            and target.endswith(NOTE_SUFFIX)
        }
        """The notes that untyped links lead to, by the ordinals of these."""

    def add(self, stated: Mapping[int, str], by: By) -> None:
        """Adds a step for each edge and predicate; links that cannot be typed so are left.

        All are tried together; where one cannot be made, they are halved until it is found, so that of thousands few are tried alone.
        """
        groups: dict[tuple[str, str], list[int]] = {}
        for number, predicate in sorted(stated.items()):
            if number in self.typable:
                groups.setdefault((self.targets[number], predicate), []).append(number)
            else:
                self.leave(number, predicate, "forbidden")
        steps = [
            self._step(target, predicate, numbers, by) for (target, predicate), numbers in groups.items()
        ]
        waiting = [steps] if steps else []
        while waiting:
            some = waiting.pop()
            if self._can_make(some):
                self.steps += some
            elif len(some) == 1:
                for number, predicate in some[0].predicates.items():
                    self.leave(number, predicate, "forbidden")
            else:
                middle = len(some) // 2
                waiting += (some[middle:], some[:middle])

    def leave(self, number: int, predicate: str, reason: Kept) -> None:
        """Notes that a link is left as it is."""
        link = self.found.links[number]
        self.left.append(
            Untyped(self.note.path, link.line, link.col, self.targets[number], predicate, reason)
        )

    def _step(self, target: str, predicate: str, numbers: Sequence[int], by: By) -> Step:
        links = [self.found.links[number] for number in numbers]
        typed = tuple(Typed(self.note.path, link.line, link.col, target, predicate, by) for link in links)
        rule = Upgrade(EdgeKey(target, None), EdgeKey(target, predicate))
        return Step(rule, dict.fromkeys(numbers, predicate), typed)

    def _can_make(self, steps: Sequence[Step]) -> bool:
        """Whether these steps are made on the text: not where a rule refuses one, or the text around a link would be read otherwise."""
        # the links are the same ones in the same order whatever is typed already
        predicates = {number: name for step in steps for number, name in step.predicates.items()}
        written = with_predicates(self.text, self._written, predicates)
        if written is None:
            return False
        text, found = written
        change = Change(self.note.path, self.text, text, self._written.links, found.links)
        _, dropped = moved_edges(change, self._around)
        if not {step.rule.old for step in steps}.issuperset(dropped):
            return False
        self.text, self._written = written
        return True


def type_links(
    vault: Vault,
    index: Index,
    paths: Iterable[str] | None,
    options: TypingOptions,
    run: Run,
    *,
    env: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> L3Report:
    """Types the links in these notes, or in all that auto_link works on, whose sentences state a relation.

    Without `options.apply` it only tells. Each edge is a change of its own, under the rule `upgrade`, with its line in the audit.
    Where the model gives out, the rest is done without it. Raises `ModelNotConfigured`, `Busy`, `VaultUnwritable`.
    """
    writes = options.apply and not options.dry_run
    report = L3Report(dry_run=options.dry_run, applied=writes, run=run.id if writes else "")
    asking = Asking(index, env) if options.use_model else None
    scope = scope_of(vault, index.stamps(), paths)
    report.left += [Untyped(path, 0, 0, "", "", reason) for path, reason in scope.skipped]
    told = {link.path for link in index.implied()}
    wanted = [path for path in scope.paths if asking is not None or path in told]
    for at in range(0, len(wanted), _BATCH):
        progress(at, len(wanted))
        batch = wanted[at : at + _BATCH]
        for attempt in range(REDOS + 1):
            plans = _plans(vault, index, batch, told, asking)
            batch = _write(vault, index, run, plans, report) if writes else _tell(vault, run, plans, report)
            if not batch:
                break
            if attempt == REDOS:
                for path in batch:
                    report.left.append(Untyped(path, 0, 0, "", "", "conflict"))
                    run.record(path, "skipped", reason=f"still changing after {REDOS} redos")
            index.update(batch)
    report.looked_at = len(scope.paths)
    report.asking = asking
    report.settle()
    return report


def _plans(
    vault: Vault, index: Index, paths: Iterable[str], told: set[str], asking: Asking | None
) -> list[Plan]:
    """What becomes of some notes."""
    names = index.names()
    around = Around(vault, names, added=(), removed=())
    plans = []
    for path in paths:
        try:
            note = vault.read(path)
        except (NoteError, PathRefused):
            continue
        plan = Plan(note, names, around)
        stated: dict[int, str] = {}
        relations = predicates_stated(vault, note, plan.found) if path in told else {}
        for number, relation in relations.items():
            if number not in plan.targets:
                continue  # it leads nowhere, or is typed already
            if relation.reason is not None:
                plan.leave(number, relation.predicate, relation.reason)
            else:
                stated[number] = relation.predicate
        plan.add(stated, "sentence")
        plans.append(plan)
    if asking is not None:
        from reme_cli.linking.predicate_judge import judge_predicates  # brings Pydantic along

        judge_predicates(vault, index, plans, asking)
    return plans


def _tell(vault: Vault, run: Run, plans: Sequence[Plan], report: L3Report) -> list[str]:
    """Reports what would be written; no note is missed by that."""
    for plan in plans:
        report.take(plan.note.path, plan.steps, plan.left)
        if plan.steps:
            edit = Edit(plan.note.path, plan.text, plan.note.stamp, plan.steps[-1].rule)
            report.diff += ChangeSet(vault, run, [edit]).diff()
    return []


def _write(vault: Vault, index: Index, run: Run, plans: Sequence[Plan], report: L3Report) -> list[str]:
    """Writes the steps of some notes, one edge of each at a time; gives the notes that somebody else changed meanwhile."""
    stamps = {plan.note.path: plan.note.stamp for plan in plans}
    texts = {plan.note.path: plan.note.text for plan in plans}
    done = dict.fromkeys(stamps, 0)
    for number in range(max((len(plan.steps) for plan in plans), default=0)):
        edits = []
        for plan in plans:
            path = plan.note.path
            if done[path] == number < len(plan.steps):
                step = plan.steps[number]
                # one that can be made with the others only is planned anew, on what is written by then
                if written := with_predicates(texts[path], scan(texts[path]), step.predicates):
                    texts[path] = written[0]
                    edits.append(Edit(path, written[0], stamps[path], step.rule, note=_told(step.rule)))
        if edits:
            applied = ChangeSet(vault, run, edits, names=index.names(), together=False).apply()
            for edit, ended in zip(edits, applied.edits, strict=True):
                if ended.outcome == "written":
                    stamps[edit.path] = ended.after
                    done[edit.path] += 1
    missed = []
    for plan in plans:
        path = plan.note.path
        is_missed = done[path] < len(plan.steps)
        # what was written before somebody else came stays; the rest is planned on the new text
        report.take(path, plan.steps[: done[path]], () if is_missed else plan.left)
        if is_missed:
            missed.append(path)
    index.update(path for path, count in done.items() if count)
    return missed


def _told(rule: Upgrade) -> str:
    """The reason in the audit, which names the edge."""
    return f"{rule.old} becomes {rule.new}"
