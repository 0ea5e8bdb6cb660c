"""Every name in a vault that a mention can use, and the automaton that finds all of them in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.folding import fold_name
from reme_cli.linking.forked import mapped
from reme_cli.linking.names import ORIGINS, Name, is_abbreviation, is_linkable, names_of
from reme_cli.regex import regex
from reme_cli.vault.destination import WHITESPACE
from reme_cli.vault.paths import nfc
from reme_cli.vault.resolve import is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ahocorasick_rs import AhoCorasick

    from reme_cli.index.index import Index
    from reme_cli.linking.links import Links
    from reme_cli.linking.names import Origin
    from reme_cli.vault.vault import Vault

LEARNT_FROM: Final = 2
"""So many links by one text make it a name of the note that they lead to."""
CLEAR_FROM: Final = 3
"""So many links by a text that several notes are called by may settle which of them it means,"""
CLEAR_SHARE: Final = 0.9
"""where at least this share of them leads to one note."""

_UNLINKABLE: Final = regex(rf"[#|\[\]^\n\r]|\A[{WHITESPACE}]")
"""A wikilink cannot hold these, and white space around its target is not part of it."""

_NAMES: Final = "SELECT path, names.kind, names.text FROM names JOIN notes ON notes.id = names.note ORDER BY path, ordinal"

_TARGETS: Final = "SELECT path, layer FROM notes WHERE problem IS NULL"


class Meaning(NamedTuple):
    """A note that a name may mean."""

    path: str
    name: Name


class Lexicon(NamedTuple):
    """The names of a vault. A name's number is its place in `keys`."""

    keys: tuple[str, ...]
    meanings: tuple[tuple[Meaning, ...], ...]
    """By number: the notes that it may mean under its strongest origin, in order of path. More than one: it is ambiguous."""
    targets: frozenset[str]
    automaton: AhoCorasick
    labels: Mapping[tuple[str, str], int]
    """How often people linked a note by a text: by the text as it is compared, and path."""

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each name."""
        return {key: number for number, key in enumerate(self.keys)}


def lexicon_of(vault: Vault, index: Index, links: Links) -> Lexicon:
    """The names of all notes that mentions may be linked to: those of the digest, or of all notes where there is no digest."""
    targets = _targets(vault, index)
    known: dict[str, list[tuple[str, str]]] = {}
    for path, kind, text in index.read(lambda connection: connection.execute(_NAMES)):
        if path in targets:
            known.setdefault(path, []).append((kind, text))
    found: dict[str, list[Meaning]] = {}
    with mapped(names_of, tuple(known.values())) as names_by_note:
        # while others make the names
        labels = _labels(links)
        for path, names in zip(known, names_by_note, strict=True):
            for name in names:
                found.setdefault(name.key, []).append(Meaning(path, name))
    _learn(found, labels, targets)
    keys = tuple(sorted(found))
    return Lexicon(
        keys,
        tuple(_meant(key, found[key], labels) for key in keys),
        targets,
        automaton(keys),
        labels,
    )


def automaton(keys: Sequence[str]) -> AhoCorasick:
    """The automaton that finds these names."""
    from ahocorasick_rs import AhoCorasick  # a compiled library, which only linking needs

    return AhoCorasick(keys)


def _targets(vault: Vault, index: Index) -> frozenset[str]:
    notes = [
        (path, layer)
        for path, layer in index.read(lambda connection: connection.execute(_TARGETS))
        if not _UNLINKABLE.search(path) and not is_url(path)
    ]
    digest = frozenset(path for path, layer in notes if layer == "digest")
    return digest or frozenset(
        path for path, layer in notes if layer != "resource" and vault.day(path) is None
    )


def _labels(links: Links) -> dict[tuple[str, str], int]:
    """How often people linked a note by a text: by the text as it is compared, and path."""
    labels: dict[tuple[str, str], int] = {}
    for (text, path), count in links.labels().items():
        key = fold_name(nfc(" ".join(text.split())))
        labels[key, path] = labels.get((key, path), 0) + count
    return labels


def _learn(
    found: dict[str, list[Meaning]], labels: Mapping[tuple[str, str], int], targets: frozenset[str]
) -> None:
    """Adds the texts by which people link a note again and again."""
    for (key, path), count in labels.items():
        if count < LEARNT_FROM or path not in targets or not is_linkable(key, key):
            continue
        meanings = found.setdefault(key, [])
        own = next((number for number, meaning in enumerate(meanings) if meaning.path == path), None)
        if own is None:
            meanings.append(Meaning(path, Name(key, (key,), "learnt")))
        elif ORIGINS.index(meanings[own].name.origin) > ORIGINS.index("learnt"):
            meanings[own] = Meaning(path, meanings[own].name._replace(origin="learnt"))


_RANK: Final[Mapping[Origin, int]] = {
    "name": 0,
    "alias": 0,
    "learnt": 0,
    "heading": 1,
    "variant": 2,
    "plural": 3,
}
"""What a note is called comes before what it may be called by rule; between the first three only people can decide."""


def _meant(
    key: str, meanings: Iterable[Meaning], labels: Mapping[tuple[str, str], int]
) -> tuple[Meaning, ...]:
    """Those of the meanings that a name may have in earnest, in order of path."""
    by_path = sorted(meanings)
    if len(by_path) == 1:
        return tuple(by_path)
    best = min(_RANK[meaning.name.origin] for meaning in by_path)
    rivals = tuple(meaning for meaning in by_path if _RANK[meaning.name.origin] == best)
    if len(rivals) > 1:
        counts = [labels.get((key, meaning.path), 0) for meaning in rivals]
        total = sum(counts)
        if total >= CLEAR_FROM and max(counts) >= CLEAR_SHARE * total:
            return (rivals[counts.index(max(counts))],)
    return rivals


def needs_exact_case(meanings: Iterable[Meaning]) -> bool:
    """Whether a name is a mention only in the very letters that its note writes."""
    return any(is_abbreviation(meaning.name) for meaning in meanings)
