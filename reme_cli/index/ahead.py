"""Asking a vault's index while another process looks for changes.

Looking takes most of the time of a search in a large vault, and it seldom finds a change. So the two are done at once, and
the answer counts when there was none.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, TypeVar

from reme_cli.errors import RemeError
from reme_cli.index.database import open_database
from reme_cli.index.facts import GENERATION, fact
from reme_cli.index.look import looking

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.index.index import Index
    from reme_cli.index.rows import Progress
    from reme_cli.vault.vault import Vault

T = TypeVar("T")


def ask(
    vault: Vault,
    question: Callable[[Index], T],
    *,
    get_ready: Callable[[], object] = lambda: None,
    progress: Progress | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> T:
    """What a question to the vault's refreshed index gives; it must do nothing but read. Raises `Busy`.

    In a large vault it is asked while another process looks for changes, and once more where there are any; where it is known
    that there are some, what reading them takes is brought in meanwhile, and by `get_ready` what the question takes.
    """
    with looking(vault) as look, closing(open_database(vault, warn)) as connection:
        # here, since the other process has begun by now
        from reme_cli.index.index import Index
        from reme_cli.index.refresh import expect

        with Index(vault, connection, warn) as index:
            early: list[T] = []
            rows = None
            # what is wrong with an index that is not up to date need not be told
            with suppress(RemeError, sqlite3.Error):
                if look and index.read(lambda connection: expect(connection, vault)):
                    get_ready()
                elif look:
                    rows = index.read(lambda connection: fact(connection, GENERATION))
                    early.append(index.answer(question))
            found = index.refresh(progress=progress, look=look)
            is_current = look and look.held_for == rows and found.unchanged and not found.files
            return early[0] if early and is_current else index.answer(question)
