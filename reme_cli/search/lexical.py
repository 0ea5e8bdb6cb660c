"""Full-text candidates: the notes that match a query's words and conditions, by BM25 over weighted fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.search.query import MAX_TERMS, exclusion_expression, match_expression

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from reme_cli.index.index import Index
    from reme_cli.search.query import Filter, Query

WEIGHTS: Final = (8.0, 6.0, 3.0, 2.0, 1.0)
"""Of a match in each of `index.schema.FIELDS`: name, aliases, headings, properties, body."""


_FREQUENCY: Final = "SELECT doc FROM temp.vocabulary WHERE term = ?"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A note that matches; `score` is its BM25, higher is better, 0 where the query has no words."""

    path: str
    name: str
    description: str
    layer: str | None
    score: float


def candidates(index: Index, query: Query, limit: int) -> tuple[Candidate, ...]:
    """The best matches, best first, equal ones by path."""
    if query.is_empty or limit < 1:
        return ()
    return index.read(lambda connection: _candidates(connection, query, limit))


def chosen_terms(connection: sqlite3.Connection, terms: Sequence[str]) -> tuple[str, ...]:
    """All terms, or the `MAX_TERMS` rarest of them that occur at all, in the query's order."""
    if len(terms) <= MAX_TERMS:
        return tuple(terms)
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, fulltext, row)"
    )
    # one by one, since SQLite bounds the number of values in a statement
    asked = ((term, connection.execute(_FREQUENCY, (term,)).fetchone()) for term in terms)
    frequency = {term: row[0] for term, row in asked if row}
    order = {term: place for place, term in enumerate(terms)}
    rarest = sorted(frequency, key=lambda term: (frequency[term], order[term]))[:MAX_TERMS]
    return tuple(sorted(rarest, key=order.__getitem__))


def _candidates(connection: sqlite3.Connection, query: Query, limit: int) -> tuple[Candidate, ...]:
    conditions: list[str] = []
    values: list[object] = []
    expression = match_expression(query, chosen_terms(connection, query.terms))
    if expression:
        source = "fulltext JOIN notes ON notes.id = fulltext.rowid"
        score = f"-bm25(fulltext, {', '.join(map(str, WEIGHTS))})"
        conditions.append("fulltext MATCH ?")
        values.append(expression)
    elif query.terms or query.phrases:  # none of the words occurs anywhere
        return ()
    else:
        source, score = "notes", "0.0"
    if query.excluded:
        conditions.append("notes.id NOT IN (SELECT rowid FROM fulltext WHERE fulltext MATCH ?)")
        values.append(exclusion_expression(query))
    for condition in query.filters:
        clause, bound = _clause(condition)
        conditions.append(f"NOT {clause}" if condition.negated else clause)
        values.extend(bound)
    rows = connection.execute(
        f"SELECT notes.path, notes.name, notes.description, notes.layer, {score} AS score FROM {source}"  # noqa: S608
        f" WHERE {' AND '.join(conditions)} ORDER BY score DESC, notes.path LIMIT ?",
        (*values, limit),
    )
    return tuple(Candidate(*row) for row in rows)


def _clause(condition: Filter) -> tuple[str, list[str]]:
    """A condition in SQL, true or false for every note, with the values it binds."""
    field, values = condition.field, list(condition.values)
    if field == "path":
        return _path_clause(values)
    if field == "tag":
        # a tag holds its sub-tags: `project` finds `project/alpha`
        tags = [value.lstrip("#") for value in values]
        one = "(lower(tag) = lower(?) OR lower(substr(tag, 1, length(?) + 1)) = lower(?) || '/')"
        bound = [tag for tag in tags for _ in range(3)]
        return f"notes.id IN (SELECT note FROM tags WHERE {' OR '.join([one] * len(tags))})", bound  # noqa: S608
    if field == "after":
        return "coalesce(notes.date >= ?, 0)", values
    if field == "before":
        return "coalesce(notes.date < ?, 0)", values
    column = {"layer": "notes.layer", "bucket": "notes.bucket", "kind": "notes.kind"}[field]
    return f"coalesce(lower({column}) IN ({', '.join(['lower(?)'] * len(values))}), 0)", values


def _path_clause(values: list[str]) -> tuple[str, list[str]]:
    """A glob matches the whole path, `*` across folders; plain text occurs somewhere in it, in any case."""
    clauses, bound = [], []
    for value in values:
        if any(character in value for character in "*?["):
            clauses.append("notes.path GLOB ?")
            bound.append(value.replace("**/", "*").replace("**", "*"))
        else:
            clauses.append("instr(lower(notes.path), lower(?)) > 0")
            bound.append(value)
    return f"({' OR '.join(clauses)})", bound
