"""`maintain split`: an overloaded note of the digest becomes an overview in place, and new notes beside it.

    plan    a model judges and writes, or the note's own headings divide it
    check   `split_checks`, and the rules of the writer; a model may mend its plan once
    write   one change set: the parts are made first, then the parent is swapped

Nothing is written of a split that does not hold. A conflict throws the plan away.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.difference import unified_diff
from reme_cli.changeset.edit import Edit
from reme_cli.digest.note import with_sources
from reme_cli.errors import AlreadyExists, Conflict, ModelError, ModelReplyUnusable, NoteError, Refused
from reme_cli.graph.conservation import E2, Create
from reme_cli.lint.anchors import Anchors
from reme_cli.maintain.division import divide
from reme_cli.maintain.judgement import remember, remembered
from reme_cli.maintain.queue import queue_follow_ups
from reme_cli.maintain.signals import overload
from reme_cli.maintain.split_checks import Checked, check
from reme_cli.maintain.split_draft import Problem, composed, placed, sources_of
from reme_cli.vault.stamp import ABSENT
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from reme_cli.changeset.run import Run
    from reme_cli.index.index import Index
    from reme_cli.llm.ledger import Ledger, Spent
    from reme_cli.maintain.judgement import Cluster
    from reme_cli.maintain.queue import JobKind
    from reme_cli.maintain.split_draft import Draft, Split
    from reme_cli.maintain.split_model import ModelSplitter
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

Engine = Literal["llm", "extractive"]
Status = Literal["split", "kept", "refused", "undivided"]
"""`undivided`: it may hold several topics, but only a model could take it apart."""

_LINKS: Final[tuple[JobKind, ...]] = ("L1",)
NEEDS_MODEL: Final = "a model is needed"


class SplitOptions(NamedTuple):
    """How notes are split."""

    engine: Engine = "llm"
    force: bool = False
    """Whether a note may be short, or held for one topic; the checks are the same."""
    dry_run: bool = False


class Stranded(NamedTuple):
    """A link to a place in the parent that is not there any more."""

    source: str
    line: int
    col: int
    link: str
    now: str | None
    """The part that has the place."""


class Outcome(NamedTuple):
    """What became of one note."""

    path: str
    status: Status
    what: str
    split: Split | None = None
    """What was written, or would be; where it was refused, the plan."""
    coverage: float | None = None
    stranded: tuple[Stranded, ...] = ()

    def diff(self) -> str:
        """What would be written."""
        if self.split is None or self.status != "split":
            return ""
        parent = self.split.parent
        return unified_diff(parent.path, parent.text, self.split.overview) + "".join(
            unified_diff(part.path, None, part.text) for part in self.split.parts
        )


@dataclass(slots=True)
class SplitReport:
    """What became of each note, in order."""

    outcomes: list[Outcome] = field(default_factory=list)
    stopped: ModelError | None = None
    """Why the notes after the last outcome were not tried."""
    spent: Spent | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The paths of the new notes."""
        return tuple(
            part.path
            for outcome in self.outcomes
            if outcome.status == "split" and outcome.split is not None
            for part in outcome.split.parts
        )

    @property
    def exit_code(self) -> int:
        """0 where every note was split or is well as it is."""
        if self.stopped is not None:
            return self.stopped.exit_code
        found = {outcome.status for outcome in self.outcomes}
        if "refused" in found:
            return Refused.exit_code
        return ModelError.exit_code if "undivided" in found else 0


def overloaded(vault: Vault, index: Index) -> tuple[str, ...]:
    """The notes of the digest that are over the threshold, sorted."""
    found = []
    for indexed in index.notes("digest"):
        try:
            if overload(vault, vault.read(indexed.path)) is not None:
                found.append(indexed.path)
        except NoteError:
            continue  # lint tells of it
    return tuple(sorted(found))


