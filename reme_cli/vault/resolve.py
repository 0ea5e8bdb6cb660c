"""Which file a link means."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.paths import NOTE_SUFFIX, fold, folder_of, name_of, nfc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.config import LinkResolution
    from reme_cli.vault.link import Link

_URL: Final = regex(r"[A-Za-z][A-Za-z0-9+.-]*://|mailto:", re.IGNORECASE)
_FILE_TYPE: Final = regex("[0-9]*[A-Za-z][A-Za-z0-9]*")
# What Obsidian embeds, and the documents and data that people keep beside their notes.
_MEDIA: Final = regex(
    "avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp"
    "|3gp|aac|flac|m4a|mp3|ogg|opus|wav|avi|mkv|mov|mp4|ogv|webm"
    "|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|mobi|djvu|rtf|txt|log|tex|bib|eml|html?|canvas|base"
    "|csv|tsv|jsonl?|ndjson|ya?ml|toml|xml|sqlite|db|ipynb|zip|gz|tar|7z|rar",
    re.IGNORECASE,
)


class Resolution(NamedTuple):
    """What a link's target is, among one set of names."""

    path: str | None
    """The file meant; `None` where there is none."""
    is_note: bool
    """Of an unresolved target: whether it would be a note, by its spelling."""
    candidates: tuple[str, ...]
    """Every note that the link could be, the one meant first; more than one: the link is ambiguous."""
    exact_case: bool
    """Whether the target spells the path's upper and lower case letters as the file does."""

    @property
    def ambiguous(self) -> bool:
        """Whether another note would also match."""
        return len(self.candidates) > 1


class _Hits(NamedTuple):
    """The paths that one step finds, in the order in which they win, and the winner of each folder."""

    paths: tuple[str, ...]
    by_folder: dict[str, str]
    exact_case: bool

    def best_for(self, source: str) -> str:
        """The winner: one in the source's folder, else the shortest, else the first in order."""
        return self.by_folder.get(folder_of(source), self.paths[0])


def _hits(paths: Iterable[str], *, exact_case: bool) -> _Hits | None:
    ordered = tuple(sorted(paths, key=lambda path: (len(path), path)))
    if len(ordered) < 2:
        return _Hits(ordered, {}, exact_case) if ordered else None
    by_folder: dict[str, str] = {}
    for path in ordered:
        by_folder.setdefault(folder_of(path), path)
    return _Hits(ordered, by_folder, exact_case)


class _Reading(NamedTuple):
    """What a target means from anywhere in the vault; only the choice among several hits depends on the source."""

    hits: _Hits | None
    rivals: tuple[str, ...]
    """The notes that also match by suffix; none for a full path, which can mean only one note."""
    always: Resolution | None
    """What it means to a link from anywhere that is not tried relative to its note; `None` where the source or the link's kind decides."""


