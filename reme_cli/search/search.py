"""Looking for notes by words, by meaning where there is a model for it, and by the links around what is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import NoteError, Refused
from reme_cli.index.fulltext import Filter, Query, admitted, contents
from reme_cli.index.nearby import Surroundings, names_of
from reme_cli.search.flag import flags_of
from reme_cli.search.hit import Hit, NodeHit
from reme_cli.search.query import loosened, parse_query, query_terms, spoken
from reme_cli.search.repeat import Statement
from reme_cli.search.score import Mix, Parts, fused, mixed, relevance
from reme_cli.search.snippet import NOTHING, best_snippet
from reme_cli.search.spread import spread
from reme_cli.search.words import WEIGHTS, Evidence, Scale, bm25, named, said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reme_cli.index.fulltext import Matches
    from reme_cli.index.index import Index
    from reme_cli.index.rows import Candidate
    from reme_cli.search.semantic import Similar
    from reme_cli.search.snippet import Snippet

POOL: Final = 50
"""Notes whose words are looked at one by one, unless more are asked for."""
NEAREST: Final = 50
"""Notes that the embedding model is asked for."""
STARTS: Final = 3
"""Hits from which the links are followed."""

_DIGEST_ONLY: Final = Filter("layer", ("digest",))
_NOTHING: Final = Evidence(0.0, 0.0)


class Ranked(NamedTuple):
    """A note with its score."""

    note: Candidate
    parts: Parts
    passage: int | None
    """Of the passage that is nearest by the embedding model, its number."""


def search(index: Index, query: str, *, limit: int = 10, filters: Iterable[Filter] = ()) -> list[Hit]:
    """The notes that answer a query best, best first, each with its best passage. Equal scores are ordered by path.

    `filters` are conditions beside those in the query. Every query is a right one. Of notes whose passages say the same the
    best one stands for all, and is flagged with the others.
    """
    wanted = parse_query(query).where(filters)
    ranking = ranked(index, query, wanted, limit, mix_of(index))
    if not ranking and (loose := loosened(wanted)):
        wanted = loose
        ranking = ranked(index, query, wanted, limit, mix_of(index))
    terms = frozenset((*wanted.terms, *(token for phrase in wanted.phrases for token in phrase)))
    shown = _shown(index, ranking, terms, limit)
    flags = flags_of(index, {one.note.id: one.note.path for one, _, _ in shown})
    return [
        Hit(
            path=one.note.path,
            name=one.note.name,
            description=one.note.description,
            score=one.parts.score,
            line=snippet.line,
            heading=snippet.heading,
            snippet=snippet.text,
            marks=snippet.marks,
            layer=one.note.layer,
            flags=(*flags.get(one.note.path, ()), *(f"same passage in {path}" for path in repeats)),
            parts=one.parts._asdict(),
        )
        for one, snippet, repeats in shown
    ]


def node_search(index: Index, query: str, limit: int = 20) -> list[NodeHit]:
    """The digest notes that share most with a text of any length, best first: one row per note, equal scores by path.

    The text is taken literally: it may be a unit's whole summary. Notes written in this run are seen after `Index.update`.
    """
    wanted = Query(terms=query_terms(query), filters=(_DIGEST_ONLY,))
    if not wanted.terms:
        return []
    matches = index.matches(wanted, WEIGHTS, limit)
    hits = [
        NodeHit(note.path, note.name, note.description, evidence.bm25)
        for note, evidence in _words(index, matches, query).items()
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.path))[:limit]


def mix_of(index: Index) -> Mix:
    """How the vault's configuration mixes scores."""
    settings = index.vault.config.search
    return Mix(settings.layers, settings.alpha, settings.damping, settings.centrality)