def split_notes(
    vault: Vault,
    index: Index,
    paths: Iterable[str],
    options: SplitOptions,
    run: Run,
    *,
    splitter: ModelSplitter | None = None,
    env: Mapping[str, str] | None = None,
    progress: Callable[[str, int, int], object] = lambda _what, _done, _total: None,
) -> SplitReport:
    """Splits these notes of the digest, one after the other; what it makes is not split again.

    The parts are queued to be linked. `splitter` is a model that is at work already; without one, the key of the configured one is
    taken from `env`, or else from the process's environment. Raises
    `ModelNotConfigured`, `NoteNotFound`, `Refused` for a note outside the digest, `Busy`, `VaultUnwritable`.
    """
    wanted = tuple(dict.fromkeys(paths))
    for path in wanted:
        if vault.layer(vault.read(path).path) != "digest":
            raise Refused("only notes of the digest are split", where=path)
    ledger = None
    if options.engine == "llm" and splitter is None:
        # pydantic and what asks a model are only imported where one is asked
        from reme_cli.llm.ledger import Ledger

        ledger = Ledger(vault.config.llm.budget)
        splitter = model_splitter(vault, ledger, env)
    report = SplitReport()
    work = _Work(vault, index, options, run, splitter)
    for number, path in enumerate(wanted):
        progress(path, number, len(wanted))
        try:
            report.outcomes.append(work.split(path))
        except ModelError as error:
            report.stopped = error
            break
    report.spent = None if ledger is None else ledger.spent
    return report


def model_splitter(vault: Vault, ledger: Ledger, env: Mapping[str, str] | None = None) -> ModelSplitter:
    """The configured model, to split notes with. Raises `ModelNotConfigured`."""
    from reme_cli.llm.client import Model
    from reme_cli.maintain.split_model import ModelSplitter

    return ModelSplitter(vault, Model.connect(vault.config.llm, ledger, env))


class _Work:
    """Splits one note after the other."""

    def __init__(
        self, vault: Vault, index: Index, options: SplitOptions, run: Run, model: ModelSplitter | None
    ) -> None:
        self._vault = vault
        self._index = index
        self._options = options
        self._run = run
        self._model = model

    def split(self, path: str) -> Outcome:
        """What becomes of a note; planned anew where somebody else writes in between. Raises `ModelError`."""
        for _ in range(REDOS + 1):
            try:
                note = self._vault.read(path)
            except NoteError as error:
                return Outcome(path, "refused", error.one_line)
            try:
                return self._attempt(note)
            except (Conflict, AlreadyExists):
                self._index.refresh()
            except ModelReplyUnusable as error:
                return self._refused(note, (Problem("reply", error.what),))
            except Refused as error:  # the writer has audited it
                return Outcome(path, "refused", error.one_line)
        reason = f"still changing after {REDOS} redos"
        if not self._options.dry_run:
            self._run.record(path, "skipped", reason=reason)
        return Outcome(path, "refused", reason)

    def _attempt(self, note: Note) -> Outcome:
        limit = self._vault.config.maintain.overload_tokens
        tokens = estimate_tokens(note.text)
        if tokens <= limit and not self._options.force:
            return Outcome(note.path, "kept", f"about {tokens} tokens, not more than {limit}")
        if self._model is None:
            draft = divide(self._vault, note, self._index.names())
            if draft is None:
                what = f"its headings do not part it into long sections about different things: {NEEDS_MODEL}"
                return Outcome(note.path, "undivided", what)
            split, checked = self._checked(note, draft)
            if split is None or checked.problems:
                refused = self._refused(note, checked.problems, split, checked)
                return refused._replace(status="undivided", what=f"{refused.what}: {NEEDS_MODEL}")
            return self._landed(split, checked)
        clusters = self._clusters(note, self._model)
        if clusters is None:
            return Outcome(note.path, "kept", "the model sees one topic")
        return self._asked(note, clusters, self._model)

    def _clusters(self, note: Note, model: ModelSplitter) -> Sequence[Cluster] | None:
        """The topics of a note, as the model judged; `None` where it sees one. Nothing is asked with `force`."""
        judgement = remembered(self._vault, note)
        if self._options.force:
            return judgement.clusters if judgement is not None else ()
        if judgement is None:
            judgement = model.judge(note)
            remember(self._vault, note, judgement)  # in a dry run, too: it is paid for
        # in doubt, a note stays whole
        return judgement.clusters if judgement.is_overloaded and len(judgement.clusters) > 1 else None

    def _asked(self, note: Note, clusters: Sequence[Cluster], model: ModelSplitter) -> Outcome:
        anchors = self._anchors(note)
        draft = model.draft(note, clusters, anchors)
        if not draft.parts:
            return Outcome(note.path, "kept", "the model leaves it whole")
        split, checked = self._checked(note, draft)
        if checked.problems:
            draft = model.draft(note, clusters, anchors, (draft, checked.problems))
            split, checked = self._checked(note, draft)
        if split is None or checked.problems:
            return self._refused(note, checked.problems, split, checked)
        return self._landed(split, checked)

    def _checked(self, note: Note, draft: Draft) -> tuple[Split | None, Checked]:
        """The split as it would be written, and what is wrong with it."""
        self._index.refresh()
        names = self._index.names()
        paths, problems = placed(self._vault, draft, names)
        if problems:
            return None, Checked(tuple(problems), None)
        split = composed(self._vault, note, draft, paths, names)
        checked = check(split)
        if checked.problems:
            return split, checked
        split = _with_a_source(split)
        try:
            self._change(split).check()
        except (Conflict, AlreadyExists):
            raise
        except Refused as error:
            return split, checked._replace(problems=(Problem("writer", error.one_line),))
        return split, checked

    def _landed(self, split: Split, checked: Checked) -> Outcome:
        stranded = tuple(_stranded(split, self._index))
        if not self._options.dry_run:
            self._change(split).apply()
            parts = [part.path for part in split.parts]
            self._index.update([split.parent.path, *parts])
            queue_follow_ups(self._vault, parts, self._run.id, _LINKS)
        ratio = checked.coverage.ratio if checked.coverage is not None else None
        return Outcome(split.parent.path, "split", f"{len(split.parts)} parts", split, ratio, stranded)

    def _change(self, split: Split) -> ChangeSet:
        parent = split.parent
        edits = [Edit(parent.path, split.overview, parent.stamp, E2(), note=f"{len(split.parts)} parts")]
        edits += [Edit(part.path, part.text, ABSENT, Create(part_of=parent.path)) for part in split.parts]
        return ChangeSet(
            self._vault, self._run, edits, names=self._index.names(), inbound=self._index.inbound
        )

    def _refused(
        self,
        note: Note,
        problems: Sequence[Problem],
        split: Split | None = None,
        checked: Checked | None = None,
    ) -> Outcome:
        what = "; ".join(f"{problem.check}: {problem.what}" for problem in problems)
        if not self._options.dry_run:
            edges = tuple(edge for problem in problems for edge in problem.edges)
            self._run.record(
                note.path, "refused", before=note.stamp, edges_dropped=edges, reason=f"split: {what}"
            )
        found = checked.coverage if checked is not None else None
        return Outcome(note.path, "refused", what, split, None if found is None else found.ratio)

    def _anchors(self, note: Note) -> tuple[str, ...]:
        """The places in a note that others link to."""
        found = (each.link.anchor for each in self._index.links_to(note.path) if each.source != note.path)
        return tuple(dict.fromkeys(anchor for anchor in found if anchor))


