"""What a query asks of the full text, and the statement that answers it.

Which words a text asks for is the business of `search`; here they are tokens already.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.database import FOLDED
from reme_cli.index.rows import Candidate
from reme_cli.index.schema import FIELDS
from reme_cli.index.tokenize import is_unspaced
from reme_cli.vault.paths import fold, nfc

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

MAX_TERMS: Final = 128
"""Of a longer query (a whole conversation, say) the rarest terms are looked up; the others would add time and no order."""

READ_CHARS: Final = 400_000
"""How much of a body's tokens is looked at one by one; a longer file is data or a log more often than prose."""

_LONGEST_GLOB: Final = 10_000
"""Characters; a longer one is the pattern of no path, and SQLite refuses those of more than 50,000 bytes."""

MOST_CALLED: Final = 200
"""Notes whose names are compared with a query."""

_NAMES: Final = "{name aliases} : "
_CANDIDATE: Final = "notes.id, notes.path, notes.name, notes.description, notes.layer"
_FREQUENCY: Final = "SELECT doc FROM temp.vocabulary WHERE term = ?"
# a note with several of the pairs is counted for each: more than there are, and near enough to weigh a character by
_FREQUENCY_OF_PAIRS: Final = "SELECT sum(doc) FROM temp.vocabulary WHERE term >= ? AND term < ?"
_LAST_CHARACTER: Final = "\U0010ffff"


class Filter(NamedTuple):
    """A condition on a note: one of `values` in `field`, or none of them."""

    field: str
    """`path`, `tag`, `after`, `before`, `layer`, `bucket` or `kind`."""
    values: tuple[str, ...]
    negated: bool = False


class Query(NamedTuple):
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
        return self._replace(filters=(*self.filters, *filters))


class Matches(NamedTuple):
    """What the full text knows of a query."""

    candidates: tuple[Candidate, ...]
    """The notes that match best, best first, equal ones by path."""
    called: tuple[Candidate, ...]
    """The notes whose names match best, in this order; none where the query has a phrase."""
    frequency: Mapping[str, int]
    """In how many notes each of the query's tokens occurs, those of its phrases included; only tokens that occur."""
    notes: int
    """How many notes there are."""
    tokens: float
    """How many tokens a note has on average."""


def matches(connection: sqlite3.Connection, query: Query, weights: Sequence[float], limit: int) -> Matches:
    """The notes that match a query best. `weights` are BM25's, of `schema.FIELDS`."""
    if query.is_empty or limit < 1:
        return Matches((), (), {}, 0, 0.0)
    notes, average = _totals(connection)
    most = min(limit, notes)  # a limit may be greater than the numbers that SQLite knows
    tokens = dict.fromkeys((*query.terms, *(token for phrase in query.phrases for token in phrase)))
    frequency = _frequency(connection, tokens, notes)
    expression = _match_expression(query, _chosen_terms(query.terms, frequency))
    called: tuple[Candidate, ...] = ()
    if expression:
        found = _best(connection, query, expression, weights, most)
        if not query.phrases:
            called = _best_by_path(
                connection, query, _NAMES + expression, [*weights[:2], 0, 0, 0], MOST_CALLED
            )
    elif query.terms or query.phrases:  # none of the words occurs anywhere
        found = ()
    else:
        found = admitted(connection, query)[:limit]
    return Matches(found, called, frequency, notes, average)


def _best(
    connection: sqlite3.Connection, query: Query, expression: str, weights: Sequence[float], limit: int
) -> tuple[Candidate, ...]:
    """The notes that match an expression of FTS5 best, best first, equal ones by path."""
    if not (query.filters or query.excluded):
        # of the many that match, only the best are looked up in `notes`
        rows = connection.execute(
            f"SELECT rowid, {_score(weights)} AS score FROM fulltext WHERE fulltext MATCH ? ORDER BY score DESC LIMIT ?",  # noqa: S608  constants and `?` only
            (*weights, expression, limit + 1),
        ).fetchall()
        if len(rows) <= limit or rows[limit][1] < rows[limit - 1][1]:
            return _candidates(connection, dict(rows[:limit]))
    # all are looked up: there are conditions on them, or the path decides which of equal ones is left out
    return _best_by_path(connection, query, expression, weights, limit)


