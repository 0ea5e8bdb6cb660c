"""One turn after the other: wait for news, and attend to what has come to rest."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from reme_cli.errors import Busy, RemeError
from reme_cli.watch.feed import SOMETHING, identity_of, look_at
from reme_cli.watch.news import Failed, Watching
from reme_cli.watch.saves import Saves

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from reme_cli.vault.vault import Vault
    from reme_cli.watch.feed import Feed
    from reme_cli.watch.news import News
    from reme_cli.watch.watcher import Watcher

IDLE_SECONDS: Final = 2.0
"""How long a turn takes without news. Each looks whether the vault is still there and editors have closed their notes."""

LOOK_SECONDS: Final = 900.0
"""How often all files are looked at besides: not every system tells that it did not tell everything."""


class Attendance:
    """A watcher with its news, until it is closed."""

    def __init__(
        self,
        watcher: Watcher,
        tell: Callable[[News], None],
        *,
        quiet: float,
        feed: Callable[[Vault], Feed],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._watcher = watcher
        self._tell = tell
        self._open_feed = feed
        self._clock = clock
        self._saves = Saves(quiet, lambda path: look_at(watcher.vault, path))
        self._root = identity_of(watcher.vault)
        self._feed = feed(watcher.vault)
        self._is_gone = False
        self._looked = clock()
        # what changed between the index's look and the first news
        self._saves.add([SOMETHING], self._looked)
        self._tell_watching()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._feed.close()

    def turn(self) -> None:
        """Waits for news, `IDLE_SECONDS` at most, and attends to what is due."""
        wait = self._saves.wait(self._clock())
        news = self._feed.wait(IDLE_SECONDS if wait is None else min(wait, IDLE_SECONDS))
        self._saves.add(sorted(news), self._clock())
        if not self._is_there():
            return
        if self._clock() - self._looked >= LOOK_SECONDS:
            self._looked = self._clock()
            self._saves.add([SOMETHING], self._looked)
        due = self._saves.due(self._clock())
        try:
            if due:
                self._watcher.attend(due)
            else:
                self._watcher.link()
        except Busy:
            self._saves.add(due or [SOMETHING], self._clock())
        except RemeError as error:
            self._tell(Failed(error.one_line))

    def _is_there(self) -> bool:
        """Whether the vault is at its place; where it was replaced, or news may be missing, begins anew."""
        root = identity_of(self._watcher.vault)
        if root is None:
            if not self._is_gone:
                self._tell(Failed(f"{self._watcher.vault.root}: the vault is gone; waiting for it"))
            self._is_gone = True
            return False
        if self._is_gone or root != self._root or not self._feed.is_well():
            try:
                self._watcher.reopen()
                self._feed.close()
                self._feed = self._open_feed(self._watcher.vault)
            except RemeError:  # it is gone again, or not all there yet
                return False
            self._root, self._is_gone = root, False
            self._saves.add([SOMETHING], self._clock())
            self._tell_watching()
        return True

    def _tell_watching(self) -> None:
        vault = self._watcher.vault
        self._tell(Watching(str(vault.root), self._watcher.notes, self._feed.by))
