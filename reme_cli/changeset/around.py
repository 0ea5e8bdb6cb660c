"""The vault around a change set: the names before and after it, and the links that a new note would capture."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING

from reme_cli.errors import NameCaptured, NoteError
from reme_cli.vault.keys import link_key, path_key
from reme_cli.vault.link import Link, bare_link
from reme_cli.vault.paths import NOTE_SUFFIX, fold, stem_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from reme_cli.graph.conservation import Change
    from reme_cli.vault.vault import Vault

InboundLookup = Callable[[str], Iterable[tuple[str, Link]]]
"""For the path of a new note: source and link of every link whose target's last component is its name."""


class Around:
    """The names before and after a change set; the vault is walked only when a rule has to resolve something."""

    def __init__(
        self,
        vault: Vault,
        names: Names | None,
        *,
        added: Iterable[str],
        removed: Iterable[str],
        moved: Iterable[tuple[str, str]] = (),
    ) -> None:
        """`moved` are pairs of old and new path of files that are renamed as they are."""
        self._vault = vault
        self._before = names
        self._after: Names | None = None
        self.added = tuple(added)
        self.moved = tuple(moved)
        self.removed = frozenset((*removed, *(old for old, _ in self.moved)))

    @property
    def before(self) -> Names:
        """The vault as it is."""
        if self._before is None:
            listing = self._vault.listing()
            self._before = Names(
                (note.path for note in listing.notes),
                listing.files,
                resolution=self._vault.config.links.resolution,
            )
        return self._before

    @property
    def after(self) -> Names:
        """The vault with the change set applied."""
        if self._after is None:
            self._after = (
                self.before.with_changes(
                    added=[*self.added, *(new for old, new in self.moved if old in self.before.notes)],
                    removed=self.removed,
                    files=[new for old, new in self.moved if old not in self.before.notes],
                )
                if self.added or self.removed
                else self.before
            )
        return self._after


def refuse_capture(
    around: Around,
    path: str,
    retargeted: Container[str],
    changes: Mapping[str, Change],
    inbound: InboundLookup,
) -> None:
    """Raises `NameCaptured` if making a note at `path` would turn an existing link, which means another, to it.

    A link that the same set rewrites counts as it was: its rule compares both texts among the names after the change, and
    would not see it. Only the rule of the `retargeted` sources compares what their links meant before.
    """
    if not _name_is_known(around, path):
        return  # no link that resolves ends in this name
    key = path_key(path)
    found = [(source, link) for source, link in inbound(path) if source not in changes]
    found += [
        (source, link)
        for source, change in changes.items()
        if source not in retargeted
        for link in change.links_before
        if link_key(link.target, source) == key
    ]
    for source, link in sorted(found, key=lambda each: (each[0], each[1].start)):
        old = around.before.resolve(link, source).path
        if old is None or old in around.removed:
            continue
        if around.after.resolve(link, source).path != old:
            raise NameCaptured(
                f"a new note of this name would capture the link [[{link.target}]] in {source}:{link.line}, "
                f"which means {old}",
                where=path,
                hint="Choose another name.",
            )


def inbound_on_disk(vault: Vault) -> InboundLookup:
    """An `InboundLookup` that reads every note; for a caller without an index."""

    def inbound(path: str) -> Iterable[tuple[str, Link]]:
        key = path_key(path)
        for source in vault.note_paths():
            try:
                text = vault.read(source).text
            except NoteError:
                continue  # what cannot be read as a note has no links
            if _may_name(key, text):
                yield from (
                    (source, link) for link in scan(text).links if link_key(link.target, source) == key
                )

    return inbound


def _may_name(key: str, text: str) -> bool:
    # A Markdown destination spells other characters than these with percent signs.
    return key in fold(text) or "%" in text


def _name_is_known(around: Around, path: str) -> bool:
    return any(
        around.before.resolve(bare_link(target), "").path is not None
        for target in (stem_of(path), path.removesuffix(NOTE_SUFFIX))
    )