def _best_by_path(
    connection: sqlite3.Connection, query: Query, expression: str, weights: Sequence[float], limit: int
) -> tuple[Candidate, ...]:
    """As `_best`, the faster way where few notes match."""
    conditions = ["fulltext MATCH ?"]
    values: list[object] = [*weights, expression]
    _restrict(query, conditions, values)
    rows = connection.execute(
        f"SELECT {_CANDIDATE}, {_score(weights)} AS score FROM fulltext JOIN notes ON notes.id = fulltext.rowid"  # noqa: S608  constants and `?` only
        f" WHERE {' AND '.join(conditions)} ORDER BY score DESC, notes.path LIMIT ?",
        (*values, limit),
    )
    return tuple(Candidate(*row) for row in rows)


def _score(weights: Sequence[float]) -> str:
    return f"-bm25(fulltext, {', '.join('?' * len(weights))})"


def _candidates(connection: sqlite3.Connection, scores: Mapping[int, float]) -> tuple[Candidate, ...]:
    """Notes by their numbers, the best first, equal ones by path."""
    rows = connection.execute(
        f"SELECT {_CANDIDATE} FROM notes WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608  constants only
        (json.dumps(list(scores)),),
    )
    found = (Candidate._make((*row, scores[row[0]])) for row in rows)
    return tuple(sorted(found, key=lambda note: (-note.score, note.path)))


def admitted(
    connection: sqlite3.Connection, query: Query, notes: Collection[int | str] | None = None
) -> tuple[Candidate, ...]:
    """The notes that a query's conditions and exclusions let pass, whether they match or not, by path.

    All of them, or those among `notes`, which are numbers or paths.
    """
    conditions: list[str] = []
    values: list[object] = []
    if notes is not None:
        some = "(SELECT value FROM json_each(?))"
        conditions.append(f"(notes.id IN {some} OR notes.path IN {some})")
        values += [json.dumps(list(notes))] * 2
    _restrict(query, conditions, values)
    rows = connection.execute(
        f"SELECT {_CANDIDATE}, 0.0 FROM notes WHERE {' AND '.join(conditions) or 'true'} ORDER BY notes.path",  # noqa: S608  constants and `?` only
        values,
    )
    return tuple(Candidate(*row) for row in rows)


def contents(connection: sqlite3.Connection, notes: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """The tokens of some notes by field, separated by spaces; of a body as much as its first `READ_CHARS` hold."""
    last = len(FIELDS) - 1
    columns = ", ".join((*FIELDS[:last], f"substr({FIELDS[last]}, 1, {READ_CHARS})"))
    statement = f"SELECT {columns} FROM fulltext WHERE rowid = ?"  # noqa: S608  constants only
    rows = ((note, connection.execute(statement, (note,)).fetchone()) for note in notes)
    return {note: row for note, row in rows if row}


def _restrict(query: Query, conditions: list[str], values: list[object]) -> None:
    """Adds what a query excludes, and its filters, to a statement on `notes`."""
    if query.excluded:
        conditions.append("notes.id NOT IN (SELECT rowid FROM fulltext WHERE fulltext MATCH ?)")
        values.append(" OR ".join(map(_quoted, query.excluded)))
    for condition in query.filters:
        clause, bound = _clause(condition)
        conditions.append(f"NOT {clause}" if condition.negated else clause)
        values.extend(bound)


def _totals(connection: sqlite3.Connection) -> tuple[int, float]:
    """How many notes the full text has, and how many tokens each of them has on average.

    FTS5 keeps both for its own `bm25`, but has no way to ask: row 1 of its data is the number of rows, then the tokens of
    each column, as SQLite's variable-length integers (https://sqlite.org/fts5.html, "Rows in %_data").
    """
    row = connection.execute("SELECT block FROM fulltext_data WHERE id = 1").fetchone()
    numbers = [0]
    for byte in row[0] if row else b"":
        numbers[-1] = numbers[-1] << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(0)
    notes, *tokens = numbers
    return notes, sum(tokens) / notes if notes else 0.0


def _frequency(connection: sqlite3.Connection, terms: Iterable[str], notes: int) -> dict[str, int]:
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, fulltext, row)"
    )
    # one by one, since SQLite bounds the number of values in a statement
    frequency = {}
    for term in terms:
        if _is_beginning(term):
            asked = connection.execute(_FREQUENCY_OF_PAIRS, (term, term + _LAST_CHARACTER))
        else:
            asked = connection.execute(_FREQUENCY, (term,))
        row = asked.fetchone()
        if row and row[0]:
            frequency[term] = min(row[0], notes)
    return frequency


