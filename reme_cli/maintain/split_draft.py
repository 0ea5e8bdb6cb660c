"""A split as it was thought of, a draft, and as it would be written: the parent's overview and its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reme_cli.digest import note as digest_note
from reme_cli.digest.citation import link_to
from reme_cli.errors import NoteError, PathRefused
from reme_cli.graph.conservation import change_of, keys_among
from reme_cli.index.rows import IndexedLink
from reme_cli.lint.respell import is_from_folder, respelled
from reme_cli.maintain.renaming import apart, replaced
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.note import one_line
from reme_cli.vault.paths import fold, stem_of
from reme_cli.vault.resolve import is_url
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.graph.conservation import Change, EdgeKey
    from reme_cli.lint.finding import Replacement
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

BACKLINK = "belongs_to"
"""The predicate by which a part leads to the note that it was taken from."""

_BARE_NEWLINE = regex(r"(?<!\r)\n")


class PartDraft(NamedTuple):
    """A new note as it was thought of; nothing of it is checked."""

    slug: str
    bucket: str
    name: str
    description: str
    body: str
    nested: int = 0
    """How many parts of its own it is to have: none may have any."""
    sources: tuple[str, ...] = ()
    """What it is to cite where it names no source itself."""


class Draft(NamedTuple):
    """What is to become of a note: the body of its overview, and its parts."""

    overview: str
    parts: tuple[PartDraft, ...]


class Problem(NamedTuple):
    """Why a split must not be made: the check that says so, what is wrong, and the edges that would be lost."""

    check: str
    what: str
    edges: tuple[str, ...] = ()


class Part(NamedTuple):
    """A new note as it would be written."""

    path: str
    name: str
    description: str
    text: str
    nested: int = 0


class Split(NamedTuple):
    """The whole of it as it would be written, and the names before and after that."""

    vault: Vault
    parent: Note
    overview: str
    """The parent's new text."""
    parts: tuple[Part, ...]
    before: Names
    after: Names

    @property
    def changes(self) -> tuple[Change, ...]:
        """What happens to each file, the parent first."""
        return (
            change_of(self.parent.path, self.parent.text, self.overview),
            *(change_of(part.path, None, part.text) for part in self.parts),
        )

    def edges(self) -> dict[EdgeKey, tuple[str, ...]]:
        """Where each edge of the parent is afterwards: the parent's path and those of parts, in order. None: it is lost."""
        parent, *parts = self.changes
        held = [
            (change.path, keys_among(change.path, change.links_after, self.after))
            for change in (parent, *parts)
        ]
        own = keys_among(parent.path, parent.links_before, self.after)
        ordered = sorted(own, key=lambda key: (key.target, key.predicate or ""))
        return {key: tuple(path for path, keys in held if key in keys) for key in ordered}


def placed(vault: Vault, draft: Draft, names: Names) -> tuple[tuple[str, ...], list[Problem]]:
    """The paths of the parts, and what is wrong with them: each must be legal, free, portable and the only one of its name."""
    digest = vault.config.folders.digest
    taken = {fold(path): path for path in (*names.notes, *names.files)}
    paths: list[str] = []
    problems: list[Problem] = []
    for part in draft.parts:
        path = f"{digest}/{part.bucket}/{part.slug.removesuffix('.md')}.md"
        try:
            path = digest_note.new_path(vault, path)
            inside = vault.locate(path).is_relative_to(vault.locate(digest))
        except PathRefused as error:
            problems.append(Problem("path", error.one_line))
            continue
        if not inside:
            problems.append(Problem("path", f"{path}: a symlink takes it out of {digest}/"))
        elif (other := taken.get(fold(path))) is not None:
            problems.append(Problem("path", f"{path}: {other} is there already; choose another slug"))
        else:
            taken[fold(path)] = path
            paths.append(path)
    return tuple(paths), problems


