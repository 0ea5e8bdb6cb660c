"""What is done when notes were saved: index, findings, links."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset.run import start_run
from reme_cli.config.load import FILE_NAME
from reme_cli.errors import Busy, NoteError, PathRefused, RemeError, VaultUnwritable
from reme_cli.index.index import Index
from reme_cli.linking.l1_mentions import LinkOptions, link_mentions
from reme_cli.linking.survey import Survey
from reme_cli.lint.collector import paused_collector
from reme_cli.lint.few import check_few
from reme_cli.lint.moment import moment_of
from reme_cli.vault.stamp import ABSENT
from reme_cli.watch.editors import open_marker
from reme_cli.watch.news import Failed, Linked, Many, Removed, Saved, Waiting
from reme_cli.watch.own_writes import OwnWrites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Self

    from reme_cli.index.rows import Progress
    from reme_cli.linking.weights import Threshold
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault
    from reme_cli.watch.news import News

COMMAND: Final = "watch"
MANY: Final = 100
"""More notes than a person saves at once: a checkout or a synchronisation, whose notes are left as they came."""
SURVEY_SECONDS: Final = 900.0
"""How long it is believed how a vault uses its names. Counting takes some 0.2 ms a note."""


class WatchOptions(NamedTuple):
    """What a watcher does besides keeping the index up to date."""

    links: bool = True
    threshold: Threshold = "balanced"
    dry_run: bool = False


class _Taken(NamedTuple):
    """What changed since the last time, but for what reme itself wrote."""

    saved: list[str]
    removed: list[str]
    moved: dict[str, str]
    """Of the notes saved, those that are as another was that is gone, with the path of that."""
    added: int
    """How many of those saved are new."""


class Watcher:
    """A vault and what is known of it. `open_vault` reads the configuration; `tell` gets what happens.

    A note is linked once after each save of a person's: what reme wrote itself is no such save, and a link that was taken out is
    not put in again.
    """

    def __init__(
        self,
        open_vault: Callable[[], Vault],
        options: WatchOptions,
        tell: Callable[[News], None],
        *,
        warn: Callable[[str], None],
        progress: Progress | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open_vault = open_vault
        self._options = options
        self._tell = tell
        self._warn = warn
        self._clock = clock
        self.vault = open_vault()
        self._index = Index.open(self.vault, progress=progress, warn=warn)
        self._known = self._stamps()
        self._writes = OwnWrites(self.vault)
        self._to_link: set[str] = set()
        self._waiting: set[str] = set()
        self._survey: Survey | None = None
        self._surveyed: tuple[float, int] = (0.0, 0)
        self._stale: set[str] = set()
        # why no link could be written, as it was told since the last one that could
        self._obstacles: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._index.close()

    @property
    def notes(self) -> int:
        """How many notes the index has."""
        return self._index.refreshed.notes

    def reopen(self) -> None:
        """Begins anew with what is at the vault's place now; what is known of its notes is kept, to tell what changed."""
        vault = self._open_vault()
        index = Index.open(vault, warn=self._warn)
        self._index.close()
        self.vault, self._index = vault, index
        self._writes = OwnWrites(vault)
        self._survey = None

    def attend(self, paths: Iterable[str]) -> None:
        """Does what is to be done after these files changed. Raises `Busy`, and then may be called again with them."""
        changed = set(paths)
        if FILE_NAME in changed:
            self._reconfigure()
        taken = self._take_in(changed)
        self._to_link.difference_update(taken.removed)
        self._waiting.difference_update(taken.removed)
        if len(taken.saved) + len(taken.removed) > MANY:
            self._tell(Many(taken.added, len(taken.saved) - taken.added, len(taken.removed)))
            return
        if self._options.links:
            self._to_link.update(path for path in taken.saved if path not in taken.moved)
        if taken.saved:
            self._check(taken.saved)
        for path in taken.removed:
            self._tell(Removed(path))
        self.link()

    def link(self) -> None:
        """Links the notes that were saved, but for those that an editor still has open. Raises `Busy`."""
        ready = sorted(path for path in self._to_link if not self._is_open(path))
        if not ready:
            return
        self._to_link.difference_update(ready)
        try:
            self._link(ready)
        except Busy:
            self._to_link.update(ready)
            raise

    def _link(self, ready: list[str]) -> None:
        survey = self._renewed_survey()
        still = [path for path in ready if self._stamp_on_disk(path) == self._known.get(path)]
        # what was changed meanwhile is being edited: its own news come
        self._to_link.update(set(ready).difference(still))
        if still:
            unwanted = self._writes.links(still)
            options = LinkOptions(self._options.threshold, dry_run=self._options.dry_run, unwanted=unwanted)
            try:
                with start_run(self.vault, COMMAND) as run:
                    report = link_mentions(self.vault, self._index, still, options, run, survey=survey)
            except VaultUnwritable as error:
                self._tell_obstacle(error.one_line)
                return
            if report.changed:
                self._obstacles.clear()
            for rescue in run.rescued:
                self._warn(
                    f"{rescue.path}: what another program wrote at the same moment is in {rescue.copy}"
                )
            if report.linked or report.left:
                self._tell(Linked(report))

    def _tell_obstacle(self, what: str) -> None:
        """Tells why no link can be written; once, not after each save."""
        if what not in self._obstacles:
            self._obstacles.add(what)
            self._tell(Failed(what))

    def _take_in(self, paths: set[str]) -> _Taken:
        """Brings the index up to date."""
        before = self._known
        self._index.refresh()
        now = self._stamps()
        # their size and time may be as before
        if same := [path for path in paths if path in now and now[path] == before.get(path)]:
            self._index.update(same)
            now = self._stamps()
        changed = {path for path, stamp in now.items() if before.get(path) != stamp}
        removed = sorted(before.keys() - now.keys())
        self._known = now
        self._stale |= changed | set(removed)
        if changed:
            self._writes.refresh()
        saved = sorted(path for path in changed if not self._writes.has(path, now[path]))
        had = {before[path]: path for path in removed}
        moved = {path: had[now[path]] for path in saved if path not in before and now[path] in had}
        for path, origin in moved.items():
            self._writes.follow(origin, path)
        return _Taken(saved, removed, moved, sum(path not in before for path in saved))

    def _check(self, saved: list[str]) -> None:
        """Tells the findings of these notes."""
        try:
            with paused_collector():
                report = check_few(self._index, saved, moment_of(self.vault, None))
        except RemeError as error:
            self._tell(Failed(error.one_line))
            return
        for path in saved:
            found = [finding for finding in report.findings if finding.path == path]
            self._tell(Saved(path, report._replace(findings=found)))

    def _is_open(self, path: str) -> bool:
        """Whether an editor has a note open, which is told once."""
        try:
            marker = open_marker(self.vault.locate(path))
        except PathRefused:
            marker = None
        if marker is None:
            self._waiting.discard(path)
        elif path not in self._waiting:
            self._waiting.add(path)
            self._tell(Waiting(path, marker))
        return marker is not None

    def _renewed_survey(self) -> Survey:
        """How the vault uses its names, with what changed since."""
        made, names = self._surveyed
        present = self._index.read(
            lambda connection: hash(
                tuple(connection.execute("SELECT note, kind, text FROM names ORDER BY note, kind, ordinal"))
            )
        )
        is_believed = names == present and self._clock() - made < SURVEY_SECONDS
        if self._survey is None or not is_believed or len(self._stale) > MANY:
            self._survey = Survey(self.vault, self._index)
            self._surveyed = self._clock(), present
        else:
            for path in sorted(self._stale):
                self._survey.renew(path)
        self._stale.clear()
        return self._survey

    def _stamps(self) -> dict[str, Stamp]:
        """The stamp of every note, empty where it cannot be read."""
        return dict(
            self._index.read(
                lambda connection: connection.execute("SELECT path, stamp FROM notes").fetchall()
            )
        )

    def _stamp_on_disk(self, path: str) -> Stamp:
        try:
            return self.vault.read(path).stamp
        except (NoteError, PathRefused):
            return ABSENT

    def _reconfigure(self) -> None:
        try:
            self.reopen()
        except Busy:
            raise
        except RemeError as error:
            self._tell(Failed(f"the configuration stays as it was: {error.one_line}"))