def _with_a_source(split: Split) -> Split:
    """The split with an overview that rests on the sources of the note, where the plan left it none."""
    vault, parent = split.vault, split.parent
    sources = sources_of(vault, parent.path, parent.text, split.before)
    if not sources or sources_of(vault, parent.path, split.overview, split.after):
        return split
    return split._replace(overview=with_sources(split.overview, sources))


def _stranded(split: Split, index: Index) -> Iterator[Stranded]:
    """The links to places in the parent that are not in it any more; its own are those of its new text and of the parts."""
    parent = split.parent
    before = _anchors_of(parent.path, parent.text)
    texts = {parent.path: split.overview, **{part.path: part.text for part in split.parts}}
    now = {path: _anchors_of(path, text) for path, text in texts.items()}
    links = [
        (found.source, parent.path, found.link)
        for found in index.links_to(parent.path)
        if found.source != parent.path
    ]
    links += [
        (path, path, link) for path, text in texts.items() for link in scan(text).links if not link.target
    ]
    for source, place, link in links:
        if link.anchor and before.missing(link.anchor) is None and now[place].missing(link.anchor):
            holder = next((path for path, each in now.items() if each.missing(link.anchor) is None), None)
            yield Stranded(source, link.line, link.col, f"[[{link.target}#{link.anchor}]]", holder)


def _anchors_of(path: str, text: str) -> Anchors:
    headings = [(heading.level, heading.text) for heading in scan(text).headings]
    return Anchors(path, headings, lambda: text)
