"""What rules look at: one note with its scan, or the whole vault by the rows of its index."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from reme_cli.errors import FrontmatterError, NoteError, PathRefused
from reme_cli.lint.position import line_col
from reme_cli.vault import frontmatter, wikilink
from reme_cli.vault.note import Note
from reme_cli.vault.paths import NOTE_SUFFIX
from reme_cli.vault.stamp import stamp_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping

    from reme_cli.config import Config
    from reme_cli.index.index import Index
    from reme_cli.index.rows import IndexedLink, IndexedNote
    from reme_cli.lint.placed import Placed
    from reme_cli.vault.frontmatter import Block
    from reme_cli.vault.link import Link, Scan
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Layer, Vault
    from reme_cli.vault.walk import Listing

T = TypeVar("T")

_AMONG: Final = " AND links.note IN (SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(?)))"
_ASKED: Final = "WITH asked AS (SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(?)))"
_ALL_ASKED: Final = "WITH asked AS (SELECT id FROM notes)"
_CALLED: Final = """
    SELECT path, description, ifnull(names.kind, ''), ifnull(text, '') FROM notes LEFT JOIN names ON names.note = notes.id
    WHERE notes.id IN asked ORDER BY path, ordinal
"""
_SHORT: Final = 16
_POINTING: Final = """
    SELECT DISTINCT source.path FROM links JOIN notes AS source ON source.id = links.note
    WHERE links.anchor <> '' AND links.resolved IN (
        SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(?))
    )
