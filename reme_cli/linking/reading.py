"""What one pass over the notes of a vault finds in each: which names occur where, and what is linked."""

from __future__ import annotations

from array import array
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import NoteError, PathRefused
from reme_cli.linking.mentions import LINKED, Spellings, as_mention, mentions_in
from reme_cli.linking.shown import LinkRow, shown_text
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from reme_cli.linking.lexicon import Lexicon
    from reme_cli.linking.mentions import Mention
    from reme_cli.linking.shown import Shown
    from reme_cli.vault.stamp import Stamp
    from reme_cli.vault.vault import Vault

_FIELDS: Final = 4
_HEADING: Final = regex(r"\n#{1,4} ")


class Reading(NamedTuple):
    """What a note holds. Mentions are packed, so that those of a large vault fit into memory."""

    path: str
    stamp: Stamp
    length: int
    """Of the text that is shown, in characters."""
    sections: int
    """How many headings divide it, down to the fourth level."""
    packed: bytes
    spans: bytes
    """Where each mention stands in the file, from and to, packed like the mentions; 0 for those that a link holds."""
    linked: frozenset[str]
    """Every note that it links, in its properties too."""
    habits: frozenset[str]
    """Those that a person linked in the body."""
    named: frozenset[tuple[int, str]]
    """The numbers of the names that such links show in whole, each with the note linked."""

    def mentions(self) -> Iterator[Mention]:
        """The mentions, in order."""
        values = array("I")
        values.frombytes(self.packed)
        fields = iter(values)
        return map(as_mention, zip(fields, fields, fields, fields, strict=True))

    def places(self) -> dict[Mention, tuple[int, int]]:
        """Where the mentions that no link holds stand in the file."""
        values = array("I")
        values.frombytes(self.spans)
        spans = zip(values[::2], values[1::2], strict=True)
        return {
            mention: span
            for mention, span in zip(self.mentions(), spans, strict=True)
            if not mention.flags & LINKED
        }

    def names(self) -> Iterator[tuple[int, int]]:
        """The number of the name and the flags of each mention, in order."""
        values = array("I")
        values.frombytes(self.packed)
        return zip(values[2::_FIELDS], values[3::_FIELDS], strict=True)

    def numbers(self) -> frozenset[int]:
        """The names that occur."""
        values = array("I")
        values.frombytes(self.packed)
        return frozenset(values[2::_FIELDS])


class Reader:
    """Reads the notes of a vault for the names of a lexicon."""

    def __init__(self, vault: Vault, lexicon: Lexicon) -> None:
        self.vault = vault
        self.lexicon = lexicon
        self._spellings = Spellings.of(lexicon)

    def read(self, path: str, links: Collection[LinkRow]) -> Reading | None:
        """What the note at a path holds; `None` where it cannot be read."""
        try:
            note = self.vault.read(path)
        except (NoteError, PathRefused):
            return None
        body = [link for link in links if link.kind != "frontmatter"]
        shown = shown_text(note.text, body)
        mentions = mentions_in(
            shown, self.lexicon.automaton, self._spellings, partial(self._is_name_of, note.path)
        )
        spans, named = _spans(shown, mentions)
        return Reading(
            note.path,
            note.stamp,
            len(shown.text),
            len(_HEADING.findall(shown.text)),
            array("I", chain.from_iterable(mentions)).tobytes(),
            array("I", spans).tobytes(),
            frozenset(link.path for link in links if link.path is not None),
            frozenset(link.path for link in body if link.is_habit and link.path and link.path != note.path),
            frozenset(named),
        )

    def _is_name_of(self, path: str, number: int) -> bool:
        return any(meaning.path == path for meaning in self.lexicon.meanings[number])


def _spans(shown: Shown, mentions: Iterable[Mention]) -> tuple[list[int], set[tuple[int, str]]]:
    """Of each mention, from where to where it stands in the file; 0 and 0 for one that a link holds.

    And the names that are the whole of what a person's link shows, with the notes that these lead to.
    """
    found: list[int] = []
    named = set()
    starts, places = shown.starts, shown.places
    piece, last = 0, len(starts) - 1
    links = {(start, end): link for start, end, link in shown.regions}
    for start, end, number, flags in mentions:
        if flags & LINKED:
            found += (0, 0)
            link = links.get((start, end))
            if link and link.path and link.is_habit:
                named.add((number, link.path))
        elif shown.composed is not None:
            found += (shown.original(start), shown.original(end - 1) + 1)
        else:  # in one piece of the text, since no link is in it
            while piece < last and starts[piece + 1] <= start:
                piece += 1
            offset = places[piece] - starts[piece]
            found += (start + offset, end + offset)
    return found, named
