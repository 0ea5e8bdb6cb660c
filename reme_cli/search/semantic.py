"""Looking for notes by meaning: the passages whose vectors are nearest to the query's.

Only a vault with an embedding model comes here. Whatever goes wrong with it costs the meaning and a line of warning, never
the search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import Busy, ModelError, RemeError, VaultUnwritable
from reme_cli.index.pieces import digest_of, pieces_of
from reme_cli.index.rows import Passage
from reme_cli.index.vectors import Vectors
from reme_cli.llm.calls import RetryPolicy
from reme_cli.llm.embedding import Embedder
from reme_cli.llm.ledger import Ledger
from reme_cli.search.coverage import make_vectors, making, take_in
from reme_cli.search.query import spoken

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reme_cli.index.index import Index
    from reme_cli.index.vectors import Space
    from reme_cli.vault.stamp import Stamp

MOST_MADE: Final = 64
"""A search makes so many missing vectors itself; more are left to `reme index`."""
MOST_READ: Final = 200
"""It looks at so many new notes for that, which takes half a second at most."""
_QUERY_PIECES: Final = 8
"""Of a query that is as long as a conversation, so many pieces count."""
_IMPATIENT: Final = RetryPolicy(attempts=2, timeout_attempts=1, first=0.5, longest=1.0, patience=2.0)
_SECONDS: Final = 15.0
"""How long a search waits for an answer."""


class Similar(NamedTuple):
    """A note with the passage that is nearest to the query; `cosine` is that of the angle between them."""

    path: str
    passage: int
    """The passage's number in the note."""
    cosine: float


def semantic_candidates(
    index: Index, query: str, limit: int, *, allowed: Collection[str] | None = None
) -> list[Similar] | None:
    """The notes nearest to the query in meaning, nearest first, equal ones by path; `None` without an embedding model.

    `query` is as it is written; what it demands and excludes is not looked at. `allowed` are the paths that come into
    question, where not all do. What goes wrong is told by `index.warn`.
    """
    if not index.vault.config.embedding.model:
        return None
    try:
        with Vectors.open(index.vault, index.warn) as vectors:
            return _Lookup(index, vectors).nearest(spoken(query), limit, allowed)
    except RemeError as error:
        index.warn(f"searched by words and links only: {error.one_line}")
        return []


class _Lookup:
    """One search; the model is connected where it has something to do, for litellm takes seconds to import."""

    def __init__(self, index: Index, vectors: Vectors) -> None:
        self._index = index
        self._vectors = vectors
        self._config = index.vault.config
        self._model = self._config.embedding.model or ""
        self._asked = self._config.embedding.dimensions or 0
        self._embedder: Embedder | None = None

    def nearest(self, query: str, limit: int, allowed: Collection[str] | None) -> list[Similar]:
        """The nearest notes. Raises `RemeError`."""
        problem = self._make_few()
        space = self._vectors.space(self._model, self._asked)
        if space is None:
            if problem:
                raise problem
            return []
        vector = self._vectors.query(space, digest_of(query))
        if vector is None:
            if problem:  # of no use to ask the same model again
                raise problem
            vector = self._ask(space, query)
            if vector is None:
                return []
        elif problem:
            self._index.warn(f"vectors: {problem.one_line}")
        return self._notes(space, vector, limit, allowed)

    def _make_few(self) -> ModelError | None:
        """Makes what is missing unless it is much; gives what stood against it."""
        unread = take_in(self._index, self._vectors, most=MOST_READ)
        if unread:
            self._index.warn(f"vectors: {unread} notes have none yet; `reme index` makes them")
            return None
        space = self._vectors.space(self._model, self._asked)
        missing = len(self._vectors.missing(space) - self._vectors.refused(self._model))
        if not missing:
            return None
        if missing <= MOST_MADE and self._vectors.is_kept:
            try:
                with making(self._index.vault, "search", wait=False):
                    made = make_vectors(self._index, self._vectors, self._connected(), retry_refused=False)
                # what was refused is refused once; whether the model takes a query is seen with the query
                return None if made.refused else made.problem
            except ModelError as error:
                return error
            except (Busy, VaultUnwritable):  # somebody else makes them; or nobody can
                pass
        passages = "1 passage has" if missing == 1 else f"{missing} passages have"
        self._index.warn(f"vectors: {passages} none yet; `reme index` makes them")
        return None

    def _ask(self, space: Space, query: str) -> tuple[float, ...] | None:
        """The vector of the query; `None` for one without words, or where the model's vectors cannot be compared."""
        whole = Passage(0, "", 1, 1, 0, len(query))
        pieces = list(pieces_of(query, (whole,), self._config.embedding.max_input_tokens))[:_QUERY_PIECES]
        if not pieces:
            return None
        vectors = []
        for answer in self._connected().embed([piece.text for piece in pieces], "query"):
            if isinstance(answer, ModelError):
                raise answer
            vectors.append(answer)
        vector = mean_direction(vectors)
        if len(vector) != space.size:
            self._vectors.enter_space(self._model, self._asked, len(vector))
            self._index.warn(
                f"vectors: those of {self._model} have {len(vector)} numbers now, those that were made {space.size};"
                " `reme index` makes them again"
            )
            return None
        self._vectors.keep_query(space, digest_of(query), vector)
        return vector

    def _notes(
        self, space: Space, vector: Sequence[float], limit: int, allowed: Collection[str] | None
    ) -> list[Similar]:
        paths: dict[Stamp, list[str]] = {}
        for path, stamp in self._index.stamps().items():
            if allowed is None or path in allowed:
                paths.setdefault(stamp, []).append(path)
        among = None if allowed is None else self._vectors.texts_in(paths.keys())
        best: dict[str, Similar] = {}
        # a note may stand for many of the nearest passages
        for cosine, digest in self._vectors.nearest(space, vector, 4 * limit, among):
            if cosine <= 0:  # nothing in common
                break
            for place in self._vectors.places(digest):
                for path in paths.get(place.stamp, ()):
                    best.setdefault(path, Similar(path, place.passage, cosine))
            if len(best) >= limit:
                break
        return sorted(best.values(), key=lambda note: (-note.cosine, note.path))[:limit]

    def _connected(self) -> Embedder:
        if self._embedder is None:
            embedding, llm = self._config.embedding, self._config.llm
            self._embedder = Embedder.connect(
                embedding,
                llm,
                Ledger(embedding.budget, "embedding"),
                timeout=min(llm.timeout, _SECONDS),
                retry=_IMPATIENT,
            )
        return self._embedder


def mean_direction(vectors: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
    """The direction between vectors of length 1."""
    if len(vectors) == 1:
        return vectors[0]
    sums = [sum(numbers) for numbers in zip(*vectors, strict=True)]
    length = sum(number * number for number in sums) ** 0.5 or 1.0
    return tuple(number / length for number in sums)
