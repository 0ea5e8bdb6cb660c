"""Answers to questions asked in words, from the edges that notes state: `who invested in Acme`, 「谁负责网关」."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reme_cli.index.fulltext import admitted
from reme_cli.search.query import parse_query, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reme_cli.index.fulltext import Filter, Query
    from reme_cli.index.index import Index
    from reme_cli.search.question import Asked

_SAME: Final = {"works_at": ("works_at", "founded")}
"""Who founded a company counts as somebody who works there."""
_KINDS: Final = ("person", "organisation", "meeting")


_MARK_WORDS: Final = """
    who whom whose who's which what what's where where's list name show tell give find identify remind by of in at on behind for to from
    with anyone anybody everyone everybody people company companies startups meetings founder founders co-founders creator investors
    investor backers backer funders shareholders portfolio investments employees staff team employer advisors advisor advisers
    adviser mentors advisees attendees participants owner owners maintainer maintainers dependencies predecessor successor
"""
_MARKS: Final = frozenset(_MARK_WORDS.split())
"""Words of which one stands in every question for a relation, or in a phrase that asks for it."""
_HAN_MARKS: Final = "谁哪什何的由被归"
_LONGEST: Final = 200


class Answer(NamedTuple):
    """A note that answers a question, and the edge that says so, at `path:line:col`."""

    note: str
    name: str
    source: str
    predicate: str
    target: str
    implied: bool
    path: str
    line: int
    col: int


def answer_json(answer: Answer) -> dict[str, Any]:
    """The contract's JSON object for an answer."""
    return {
        "path": answer.note,
        "name": answer.name,
        "edge": {
            "source": answer.source,
            "predicate": answer.predicate,
            "target": answer.target,
            "implied": answer.implied,
            "path": answer.path,
            "line": answer.line,
            "col": answer.col,
        },
    }


def _may_ask(text: str) -> bool:
    """Whether a text may be a question; of most queries a look at their words says that they are none."""
    if len(text) > _LONGEST:
        return False
    if any(mark in text for mark in "?？") or "'s" in text or "’s" in text:
        return True
    return not _MARKS.isdisjoint(text.lower().split()) or any(mark in text for mark in _HAN_MARKS)


def answers(index: Index, text: str, *, filters: Iterable[Filter] = ()) -> tuple[Answer, ...]:
    """The notes that answer a question for a relation; none where the text is no such question.

    `filters` are conditions on the notes, beside those in the text. What a note types comes before what a sentence implies, then
    what is said more often, then by path.
    """
    if not _may_ask(text):
        return ()
    # here and below, since a query that asks for nothing does without
    from reme_cli.search.question import units_of
    from reme_cli.search.question_wording import wordings_of

    named: list[str] = []
    for question in wordings_of(spoken(text)):
        units = units_of(question)
        if not units:
            continue
        from reme_cli.search.seed import seeds

        for asked, notes, name in seeds(index, question, units):
            if any(name != longer and name in longer for longer in named):
                continue  # of `Acme Labs`, nobody means Acme
            named.append(name)
            found = _answers(index, asked, notes)
            if found:
                return _admitted(index, parse_query(text).where(filters), found)
    return ()


def _admitted(index: Index, wanted: Query, found: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """The answers that a query's conditions and exclusions let pass."""
    if not (wanted.filters or wanted.excluded):
        return found
    notes = [answer.note for answer in found]
    passing = {row.path for row in index.read(lambda connection: admitted(connection, wanted, notes))}
    return tuple(answer for answer in found if answer.note in passing)


class _Stated(NamedTuple):
    """What states that a note is an answer."""

    is_implied: bool
    tense: str
    answer: Answer


def _answers(index: Index, asked: Asked, notes: Iterable[str]) -> tuple[Answer, ...]:
    seeds = tuple(notes)
    predicates = tuple(dict.fromkeys(same for one in asked.predicates for same in _SAME.get(one, (one,))))
    by_note: dict[str, list[_Stated]] = {}
    for seed in seeds:
        for stated in (*_typed(index, seed, predicates), *_implied(index, seed, predicates)):
            answer = stated.answer
            note, other = (
                (answer.source, answer.target) if asked.end == "subject" else (answer.target, answer.source)
            )
            if other == seed and note != seed:
                by_note.setdefault(note, []).append(stated._replace(answer=answer._replace(note=note)))
    ranked = sorted(
        (min(stated.is_implied for stated in found), -len(found), note)
        for note, found in by_note.items()
        if _holds(found, asked) and _is_of_kind(note, asked)
    )
    rows = {note: by_note[note][0].answer for *_, note in ranked}
    return tuple(row._replace(name=_name(index, note)) for note, row in rows.items())


def _typed(index: Index, note: str, predicates: tuple[str, ...]) -> Iterator[_Stated]:
    """The edges that a predicate states."""
    from reme_cli.predicates.inverse import names_of, oriented

    names = [name for predicate in predicates for name in names_of(predicate)]
    for found in index.links_typed(note, names):
        if found.note is None or found.link.predicate is None:
            continue
        predicate, is_reversed = oriented(found.link.predicate)
        source, target = (found.note, found.source) if is_reversed else (found.source, found.note)
        link = found.link
        yield _Stated(
            False, "", Answer("", "", source, predicate, target, False, found.source, link.line, link.col)
        )


def _implied(index: Index, note: str, predicates: tuple[str, ...]) -> Iterator[_Stated]:
    """The edges that sentences state."""
    for edge in index.implied([note]):
        if edge.predicate in predicates:
            answer = Answer(
                "", "", edge.source, edge.predicate, edge.target, True, edge.path, edge.line, edge.col
            )
            yield _Stated(True, edge.tense, answer)


def _holds(found: Iterable[_Stated], asked: Asked) -> bool:
    """Whether a relation still holds, unless the question also asks for what held once."""
    if asked.is_past:
        return True
    tenses = [stated.tense for stated in found]
    return "ended" not in tenses and "" in tenses


def _is_of_kind(note: str, asked: Asked) -> bool:
    """Whether a note may be what the question asks for, as far as its folder tells."""
    from reme_cli.predicates.note_self import kind_of_folder

    kind = kind_of_folder(note)
    if not asked.kind or kind not in _KINDS or kind == asked.kind:
        return True
    # firms, too, invest and found, and people ask `who`
    return (
        asked.kind == "person"
        and kind == "organisation"
        and bool({"invested_in", "founded", "responsible_for"} & set(asked.predicates))
    )


def _name(index: Index, path: str) -> str:
    row = index.note(path)
    return row.name if row else path
