"""`maintain rm`: notes go, and no link to them is left behind.

What is on disk is read, never an index, which may be older. All of it is one change set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.lock import vault_lock
from reme_cli.errors import Conflict, NoteError, NoteNotFound, Refused, UsageError
from reme_cli.graph.conservation import Drop, EdgeKey, Retarget, edge_keys
from reme_cli.index.rows import IndexedLink
from reme_cli.lint.respell import respelled, unlinked
from reme_cli.maintain.folder import folders_in
from reme_cli.maintain.renaming import apart, replaced
from reme_cli.vault.keys import link_key, path_key
from reme_cli.vault.paths import NOTE_SUFFIX
from reme_cli.vault.resolve import Names, is_url
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reme_cli.changeset.run import Run
    from reme_cli.lint.finding import Replacement
    from reme_cli.maintain.place import Place
    from reme_cli.vault.link import Link
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing


class Inbound(NamedTuple):
    """A link in a note that stays to one that goes."""

    source: str
    link: Link
    target: str
    shown: str
    """The link as it stands in the text."""


class Removal(NamedTuple):
    """What a removal comes to. Every part is sorted by path."""

    notes: tuple[str, ...]
    """The notes that go."""
    inbound: tuple[Inbound, ...]
    """The links to them; unless these are dealt with, nothing may be written."""
    left: tuple[str, ...]
    """The files of the folder that stay, since they are no notes."""
    rewritten: tuple[str, ...]
    """The notes in which links are changed."""
    edits: tuple[Edit, ...]
    listing: Listing
    """What the vault held when this was planned."""


class _Vault(NamedTuple):
    """A vault as it is read for a removal."""

    vault: Vault
    before: Names
    after: Names
    going: frozenset[str]
    heir: str | None
    """The note that takes over the links; `None`: they become their text."""


def plan_removal(vault: Vault, place: Place, *, unlink: bool = False, heir: str | None = None) -> Removal:
    """What is to be written to remove a note, or every note in a folder. Writes nothing.

    The links to them become their text with `unlink`, or lead to the note `heir`; without either there are no edits while
    `inbound` has any. Raises `Refused`, `NoteNotFound`, `UnreadableNote`, `UsageError`.
    """
    listing = vault.listing()
    inside = f"{place.path}/"
    going = [note.path for note in listing.notes if note.path == place.path or note.path.startswith(inside)]
    if not going:
        what = "holds no notes" if place.is_folder else "is no note"
        raise Refused(what, where=place.path, hint="Other files you can remove as you like.")
    if heir is not None and heir in going:
        raise UsageError(
            "would be removed itself", where=heir, hint="Name a note that stays for `--retarget`."
        )
    before = Names(
        (note.path for note in listing.notes), listing.files, resolution=vault.config.links.resolution
    )
    if heir is not None and heir not in before.notes:
        raise NoteNotFound("there is no such note", where=heir)
    seen = _Vault(vault, before, before.with_changes(removed=going), frozenset(going), heir)
    keys = frozenset(map(path_key, going))
    inbound: list[Inbound] = []
    edits: list[Edit] = []
    for listed in listing.notes:
        try:
            note = vault.read(listed.path)
        except NoteError:
            if listed.path in seen.going:
                raise
            continue  # what cannot be read as a note has no links
        if listed.path in seen.going:
            edits.append(_gone(seen, note, folders_in(vault, place) if note.path == going[-1] else ()))
            continue
        found = list(_inbound(seen, note, keys))
        inbound += found
        if found and (unlink or heir is not None):
            edits.append(_rewritten(seen, note))
    files = tuple(path for path in listing.files if path.startswith(inside))
    is_settled = unlink or heir is not None or not inbound
    return Removal(
        notes=tuple(going),
        inbound=tuple(inbound),
        left=files,
        rewritten=tuple(edit.path for edit in edits if edit.text is not None),
        edits=tuple(edits) if is_settled else (),
        listing=listing,
    )


def remove(vault: Vault, run: Run, plan: Callable[[], Removal]) -> Removal:
    """Makes a planned removal; where somebody else writes in between, it is planned anew.

    Nothing is written where `inbound` has links that are not dealt with. Raises what `ChangeSet.apply` raises.
    """
    for attempt in range(REDOS + 1):
        planned = plan()
        if not planned.edits:
            break
        with vault_lock(vault):
            if attempt < REDOS and vault.listing() != planned.listing:
                continue
            try:
                ChangeSet(vault, run, planned.edits).apply()
            except Conflict:
                if attempt == REDOS:
                    raise
                continue
        break
    return planned


def _inbound(seen: _Vault, note: Note, keys: frozenset[str]) -> Iterator[Inbound]:
    for link in scan(note.text).links:
        if not link.target or is_url(link.target) or link_key(link.target, note.path) not in keys:
            continue
        target = seen.before.resolve(link, note.path).path
        if target in seen.going:
            yield Inbound(note.path, link, target, " ".join(note.text[link.start : link.end].split()))


def _gone(seen: _Vault, note: Note, folders: tuple[str, ...]) -> Edit:
    own = edge_keys(note.path, note.text, seen.before) | edge_keys(note.path, note.text, seen.after)
    return Edit(note.path, None, note.stamp, Drop(own), folders=folders)


def _rewritten(seen: _Vault, note: Note) -> Edit:
    """A note without links to what goes. Of a link in another one's text, the outer is rewritten first."""
    text = note.text
    keys = frozenset(map(path_key, seen.going))
    dropped: set[EdgeKey] = set()
    while found := list(_inbound(seen, note._replace(text=text), keys)):
        dropped |= {EdgeKey(each.target, each.link.predicate) for each in found}
        text = replaced(text, apart(_replacement(seen, text, each) for each in found))
    # a note does not come to link to itself
    if seen.heir is None or seen.heir == note.path:
        return Edit(note.path, text, note.stamp, Drop(frozenset(dropped)))
    heirs = tuple((path, seen.heir) for path in sorted(seen.going))
    return Edit(note.path, text, note.stamp, Retarget(heirs))


def _replacement(seen: _Vault, text: str, each: Inbound) -> Replacement:
    found = IndexedLink(each.source, each.link, each.target, None)
    if seen.heir is None or seen.heir == each.source:
        replacement = unlinked(text, found)
    else:
        replacement = respelled(text, found, seen.heir, seen.after)
    if replacement is None:
        raise Refused(
            f"the link to {each.target} cannot be rewritten here",
            where=f"{each.source}:{each.link.line}:{each.link.col}",
            hint="Nothing was written. Change this link by hand.",
        )
    return replacement


def as_heir(vault: Vault, place: Place) -> str:
    """The path of the note that is to take over links. Raises `UsageError` for what is none."""
    if place.is_folder or not place.path.endswith(NOTE_SUFFIX):
        raise UsageError("is no note", where=place.path, hint="`--retarget` names a note that stays.")
    return vault.read(place.path).path
