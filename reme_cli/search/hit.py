"""What a search gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCORE_DIGITS = 6
"""Decimal places of a score in JSON: enough to order by, and the same on every machine."""


class Hit(NamedTuple):
    """A note that answers the query, with its best passage."""

    path: str
    name: str
    description: str
    score: float
    """Higher is better; comparable within one search only."""
    line: int
    """1-based; where the snippet stands in the file."""
    heading: str
    """Of the passage, its superiors before it: `Design > Storage`. Empty before the first heading."""
    snippet: str
    """On one line; empty where nothing in the text itself matches."""
    marks: tuple[tuple[int, int], ...]
    """What to highlight in the snippet, as character offsets."""
    layer: str | None
    flags: tuple[str, ...]
    """What a reader should know of it, each as words and a path: `superseded by digest/wiki/new.md`."""
    parts: Mapping[str, float]
    """What the score consists of, by name (`search.score.Parts`)."""


class NodeHit(NamedTuple):
    """A digest note that may be about the same thing."""

    path: str
    name: str
    description: str
    score: float


def search_json(
    query: str, hits: Iterable[Hit], answers: Iterable[Mapping[str, object]] = ()
) -> dict[str, Any]:
    """The contract's JSON object for a search."""
    return {
        "schema": 1,
        "query": query,
        "answers": list(answers),
        "hits": [
            {
                "path": hit.path,
                "name": hit.name,
                "description": hit.description,
                "score": round(hit.score, SCORE_DIGITS),
                "line": hit.line,
                "heading": hit.heading,
                "snippet": hit.snippet,
                "layer": hit.layer,
                "flags": list(hit.flags),
                "parts": {name: round(value, SCORE_DIGITS) for name, value in hit.parts.items()},
            }
            for hit in hits
        ],
    }
