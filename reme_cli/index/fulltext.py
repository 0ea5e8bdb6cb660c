"""What a query asks of the full text, and the statement that answers it.

Which words a text asks for is the business of `search`; here they are tokens already.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from reme_cli.index.rows import Candidate
from reme_cli.index.tokenize import is_unspaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

MAX_TERMS: Final = 64
"""Of a longer query (a whole conversation, say) the rarest terms are looked up; the others would add time and no order."""

_FREQUENCY: Final = "SELECT doc FROM temp.vocabulary WHERE term = ?"


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a note: one of `values` in `field`, or none of them."""

    field: str
    """`path`, `tag`, `after`, `before`, `layer`, `bucket` or `kind`."""
    values: tuple[str, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for."""

    terms: tuple[str, ...] = ()
    """Tokens of which a note should have some; in order of first occurrence, each once."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Runs of tokens that a note must have."""
    excluded: tuple[tuple[str, ...], ...] = ()
    """Runs of tokens that it must not have."""
    filters: tuple[Filter, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is asked."""
        return not (self.terms or self.phrases or self.excluded or self.filters)

    def where(self, filters: Iterable[Filter]) -> Query:
        """The query with further conditions."""
        return replace(self, filters=(*self.filters, *filters))


def candidates(
    connection: sqlite3.Connection, query: Query, weights: Sequence[float], limit: int
) -> tuple[Candidate, ...]:
    """The notes that match best, best first, equal ones by path. `weights` are BM25's, of `schema.FIELDS`."""
    if query.is_empty or limit < 1:
        return ()
    conditions: list[str] = []
    values: list[object] = []
    expression = _match_expression(query, _chosen_terms(connection, query.terms))
    if expression:
        source = "fulltext JOIN notes ON notes.id = fulltext.rowid"
        score = f"-bm25(fulltext, {', '.join('?' * len(weights))})"
        values.extend(weights)
        conditions.append("fulltext MATCH ?")
        values.append(expression)
    elif query.terms or query.phrases:  # none of the words occurs anywhere
        return ()
    else:
        source, score = "notes", "0.0"
    if query.excluded:
        conditions.append("notes.id NOT IN (SELECT rowid FROM fulltext WHERE fulltext MATCH ?)")
        values.append(" OR ".join(map(_quoted, query.excluded)))
    for condition in query.filters:
        clause, bound = _clause(condition)
        conditions.append(f"NOT {clause}" if condition.negated else clause)
        values.extend(bound)
    rows = connection.execute(
        f"SELECT notes.path, notes.name, notes.description, notes.layer, {score} AS score FROM {source}"  # noqa: S608  constants and `?` only
        f" WHERE {' AND '.join(conditions)} ORDER BY score DESC, notes.path LIMIT ?",
        (*values, limit),
    )
    return tuple(Candidate(*row) for row in rows)


def _chosen_terms(connection: sqlite3.Connection, terms: Sequence[str]) -> tuple[str, ...]:
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


def _match_expression(query: Query, terms: Iterable[str]) -> str:
    """The query, with these of its terms, in the language of FTS5; empty where it has no words. Exclusions are left out."""
    required = [_quoted(phrase) for phrase in query.phrases]
    wished = [*required, *(_quoted((term,)) for term in terms)]
    if not required:
        return " OR ".join(wished)
    return f"({' AND '.join(required)}) AND ({' OR '.join(wished)})"


def _quoted(tokens: tuple[str, ...]) -> str:
    inner = " ".join(tokens).replace('"', '""')
    # A single character of a script without spaces is the beginning of pairs.
    single = len(tokens[-1]) == 1 and is_unspaced(tokens[-1])
    return f'"{inner}"*' if single else f'"{inner}"'


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
        some = " OR ".join([one] * len(tags))
        return f"notes.id IN (SELECT note FROM tags WHERE {some})", bound  # noqa: S608  constants and `?` only
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