def ranked(index: Index, text: str, wanted: Query, limit: int, mix: Mix) -> list[Ranked]:
    """All notes that are found by their words, by meaning or by links, best first; `text` is the query as it is written."""
    matches = index.matches(wanted, WEIGHTS, max(limit, POOL))
    found = _words(index, matches, text)
    notes = {note.id: note for note in found}
    words = {note.id: evidence for note, evidence in found.items()}
    scores = relevance(words, mix)
    similar: dict[int, Similar] = {}
    links: dict[int, float] = {}
    inbound: dict[int, int] = {}
    around = Surroundings(index)
    # without words there is nothing to be near to, and what lacks a phrase is not wanted, whatever is near to it
    is_open = bool(wanted.terms) and not wanted.phrases
    if is_open and index.vault.config.embedding.model:
        similar = _similar(index, spoken(text), wanted, notes)
        scores = fused([_order(scores, notes), list(similar)]) if similar else scores
    if matches.frequency or similar:
        inbound = around.source_counts(notes)
        base = {note: score * mix.layer(notes[note].layer) for note, score in scores.items()}
        starts = {note: base[note] for note in _order(base, notes)[:STARTS] if base[note] > 0}
        links = spread(around, starts, mix.damping) if mix.alpha < 1 else {}
    if is_open:
        new = [note for note in links if note not in notes]
        notes |= {one.id: one for one in index.read(lambda connection: admitted(connection, wanted, new))}
        inbound |= around.source_counts(new)
    ranking = []
    for number, note in notes.items():
        near = similar.get(number)
        parts = mixed(
            words.get(number, _NOTHING),
            near.cosine if near else 0.0,
            scores.get(number, 0.0),
            links.get(number, 0.0) if links else None,
            inbound.get(number, 0),
            note.layer,
            mix,
        )
        ranking.append(Ranked(note, parts, near.passage if near else None))
    return sorted(ranking, key=lambda one: (-one.parts.score, one.note.path))


def _order(scores: Mapping[int, float], notes: Mapping[int, Candidate]) -> list[int]:
    return sorted(scores, key=lambda note: (-scores[note], notes[note].path))


def _words(index: Index, matches: Matches, text: str) -> dict[Candidate, Evidence]:
    """What their words say for the notes that match best, and for all that the query names."""
    if not matches.frequency:
        return dict.fromkeys(matches.candidates, _NOTHING)
    scale = Scale.of(matches)
    said = said_in(spoken(text))
    notes = {note.id: note for note in (*matches.called, *matches.candidates)}
    names = names_of(index, notes)
    telling = {number: named(names[number], said, scale) for number in notes}
    best = {note.id for note in matches.candidates}
    wanted = [number for number in notes if number in best or telling[number]]
    found = index.read(lambda connection: contents(connection, wanted))
    return {notes[number]: Evidence(bm25(fields, scale), telling[number]) for number, fields in found.items()}


def _similar(index: Index, text: str, wanted: Query, notes: dict[int, Candidate]) -> dict[int, Similar]:
    """The notes that an embedding model finds nearest, nearest first; those that have none of the words are added to `notes`."""
    # here, since it brings the model's client along
    from reme_cli.search.semantic import semantic_candidates

    allowed = None
    if wanted.filters or wanted.excluded:
        passing = index.read(lambda connection: admitted(connection, wanted))
        allowed = {note.path for note in passing}
    near = semantic_candidates(index, text, NEAREST, allowed=allowed) or []
    rows = index.read(lambda connection: admitted(connection, wanted, [one.path for one in near]))
    numbers = {row.path: row.id for row in rows}
    notes |= {row.id: row for row in rows if row.id not in notes}
    return {numbers[one.path]: one for one in near if one.path in numbers}


def _shown(
    index: Index, ranking: Sequence[Ranked], terms: frozenset[str], limit: int
) -> list[tuple[Ranked, Snippet, list[str]]]:
    """The first notes that do not repeat one another, each with its snippet and the paths of those that repeat it."""
    shown: list[tuple[Ranked, Snippet, list[str]]] = []
    statements: list[tuple[Statement, int]] = []
    for one in ranking:
        if len(shown) == limit:
            break
        snippet, statement = _told(index, one, terms)
        same = next((at for other, at in statements if statement and statement.repeats(other)), None)
        if same is not None:
            shown[same][2].append(one.note.path)
            continue
        if statement:
            statements.append((statement, len(shown)))
        shown.append((one, snippet, []))
    return shown


def _told(index: Index, one: Ranked, terms: frozenset[str]) -> tuple[Snippet, Statement | None]:
    """What is shown of a note, and what the passage says that it is taken from."""
    path = one.note.path
    try:
        note = index.vault.read(path)
    except (NoteError, Refused):  # gone or spoiled since the refresh; it is a hit all the same
        return NOTHING, None
    row = index.note(path)
    if row is not None and row.stamp == note.stamp:
        passages = index.passages(path)
    else:
        from reme_cli.index.document import passages_of  # here, since it brings the scanner along

        passages = passages_of(note.text)
    snippet = best_snippet(note.text, passages, terms, one.passage)
    return snippet, snippet.passage and Statement.of(note.text, snippet.passage, terms)
