"""The edges of one note: its links to notes, resolved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reme_cli.vault.paths import NOTE_SUFFIX, nfc
from reme_cli.vault.resolve import is_url
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation between two notes. Two links with the same `key` from one note are one edge."""

    source: str
    target: str
    """The path of a note; where nothing resolves, the literal target in NFC without `.md`."""
    predicate: str | None
    """Canonical; `None` where the link is untyped."""
    resolved: bool

    @property
    def key(self) -> tuple[str, str | None]:
        """What E-1 and E-2 conserve."""
        return self.target, self.predicate


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An edge at one place in its source."""

    edge: Edge
    link: Link


@dataclass(frozen=True, slots=True)
class AttachmentReference:
    """A link to a file that is no note; `target` is its path, or the literal target where it does not exist."""

    source: str
    target: str
    resolved: bool
    link: Link


def occurrences_of(path: str, text: str, names: Names) -> tuple[Occurrence, ...]:
    """Every link of a note to a note, in source order; no attachments, same-note anchors and URLs."""
    return occurrences_among(path, scan(text).links, names)


def occurrences_among(path: str, links: Iterable[Link], names: Names) -> tuple[Occurrence, ...]:
    """As `occurrences_of`, for links that are scanned already."""
    occurrences = []
    for link in links:
        if not link.target or is_url(link.target):
            continue
        resolution = names.resolve(link, path)
        if resolution.is_note:
            target = resolution.path or literal_target(link)
            edge = Edge(path, target, link.predicate, resolved=resolution.path is not None)
            occurrences.append(Occurrence(edge, link))
    return tuple(occurrences)


def attachments_among(path: str, links: Iterable[Link], names: Names) -> tuple[AttachmentReference, ...]:
    """Every reference of a note to a file that is no note, in source order."""
    references = []
    for link in links:
        if not link.target or is_url(link.target):
            continue
        resolution = names.resolve(link, path)
        if not resolution.is_note:
            target = resolution.path or nfc(link.target)
            references.append(AttachmentReference(path, target, resolution.path is not None, link))
    return tuple(references)


def edges_of(occurrences: Iterable[Occurrence]) -> tuple[Edge, ...]:
    """The distinct edges, in order of first occurrence."""
    return tuple(dict.fromkeys(occurrence.edge for occurrence in occurrences))


def literal_target(link: Link) -> str:
    """What stands for a target that does not resolve, so that two spellings of it compare equal."""
    return nfc(link.target).removesuffix(NOTE_SUFFIX)
