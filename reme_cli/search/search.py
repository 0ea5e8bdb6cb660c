"""Looking for notes by words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.errors import NoteError, Refused
from reme_cli.index.fulltext import Filter, Query
from reme_cli.search.hit import Hit, NodeHit
from reme_cli.search.query import parse_query, query_terms
from reme_cli.search.snippet import Snippet, best_snippet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.index.index import Index

WEIGHTS: Final = (8.0, 6.0, 3.0, 2.0, 1.0)
"""Of a match in each of `index.schema.FIELDS`: name, aliases, headings, properties, body."""

_DIGEST_ONLY: Final = Filter("layer", ("digest",))


def search(index: Index, query: str, *, limit: int = 10, filters: Iterable[Filter] = ()) -> list[Hit]:
    """The notes that answer a query best, best first, each with its best passage. Equal scores are ordered by path.

    `filters` are conditions beside those in the query. Every query is a right one.
    """
    wanted = parse_query(query).where(filters)
    terms = (*wanted.terms, *(token for phrase in wanted.phrases for token in phrase))
    hits = []
    for found in index.candidates(wanted, WEIGHTS, limit):
        snippet = _snippet(index, found.path, terms)
        hits.append(
            Hit(
                path=found.path,
                name=found.name,
                description=found.description,
                score=found.score,
                line=snippet.line,
                heading=snippet.heading,
                snippet=snippet.text,
                marks=snippet.marks,
                layer=found.layer,
                parts={"lexical": found.score},
            )
        )
    return hits


def node_search(index: Index, query: str, limit: int = 20) -> list[NodeHit]:
    """The digest notes that share most with a text of any length, best first: one row per note, equal scores by path.

    The text is taken literally: it may be a unit's whole summary. Notes written in this run are seen after `Index.update`.
    """
    wanted = Query(terms=query_terms(query), filters=(_DIGEST_ONLY,))
    if not wanted.terms:
        return []
    return [
        NodeHit(hit.path, hit.name, hit.description, hit.score)
        for hit in index.candidates(wanted, WEIGHTS, limit)
    ]


def _snippet(index: Index, path: str, terms: tuple[str, ...]) -> Snippet:
    try:
        note = index.vault.read(path)
    except (NoteError, Refused):  # gone or spoiled since the refresh; it is a hit all the same
        return Snippet(1, "", "", ())
    row = index.note(path)
    if row is not None and row.stamp == note.stamp:
        return best_snippet(note.text, index.passages(path), terms)
    from reme_cli.index.document import passages_of  # here, since it brings the scanner along

    return best_snippet(note.text, passages_of(note.text), terms)
