"""Which texts of the notes have a vector, and making those that are missing.

What was made is kept request by request: a run that is killed, or ends at its budget, loses nothing that was paid for.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset.lock import run_lock
from reme_cli.errors import ModelError, ModelReplyUnusable, NoteError, Refused, VaultUnwritable
from reme_cli.index.pieces import VERSION, pieces_of
from reme_cli.index.vectors import Vectors
from reme_cli.llm.embedding import Embedder
from reme_cli.llm.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from reme_cli.index.index import Index
    from reme_cli.index.pieces import Piece
    from reme_cli.index.rows import Progress
    from reme_cli.index.vectors import Space
    from reme_cli.llm.ledger import Spent
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

    Step = Callable[[str, int, int], None]
    Answers = list[tuple[float, ...] | ModelError]

_NOTES_AT_ONCE: Final = 200
"""So many notes are cut before what they consist of is written down."""
_REFUSALS: Final = 3
"""After so many texts that the model would not take, and none that it took, it takes none."""


class Coverage(NamedTuple):
    """How many different texts the notes consist of, and how many of them have no vector."""

    texts: int
    missing: int
    unread: int = 0
    """Notes of which it is not known yet what they consist of."""


class Made(NamedTuple):
    """What a run made."""

    vectors: int
    refused: int
    """Texts that the model would not take."""
    coverage: Coverage
    spent: Spent
    problem: ModelError | None
    """What ended the run, or stood against some of the texts."""


def coverage(index: Index) -> Coverage:
    """How far the vectors of the configured model go. Raises `Busy`, `VaultUnwritable`."""
    with Vectors.open(index.vault, index.warn) as vectors:
        unread = set(index.stamps().values()) - vectors.cut_stamps(_way(index))
        return Coverage(vectors.texts(), len(vectors.missing(_space(index, vectors))), len(unread))


def cover(index: Index, *, progress: Step | None = None) -> Made:
    """Makes all vectors that are missing for the configured model; `progress` is called with what is done, and how far.

    Raises `ModelNotConfigured`, `Busy`, and `VaultUnwritable` where they cannot be kept; what else stands against it is in
    the result, beside what was made.
    """
    embedding, llm = index.vault.config.embedding, index.vault.config.llm
    with Vectors.open(index.vault, index.warn) as vectors:
        if not vectors.is_kept:
            raise VaultUnwritable(
                "vectors cannot be kept in this vault, and would be paid for in vain",
                where=f"{index.vault.config.folders.metadata}/cache",
                hint="Make the folder writable.",
            )
        with making(index.vault, "index", wait=True):
            take_in(index, vectors, progress=progress and partial(progress, "cutting"))
            ledger = Ledger(embedding.budget, "embedding")
            if not vectors.missing(_space(index, vectors)):  # litellm takes seconds to import
                return Made(0, 0, Coverage(vectors.texts(), 0), ledger.spent, None)
            embedder = Embedder.connect(embedding, llm, ledger)
            return make_vectors(
                index, vectors, embedder, progress=progress and partial(progress, "embedding")
            )


def making(vault: Vault, command: str, *, wait: bool) -> AbstractContextManager[None]:
    """Holds the lock of whoever makes vectors, so that none is paid for twice. Raises `Busy`, `VaultUnwritable`."""
    return run_lock(vault, "vectors", command=command, wait=wait)


def _way(index: Index) -> str:
    """How notes are cut."""
    return f"{VERSION} {index.vault.config.embedding.max_input_tokens}"


def _space(index: Index, vectors: Vectors) -> Space | None:
    config = index.vault.config.embedding
    return vectors.space(config.model or "", config.dimensions or 0)


def take_in(
    index: Index, vectors: Vectors, *, most: int | None = None, progress: Progress | None = None
) -> int:
    """Lets `vectors` know what every note consists of, and forget what is in none any more.

    Where more than `most` notes are new, nothing is done; gives how many are then left.
    """
    stamps = index.stamps()
    known = vectors.cut_stamps(_way(index))
    new = {stamp: path for path, stamp in stamps.items() if stamp not in known}
    if most is not None and len(new) > most:
        return len(new)
    vectors.settle_cut(_way(index))
    uncut = iter(new.items())
    are_all_cut, done = True, 0
    while some := list(islice(uncut, _NOTES_AT_ONCE)):
        read = {stamp: _pieces(index, path, stamp) for stamp, path in some}
        cut = {stamp: pieces for stamp, pieces in read.items() if pieces is not None}
        are_all_cut = are_all_cut and len(cut) == len(read)
        vectors.put_cut(cut)
        done += len(some)
        if progress:
            progress(done, len(new))
    vanished = known.difference(stamps.values())
    # a note that changed since the index was refreshed has most of its texts still, though nobody knows it yet
    if are_all_cut and (vanished or (new and not known)):
        vectors.prune(vanished)
    return 0


def make_vectors(
    index: Index,
    vectors: Vectors,
    embedder: Embedder,
    *,
    retry_refused: bool = True,
    progress: Progress | None = None,
) -> Made:
    """Makes the vectors that are missing, of what `take_in` took in. Raises `VaultUnwritable` where they cannot be kept.

    Where the model turns out to give vectors of another length than before, all are made again.
    """
    run = _Run(index, vectors, embedder, retry_refused=retry_refused, progress=progress)
    run.make()
    if run.moved and run.problem is None:
        run.moved = False
        index.warn(f"{embedder.model} gives vectors of another length than before: all are made again")
        run.make()
        if run.moved and run.problem is None:
            run.problem = ModelReplyUnusable(
                f"{embedder.model} gives vectors now of one length, now of another", where="embedding.model"
            )
    covered = Coverage(vectors.texts(), len(vectors.missing(run.space)))
    if run.refusal is not None and run.problem is None:
        run.problem = run.refusal
        if covered.missing < covered.texts:
            run.problem = ModelReplyUnusable(
                f"of {covered.texts} texts {run.refused} could not be embedded: {run.refusal.what}",
                where=run.refusal.where,
                hint="Notes with them are found by words and links; the next `reme index` tries again.",
            )
    if run.space is not None and not covered.missing:
        vectors.leave_others(run.space)
    return Made(run.made, run.refused, covered, embedder.ledger.spent, run.problem)


class _Run:
    """The state of one run."""

    def __init__(
        self,
        index: Index,
        vectors: Vectors,
        embedder: Embedder,
        *,
        retry_refused: bool,
        progress: Progress | None,
    ) -> None:
        self._index = index
        self._vectors = vectors
        self._embedder = embedder
        self._retry_refused = retry_refused
        self._progress = progress
        self._asked = index.vault.config.embedding.dimensions or 0
        self.space: Space | None = vectors.space(embedder.model, self._asked)
        self.made = 0
        self.refused = 0
        self.problem: ModelError | None = None
        self.refusal: ModelError | None = None
        """Why it did not take the first text that it did not take."""
        self.moved = False
        """Whether the model gave vectors of another length than those that were kept."""

    def make(self) -> None:
        """Asks for what is missing, several requests at once, until all is there or nothing more will come."""
        missing = self._vectors.missing(self.space)
        if not self._retry_refused:
            missing -= self._vectors.refused(self._embedder.model)
        total = self.made + len(missing)
        texts = self._texts(missing)
        at_once = self._index.vault.config.llm.concurrency
        running: dict[Future[Answers], list[bytes]] = {}
        with ThreadPoolExecutor(at_once, thread_name_prefix="embedding") as pool:
            try:
                while True:
                    while not self._is_over and len(running) < at_once:
                        batch = list(islice(texts, self._embedder.batch))
                        if not batch:
                            break
                        future = pool.submit(self._embedder.embed, [text for _, text in batch])
                        running[future] = [digest for digest, _ in batch]
                    if not running:
                        return
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        self._take(running.pop(future), future.result)
                    if self._progress:
                        self._progress(self.made, total)
            except BaseException:
                self._embedder.stop()
                raise

    @property
    def _is_over(self) -> bool:
        takes_nothing = self.refused >= _REFUSALS and not self.made
        return self.moved or self.problem is not None or takes_nothing

    def _take(self, digests: list[bytes], result: Callable[[], Answers]) -> None:
        """Keeps what a request gave."""
        try:
            answers = result()
        except ModelError as error:
            self.problem = self.problem or error
            return
        given = {}
        refused = []
        for digest, answer in zip(digests, answers, strict=True):
            if isinstance(answer, ModelError):
                self.refusal = self.refusal or answer
                refused.append(digest)
            else:
                given[digest] = answer
        self.refused += len(refused)
        self._vectors.note_refused(self._embedder.model, refused)
        if not given:
            return
        size = len(next(iter(given.values())))
        if self.space is None or self.space.size != size:
            self.moved = self.space is not None
            self.space = self._vectors.enter_space(self._embedder.model, self._asked, size)
        self._vectors.keep(self.space, given)
        self.made += len(given)

    def _texts(self, missing: set[bytes]) -> Iterator[tuple[bytes, str]]:
        """The missing texts, each once, read when they are wanted: together they may be larger than memory."""
        paths = {stamp: path for path, stamp in self._index.stamps().items()}
        wanted = set(missing)
        for stamp in self._vectors.holders(missing):
            if stamp in paths:
                for piece in _pieces(self._index, paths[stamp], stamp) or ():
                    if piece.digest in wanted:
                        wanted.remove(piece.digest)
                        yield piece.digest, piece.text


def _pieces(index: Index, path: str, stamp: Stamp) -> list[Piece] | None:
    """What a note of this content consists of; `None` where it has another by now."""
    try:
        note = index.vault.read(path)
    except (NoteError, Refused):
        return None
    if note.stamp != stamp:
        return None
    longest = index.vault.config.embedding.max_input_tokens
    return list(pieces_of(note.text, index.passages(path), longest))
