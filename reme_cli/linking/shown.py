"""A note's body as a reader sees it: links by what they show, and where each character stands in the file.

Everything that decides about mentions looks at this text. Making a mention a link does not change it, so a second run decides
as the first one did.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.folding import folded
from reme_cli.vault import frontmatter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class LinkRow(NamedTuple):
    """A link in the body of a note, as the index has it."""

    start: int
    end: int
    kind: str
    target: str
    alias: str | None
    path: str | None
    """The note that it leads to."""

    @property
    def is_habit(self) -> bool:
        """Whether a person's way of linking shows in it. What reme wrote, which has the full path and an alias, does not count,
        or it would learn from itself."""
        _, _, kind, target, alias, path = self
        return path is not None and (
            (alias is None or target != path) if kind == "wikilink" else kind == "markdown"
        )


as_link_row: Final = partial(tuple.__new__, LinkRow)
"""The link of a tuple with its six values: of very many made in a third of the time that their names would take."""


class Region(NamedTuple):
    """Where a link stands in the text that is shown."""

    start: int
    end: int
    link: LinkRow


_as_region: Final = partial(tuple.__new__, Region)


class Shown(NamedTuple):
    """The text of a body as it is shown."""

    text: str
    """In normal form C."""
    folded: str
    """The same, character by character, as names are compared."""
    regions: tuple[Region, ...]
    """The links, in order."""
    composed: Sequence[int] | None
    starts: Sequence[int]
    places: Sequence[int]

    def original(self, place: int) -> int:
        """Where in the file the character at this place stands, which is outside of links."""
        if self.composed is not None:
            place = self.composed[place]
        number = bisect_right(self.starts, place) - 1
        return self.places[number] + place - self.starts[number]


def shown_text(text: str, links: Iterable[LinkRow]) -> Shown:
    """The body of a note's text as it is shown; `links` are those of the body, in order."""
    block = frontmatter.split(text) if text.startswith(("---", "\ufeff---")) else None
    at = block.body_start if block else int(text.startswith("\ufeff"))
    pieces: list[str] = []
    places: list[int] = []
    regions: list[tuple[int, int, LinkRow]] = []
    length = 0
    for link in links:
        begin, end, _, target, alias, _ = link
        if begin < at:  # in the text of another link
            continue
        label = target if alias is None else alias
        # one piece for the text before the link, one for what the link shows
        pieces += (text[at:begin], label)
        places += (at, begin)
        start = length + begin - at
        length = start + len(label)
        regions.append((start, length, link))
        at = end
    pieces.append(text[at:])
    places.append(at)
    starts = [0, *accumulate(map(len, pieces[:-1]))]
    body = folded("".join(pieces))
    if body.places is not None:
        back = {place: number for number, place in reversed(list(enumerate(body.places)))}
        regions = [
            (back.get(start, len(body.text)), back.get(end, len(body.text)), link)
            for start, end, link in regions
        ]
    return Shown(body.text, body.folded, tuple(map(_as_region, regions)), body.places, starts, places)
