"""The relations that a note's sentences state between what they link to, or between that and the note itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reme_cli.predicates.note_self import kind_of_link, may_be_meeting
from reme_cli.predicates.sentences import near_links, sentences_of
from reme_cli.predicates.words import SELF, Mentions, cut
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reme_cli.config.phrasing import Tense
    from reme_cli.predicates.enumeration import Role
    from reme_cli.predicates.note_self import NoteSelf
    from reme_cli.predicates.reading import Reader, Relation
    from reme_cli.predicates.sentences import Sentence
    from reme_cli.predicates.table import Table
    from reme_cli.vault.link import Link, Scan


class Implied(NamedTuple):
    """A relation that a sentence states, from subject to object."""

    subject: int | None
    """Ordinal of a link to it; `None`: the note itself."""
    predicate: str
    object: int | None
    place: int
    """Ordinal of the link by which one finds the sentence."""
    tense: Tense
    is_linked: bool
    """Whether the sentence holds the links to its ends; else it only names one that is linked elsewhere."""


def implied_edges(
    text: str, found: Scan, table: Table, called: str, about: Callable[[], NoteSelf]
) -> tuple[Implied, ...]:
    """What the sentences of a note state, in order of place; each relation once for each sentence.

    `called` is what `note_self.called` gives. `about` tells what the note is; it is asked only where some sentence may state
    something, or where the note may be about a meeting.
    """
    links = found.links
    if not links:
        return ()
    note = about() if may_be_meeting(called) else None
    genre = "meeting" if note and note.kind == "meeting" else ""
    near, numbers = near_links(text, links, found.body_start)
    telling = [numbers[at] for at in table.telling(near, genre)] if numbers else []
    if not telling:
        return ()
    reading: _Reading | None = None
    edges: set[Implied] = set()
    # who took part is often named once with a link, then without one
    for sentence in sentences_of(text, links, found.body_start, telling, every=genre == "meeting"):
        if reading is None:
            reading = _Reading(links, table, note or about())
        for relation in reading.relations(sentence):
            ends = {end for end in (relation.subject, relation.object) if end is not None}
            linked = ends.intersection(sentence.links)
            place = max(linked, default=sentence.links[0] if sentence.links else min(ends))
            edges.add(
                Implied(
                    relation.subject,
                    relation.predicate,
                    relation.object,
                    place,
                    relation.tense,
                    is_linked=linked == ends,
                )
            )
    return tuple(sorted(edges, key=_order))


def _order(edge: Implied) -> tuple[int, str, int, int, str, bool]:
    return (
        edge.place,
        edge.predicate,
        -1 if edge.subject is None else edge.subject,
        -1 if edge.object is None else edge.object,
        edge.tense,
        edge.is_linked,
    )


class _Reading:
    """What the sentences of one note are read with."""

    def __init__(self, links: tuple[Link, ...], table: Table, note: NoteSelf) -> None:
        # here, since most notes state nothing
        from reme_cli.predicates.reading import Reader

        self._read = Reader
        self._table = table
        self.note = note
        self._links = links
        self._mentions = Mentions(self._shown, note.words)

    def relations(self, sentence: Sentence) -> list[Relation]:
        """The relations that a sentence states."""
        relations = self._reader(sentence).relations()
        note = self.note
        if sentence.date and note.kind == "meeting" and note.date and not note.date.startswith(sentence.date):
            # an entry of another day than the meeting's
            return [relation for relation in relations if relation.explicit]
        return relations

    def _shown(self) -> Iterator[tuple[int, str]]:
        """The number of each link and what a reader sees of it."""
        for number, link in enumerate(self._links):
            yield number, link.alias or stem_of(link.target)

    def _reader(self, sentence: Sentence) -> Reader:
        text = sentence.text
        for name in self.note.han:
            if name in text:
                text = text.replace(name, SELF)
        words = cut(text, sentence.links, self._table.lexicon, self._mentions)
        return self._read(
            words, self.note, self._table, self._kind_of, lambda: self._subject_of(sentence.before)
        )

    def _kind_of(self, number: int) -> str:
        link = self._links[number]
        return kind_of_link(link.target) or (kind_of_link(link.alias) if link.alias else "")

    def _subject_of(self, sentence: Sentence | None) -> Role | None:
        """Whom a pronoun in the next sentence means; `None` where nobody is named."""
        return None if sentence is None else self._reader(sentence).subject()