class Names:
    """A snapshot of a vault's paths, in which links resolve.

    Never changes; its tables are built when first needed, and what was resolved once is remembered.
    """

    __slots__ = ("_by_name", "_files", "_notes", "_readings", "_resolution")

    def __init__(
        self, notes: Iterable[str], files: Iterable[str] = (), *, resolution: LinkResolution = "obsidian"
    ) -> None:
        self._notes = frozenset(map(nfc, notes))
        self._files = frozenset(map(nfc, files)) - self._notes
        self._resolution = resolution
        self._by_name: dict[str, tuple[str, ...]] | None = None
        self._readings: dict[str, _Reading] = {}

    @property
    def notes(self) -> frozenset[str]:
        """The paths of all notes."""
        return self._notes

    @property
    def files(self) -> frozenset[str]:
        """The paths of all other files."""
        return self._files

    def with_changes(
        self, *, added: Iterable[str] = (), removed: Iterable[str] = (), files: Iterable[str] = ()
    ) -> Names:
        """The names after some paths came (`*.md` as notes) and others went; a path in both is there afterwards.

        `files` came as what is no note, whatever their names end in.
        """
        no_notes = frozenset(map(nfc, files))
        new, old = frozenset(map(nfc, added)) | no_notes, frozenset(map(nfc, removed))
        new_notes = frozenset(path for path in new - no_notes if path.endswith(NOTE_SUFFIX))
        changed = Names((), resolution=self._resolution)
        changed._notes = (self._notes - old) | new_notes
        changed._files = (self._files - old - new_notes) | (new - new_notes)
        if self._by_name is not None:
            table = dict(self._by_name)
            for path in old | new:
                key = fold(name_of(path))
                kept = tuple(other for other in table.get(key, ()) if other != path)
                table[key] = (*kept, path) if path in new else kept
            changed._by_name = table
        return changed

    def resolve(self, link: Link, source: str) -> Resolution:
        """What the link means in the note `source`; a same-note anchor means the source itself.

        The steps are those of the contract (notes-and-links.md, Resolution), with what it says of Markdown
        links: these are tried relative to the note first, then from the root. A target that begins with `/`,
        `./` or `../` says where it is, so it is not looked for elsewhere.
        """
        target = nfc(link.target)
        is_relative = link.kind in {"markdown", "image"}
        # most links are such, and a vault repeats its targets
        if not is_relative and (known := self._readings.get(target)) and known.always:
            return known.always
        if not target:
            return Resolution(source, True, (source,), True)
        if is_url(target):
            return Resolution(None, False, (), True)
        dotted = target.startswith(("./", "../"))
        relative_first = dotted or (is_relative and not target.startswith("/"))
        if relative_first and (place := _joined(folder_of(source), target)):
            hits = self._exact(place)
            if hits is not None:
                path = hits.best_for(source)
                is_note = path in self._notes
                return Resolution(path, is_note, (path,) if is_note else (), hits.exact_case)
        reading = _Reading(None, (), None) if dotted else self._read(target)
        if reading.always:
            return reading.always
        if reading.hits is None:
            return Resolution(None, would_be_note(link), (), True)
        return self._chosen(reading.hits.best_for(source), reading.hits, reading.rivals)

    def _chosen(self, path: str, hits: _Hits, rivals: tuple[str, ...]) -> Resolution:
        if path not in self._notes:
            return Resolution(path, False, (), hits.exact_case)
        candidates = rivals
        if candidates != (path,):
            candidates = (path, *(rival for rival in candidates if rival != path))
        return Resolution(path, True, candidates, hits.exact_case)

    def _read(self, target: str) -> _Reading:
        reading = self._readings.get(target)
        if reading is None:
            hits, rivals = self._look_up(target)
            always = self._chosen(hits.paths[0], hits, rivals) if hits and len(hits.paths) == 1 else None
            reading = self._readings[target] = _Reading(hits, rivals, always)
        return reading

    def _look_up(self, target: str) -> tuple[_Hits | None, tuple[str, ...]]:
        rooted = target.startswith("/")
        hits = self._exact(target[1:] if rooted else target)
        if rooted or self._resolution == "literal" or (hits and hits.exact_case and target in self._notes):
            return hits, ()
        if hits is None:
            hits = self._by_suffix(target, notes_only=False)
            if hits is None or self._notes.issuperset(hits.paths):
                return hits, hits.paths if hits else ()
        rivals = self._by_suffix(target, notes_only=True)
        return hits, rivals.paths if rivals else ()

    def _exact(self, path: str) -> _Hits | None:
        """The file at this vault path, else at this path with `.md`; each as spelled, else in any case."""
        spellings = (path,) if self._resolution == "literal" else (path, path + NOTE_SUFFIX)
        for spelling in spellings:
            if spelling in self._notes or spelling in self._files:
                return _hits((spelling,), exact_case=True)
            folded = fold(spelling)
            if hits := _hits(
                (other for other in self._named(folded) if fold(other) == folded), exact_case=False
            ):
                return hits
        return None

    def _by_suffix(self, target: str, *, notes_only: bool) -> _Hits | None:
        """The files whose path ends in this target at a folder boundary, `.md` added where that is needed."""
        spellings = (target, target + NOTE_SUFFIX)
        for spelling in spellings:
            named = self._named(fold(spelling))
            tail = "/" + spelling
            found = (path for path in named if ("/" + path).endswith(tail))
            if hits := _hits(self._wanted(found, notes_only=notes_only), exact_case=True):
                return hits
        for spelling in spellings:
            named = self._named(fold(spelling))
            tail = "/" + fold(spelling)
            found = (path for path in named if ("/" + fold(path)).endswith(tail))
            if hits := _hits(self._wanted(found, notes_only=notes_only), exact_case=False):
                return hits
        return None

    def _wanted(self, paths: Iterable[str], *, notes_only: bool) -> Iterable[str]:
        return (path for path in paths if path in self._notes) if notes_only else paths

    def _named(self, folded: str) -> tuple[str, ...]:
        """The paths whose last component equals that of `folded`, without regard to case."""
        if self._by_name is None:
            table: dict[str, list[str]] = {}
            for paths in (self._notes, self._files):
                for path in paths:
                    table.setdefault(fold(name_of(path)), []).append(path)
            self._by_name = {name: tuple(paths) for name, paths in table.items()}
        return self._by_name.get(name_of(folded), ())


def is_url(target: str) -> bool:
    """Whether a link's target is an address on the net, which is neither an edge nor broken."""
    return ":" in target and _URL.match(target) is not None


def would_be_note(link: Link) -> bool:
    """Whether a link whose target does not exist means a note, by its spelling; else it means an attachment.

    A wikilink means an attachment only with a file type that people keep beside notes: `[[Node.js]]` and
    `[[v1.2]]` are notes. A Markdown link or an embed does with any file type.
    """
    if is_url(link.target) or link.target.endswith(NOTE_SUFFIX):
        return not is_url(link.target)
    if link.kind == "image":
        return False
    stem, _, extension = name_of(link.target).rpartition(".")
    if not stem.strip(".") or len(extension) > 10 or not _FILE_TYPE.fullmatch(extension):
        return True
    return link.kind in {"wikilink", "frontmatter"} and _MEDIA.fullmatch(extension) is None


def _joined(folder: str, target: str) -> str | None:
    """The vault path of a target relative to a folder; `None` where it leaves the vault or names a folder itself."""
    joined = posixpath.normpath(posixpath.join(folder, target))
    return None if joined in {".", ".."} or joined.startswith("../") or target.endswith("/") else joined
