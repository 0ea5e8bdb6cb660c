"""Which predicate each link of a note is stated to have, told from the note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.document import implied_in
from reme_cli.linking.predicate_markup import without_predicates
from reme_cli.predicates.inverse import INVERSES

if TYPE_CHECKING:
    from reme_cli.linking.typing_report import Kept
    from reme_cli.vault.link import Scan
    from reme_cli.vault.note import Note
    from reme_cli.vault.vault import Vault

_SPECIFIC: Final = (
    *("founded", "contradicts", "evolved_from", "derived_from", "caused_by", "depends_on", "responsible_for"),
    *("invested_in", "advises", "works_at", "attended", "located_in", "prefers", "is_a", "belongs_to"),
)
"""Where a sentence states several relations by one link, the one that says most is written: who founded a company works there, too."""


class Stated(NamedTuple):
    """What a link's sentence states."""

    predicate: str
    """From the note to what is linked."""
    reason: Kept | None = None
    """Why it is not to be written."""


def predicates_stated(vault: Vault, note: Note, found: Scan) -> dict[int, Stated]:
    """The predicate of each link whose own sentence states a relation to the note itself, by the link's ordinal.

    A link that is typed already says nothing more to the index. So that typing one link of a sentence cannot change how the others
    are read, a relation counts only if the sentence states it without such predicates, too.
    """
    relations = _relations(vault, note)
    plain = without_predicates(note.text, found)
    if plain != note.text:
        relations &= _relations(vault, note._replace(text=plain))
    by_link: dict[int, list[tuple[str, bool, str]]] = {}
    for number, predicate, is_from_note, tense in relations:
        by_link.setdefault(number, []).append((predicate, is_from_note, tense))
    return {number: _best(by_link[number]) for number in sorted(by_link)}


def _relations(vault: Vault, note: Note) -> set[tuple[int, str, bool, str]]:
    """Ordinal of a link, predicate from subject to object, whether the note is the subject, and the tense."""
    relations: set[tuple[int, str, bool, str]] = set()
    for edge in implied_in(vault, note):
        if not edge.is_linked:
            continue  # another sentence says so, which only names what is linked here
        if edge.subject is None and edge.object is not None:
            relations.add((edge.object, edge.predicate, True, edge.tense))
        elif edge.object is None and edge.subject is not None:
            relations.add((edge.subject, edge.predicate, False, edge.tense))
    return relations


def _best(relations: list[tuple[str, bool, str]]) -> Stated:
    """The relation that is written; one that holds no more is never."""
    lasting = [relation for relation in relations if not relation[2]]
    predicate, is_from_note, _ = min(lasting or relations, key=_rank)
    if not is_from_note and predicate not in INVERSES:
        return Stated(predicate, "no-inverse")
    name = predicate if is_from_note else INVERSES[predicate]
    return Stated(name, None if lasting else "ended")


def _rank(relation: tuple[str, bool, str]) -> tuple[int, str, bool]:
    """Those of the vault's own table come first."""
    predicate, is_from_note, _ = relation
    place = _SPECIFIC.index(predicate) if predicate in _SPECIFIC else -1
    return place, predicate, not is_from_note