def _chosen_terms(terms: Sequence[str], frequency: Mapping[str, int]) -> tuple[str, ...]:
    """The terms that occur at all, or the `MAX_TERMS` rarest of them, in the query's order."""
    there = [term for term in terms if term in frequency]
    if len(there) <= MAX_TERMS:
        return tuple(there)
    order = {term: place for place, term in enumerate(there)}
    rarest = sorted(there, key=lambda term: (frequency[term], order[term]))[:MAX_TERMS]
    return tuple(sorted(rarest, key=order.__getitem__))


def _match_expression(query: Query, terms: Iterable[str]) -> str:
    """The query, with these of its terms, in the language of FTS5; empty where it has no words. Exclusions are left out."""
    required = [_quoted(phrase) for phrase in query.phrases]
    wished = [*required, *(_quoted((term,)) for term in terms)]
    if not required:
        return f"({' OR '.join(wished)})" if wished else ""
    return f"({' AND '.join(required)}) AND ({' OR '.join(wished)})"


def _quoted(tokens: tuple[str, ...]) -> str:
    inner = " ".join(tokens).replace('"', '""')
    return f'"{inner}"*' if _is_beginning(tokens[-1]) else f'"{inner}"'


def _is_beginning(token: str) -> bool:
    """Whether a token stands for all that begin with it: a single character of a script without spaces begins pairs."""
    return len(token) == 1 and is_unspaced(token)


def _clause(condition: Filter) -> tuple[str, list[str]]:
    """A condition in SQL, true or false for every note, with the values it binds.

    Lists are bound as JSON: there may be any number of values, and bytes that are no Unicode in each.
    """
    field, values = condition.field, condition.values
    if field == "path":
        return _path_clause(values)
    if field == "tag":
        # a tag holds its sub-tags: `project` finds `project/alpha`
        tags = json.dumps(list(dict.fromkeys(fold(value.lstrip("#")) for value in values)))
        one = f"instr({_folded('tag', values)} || '/', value || '/') = 1"
        # a vault has few tags, each many times
        some = f"SELECT tag FROM (SELECT DISTINCT tag FROM tags), json_each(?) WHERE {one}"  # noqa: S608  constants and `?` only
        return f"notes.id IN (SELECT note FROM tags WHERE tag IN ({some}))", [tags]  # noqa: S608  as above
    if field == "after":
        return "coalesce(notes.date >= ?, 0)", list(values)
    if field == "before":
        return "coalesce(notes.date < ?, 0)", list(values)
    column = {"layer": "notes.layer", "bucket": "notes.bucket", "kind": "notes.kind"}[field]
    wanted = json.dumps([fold(value) for value in values])
    return f"coalesce({_folded(column, values)} IN (SELECT value FROM json_each(?)), 0)", [wanted]  # noqa: S608  as above


def _path_clause(values: Iterable[str]) -> tuple[str, list[str]]:
    """A glob matches the whole path, `*` across folders; plain text occurs somewhere in it, in any case."""
    globs, parts = [], []
    for value in values:
        if not any(character in value for character in "*?["):
            parts.append(fold(value))
        elif len(value) <= _LONGEST_GLOB:
            globs.append(nfc(value).replace("**/", "*").replace("**", "*"))
    clauses = (
        "EXISTS (SELECT 1 FROM json_each(?) WHERE notes.path GLOB value)",
        f"EXISTS (SELECT 1 FROM json_each(?) WHERE instr({_folded('notes.path', parts)}, value) > 0)",  # noqa: S608  as above
    )
    return f"({' OR '.join(clauses)})", [json.dumps(globs), json.dumps(parts)]


def _folded(column: str, values: Iterable[str]) -> str:
    """A column in SQL as it is compared with folded values (`paths.fold`)."""
    # SQLite's own, which is faster, knows the letters of ASCII
    return f"{'lower' if all(map(str.isascii, values)) else FOLDED}({column})"
