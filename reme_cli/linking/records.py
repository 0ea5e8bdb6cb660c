"""What the properties of notes say about whether two of them are one: what outside the vault each describes, and who made it.

Programs that bring books, films or pages into a vault write such properties; so do people who keep a library in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import FrontmatterError, NoteError, PathRefused
from reme_cli.linking.folding import fold_name
from reme_cli.regex import regex
from reme_cli.vault.note import aliases_of
from reme_cli.vault.paths import nfc, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.vault.vault import Vault

_PLUGIN_DATA: Final = regex(r"-plugin\Z")
_IDENTITY: Final = regex(
    r"(?i:ur[li]|doi|isbn(?:1[03])?|issn|imdb|asin|pmid|arxiv)|(?!(?i:(?:note|page|file|block)[-_]?id)\Z)[a-z]+(?:Id|[-_]id)"
)
"""A property that tells which thing outside the vault a note describes; `id` and `uid` tell one note from another only."""
_AUTHOR: Final = regex(r"(?i)authors?|作者")
_BETWEEN_AUTHORS: Final = regex(r"\s*[,，、;；/&]\s*|\s+and\s+")


class Record(NamedTuple):
    """What is compared of a note's properties."""

    identities: frozenset[tuple[str, str]] = frozenset()
    """Property and value of all that tell which thing outside the vault it describes."""
    authors: tuple[str, ...] = ()
    """As names are compared: all of them as they stand in the property, then each."""
    is_comparable: bool = True
    """Whether the note can be read, and holds no data of a plugin (`kanban-plugin: …`), which are alike for all of its notes."""


def record_of(vault: Vault, path: str) -> Record:
    """The record of a note; an empty one where its frontmatter is not valid."""
    try:
        properties = vault.read(path).frontmatter
    except FrontmatterError:
        return Record()
    except (NoteError, PathRefused):
        return Record(is_comparable=False)
    identities, authors = set[tuple[str, str]](), list[str]()
    for key, value in properties.items():
        if _IDENTITY.fullmatch(key):
            identities.update((key.lower(), text) for text in aliases_of(value))
        elif _AUTHOR.fullmatch(key):
            authors += _each_author(aliases_of(value))
    return Record(
        frozenset(identities), tuple(dict.fromkeys(authors)), not any(map(_PLUGIN_DATA.search, properties))
    )


def _each_author(texts: Iterable[str]) -> list[str]:
    names = [nfc(text) for text in texts]
    parts = [part for name in names for part in _BETWEEN_AUTHORS.split(name) if part]
    return [fold_name(name) for name in (*names, *parts)]


class Records:
    """The records of a vault's notes, each read when it is first asked for."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._known: dict[str, Record] = {}

    def __getitem__(self, path: str) -> Record:
        """The record of a note."""
        if path not in self._known:
            self._known[path] = record_of(self._vault, path)
        return self._known[path]

    def are_two_things(self, first: str, second: str) -> bool:
        """Whether each of two notes describes a thing outside the vault, and not the same: two films, or a book and its film."""
        one, other = self[first].identities, self[second].identities
        return bool(one and other) and one.isdisjoint(other)

    def are_by_author(self, first: str, second: str) -> bool:
        """Whether the one is named by who made the other: an author and a work, or two works of one author."""
        return self._names_author(first, second) or self._names_author(second, first)

    def _names_author(self, path: str, work: str) -> bool:
        name = fold_name(stem_of(path))
        return any(re.search(rf"(?<!\w){re.escape(author)}(?!\w)", name) for author in self[work].authors)
