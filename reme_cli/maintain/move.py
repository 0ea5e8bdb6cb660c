"""`maintain mv`: a note, a file or a folder gets another path, and everything that leads to it leads there.

What is on disk is read, never an index, which may be older. All of it is one change set.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.changeset.change_set import REDOS, ChangeSet
from reme_cli.changeset.difference import renaming as renaming_diff
from reme_cli.changeset.difference import unified_diff
from reme_cli.changeset.edit import Edit
from reme_cli.changeset.lock import vault_lock
from reme_cli.changeset.plan import stamp_at
from reme_cli.errors import (
    AlreadyExists,
    Conflict,
    NoteError,
    NoteNotFound,
    PathRefused,
    Refused,
    UnreadableNote,
)
from reme_cli.graph.conservation import Retarget
from reme_cli.maintain.folder import folders_in, others_in
from reme_cli.maintain.renaming import Renaming
from reme_cli.maintain.unfollowed import unfollowed
from reme_cli.vault.resolve import Names
from reme_cli.vault.stamp import ABSENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.changeset.around import InboundLookup
    from reme_cli.changeset.run import Run
    from reme_cli.maintain.place import Place
    from reme_cli.maintain.renaming import Adopted, Retargeted
    from reme_cli.maintain.unfollowed import Unfollowed
    from reme_cli.vault.note import Note
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault
    from reme_cli.vault.walk import Listing


_UNSEEN: Final = (
    "No notes are where `ignore` of vault.yaml says so, nor in hidden folders, prompts/ and node_modules/."
)


class Rewritten(NamedTuple):
    """A note whose text changes: its old and new path, which may be the same, its stamps, and how many links change."""

    path: str
    new_path: str
    before: Stamp
    links: int


class Move(NamedTuple):
    """What a move comes to. Paths are vault-relative; every part is sorted by old path."""

    notes: Mapping[str, str]
    """The new path of each note that moves."""
    files: Mapping[str, str]
    """The new path of every other file that moves."""
    rewritten: tuple[Rewritten, ...]
    adopted: tuple[Adopted, ...]
    left: tuple[str, ...]
    """What stays in a folder that moves: hidden files, and what is not listed as a part of the vault."""
    unread: tuple[str, ...]
    """Moved notes that cannot be read, so that links in them stay as they are."""
    in_no_bucket: tuple[str, ...]
    """The folders that come to hold notes of the digest, and are none of its buckets; those notes were in one, or elsewhere."""
    unfollowed: tuple[Unfollowed, ...]
    edits: tuple[Edit, ...]
    texts: Mapping[str, tuple[str, str]]
    """Old and new text of each note that moves or is rewritten, by old path."""
    listing: Listing
    """What the vault held when this was planned."""
    inbound: InboundLookup

    @property
    def links(self) -> int:
        """How many links are spelled anew."""
        return sum(note.links for note in self.rewritten)

    def diff(self) -> str:
        """What is renamed and rewritten, as `git` shows it."""
        parts = []
        for path in sorted({*self.texts, *self.files}):
            new = self.notes.get(path) or self.files.get(path) or path
            before, after = self.texts.get(path, ("", ""))
            if new != path:
                parts.append(renaming_diff(path, new, is_same=before == after))
            parts.append(unified_diff(new, before, after, source=path))
        return "".join(parts)


def plan_move(vault: Vault, old: Place, new: str) -> Move:
    """What is to be written so that the file or folder `old` has the path `new`. Writes nothing.

    Raises `AlreadyExists`, `NoteNotFound`, `Refused`, `UnreadableNote`.
    """
    _refuse_impossible(vault, old, new)
    listing = vault.listing()
    notes = _moved(old, new, (note.path for note in listing.notes))
    files = _moved(old, new, listing.files)
    # a note that `ignore` took out is one from then on
    notes |= {path: files.pop(path) for path in [*files] if vault.kind(files[path]) == "note"}
    if not notes and not files:
        raise Refused("holds nothing that the vault lists", where=old.path)
    _refuse_unlisted(vault, notes, files)
    before = Names(
        (note.path for note in listing.notes), listing.files, resolution=vault.config.links.resolution
    )
    texts: dict[str, tuple[Note, Retargeted]] = {}
    unread: list[str] = []
    after = before.with_changes(added=notes.values(), removed=[*notes, *files], files=files.values())
    renaming = Renaming(before, after, {**notes, **files})
    for path in sorted({*notes, *(note.path for note in listing.notes)}):
        try:
            note = vault.read(path)
        except NoteError:  # what cannot be read as a note has no links, and can be moved as it is
            if path in notes:
                unread.append(path)
            continue
        if renaming.may_touch(path, note.text):
            changed = renaming.retargeted(path, note.text)
            if path in notes or changed.text != note.text or changed.adopted:
                texts[path] = note, changed
    for path in unread:
        files[path] = notes.pop(path)
    rewritten = tuple(
        Rewritten(path, notes.get(path, path), note.stamp, changed.links)
        for path, (note, changed) in texts.items()
        if changed.text != note.text
    )
    return Move(
        notes=notes,
        files=dict(sorted(files.items())),
        rewritten=rewritten,
        adopted=tuple(each for _, changed in texts.values() for each in changed.adopted),
        left=others_in(vault, old, {*notes, *files}),
        unread=tuple(unread),
        in_no_bucket=_in_no_bucket(vault, {**notes, **{path: files[path] for path in unread}}),
        unfollowed=unfollowed(vault, listing.files, renaming.paths),
        edits=tuple(_edits(vault, renaming, notes, files, texts, folders_in(vault, old))),
        texts={
            path: (note.text, changed.text)
            for path, (note, changed) in texts.items()
            if path in notes or changed.text != note.text
        },
        listing=listing,
        inbound=renaming.inbound,
    )


def move(vault: Vault, old: Place, new: str, run: Run) -> Move:
    """Gives the file or folder `old` the path `new`; where somebody else writes in between, it is planned anew.

    Raises what `plan_move` and `ChangeSet.apply` raise.
    """
    for attempt in range(REDOS + 1):
        planned = plan_move(vault, old, new)
        with vault_lock(vault):
            # a note that came or changed since may link to what moves
            if attempt < REDOS and vault.listing() != planned.listing:
                continue
            try:
                ChangeSet(vault, run, planned.edits, inbound=planned.inbound).apply()
            except AlreadyExists:
                raise
            except Conflict:
                if attempt == REDOS:
                    raise
                continue
            return planned
    raise AssertionError("the last attempt returns or raises")


def _refuse_impossible(vault: Vault, old: Place, new: str) -> None:
    source, place = vault.locate(old.path), vault.locate(new)
    if not os.path.lexists(vault.root / old.path) and not os.path.lexists(source):
        raise NoteNotFound("is gone since it was looked for", where=old.path)
    if new == old.path:
        raise Refused("has this path already", where=new)
    if old.is_folder and new.startswith(f"{old.path}/"):
        raise Refused(f"a folder cannot be moved into itself ({new})", where=old.path)
    if not os.path.lexists(place):
        return
    if place.samefile(source):
        raise AlreadyExists(
            "this file system does not tell upper from lower case",
            where=new,
            hint="Move it to another name first, and from there to this one.",
        )
    raise AlreadyExists("is there already", where=new, hint="Choose another name, or remove it first.")


def _refuse_unlisted(vault: Vault, notes: Mapping[str, str], files: Mapping[str, str]) -> None:
    """Raises `PathRefused` where a note would be none any more, or a file not be seen: links to it would break."""
    for new in notes.values():
        if vault.kind(new) != "note":
            raise PathRefused("would be no note there", where=new, hint=_UNSEEN)
    for new in files.values():
        if vault.kind(new) is None:
            raise PathRefused("would not be seen there", where=new, hint=_UNSEEN)


def _moved(old: Place, new: str, paths: Iterable[str]) -> dict[str, str]:
    """The new path for each of these that moves."""
    if not old.is_folder:
        return {old.path: new} if old.path in set(paths) else {}
    inside = f"{old.path}/"
    return {path: f"{new}/{path[len(inside) :]}" for path in paths if path.startswith(inside)}


def _in_no_bucket(vault: Vault, notes: Mapping[str, str]) -> tuple[str, ...]:
    """The folders that these notes come to, of the digest and none of its buckets, unless they are outside of them already."""
    digest = vault.config.folders.digest

    def is_stray(path: str) -> bool:
        return vault.layer(path) == "digest" and vault.bucket(path) is None

    strays = (new[len(digest) + 1 :] for old, new in notes.items() if is_stray(new) and not is_stray(old))
    return tuple(
        sorted({f"{digest}/{inside.rpartition('/')[0].partition('/')[0]}".rstrip("/") for inside in strays})
    )


def _edits(
    vault: Vault,
    renaming: Renaming,
    notes: Mapping[str, str],
    files: Mapping[str, str],
    texts: Mapping[str, tuple[Note, Retargeted]],
    folders: tuple[str, ...],
) -> Iterable[Edit]:
    renames = tuple(renaming.paths.items())
    last = next(reversed([*notes, *files]))
    for path, (note, changed) in texts.items():
        adopted = tuple((each.literal, each.target) for each in changed.adopted)
        rule = Retarget((*renames, *adopted))
        new = notes.get(path)
        if new is None:
            if changed.text != note.text:
                yield Edit(path, changed.text, note.stamp, rule)
            continue
        yield Edit(new, changed.text, ABSENT, Retarget(rule.renames, moved_from=path))
        yield Edit(path, None, note.stamp, rule, folders=folders if path == last else ())
    for path, new in files.items():
        stamp = stamp_at(vault, path)
        if stamp == ABSENT:
            raise UnreadableNote("is gone since the vault was read", where=path)
        yield Edit(new, None, stamp, Retarget(renames), source=path, folders=folders if path == last else ())
