"""The relations that a note's sentences state between what they link to, or between that and the note itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.predicates.note_self import kind_of_folder, may_be_meeting
from reme_cli.predicates.reading import Reader
from reme_cli.predicates.sentences import sentences_of
from reme_cli.predicates.words import SELF, Mentions, cut
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.config.phrasing import Tense
    from reme_cli.predicates.enumeration import Role
    from reme_cli.predicates.note_self import NoteSelf
    from reme_cli.predicates.reading import Relation
    from reme_cli.predicates.sentences import Sentence
    from reme_cli.predicates.table import Table
    from reme_cli.vault.link import Link, Scan


_HEAD: Final = 300
"""Characters behind the frontmatter in which a note's title stands."""


class Implied(NamedTuple):
    """A relation that a sentence states, from subject to object."""

    subject: int | None
    """Ordinal of a link to it; `None`: the note itself."""
    predicate: str
    object: int | None
    place: int
    """Ordinal of the link by which one finds the sentence."""
    tense: Tense


def implied_edges(
    path: str, text: str, found: Scan, table: Table, about: Callable[[], NoteSelf]
) -> tuple[Implied, ...]:
    """What the sentences of a note state, in order of place; each relation once for each sentence.

    `about` tells what the note is; it is asked only where some sentence may state something.
    """
    links = found.links
    if not links:
        return ()
    genre = "meeting" if may_be_meeting(path, text[: found.body_start + _HEAD]) else ""
    reading: _Reading | None = None
    edges: set[Implied] = set()
    for sentence in sentences_of(text, links, found.body_start, partial(table.is_telling, genre=genre)):
        if not table.is_telling(sentence.text, genre):
            continue
        if reading is None:
            reading = _Reading(links, table, about())
        for relation in reading.relations(sentence):
            ends = {relation.subject, relation.object}.intersection(sentence.links)
            place = max((end for end in ends if end is not None), default=sentence.links[0])
            edges.add(Implied(relation.subject, relation.predicate, relation.object, place, relation.tense))
    return tuple(sorted(edges, key=_order))


def _order(edge: Implied) -> tuple[int, str, int, int, str]:
    return (
        edge.place,
        edge.predicate,
        -1 if edge.subject is None else edge.subject,
        -1 if edge.object is None else edge.object,
        edge.tense,
    )


class _Reading:
    """What the sentences of one note are read with."""

    def __init__(self, links: tuple[Link, ...], table: Table, note: NoteSelf) -> None:
        self._table = table
        self.note = note
        self._links = links
        self._mentions = Mentions(
            ((number, link.alias or stem_of(link.target)) for number, link in enumerate(links)), note.words
        )

    def relations(self, sentence: Sentence) -> list[Relation]:
        """The relations that a sentence states."""
        relations = self._reader(sentence).relations()
        note = self.note
        if sentence.date and note.kind == "meeting" and note.date and not note.date.startswith(sentence.date):
            # an entry of another day than the meeting's
            return [relation for relation in relations if relation.explicit]
        return relations

    def _reader(self, sentence: Sentence) -> Reader:
        text = sentence.text
        for name in self.note.han:
            if name in text:
                text = text.replace(name, SELF)
        words = cut(text, sentence.links, self._table.lexicon, self._mentions)
        return Reader(words, self.note, self._table, self._kind_of, lambda: self._subject_of(sentence.before))

    def _kind_of(self, number: int) -> str:
        return kind_of_folder(self._links[number].target)

    def _subject_of(self, sentence: Sentence | None) -> Role | None:
        """Whom a pronoun in the next sentence means; `None` where nobody is named."""
        return None if sentence is None else self._reader(sentence).subject()
