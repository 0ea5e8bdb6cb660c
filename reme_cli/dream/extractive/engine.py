"""The engine without a model: it ranks, groups and quotes what the notes say, and writes no sentence of its own.

Deterministic: the same notes give the same units, the same digest notes and the same topics, byte for byte.
`docs/extractive-engine.md` explains each step for a user.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from reme_cli.dream.extractive import sections
from reme_cli.dream.extractive.bucket import bucket_of
from reme_cli.dream.extractive.composition import body_of, extended_note, new_note
from reme_cli.dream.extractive.grouping import (
    MAX_JOINED,
    Group,
    Ranked,
    chosen_lines,
    group,
    is_repeated,
    rank,
)
from reme_cli.dream.extractive.naming import description_of, name_of
from reme_cli.dream.extractive.quotation import MARKER, STEP, essence, occurs, quoted
from reme_cli.dream.extractive.recurrence import recurring_topics
from reme_cli.dream.extractive.salience import Background, Gist, background_of, gist_of, phrases, terms
from reme_cli.dream.extractive.similarity import RELATED, SAME, Profile, profile_of, similarity
from reme_cli.dream.page import own_text
from reme_cli.dream.unit import Extraction, Input, Proposal, Quote, Source, Topic, Unit, new_unit
from reme_cli.errors import NoteError
from reme_cli.vault.paths import fold, slugify, stem_of
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from reme_cli.dream.engine import Assignment, Desk, TopicRound
    from reme_cli.dream.extractive.sections import Line, Passage
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.stamp import Stamp

MAX_BACKGROUND: Final = 120
"""How many of the latest earlier daily notes a day is weighed against."""
COMMON_SHARE: Final = 0.5
"""A heading of more than this share of the background's days, and of `COMMON_DAYS` at least, is a template's."""
COMMON_DAYS: Final = 3
MAX_ADDED: Final = 3
"""Sentences that one corroboration adds; the rest stays in the source, which is cited."""
FULL: Final = 6_000
"""Characters of a digest note's body from which corroboration adds its source only."""
MAX_COMPARED: Final = 400
"""So many of a day's passages are compared with each other, the best first; a note of megabytes has thousands."""
MAX_RELATED: Final = 3
MAX_KEYWORDS: Final = 6
TOPIC_CANDIDATES: Final = 12


