"""Events of the operating system, by watchdog."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import sys
import warnings
from contextlib import suppress
from pathlib import Path, PurePath
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from reme_cli.config.load import FILE_NAME
from reme_cli.vault.paths import NOTE_SUFFIX, is_unicode, nfc
from reme_cli.watch.feed import SOMETHING

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.events import FileSystemEvent

    from reme_cli.vault.vault import Vault

TOLD: Final = frozenset({"created", "modified", "moved", "deleted", "closed"})
"""The events that a change makes. Others come of reading, reme's own too."""
IN_CREATE: Final = 0x100
"""`sys/inotify.h`: a file or folder is made."""
END_SECONDS: Final = 2.0
LIMITS: Final = {
    errno.ENOSPC: "max_user_watches",
    errno.EMFILE: "max_user_instances",
}
"""Of what there are not enough when Linux refuses a watch: inotify_add_watch(2), inotify_init(2)."""
LIMITS_FOLDER: Final = Path("/proc/sys/fs/inotify")

# what watchdog finds odd in its own accounts would stand between the findings; `_Complaints` hears what matters
logging.getLogger("watchdog").addHandler(logging.NullHandler())
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")


class Native:
    """What the system tells of a vault; `warn` gets a line when it did not tell everything.

    Raises `OSError` where it cannot watch all folders.
    """

    by: Final = "events"

    def __init__(self, vault: Vault, *, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._complaints = _Complaints()
        self._root = vault.root
        self._news: SimpleQueue[str] = SimpleQueue()
        self._handler = _Handler(vault, self._news)
        self._observer = Observer()
        self._observer.schedule(self._handler, os.fspath(vault.root), recursive=True)
        try:
            self._observer.start()
            # where there are not enough, watchdog does without some, and says nothing
            if not has_free_watch():
                raise OSError(errno.ENOSPC, "the limit of inotify watches is reached")
        except BaseException:
            self.close()
            raise

    def wait(self, seconds: float) -> set[str]:
        """What the system tells by then, at once where there is something."""
        news: set[str] = set()
        with suppress(Empty):
            news.add(self._news.get(timeout=seconds))
            while True:
                news.add(self._news.get_nowait())
        return news

    def is_well(self) -> bool:
        """Whether its threads live, nothing was lost, and new folders can still be watched."""
        if not (self._observer.is_alive() and all(each.is_alive() for each in self._observer.emitters)):
            return False
        if self._complaints.first:
            self._warn(
                f"{self._root}: the system did not tell of every change ({self._complaints.first}):"
                " all files are looked at once"
            )
            return False
        if self._handler.has_new_folder:
            self._handler.has_new_folder = False
            return has_free_watch()
        return True

    def close(self) -> None:
        """Ends its threads."""
        self._complaints.close()
        if self._observer.is_alive():
            self._observer.stop()
            self._observer.join(END_SECONDS)


def has_free_watch() -> bool:
    """Whether Linux would watch one more folder for this user; other systems have no such limit."""
    if sys.platform != "linux":
        return True
    libc = ctypes.CDLL(None, use_errno=True)
    inotify: int = libc.inotify_init1(os.O_CLOEXEC)
    if inotify < 0:
        return True  # no instance is free, or there is no inotify: that says nothing about watches
    try:
        return bool(
            libc.inotify_add_watch(inotify, b"/", IN_CREATE) >= 0 or ctypes.get_errno() != errno.ENOSPC
        )
    finally:
        os.close(inotify)


def raising(code: int | None) -> str:
    """The command that doubles the limit that an error of `Native` comes of, as the end of a sentence; empty for others."""
    name = LIMITS.get(code or 0)
    try:
        now = int((LIMITS_FOLDER / str(name)).read_text("ascii"))
    except (OSError, ValueError):
        return ""
    return f"; `sudo sysctl fs.inotify.{name}={2 * now}` allows more"


class _Complaints(logging.Handler):
    """Hears in watchdog's log that events were lost (`IN_Q_OVERFLOW`), which it tells nowhere else."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""
        self._log = logging.getLogger("watchdog.observers.inotify_c")
        self._log.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps the first of them; from a thread of watchdog's."""
        self.first = self.first or record.getMessage()

    def close(self) -> None:
        """Hears no more."""
        self._log.removeHandler(self)
        super().close()


class _Handler(FileSystemEventHandler):
    """Puts the vault's path of what changed into a queue."""

    def __init__(self, vault: Vault, news: SimpleQueue[str]) -> None:
        self._root = os.path.join(os.fspath(vault.root), "")
        self._metadata = vault.config.folders.metadata
        self._news = news
        self.has_new_folder = False

    def dispatch(self, event: FileSystemEvent) -> None:
        """Takes an event; from a thread of watchdog's."""
        if event.event_type not in TOLD or (event.is_directory and event.event_type == "modified"):
            return
        if event.is_directory and event.event_type in {"created", "moved"}:
            self.has_new_folder = True
        for place in (event.src_path, event.dest_path):
            path = self._path(os.fsdecode(place))
            if path is not None:
                is_told = not event.is_directory and (path.endswith(NOTE_SUFFIX) or path == FILE_NAME)
                self._news.put(path if is_told else SOMETHING)

    def _path(self, place: str) -> str | None:
        """The vault's path of a place; `None` for what holds no notes, such as hidden folders and metadata."""
        if not place.startswith(self._root) or not is_unicode(place):
            return None
        path = nfc(PurePath(place[len(self._root) :]).as_posix())
        parts = path.split("/")
        if any(part.startswith(".") or part == "node_modules" for part in parts):
            return None
        return None if path == self._metadata or path.startswith(f"{self._metadata}/") else path
