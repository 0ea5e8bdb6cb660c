"""What all stages of one run share: the vault and its index, the run, the engine, the catalog, what was written so far."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from reme_cli.changeset.change_set import ChangeSet
from reme_cli.changeset.difference import unified_diff
from reme_cli.dream.catalog import read_catalog, write_catalog
from reme_cli.dream.inputs import Calendar, day_of
from reme_cli.dream.renaming import caught_up, says_more
from reme_cli.errors import ConfigError, NoteNotFound, PathRefused
from reme_cli.llm.ledger import Ledger
from reme_cli.maintain.queue import queue_follow_ups
from reme_cli.search.search import node_search
from reme_cli.vault.note import Note
from reme_cli.vault.paths import NOTE_SUFFIX
from reme_cli.vault.stamp import ABSENT, stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.changeset.edit import AppliedEdit, Edit
    from reme_cli.changeset.run import Run
    from reme_cli.dream.engine import Engine
    from reme_cli.dream.options import DreamOptions
    from reme_cli.index.index import Index
    from reme_cli.llm.client import Model
    from reme_cli.maintain.split_model import ModelSplitter
    from reme_cli.search.hit import NodeHit
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault


class Workplace:
    """One run of `auto_dream`. In a dry run what would be written is kept in memory, where later stages see it."""

    def __init__(
        self, vault: Vault, options: DreamOptions, run: Run, index: Index, env: Mapping[str, str] | None
    ) -> None:
        self.vault = vault
        self.options = options
        self.run = run
        self.index = index.imagined() if options.dry_run else index
        self.ledger = Ledger(vault.config.llm.budget)
        self.calendar = Calendar(vault, vault.listing())
        read = read_catalog(vault)
        self.catalog = caught_up(vault, read)
        self.catalogued: dict[str, list[str]] = {}
        """The inputs that the catalog knew when the run began, by day."""
        for path in self.catalog.entries:
            if day := day_of(vault, path):
                self.catalogued.setdefault(day, []).append(path)
        self.landing = threading.Lock()
        """Held while a unit lands, so that of two units that make the same note the second sees the first."""
        self.written: list[str] = []
        """The digest notes that this run wrote, in order."""
        self.tried: set[str] = set()
        """The inputs whose extraction was asked for in this run."""
        self.problems: list[str] = []
        """What went wrong besides the days' own stages."""
        self._saved = read
        self._env = env
        self._engine: Engine | None = None
        self._model: Model | None = None
        self._staged: dict[str, tuple[str | None, str]] = {}

    @property
    def engine(self) -> Engine:
        """The engine, set up when it is first needed. Raises `ModelNotConfigured`."""
        if self._engine is None:
            self._engine = self._extractive() if self.options.engine == "extractive" else self._asking()
        return self._engine

    def splitter(self) -> ModelSplitter:
        """The model, to split overloaded notes with, within the run's budget. Raises `ModelNotConfigured`."""
        from reme_cli.maintain.split import model_splitter  # hardly any note is overloaded

        return model_splitter(self.vault, self.ledger, self._env)

    def stop(self) -> None:
        """Let no further model call start, and wake those who wait for one, because the run is being interrupted."""
        if self._model is not None:
            self._model.stop()

    def queue_follow_ups(self, paths: Iterable[str]) -> int:
        """Queue the follow-ups of written notes and give how many; a damaged queue is a problem, and keeps nothing else up."""
        if self.options.dry_run:
            return 0
        try:
            return queue_follow_ups(self.vault, paths, self.run.id)
        except ConfigError as error:
            self.tell_problem(error.one_line)
            return 0

    def tell_problem(self, told: str) -> None:
        """Note once what went wrong besides the days' own stages."""
        if told not in self.problems:
            self.problems.append(told)

    def read(self, path: str) -> Note:
        """A note as it is now; in a dry run, as it would be."""
        if path in self._staged:
            text = self._staged[path][1]
            return Note(path, text, stamp_of(text.encode()))
        return self.vault.read(path)

    def read_bytes(self, path: str) -> bytes:
        """A file as it is now; in a dry run, as it would be. Raises what `Vault.read_bytes` raises."""
        if path in self._staged:
            return self._staged[path][1].encode()
        return self.vault.read_bytes(path)

    def names(self) -> Names:
        """All notes as they are now; in a dry run, as they would be."""
        return self.index.names()

    def search(self, query: str, limit: int) -> list[NodeHit]:
        """Digest notes for a query, best first."""
        return node_search(self.index, query, limit)

    def write(self, edit: Edit) -> AppliedEdit | None:
        """Write one file by compare-and-swap and take it into the index; `None` in a dry run.

        Raises `Conflict`, `AlreadyExists` and every other `Refused`, `VaultUnwritable`, `Busy`.
        """
        self._check_layer(edit.path)
        if self.options.dry_run:
            self._stage(edit)
            return None
        change = ChangeSet(self.vault, self.run, [edit], names=self.index.names(), inbound=self.index.inbound)
        applied = change.apply()
        if edit.path.endswith(NOTE_SUFFIX):
            self.index.update([edit.path])
        return applied.edits[0]

    def _check_layer(self, path: str) -> None:
        """Raise `PathRefused` where a symlink takes a write out of its layer: `resource/` and daily bodies are never written."""
        vault, folders = self.vault, self.vault.config.folders
        layer = vault.layer(path)
        place = vault.locate(path)
        for name in ("digest", "daily", "resource"):
            inside = place.is_relative_to(vault.locate(getattr(folders, name)))
            if inside != (name == layer):
                raise PathRefused(
                    f"a symlink takes it {'into' if inside else 'out of'} the {name} notes",
                    where=path,
                    hint="reme writes only where the path itself says.",
                )

    def _stage(self, edit: Edit) -> None:
        """Check an edit as if all that is staged were on disk already, and keep its text."""
        path, text = edit.path, edit.text
        assert text is not None  # a dream deletes nothing
        staged = self._staged.get(path)
        if staged is not None:
            # on disk the file is still what it was before the first of the edits
            before = staged[0]
            edit = replace(edit, expected=stamp_of(before.encode()) if before is not None else ABSENT)
        else:
            before = self._text(path)
        ChangeSet(self.vault, self.run, [edit], names=self.names(), inbound=self.index.inbound).check()
        self._staged[path] = (before, text)
        if path.endswith(NOTE_SUFFIX):
            self.index.suppose(Note(path, text, stamp_of(text.encode())))

    def save(self) -> None:
        """Put the catalog on disk, if it changed."""
        if says_more(self.catalog, self._saved) and not self.options.dry_run:
            write_catalog(self.vault, self.catalog)
            self._saved = self.catalog

    def diff(self) -> str:
        """What a dry run would write, as a unified diff."""
        return "".join(
            unified_diff(path, before, after) for path, (before, after) in sorted(self._staged.items())
        )

    def _text(self, path: str) -> str | None:
        """The text of a file as it is on disk, `None` where there is none."""
        try:
            return self.vault.read_bytes(path).decode()
        except NoteNotFound:
            return None

    def _extractive(self) -> Engine:
        from reme_cli.dream.extractive.engine import ExtractiveEngine  # brings its tables of cue words

        daily = [
            (note.date, note.path) for note in self.index.notes("daily") if note.date and not note.problem
        ]
        return ExtractiveEngine(daily, self.vault.read)

    def _asking(self) -> Engine:
        # pydantic and the tools: a run without changes needs neither
        from reme_cli.dream.model_engine import ModelEngine
        from reme_cli.llm.client import Model

        self._model = Model.connect(self.vault.config.llm, self.ledger, self._env)
        return ModelEngine(self.vault, self._model)
