"""What models judged, by a digest of what they were asked about: nothing is paid for twice while that stays the same.

with Judgements.open(vault, warn) as judgements:
    said = judgements.known([digest_of("judge_duplicate", model, one, other)])
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final, Self

from reme_cli.index.lasting import LastingDatabase, Layout

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Mapping
    from types import TracebackType

    from reme_cli.vault.vault import Vault

MOST_KEPT: Final = 1_000_000
"""Those that were made longest ago go first."""
_TABLES: Final = """
CREATE TABLE judgements (id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, said TEXT NOT NULL);
"""
LAYOUT: Final = Layout("judgements.db", 0x72656D6A, 1, _TABLES, "judgements")
"""The number is `remj` in ASCII."""
_AT_ONCE: Final = 500


def digest_of(*about: str) -> bytes:
    """The digest of what is asked about: the role, the model, its prompt, and all of the notes that bears on the answer."""
    return hashlib.sha256(json.dumps(about).encode()).digest()


class Judgements:
    """The judgements that were made in a vault. Threads may share it, and processes its file."""

    def __init__(self, database: LastingDatabase) -> None:
        self._database = database

    @classmethod
    def open(cls, vault: Vault, warn: Callable[[str], None]) -> Self:
        """Those of a vault; `warn` gets a line where some were lost. Raises `Busy`."""
        return cls(LastingDatabase.open(vault, LAYOUT, warn))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.__exit__(kind, error, trace)

    def known(self, digests: Collection[bytes]) -> dict[bytes, str]:
        """What was said of those of these that were asked about before."""
        wanted = list(digests)
        said: dict[bytes, str] = {}
        for at in range(0, len(wanted), _AT_ONCE):
            some = wanted[at : at + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            said.update(
                self._database.rows(f"SELECT digest, said FROM judgements WHERE digest IN ({marks})", some)  # noqa: S608  question marks only
            )
        return said

    def keep(self, said: Mapping[bytes, str]) -> None:
        """Keeps what was said; of very many judgements, the latest. Raises `VaultUnwritable`."""

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "INSERT OR REPLACE INTO judgements (digest, said) VALUES (?, ?)", said.items()
            )
            connection.execute(
                "DELETE FROM judgements WHERE id <= (SELECT max(id) FROM judgements) - ?", (MOST_KEPT,)
            )

        if said:
            self._database.write(work)
