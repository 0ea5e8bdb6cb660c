"""Conservation of edges: what a change of a note may do to its links, as rules that are plain values.

    E1                   every edge stays                                       update, lint fix
    E2                   every edge stays, in the note or in a note made beside it    split
    Additive(inserted)   as E1, and only link markup (or one line) is new       auto_link L1, L2
    Upgrade(from, to)    one edge changes its predicate                         auto_link L3
    Retarget(renames)    links map one to one under a renaming                  mv, link fixes
    Create               no edges before; every link resolves                   new notes
    Block(span)          nothing changes outside a managed block                the day's page
    Restore              an earlier text comes back; no edge rule               undo
    Drop(edges)          exactly the named edges may go                         rm, fix of a broken link
    Data                 a file without links                                   interests.yaml

Both texts of a comparison are resolved among the same names, those after the change: a link that merely gets
its target thereby is not a link lost. (`Retarget` compares what a link meant before with what it means after.)
References to attachments are conserved as edges are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from reme_cli.errors import EdgesLost
from reme_cli.graph.edge import attachments_among, occurrences_among
from reme_cli.vault.paths import NOTE_SUFFIX, nfc
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names


class EdgeKey(NamedTuple):
    """What is conserved of an edge: its target (a path, or the literal text of a broken link) and its predicate."""

    target: str
    predicate: str | None

    def __str__(self) -> str:
        return f"{self.predicate}:: [[{self.target}]]" if self.predicate else f"[[{self.target}]]"


class NamesAround(Protocol):
    """The names in which links resolve, before a change and after it."""

    @property
    def before(self) -> Names:
        """The vault as it was."""

    @property
    def after(self) -> Names:
        """The vault with the whole change set applied."""


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a change set with its links, scanned once. `None` is a file that does not exist."""

    path: str
    before: str | None
    after: str | None
    links_before: tuple[Link, ...]
    links_after: tuple[Link, ...]


