"""The vectors of passages, in a database of their own: they are paid for, and outlive the index.

A vector belongs to a text, known by its digest, and to a space: the model, the number of dimensions it was asked for and
the number it gave. What is kept of a note is which texts it consists of, by the stamp of its content; so a note that is moved
costs nothing, and a text that occurs twice is paid for once.
"""

from __future__ import annotations

import struct
from heapq import nsmallest
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from reme_cli.index.lasting import LastingDatabase, Layout

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from types import TracebackType

    from reme_cli.index.pieces import Piece
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

_TABLES: Final = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE spaces (
    id     INTEGER PRIMARY KEY,
    model  TEXT NOT NULL,
    asked  INTEGER NOT NULL,              -- dimensions; 0: as many as the model gives
    size   INTEGER NOT NULL,              -- dimensions that it gives
    used   INTEGER NOT NULL,              -- the larger, the later it answered like this
    UNIQUE (model, asked, size)
);

CREATE TABLE vectors (
    id     INTEGER PRIMARY KEY,
    space  INTEGER NOT NULL,
    digest BLOB NOT NULL,
    signs  BLOB NOT NULL,                 -- a bit for each number, set where it is positive
    UNIQUE (space, digest)
);

CREATE TABLE numbers (
    id     INTEGER PRIMARY KEY,           -- of the vector; apart from it, since a search reads few of them
    halves BLOB NOT NULL                  -- its numbers in 16 bits each
);

CREATE TABLE queries (
    id INTEGER PRIMARY KEY, space INTEGER NOT NULL, digest BLOB NOT NULL, halves BLOB NOT NULL, UNIQUE (space, digest)
);

CREATE TABLE cut (id INTEGER PRIMARY KEY, stamp TEXT NOT NULL UNIQUE);

CREATE TABLE pieces (
    cut INTEGER NOT NULL, ordinal INTEGER NOT NULL, passage INTEGER NOT NULL, digest BLOB NOT NULL,
    PRIMARY KEY (cut, ordinal)
) WITHOUT ROWID;

CREATE INDEX pieces_by_digest ON pieces (digest);

CREATE TABLE refused (model TEXT NOT NULL, digest BLOB NOT NULL, PRIMARY KEY (model, digest)) WITHOUT ROWID;
"""
LAYOUT: Final = Layout("vectors.db", 0x72656D76, 1, _TABLES, "vectors")
"""The number is `remv` in ASCII."""

QUERIES_KEPT: Final = 1000
"""Vectors of queries; those that were asked longest ago go first."""

EXACT_PRODUCTS: Final = 1_000_000
"""How many numbers are multiplied to compare vectors exactly: some 60 ms. Where there are more, those vectors are compared
whose signs agree with the query's best: of 50 000 passages with 1 536 dimensions the best 651."""

_NUMBERS: Final = "SELECT halves, digest FROM numbers JOIN vectors USING (id) WHERE id = ?"
_ID_BITS: Final = 40
"""Room for the number of a vector below the count of signs that differ: one integer is compared faster than a pair."""
_ID_MASK: Final = (1 << _ID_BITS) - 1


class Space(NamedTuple):
    """What makes vectors comparable: a model, and how many numbers they have."""

    id: int
    model: str
    asked: int
    size: int


class Place(NamedTuple):
    """Where a text stands: a passage, by its number, of the notes with this content."""

    stamp: Stamp
    passage: int