@dataclass(slots=True)
class ExtractiveEngine:
    """Reads by counting. `daily_notes` are all daily notes as (day, path), `read` gives one of them.

    Earlier notes are read once for all days of a run.
    """

    daily_notes: Sequence[tuple[str, str]]
    read: Callable[[str], Note]
    name: str = "extractive"
    parallel: int = 1
    max_input_tokens: int | None = None
    _known: dict[str, _Reading] = field(default_factory=dict)
    _seen: dict[Stamp, tuple[Profile, ...]] = field(default_factory=dict)

    def extract(self, inputs: Sequence[Input], assignment: Assignment) -> Extraction:
        """At most `assignment.max_units` units and the topic candidates of these inputs, best first."""
        today = assignment.date.isoformat()
        own_paths = {one.path for one in inputs}
        earlier = self._background(today, own_paths)
        is_common = _common_headings(earlier, inputs, today)
        found = [passage for one in inputs for passage in _new_passages(one, is_common)]
        own = {
            passage: gist_of(today, passage.heading, [line.text for line in passage.lines])
            for passage in found
        }
        background = background_of([*(gist for reading in earlier for gist in reading.gists), *own.values()])
        ranked = rank(found, background, lambda passage: name_of(passage, background), assignment.hint)
        groups = group(ranked[:MAX_COMPARED], background)[: assignment.max_units]
        by_path = {one.path: one for one in inputs}
        units = [_unit(one, by_path, background, assignment.buckets, assignment.names) for one in groups]
        told = found if len(found) <= MAX_COMPARED else [one.passage for one in ranked[:MAX_COMPARED]]
        gists = [own[passage] for passage in told]
        topics = recurring_topics(told, gists, background, today, TOPIC_CANDIDATES)
        return Extraction(tuple(units), topics)

    def propose(self, unit: Unit, desk: Desk) -> Proposal:
        """The digest note most alike with this unit's quotes and sources added, or a new one where none is alike enough."""
        profile = profile_of(unit.name, "\n".join(quote.text for quote in unit.quotes))
        alike = self._alike(profile, desk)
        if alike and alike[0].likeness >= SAME:
            return _corroborated(unit, alike[0].note, desk.names)
        related = [(one.note.path, one.note.name) for one in alike if one.likeness >= RELATED][:MAX_RELATED]
        path = _free_path(f"{desk.digest}/{unit.bucket}", unit.name, desk.names)
        text = new_note(unit.name, unit.summary, _settled(unit, desk.names), related, unit.paths)
        return Proposal("CREATE", path, text)

    def select_topics(self, candidates: Sequence[Topic], around: TopicRound) -> tuple[Topic, ...]:
        """The candidates that rest on most notes, in the order given where that is equal."""
        return tuple(sorted(candidates, key=lambda topic: -len(topic.paths)))[: max(around.count, 0)]

    def _alike(self, profile: Profile, desk: Desk) -> list[_Alike]:
        """The digest notes of the recall with how alike they are, the most alike first."""
        found = []
        for hit in desk.recall:
            try:
                note = desk.read(hit.path)
            except NoteError:
                continue  # gone or broken since the search: nothing to be alike to
            if note.stamp not in self._seen:
                self._seen[note.stamp] = _profiles(note)
            likeness = max(similarity(profile, other) for other in self._seen[note.stamp])
            found.append(_Alike(note, likeness))
        return sorted(found, key=lambda one: (-one.likeness, one.note.path))

    def _background(self, today: str, own: Collection[str]) -> list[_Reading]:
        """The latest daily notes before `today` that are no inputs and say something, oldest first.

        A page that reme made holds its block only. Were it counted, it would matter whether a run was resumed.
        """
        earlier = sorted((day, path) for day, path in self.daily_notes if day < today and path not in own)
        readings = (self._reading(path, day) for day, path in reversed(earlier))
        return list(islice((reading for reading in readings if reading.gists), MAX_BACKGROUND))[::-1]

    def _reading(self, path: str, day: str) -> _Reading:
        if path not in self._known:
            try:
                text = own_text(self.read(path).text)
            except NoteError:
                text = ""  # an unreadable note is no background; as an input it is reported where it is read
            found = sections.passages(path, text)
            gists = tuple(
                gist_of(day, passage.heading, [line.text for line in passage.lines]) for passage in found
            )
            self._known[path] = _Reading(day, sections.headings(text), gists)
        return self._known[path]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is kept of a background note."""

    day: str
    headings: tuple[str, ...]
    gists: tuple[Gist, ...]


@dataclass(frozen=True, slots=True)
class _Alike:
    note: Note
    likeness: float


def _common_headings(
    earlier: Sequence[_Reading], inputs: Iterable[Input], today: str
) -> Callable[[str], bool]:
    """Tells of a folded heading whether it stands over something else every day."""
    days: dict[str, set[str]] = {}
    for reading in earlier:
        for heading in reading.headings:
            days.setdefault(heading, set()).add(reading.day)
    for one in inputs:
        for heading in sections.headings(one.text):
            days.setdefault(heading, set()).add(today)
    total = len({reading.day for reading in earlier}) + 1

    def is_common(folded: str) -> bool:
        count = len(days.get(folded, ()))
        return count >= COMMON_DAYS and count > COMMON_SHARE * total

    return is_common


@dataclass(slots=True)
class _Source:
    """A text in which lines are looked for in their order: each from the last one on, and only then from the beginning."""

    text: str
    _place: int = 0

    def holds(self, line: str) -> bool:
        """Whether the line stands in the text word for word."""
        at = self.text.find(line, self._place)
        # lines under a heading that is come back to stand before the last one
        at = self.text.find(line) if at < 0 else at
        self._place = max(at, self._place)
        return at >= 0


def _new_passages(one: Input, is_common: Callable[[str], bool]) -> list[Passage]:
    """The passages of an input: the lines that its source holds word for word and did not hold at the last dream."""
    source = _Source(essence(one.text))
    before = _Source(essence(one.previous) if one.previous is not None else "")
    found = []
    for passage in sections.passages(one.path, one.text, is_common):
        lines = []
        for line in passage.lines:
            text = essence(line.text)
            if source.holds(text) and not before.holds(text):
                lines.append(line)
        if lines:
            found.append(replace(passage, lines=tuple(lines)))
    return found


def _unit(
    one: Group, inputs: dict[str, Input], background: Background, buckets: Collection[str], names: Names
) -> Unit:
    founder = one.founder.passage
    lines = chosen_lines(founder, background)
    quotes = list(_quotes(lines, founder.path, names))
    said = [line.text for line in lines]
    for other in one.others:
        new = (
            line for line in other.passage.lines if line.shape == "prose" and not is_repeated(line.text, said)
        )
        more = list(islice(new, MAX_JOINED))
        said += [line.text for line in more]
        quotes += _quotes(more, other.passage.path, names)
    sources = [
        Source(path, inputs[path].stamp) for path in dict.fromkeys(passage.path for passage in one.passages)
    ]
    return new_unit(
        one.founder.name,
        bucket_of(founder, buckets),
        description_of(one.founder.name, lines, background),
        sources,
        keywords=_keywords(one.founder, background),
        quotes=quotes,
    )


def _quotes(lines: Iterable[Line], path: str, names: Names) -> Iterable[Quote]:
    """Lines as they are to stand in a digest note, list items with their markers."""
    step = 0
    for line in lines:
        text = quoted(line.text, path, names)
        if line.shape == "step":
            step += 1
            text = f"{step}. {text}"
        elif line.shape == "item":
            text = f"- {text}"
        yield Quote(text, path)


def _keywords(ranked: Ranked, background: Background) -> tuple[str, ...]:
    """The weightiest phrases of a passage, as it writes them."""
    shown = [phrase.shown for line in ranked.passage.lines for phrase in phrases(line.text)]
    counts = Counter(shown)
    weight = {text: background.salience(terms(text)) * counts[text] for text in counts}
    return tuple(sorted(counts, key=lambda text: (-weight[text], text))[:MAX_KEYWORDS])


def _profiles(note: Note) -> tuple[Profile, ...]:
    """What a digest note is compared by: its body under its name and under each alias."""
    body = f"{note.description}\n{body_of(note.text)}"
    return tuple(profile_of(name, body) for name in (note.name, *note.aliases))


def _corroborated(unit: Unit, note: Note, names: Names) -> Proposal:
    """The note with what the unit says beyond it, and with the sources that it does not cite yet."""
    cited = {names.resolve(link, note.path).path for link in scan(note.text).links}
    sources = [path for path in unit.paths if path not in cited]
    body = body_of(note.text)
    said = [MARKER.sub("", line) for line in body.splitlines() if line.strip()]
    known = essence(note.text)
    added: list[str] = []
    for text in _settled(unit, names) if len(body) < FULL else []:
        # A step means something in its own list only; beside other steps it would continue them.
        is_said = (
            STEP.match(text) or occurs(text, known) or is_repeated(MARKER.sub("", text), [*said, *added])
        )
        if not is_said and len(added) < MAX_ADDED:
            added.append(text)
    if not added and not sources:
        return Proposal("SKIP", note.path, note.text, note.stamp)
    return Proposal("CORROBORATE", note.path, extended_note(note.text, added, sources), note.stamp)


def _settled(unit: Unit, names: Names) -> list[str]:
    """The unit's quotes; a link whose note has gone since the extraction becomes its text."""
    return [quoted(quote.text, quote.path, names) for quote in unit.quotes]


def _free_path(folder: str, name: str, names: Names) -> str:
    """A path for a new note whose file name no other note has, so that no short link changes its meaning: `-2`, `-3`, … are tried in turn."""
    taken = {fold(stem_of(path)) for path in names.notes}
    slug = slugify(name)
    number = 1
    while fold(candidate := slug if number == 1 else f"{slug}-{number}") in taken:
        number += 1
    return f"{folder}/{candidate}.md"
