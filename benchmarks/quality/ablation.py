"""The search with one part left out at a time."""

from __future__ import annotations

import math
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

from reme_cli.index import reading, tokenize
from reme_cli.search import score, search, words
from reme_cli.search.query import loosened, parse_query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from reme_cli.index.fulltext import Matches
    from reme_cli.index.index import Index
    from reme_cli.search.score import Mix
    from reme_cli.search.words import Evidence


class Variant(NamedTuple):
    """A search that lacks something, or does it in another way."""

    name: str
    change: Callable[[Mix], Mix] = lambda mix: mix
    replaced: Callable[[], AbstractContextManager[object]] = ExitStack
    """While it is entered, some function of the search is another one."""
    is_indexed_anew: bool = False
    """Whether notes have to be cut into words again."""


def ranker(variant: Variant) -> Callable[[Index, str], list[str]]:
    """Gives all paths that a variant finds, best first."""

    def rank(index: Index, text: str) -> list[str]:
        mix = variant.change(search.mix_of(index))
        wanted = parse_query(text)
        found = search.ranked(index, text, wanted, 10, mix)
        if not found and (loose := loosened(wanted)):  # as `search.search` does
            found = search.ranked(index, text, loose, 10, mix)
        return [one.note.path for one in found]

    return rank


def _without_fields() -> AbstractContextManager[object]:
    stack = ExitStack()
    for module in (words, search):
        stack.enter_context(mock.patch.object(module, "WEIGHTS", (1.0, 1.0, 1.0, 1.0, 1.0)))
    return stack


@contextmanager
def _cut_otherwise(function: str, other: Callable[..., object]) -> Iterator[None]:
    # by this process, and from words that are not remembered as they are cut ordinarily
    with (
        mock.patch.object(reading, "_usable_cores", return_value=1),
        mock.patch.object(tokenize, function, other),
    ):
        _forget()
        yield
    _forget()


def _forget() -> None:
    for remembered in (tokenize._TOKENS_OF_CHUNK, tokenize._TOKENS_OF_PIECE, tokenize._TOKENS_OF_WORD):
        remembered.clear()


def _fts5_worth(matches: Matches) -> dict[str, float]:
    return {
        term: max(math.log((matches.notes - count + 0.5) / (count + 0.5)), 1e-6)
        for term, count in matches.frequency.items()
    }


def _by_rank(found: Mapping[int, Evidence], _mix: Mix) -> dict[int, float]:
    """Relevance by ranks alone: reciprocal rank fusion of the order by words with the order by names."""
    by_words = sorted(found, key=lambda note: -found[note].bm25)
    by_names = sorted((note for note in found if found[note].named), key=lambda note: -found[note].named)
    return score.fused([by_words, by_names])


VARIANTS = (
    Variant("as it is"),
    Variant("no field weights", replaced=_without_fields),
    Variant("no stemming", replaced=lambda: _cut_otherwise("stem", lambda word: word), is_indexed_anew=True),
    Variant(
        "single characters, no pairs", replaced=lambda: _cut_otherwise("_pairs", list), is_indexed_anew=True
    ),
    Variant("FTS5's own BM25", replaced=lambda: mock.patch.object(words, "weights_of", _fts5_worth)),
    Variant("names not looked for", lambda mix: mix._replace(named=0.0)),
    Variant("RRF of words and names", replaced=lambda: mock.patch.object(search, "relevance", _by_rank)),
    Variant("no PPR (α = 1)", lambda mix: mix._replace(alpha=1.0)),
    Variant("no centrality", lambda mix: mix._replace(centrality=0.0)),
    Variant("no links at all", lambda mix: mix._replace(alpha=1.0, centrality=0.0)),
    Variant("no layers", lambda mix: mix._replace(layers={})),
)