class Vectors:
    """What is known of a vault's texts and their vectors."""

    def __init__(self, database: LastingDatabase) -> None:
        self._database = database

    @classmethod
    def open(cls, vault: Vault, warn: Callable[[str], None]) -> Self:
        """The vault's vectors; `warn` gets a line where some were lost. Raises `Busy`."""
        return cls(LastingDatabase.open(vault, LAYOUT, warn))

    def __enter__(self) -> Self:
        self._database.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.__exit__(kind, error, trace)

    @property
    def is_kept(self) -> bool:
        """Whether what is put here is there for the next command."""
        return self._database.is_kept

    # which texts there are ------------------------------------------------------------------------------------------

    def settle_cut(self, way: str) -> None:
        """Forgets what notes consist of unless they were cut in this way."""
        if self._is_cut(way):
            return

        def work(connection: sqlite3.Connection) -> None:
            for table in ("pieces", "cut", "facts"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608  constants only
            connection.execute("INSERT INTO facts VALUES ('cut', ?)", (way,))

        self._database.write(work)

    def cut_stamps(self, way: str) -> set[Stamp]:
        """The contents of which is known what they consist of, cut in this way."""
        if not self._is_cut(way):
            return set()
        return {stamp for (stamp,) in self._database.rows("SELECT stamp FROM cut")}

    def _is_cut(self, way: str) -> bool:
        return self._database.rows("SELECT value FROM facts WHERE name = 'cut'") == [(way,)]

    def put_cut(self, cut: Mapping[Stamp, Sequence[Piece]]) -> None:
        """Notes what these contents consist of."""

        def work(connection: sqlite3.Connection) -> None:
            for stamp, pieces in cut.items():
                done = connection.execute("INSERT OR IGNORE INTO cut (stamp) VALUES (?)", (stamp,))
                if done.rowcount:  # else another process was faster
                    number = done.lastrowid
                    rows = (
                        (number, ordinal, piece.passage, piece.digest) for ordinal, piece in enumerate(pieces)
                    )
                    connection.executemany("INSERT INTO pieces VALUES (?, ?, ?, ?)", rows)

        self._database.write(work)

    def texts_in(self, stamps: Collection[Stamp]) -> set[bytes]:
        """The texts that these contents consist of."""
        rows = self._database.rows("SELECT stamp, digest FROM pieces JOIN cut ON cut.id = pieces.cut")
        return {digest for stamp, digest in rows if stamp in stamps}

    def prune(self, vanished: Collection[Stamp]) -> None:
        """Forgets these contents, and every vector of a text that stands nowhere any more."""

        def work(connection: sqlite3.Connection) -> None:
            for stamp in vanished:
                connection.execute(
                    "DELETE FROM pieces WHERE cut = (SELECT id FROM cut WHERE stamp = ?)", (stamp,)
                )
                connection.execute("DELETE FROM cut WHERE stamp = ?", (stamp,))
            connection.execute(
                "DELETE FROM numbers WHERE id IN"
                " (SELECT id FROM vectors WHERE digest NOT IN (SELECT digest FROM pieces))"
            )
            for table in ("vectors", "refused"):
                connection.execute(f"DELETE FROM {table} WHERE digest NOT IN (SELECT digest FROM pieces)")  # noqa: S608  constants only

        self._database.write(work)

    # spaces and their vectors ---------------------------------------------------------------------------------------

    def space(self, model: str, asked: int) -> Space | None:
        """The space of the vectors that this model gave last; `None` where it has given none."""
        rows = self._database.rows(
            "SELECT id, model, asked, size FROM spaces WHERE model = ? AND asked = ? ORDER BY used DESC LIMIT 1",
            (model, asked),
        )
        return Space(*rows[0]) if rows else None

    def enter_space(self, model: str, asked: int, size: int) -> Space:
        """The space of vectors of this size, which `space` gives from now on."""

        def work(connection: sqlite3.Connection) -> Space:
            connection.execute(
                "INSERT INTO spaces (model, asked, size, used) SELECT ?, ?, ?, coalesce(max(used), 0) + 1 FROM spaces"
                " WHERE true ON CONFLICT DO UPDATE SET used = excluded.used",
                (model, asked, size),
            )
            row = connection.execute(
                "SELECT id, model, asked, size FROM spaces WHERE model = ? AND asked = ? AND size = ?",
                (model, asked, size),
            ).fetchone()
            return Space(*row)

        return self._database.write(work)

    def leave_others(self, space: Space) -> None:
        """Forgets the vectors of other sizes that the same model gave when asked for the same."""

        def work(connection: sqlite3.Connection) -> None:
            rows = connection.execute(
                "SELECT id FROM spaces WHERE model = ? AND asked = ? AND id != ?",
                (space.model, space.asked, space.id),
            )
            for (other,) in rows.fetchall():
                connection.execute(
                    "DELETE FROM numbers WHERE id IN (SELECT id FROM vectors WHERE space = ?)", (other,)
                )
                for table in ("vectors", "queries"):
                    connection.execute(f"DELETE FROM {table} WHERE space = ?", (other,))  # noqa: S608  constants only
                connection.execute("DELETE FROM spaces WHERE id = ?", (other,))

        self._database.write(work)

    def texts(self) -> int:
        """How many different texts the notes consist of."""
        ((count,),) = self._database.rows("SELECT count(DISTINCT digest) FROM pieces")
        return int(count)

    def missing(self, space: Space | None) -> set[bytes]:
        """The texts that have no vector in this space."""
        rows = self._database.rows(
            "SELECT DISTINCT digest FROM pieces WHERE digest NOT IN (SELECT digest FROM vectors WHERE space = ?)",
            (space.id if space else 0,),
        )
        return {digest for (digest,) in rows}

    def holders(self, digests: Collection[bytes]) -> list[Stamp]:
        """The contents in which one of these texts stands, in order."""
        rows = self._database.rows(
            "SELECT stamp, digest FROM pieces JOIN cut ON cut.id = pieces.cut ORDER BY stamp"
        )
        return list(dict.fromkeys(stamp for stamp, digest in rows if digest in digests))

    def keep(self, space: Space, vectors: Mapping[bytes, Sequence[float]]) -> None:
        """Keeps the vectors of these texts, each of length 1."""

        def work(connection: sqlite3.Connection) -> None:
            for digest, vector in vectors.items():
                done = connection.execute(
                    "INSERT OR IGNORE INTO vectors (space, digest, signs) VALUES (?, ?, ?)",
                    (space.id, digest, _signs(vector)),
                )
                if done.rowcount:
                    connection.execute("INSERT INTO numbers VALUES (?, ?)", (done.lastrowid, _packed(vector)))
                connection.execute(
                    "DELETE FROM refused WHERE model = ? AND digest = ?", (space.model, digest)
                )

        self._database.write(work)

    def refused(self, model: str) -> set[bytes]:
        """The texts that the model would not take."""
        return {
            digest
            for (digest,) in self._database.rows("SELECT digest FROM refused WHERE model = ?", (model,))
        }

    def note_refused(self, model: str, digests: Iterable[bytes]) -> None:
        """Notes that the model would not take these texts."""
        rows = [(model, digest) for digest in digests]
        self._database.write(
            lambda connection: connection.executemany("INSERT OR IGNORE INTO refused VALUES (?, ?)", rows)
        )

    # queries --------------------------------------------------------------------------------------------------------

    def query(self, space: Space, digest: bytes) -> tuple[float, ...] | None:
        """The vector of a query that was asked before."""
        rows = self._database.rows(
            "SELECT halves FROM queries WHERE space = ? AND digest = ?", (space.id, digest)
        )
        return _unpacked(rows[0][0]) if rows else None

    def keep_query(self, space: Space, digest: bytes, vector: Sequence[float]) -> None:
        """Keeps the vector of a query; of very many, the latest."""

        def work(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO queries (space, digest, halves) VALUES (?, ?, ?)",
                (space.id, digest, _packed(vector)),
            )
            connection.execute(
                "DELETE FROM queries WHERE id <= (SELECT max(id) FROM queries) - ?", (QUERIES_KEPT,)
            )

        self._database.write(work)

    def nearest(
        self, space: Space, vector: Sequence[float], limit: int, among: Collection[bytes] | None = None
    ) -> list[tuple[float, bytes]]:
        """The texts whose vectors are nearest to this one, each with the cosine of the angle, nearest first.

        `among` are the texts that come into question, where not all do. Equally near ones are in the order of digests.
        """
        signs = int.from_bytes(_signs(vector), "little")
        compared = max(limit, EXACT_PRODUCTS // space.size)

        def work(connection: sqlite3.Connection) -> list[tuple[float, bytes]]:
            admitted = None
            if among is not None:
                rows = connection.execute("SELECT id, digest FROM vectors WHERE space = ?", (space.id,))
                admitted = {number for number, digest in rows if digest in among}
            # `+`: in the order of the table, since through its index every row would be looked up
            rows = connection.execute("SELECT id, signs FROM vectors WHERE +space = ?", (space.id,))
            differing = (
                (int.from_bytes(theirs, "little") ^ signs).bit_count() << _ID_BITS | number
                for number, theirs in rows
                if admitted is None or number in admitted
            )
            found = (
                connection.execute(_NUMBERS, (both & _ID_MASK,)).fetchone()
                for both in nsmallest(compared, differing)
            )
            scored = [(sum(map(mul, vector, _unpacked(halves))), digest) for halves, digest in found]
            return sorted(scored, key=lambda pair: (-pair[0], pair[1]))[:limit]

        return self._database.read(work)

    def of_content(self, space: Space, stamp: Stamp) -> list[tuple[float, ...]]:
        """The vectors of the texts that a content consists of, in their order; those that have none are left out."""
        rows = self._database.rows(
            "SELECT halves FROM cut JOIN pieces ON pieces.cut = cut.id"
            " JOIN vectors ON vectors.digest = pieces.digest AND vectors.space = ?"
            " JOIN numbers ON numbers.id = vectors.id WHERE stamp = ? ORDER BY ordinal",
            (space.id, stamp),
        )
        return [_unpacked(halves) for (halves,) in rows]

    def places(self, digest: bytes) -> list[Place]:
        """Where a text stands, in order."""
        rows = self._database.rows(
            "SELECT stamp, passage FROM pieces JOIN cut ON cut.id = pieces.cut WHERE digest = ? ORDER BY stamp, ordinal",
            (digest,),
        )
        return [Place(*row) for row in rows]


def _signs(vector: Sequence[float]) -> bytes:
    """A bit for each number, set where it is positive."""
    bits = "".join("1" if number > 0 else "0" for number in vector)
    return int(bits, 2).to_bytes((len(vector) + 7) // 8, "little")


def _packed(vector: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(vector)}e", *vector)


def _unpacked(halves: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(halves) // 2}e", halves)