class Rule(Protocol):
    """What one change may do."""

    @property
    def name(self) -> str:
        """The rule as the audit and an error call it."""

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` unless the change, made together with the others of its set, keeps the rule."""


def change_of(path: str, before: str | None, after: str | None) -> Change:
    """A change with its links; only a note (`*.md`) has any."""

    def links(text: str | None) -> tuple[Link, ...]:
        return scan(text).links if text is not None and path.endswith(NOTE_SUFFIX) else ()

    found = links(before)
    return Change(path, before, after, found, found if before == after else links(after))


def edge_keys(path: str, text: str, names: Names) -> frozenset[EdgeKey]:
    """The edges and attachment references of a note's text."""
    return keys_among(path, scan(text).links, names)


def keys_among(path: str, links: Iterable[Link], names: Names) -> frozenset[EdgeKey]:
    """As `edge_keys`, for links that are scanned already."""
    return frozenset(_keys_in_order(path, links, names))


def moved_edges(change: Change, names: NamesAround) -> tuple[tuple[EdgeKey, ...], tuple[EdgeKey, ...]]:
    """The edges that a change adds and those that it drops, each sorted."""
    if same_links(change):
        return (), ()
    old = keys_among(change.path, change.links_before, names.after)
    new = keys_among(change.path, change.links_after, names.after)
    return _in_order(new - old), _in_order(old - new)


def same_links(change: Change) -> bool:
    """Whether both texts hold the same links as they are spelled: then they mean the same among any names."""
    return _spelled(change.links_before) == _spelled(change.links_after)


@dataclass(frozen=True, slots=True)
class E1:
    """`edges(new) ⊇ edges(old)`."""

    name: ClassVar[str] = "E1"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the edges that are missing."""
        del together
        if _spelled(change.links_before) <= _spelled(change.links_after):
            return
        _, dropped = moved_edges(change, names)
        _require_none(dropped, change, self.name)


@dataclass(frozen=True, slots=True)
class E2:
    """`edges(new) ∪ ⋃ edges(note created in the same set) ⊇ edges(old)`."""

    name: ClassVar[str] = "E2"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the edges that neither the note nor a new one beside it has."""
        _, dropped = moved_edges(change, names)
        if not dropped:
            return
        carried: set[EdgeKey] = set()
        for other in together:
            if other.before is None:
                carried |= keys_among(other.path, other.links_after, names.after)
        _require_none((key for key in dropped if key not in carried), change, self.name)


@dataclass(frozen=True, slots=True)
class Additive:
    """As E1, and the text without link markup is as before; or as before with `inserted` at one place."""

    inserted: str | None = None
    """Exactly the characters that are new, line endings included."""
    name: ClassVar[str] = "additive"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the missing edges, or because other text than link markup changed."""
        E1().check(change, names, together)
        before, after = change.before or "", change.after or ""
        if self.inserted is None:
            if strip_links(before) == strip_links(after):
                return
            raise EdgesLost(
                "an additive change may add nothing but link markup", where=change.path, hint=_PLAN_AGAIN
            )
        # The bare text may end in what was inserted without being the place: every place is tried.
        place = after.find(self.inserted)
        while place >= 0:
            if after[:place] + after[place + len(self.inserted) :] == before:
                return
            place = after.find(self.inserted, place + 1)
        raise EdgesLost(
            "an additive change may add nothing but the announced line", where=change.path, hint=_PLAN_AGAIN
        )


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The edge `old` becomes `new`, which has the same target; everything else as E1."""

    old: EdgeKey
    new: EdgeKey
    name: ClassVar[str] = "upgrade"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the other edges that are missing, or because the upgrade itself is not there."""
        del together
        if self.old.target != self.new.target:
            raise EdgesLost(
                f"an upgrade keeps its target, but {self.old} would become {self.new}", where=change.path
            )
        old = keys_among(change.path, change.links_before, names.after)
        new = keys_among(change.path, change.links_after, names.after)
        if self.old not in old or self.new not in new:
            raise EdgesLost(
                f"{self.old} does not become {self.new} by this change", where=change.path, hint=_PLAN_AGAIN
            )
        _require_none(_in_order(old - new - {self.old}), change, self.name)


@dataclass(frozen=True, slots=True)
class Retarget:
    """Each link means, under the renaming, what it meant before; none comes, none goes.

    A moved note is a create with `moved_from` and a delete of that path, both under this rule.
    """

    renames: tuple[tuple[str, str], ...]
    """Pairs of old and new path; the old one of a broken link is its literal target without `.md`."""
    moved_from: str | None = None
    name: ClassVar[str] = "retarget"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the links that have no counterpart."""
        renames = dict(self.renames)
        source, origin = change, change.path
        if change.after is None:
            successor = renames.get(change.path)
            if not any(other.path == successor and other.before is None for other in together):
                raise EdgesLost("the note would vanish instead of being moved", where=change.path)
            return
        if self.moved_from is not None:
            moved = [other for other in together if other.path == self.moved_from]
            if len(moved) != 1:
                raise EdgesLost(f"{self.moved_from} is not moved by this change set", where=change.path)
            source, origin = moved[0], self.moved_from
        old = Counter(
            # `[[pic.png.md]]`, which leads nowhere, has the literal target `pic.png`, and not the file of this name
            key
            if not leads and key.target in names.before.files
            else key._replace(target=renames.get(key.target, key.target))
            for key, leads in _told_apart(origin, source.links_before, names.before)
        )
        new = Counter(_keys_in_order(change.path, change.links_after, names.after))
        _require_none(_in_order(old - new), change, self.name)
        if extra := _in_order(new - old):
            raise EdgesLost(f"a renaming adds no link, but this adds {_listed(extra)}", where=change.path)


@dataclass(frozen=True, slots=True)
class Create:
    """A new note, every link of which resolves."""

    part_of: str | None = None
    """A note that gives a part of its text to this one, in the same set: links that are broken there may be so here."""
    name: ClassVar[str] = "create"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the links that lead nowhere."""
        if not change.links_after:
            return
        broken = {
            EdgeKey(edge.target, edge.predicate)
            for edge in (
                occurrence.edge
                for occurrence in occurrences_among(change.path, change.links_after, names.after)
            )
            if not edge.resolved
        } | {
            EdgeKey(reference.target, reference.link.predicate)
            for reference in attachments_among(change.path, change.links_after, names.after)
            if not reference.resolved
        }
        for other in together if broken else ():
            if other.path == self.part_of:
                broken -= keys_among(other.path, other.links_before, names.after)
        if broken:
            shown = sorted(map(str, broken))
            raise EdgesLost(
                f"a new note may link only to what exists; these do not resolve: {', '.join(shown)}",
                missing=tuple(shown),
                where=change.path,
                hint="Link existing notes by their full path, or write the name as plain text.",
            )


@dataclass(frozen=True, slots=True)
class Block:
    """Outside the managed block every byte stays, and so does every edge."""

    span: Callable[[str], tuple[int, int] | None]
    """Where the block is in a text, with the line breaks that were added around it; `None`: there is none."""
    name: ClassVar[str] = "block"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` because text outside the block changes, or with the edges that it would hide."""
        del together
        before, after = self._outside(change.before or ""), self._outside(change.after or "")
        if before != after:
            raise EdgesLost(
                "text outside the managed block would change", where=change.path, hint=_PLAN_AGAIN
            )
        if same_links(change):
            return
        # Equal bytes are not enough: an open code fence in the block would turn the links below it into code.
        outside = keys_among(change.path, scan(before).links, names.after)
        kept = keys_among(change.path, change.links_after, names.after)
        was = keys_among(change.path, change.links_before, names.after)
        _require_none(_in_order((outside & was) - kept), change, self.name)

    def _outside(self, text: str) -> str:
        span = self.span(text)
        return text if span is None else text[: span[0]] + text[span[1] :]


@dataclass(frozen=True, slots=True)
class Restore:
    """An earlier text comes back as it was. That it is an earlier one is checked where the history is at hand."""

    name: ClassVar[str] = "restore"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Accepts: a restored text may have other edges."""