def composed(vault: Vault, parent: Note, draft: Draft, paths: tuple[str, ...], names: Names) -> Split:
    """The split as it would be written: links lead where they led, and each part leads to its parent."""
    after = names.with_changes(added=paths)
    newline = "\r\n" if "\r\n" in parent.text else "\n"
    shown = {path: one_line(part.name) for path, part in zip(paths, draft.parts, strict=True)}
    writer = _Writer(vault, parent, names, after, shown)
    parts = tuple(
        Part(
            path,
            one_line(part.name),
            one_line(part.description),
            _with_newlines(writer.part(path, part), newline),
            part.nested,
        )
        for path, part in zip(paths, draft.parts, strict=True)
    )
    overview = _with_newlines(writer.overview(draft.overview), newline)
    return Split(vault, parent, overview, parts, names, after)


def sources_of(vault: Vault, path: str, text: str, names: Names) -> tuple[str, ...]:
    """The notes and files outside the digest that a note rests on: those it says so of, or else all that it links to."""
    keys = keys_among(path, scan(text).links, names)
    outside = [
        key
        for key in sorted(keys, key=lambda key: (key.target, key.predicate or ""))
        if vault.layer(key.target) != "digest" and (key.target in names.notes or key.target in names.files)
    ]
    derived = [key.target for key in outside if key.predicate == "derived_from"]
    return tuple(dict.fromkeys(derived or [key.target for key in outside]))


class _Writer:
    """Writes the texts of one split."""

    def __init__(
        self, vault: Vault, parent: Note, before: Names, after: Names, shown: Mapping[str, str]
    ) -> None:
        self._vault = vault
        self._parent = parent
        self._before = before
        self._after = after
        self._shown = shown

    def part(self, path: str, draft: PartDraft) -> str:
        """The text of a part."""
        text = digest_note.compose(
            one_line(draft.name), one_line(draft.description), _without_head(draft.body)
        )
        text = self._linked(path, text)
        parent = self._parent.path
        if not any(
            self._after.resolve(link, path).path == parent for link in scan(text).links if link.target
        ):
            text = digest_note.with_line(text, f"{BACKLINK}:: {link_to(parent)}")
        if draft.sources and not sources_of(self._vault, path, text, self._after):
            text = digest_note.with_sources(text, draft.sources)
        return text

    def overview(self, body: str) -> str:
        """The parent's new text: its frontmatter as it stands, and another body."""
        old = self._parent.text
        body = _without_head(body).strip()
        block = frontmatter.split(old)
        if block is not None:
            head = old[: block.body_start] + "\n"
        else:
            # a rule at the very beginning would open a frontmatter
            head = ("\ufeff" if old.startswith("\ufeff") else "") + ("\n" if body.startswith("---") else "")
        return self._linked(self._parent.path, f"{head}{body}\n")

    def _linked(self, path: str, text: str) -> str:
        """The text with links that lead, from `path`, where they would lead from the parent; those added in canonical form."""
        text = replaced(text, apart(self._respellings(path, text)))
        digest = self._vault.config.folders.digest
        return digest_note.canonical(path, self._parent.text, text, self._after, digest, self._name_of)

    def _respellings(self, path: str, text: str) -> Iterator[Replacement]:
        for link in scan(text).links if path != self._parent.path else ():
            if not link.target or is_url(link.target):
                continue
            was = self._before.resolve(link, self._parent.path)
            if was.path is None or (
                was.path == self._after.resolve(link, path).path
                # other programs read a Markdown link from the folder of its note
                and is_from_folder(link, path, was.path) >= is_from_folder(link, self._parent.path, was.path)
            ):
                continue
            found = IndexedLink(
                path, link, was.path if was.is_note else None, None if was.is_note else was.path
            )
            spelled = respelled(text, found, was.path, self._after, origin=self._parent.path)
            if spelled is not None:
                yield spelled

    def _name_of(self, target: str) -> str:
        if target in self._shown:
            return self._shown[target]
        try:
            return self._vault.read(target).name
        except (NoteError, PathRefused):
            return stem_of(target)


def _without_head(body: str) -> str:
    """A body without the frontmatter that a model put into it: a note has its own."""
    block = frontmatter.split(body)
    return body if block is None else body[block.body_start :]


def _with_newlines(text: str, newline: str) -> str:
    return _BARE_NEWLINE.sub(newline, text) if newline != "\n" else text