"""


class Subject:
    """One note as a text rule sees it; what is costly is made when first asked for, and once for all rules."""

    def __init__(self, note: Note, layer: Layer | None = None, bucket: str | None = None) -> None:
        self.note = note
        self.layer = layer
        self.bucket = bucket

    @property
    def path(self) -> str:
        """The note's path."""
        return self.note.path

    @property
    def text(self) -> str:
        """The note's exact text."""
        return self.note.text

    @property
    def is_digest(self) -> bool:
        """Whether the note is in the digest layer."""
        return self.layer == "digest"

    @cached_property
    def scan(self) -> Scan:
        """The note's links and headings."""
        return wikilink.scan(self.text)

    @cached_property
    def prose(self) -> tuple[tuple[int, int], ...]:
        """What a reader sees as text: no code, HTML, comments, math, URLs and no markup of links."""
        return wikilink.prose_spans(self.text)

    @cached_property
    def block(self) -> Block | None:
        """Where the frontmatter stands."""
        return frontmatter.split(self.text)

    @cached_property
    def frontmatter_error(self) -> FrontmatterError | None:
        """Why the frontmatter cannot be read, if so; its `line` is one of the note."""
        try:
            frontmatter.read(self.text)
        except FrontmatterError as error:
            return error
        return None

    @cached_property
    def properties(self) -> Mapping[str, object]:
        """The frontmatter's mapping; empty where there is none or it cannot be read."""
        try:
            return self.note.frontmatter
        except FrontmatterError:
            return {}

    def line_col(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of a character."""
        return line_col(self.text, offset)


@dataclass
class Survey:
    """A vault as rules see it, at one moment: everything in it is read at most once."""

    vault: Vault
    index: Index
    now: dt.datetime
    """Aware, in the vault's time zone."""
    texts: dict[str, str] = field(default_factory=dict)
    """Texts that count in the place of what is on disk."""
    before: Names | None = None
    """The names as they were before the change that is looked at."""
    renames: Mapping[str, str] = field(default_factory=dict)
    """Of the change that is looked at: old path to new path."""
    only: frozenset[str] | None = None
    """The notes that links are looked for in; `None`: all."""
    whole: Survey | None = None
    """The survey of all notes, where this one is of some."""
    looked: dict[str, bool] = field(default_factory=dict, init=False)
    """What `exists` was asked, and what it said."""
    found: dict[str, tuple[Placed, ...]] = field(default_factory=dict, init=False)
    """What rules found, by code."""
    _made: dict[object, Any] = field(default_factory=dict, init=False)
    _subjects: dict[str, Subject | None] = field(default_factory=dict, init=False)
    _links: tuple[IndexedLink, ...] | None = field(default=None, init=False)
    _notes: dict[str, IndexedNote] | None = field(default=None, init=False)

    @property
    def everywhere(self) -> Survey:
        """The survey of all notes, which this may be."""
        return self.whole or self

    @property
    def config(self) -> Config:
        """The vault's configuration."""
        return self.vault.config

    @property
    def names(self) -> Names:
        """All paths, in which links resolve."""
        return self.index.names()

    @cached_property
    def listing(self) -> Listing:
        """What is on disk: spellings that are not NFC, files that are no notes, and what cannot be taken."""
        return self.index.refreshed.listing or self.vault.listing()

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The paths of all notes, in order."""
        return tuple(path for (path,) in self.rows("SELECT path FROM notes ORDER BY path"))

    @cached_property
    def stamps(self) -> dict[str, Stamp]:
        """The stamp of every note by path, in order; empty where it cannot be read."""
        if self.whole is not None:
            return self.whole.stamps
        return dict(self.rows("SELECT path, stamp FROM notes ORDER BY path"))

    @property
    def asked(self) -> Mapping[str, Stamp]:
        """The stamps of the notes that are looked at, by path, in order."""
        if self.only is None:
            return self.stamps
        return {path: self.stamps[path] for path in sorted(self.only) if path in self.stamps}

    def size_of(self, paths: Iterable[str]) -> int:
        """How many bytes these notes are long."""
        sizes = dict(self.rows("SELECT path, size FROM notes"))
        return sum(sizes[path] for path in paths)

    def notes(self) -> tuple[IndexedNote, ...]:
        """All notes, by path."""
        return tuple(self._by_path().values())

    def note(self, path: str) -> IndexedNote | None:
        """The note at a path."""
        return self._by_path().get(path)

    def is_digest(self, path: str) -> bool:
        """Whether a path is in the digest layer."""
        return self.vault.layer(path) == "digest"

    def links(self) -> tuple[IndexedLink, ...]:
        """All links, by path of their notes, then by place. Costly in a large vault: `links_where` asks for a few."""
        if self._links is None:
            self._links = self.index.links_where("TRUE")
        return self._links

    def links_where(self, condition: str, *values: str) -> tuple[IndexedLink, ...]:
        """The links that meet an SQL condition on `links`, the `source` note and the `target` note; see `index.schema`."""
        if self.only is None:
            return self.index.links_where(condition, *values)
        return self.index.links_where(f"({condition}){_AMONG}", *values, json.dumps(sorted(self.only)))

    def links_from(self, path: str) -> tuple[IndexedLink, ...]:
        """The links in a note, in order."""
        return self.index.links_from(path)

    def links_to(self, path: str) -> tuple[IndexedLink, ...]:
        """The links that lead to a note or a file."""
        return self.index.links_to(path)

    def rows(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        """What an SQL statement selects from the index; see `index.schema`. It should say in which order."""
        return self.index.read(lambda connection: connection.execute(statement, values).fetchall())

    def rows_of_asked(self, statement: str, *values: str | int) -> list[tuple[Any, ...]]:
        """As `rows`, of a statement in which `asked` is a table of the ids of the notes that are looked at."""
        if self.only is None:
            return self.rows(f"{_ALL_ASKED} {statement}", *values)
        return self.rows(f"{_ASKED} {statement}", json.dumps(sorted(self.only)), *values)

    def looks_at(self, path: str) -> bool:
        """Whether links are looked for in a note."""
        return self.only is None or path in self.only

    def text(self, path: str) -> str | None:
        """The exact text of a note, or of another file; `None` where it cannot be read."""
        if path.endswith(NOTE_SUFFIX):
            subject = self.subject(path)
            return None if subject is None else subject.text
        try:
            return self.vault.read_bytes(path).decode()
        except (NoteError, PathRefused, UnicodeDecodeError):
            return None

    @cached_property
    def state(self) -> str | None:
        """A digest of the notes, of the list of files, and of how the disk spells them; `None` where they are not those on
        disk, or may be changing."""
        if self.texts or self.before is not None or self.only is not None:
            return None
        rows = self.rows("SELECT value FROM facts WHERE name = 'listing'")
        if not rows or not rows[0][0]:
            return None
        return _digest((rows[0][0], *self._on_disk))

    @cached_property
    def files(self) -> str:
        """A digest of the paths of files and skipped files, and of how the disk spells what it spells otherwise."""
        files = (path for (path,) in self.rows("SELECT path FROM files ORDER BY path"))
        return _digest((*files, "", *self._on_disk))

    def called(self) -> dict[str, str]:
        """For each note that is looked at a digest of what else than its path it is called: names, titles, first headings
        and the description. It follows from the note's text."""
        names: dict[str, list[str]] = {}
        for path, *name in self.rows_of_asked(_CALLED):
            names.setdefault(path, []).extend(name)
        return {path: _digest(parts)[:_SHORT] for path, parts in names.items()}

    @property
    def _on_disk(self) -> tuple[str, ...]:
        """What the listing tells besides the paths of notes and files."""
        spelled = (note.disk_path for note in self.listing.notes if note.disk_path != note.path)
        return *spelled, *map(repr, self.listing.skipped)

    def pointing_into(self, paths: Iterable[str]) -> set[str]:
        """The notes with a link to a heading or block of one of these notes."""
        return {path for (path,) in self.rows(_POINTING, json.dumps(sorted(paths)))}

    def once(self, make: Callable[..., T], *values: str) -> T:
        """What a function makes of this survey and these values, made when it is first asked for."""
        key = (make, *values)
        if key not in self._made:
            self._made[key] = make(self, *values)
        made: T = self._made[key]
        return made

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder at a vault-relative path, be it one that reme lists or not."""
        if path not in self.looked:
            try:
                self.looked[path] = self.vault.locate(path).exists()
            except (PathRefused, OSError):
                self.looked[path] = False
        return self.looked[path]

    def subject(self, path: str) -> Subject | None:
        """A note as a text rule sees it; `None` where it cannot be read."""
        if path not in self._subjects:
            note = self._read(path)
            self._subjects[path] = (
                None if note is None else Subject(note, self.vault.layer(path), self.vault.bucket(path))
            )
        return self._subjects[path]

    def successor(self, link: Link, source: str) -> str | None:
        """The note that the change renamed from what this link meant; `None` where it renamed none, or none is looked at."""
        if self.before is None:
            return None
        meant = self.before.resolve(link, source).path
        return None if meant is None else self.renames.get(meant)

    def with_texts(self, index: Index, texts: Mapping[str, str]) -> Survey:
        """The same vault as an imagined index has it, in which these notes have these texts."""
        return Survey(self.vault, index, self.now, {**self.texts, **texts}, self.before, self.renames)

    def among(self, paths: Iterable[str]) -> Survey:
        """The same vault, in which links are looked for in these notes alone. It keeps the texts that it reads to itself."""
        narrowed = Survey(
            self.vault,
            self.index,
            self.now,
            self.texts,
            self.before,
            self.renames,
            only=frozenset(paths),
            whole=self,
        )
        narrowed.looked = self.looked
        return narrowed

    def again(self) -> Survey:
        """The vault as it is now."""
        return Survey(self.vault, self.index, self.now, self.texts, self.before, self.renames)

    def _by_path(self) -> dict[str, IndexedNote]:
        if self._notes is None:
            self._notes = {note.path: note for note in self.index.notes()}
        return self._notes

    def _read(self, path: str) -> Note | None:
        if path in self.texts:
            text = self.texts[path]
            return Note(path, text, stamp_of(text.encode()))
        try:
            return self.vault.read(path)
        except (NoteError, PathRefused):
            return None


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()