@dataclass(frozen=True, slots=True)
class Drop:
    """As E1, but the named edges may go. A broken link is named by its literal target without `.md`."""

    edges: frozenset[EdgeKey]
    name: ClassVar[str] = "drop"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` with the edges that are missing and were not named."""
        del together
        if same_links(change):
            return
        new = keys_among(change.path, change.links_after, names.after)
        # A link to a note that this set removes is broken afterwards: it may be named by either meaning.
        lost = {
            key
            for was, key in zip(
                _keys_in_order(change.path, change.links_before, names.before),
                _keys_in_order(change.path, change.links_before, names.after),
                strict=True,
            )
            if key not in new and key not in self.edges and was not in self.edges
        }
        _require_none(_in_order(lost), change, self.name)


@dataclass(frozen=True, slots=True)
class Data:
    """A file beside the notes that holds no links."""

    name: ClassVar[str] = "data"

    def check(self, change: Change, names: NamesAround, together: Iterable[Change]) -> None:
        """Raises `EdgesLost` for a note, which needs a rule for its edges."""
        del names, together
        if change.path.endswith(NOTE_SUFFIX):
            raise EdgesLost("a note is not written as plain data", where=change.path)


_PLAN_AGAIN = "Nothing was written. This is a fault in how the change was planned."


def _keys_in_order(path: str, links: Iterable[Link], names: Names) -> list[EdgeKey]:
    """One key per link to a note or an attachment, in source order; how many there are does not depend on the names."""
    return [key for key, _ in _told_apart(path, links, names)]


def _told_apart(path: str, links: Iterable[Link], names: Names) -> list[tuple[EdgeKey, bool]]:
    """As `_keys_in_order`, each key with whether its link leads somewhere."""
    links = tuple(links)
    keys = [
        (found.link.start, EdgeKey(found.edge.target, found.edge.predicate), found.edge.resolved)
        for found in occurrences_among(path, links, names)
    ]
    keys += [
        (found.link.start, EdgeKey(found.target, found.link.predicate), found.resolved)
        for found in attachments_among(path, links, names)
    ]
    return [(key, resolved) for _, key, resolved in sorted(keys, key=lambda placed: placed[0])]


def _spelled(links: Iterable[Link]) -> frozenset[tuple[bool, str, str | None]]:
    # A Markdown link is tried relative to the note first, so it may mean another note than a wikilink of its spelling.
    return frozenset((link.kind in {"markdown", "image"}, nfc(link.target), link.predicate) for link in links)


def _in_order(keys: Iterable[EdgeKey]) -> tuple[EdgeKey, ...]:
    return tuple(sorted(keys, key=lambda key: (key.target, key.predicate or "")))


def _listed(keys: Iterable[EdgeKey]) -> str:
    return ", ".join(map(str, keys))


def _require_none(missing: Iterable[EdgeKey], change: Change, rule: str) -> None:
    keys = tuple(missing)
    if keys:
        number = "an edge" if len(keys) == 1 else f"{len(keys)} edges"
        raise EdgesLost(
            f"the change loses {number}: {_listed(keys)} (rule {rule})",
            missing=tuple(map(str, keys)),
            where=change.path,
            hint="Keep these links in the new text.",
        )
