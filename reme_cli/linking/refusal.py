"""Which of the links that a note is to get would change how the text around them is read: no note may get those."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from reme_cli.changeset.around import Around
from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import Additive, change_of
from reme_cli.linking.placing import with_links
from reme_cli.regex import regex
from reme_cli.vault.wikilink import prose_spans, scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from reme_cli.linking.placing import Place
    from reme_cli.linking.report import Linked
    from reme_cli.linking.survey import Survey
    from reme_cli.vault.note import Note

Links: TypeAlias = "Mapping[Place, Linked]"

_ODD: Final = regex(r"[$%<>\\&:`]")
"""With these in its path or in its text, a link may change how the text around it is read."""
_MOST_ROUNDS: Final = 8
"""So often the links are taken out that are read as none. One that ends what was open before it leaves that to the next one of its
kind, which is then read as none: behind an open `%%` each link to `a%%b`, one after the other."""


def refused_among(survey: Survey, note: Note, links: Links) -> list[Place]:
    """The places of the links without which the note with the others keeps the rule of L1.

    However many links there are, the note is read a few times for each fault: those that are not read as links are at fault; where all
    are, the links are halved until the fault is found. Of links that are at fault together, and not alone, all are.
    """
    kept = dict(links)
    rounds = 0
    while kept and _is_refused(survey, note, kept):
        rounds += 1
        faulty = _cut(note.text, kept) or [*_at_fault(survey, note, list(kept.items()))]
        if rounds > _MOST_ROUNDS:
            faulty = [place for place, link in kept.items() if _is_odd(link)] or list(kept)
        for place in faulty:
            del kept[place]
    return [place for place in links if place not in kept]


def may_be_refused(links: Links) -> bool:
    """Whether one of the links has a character in it by which it could change how the text around it is read."""
    return any(map(_is_odd, links.values()))


def _is_odd(link: Linked) -> bool:
    return _ODD.search(link.target + link.mention) is not None


def _is_refused(survey: Survey, note: Note, links: Links) -> bool:
    """Whether the note with these links would break the rule."""
    change = change_of(note.path, note.text, _text_with(note.text, links))
    try:
        Additive().check(change, Around(survey.vault, survey.index.names(), added=(), removed=()), (change,))
    except EdgesLost:
        return True
    return False


def _text_with(text: str, links: Links) -> str:
    return with_links(text, {place: linked.target for place, linked in links.items()})


def _cut(text: str, links: Links) -> list[Place]:
    """The places of those links that are read as none, and of which a part is text: what is no text ends, or begins, within them.

    Of another one that is read as none all is in what such a link has closed.
    """
    written = _text_with(text, links)
    read = {(link.start, link.end) for link in scan(written).links if link.kind == "wikilink"}
    prose = prose_spans(written)
    cut = []
    moved = at = 0
    for place in sorted(links):
        start = place.start + moved
        moved += len("[[|]]") + len(links[place].target) + place.in_cell
        end = place.end + moved
        while at < len(prose) and prose[at][1] <= start:
            at += 1
        if (start, end) not in read and at < len(prose) and prose[at][0] < end:
            cut.append(place)
    return cut


def _at_fault(survey: Survey, note: Note, links: Sequence[tuple[Place, Linked]]) -> Iterator[Place]:
    """The places of the fewest among some links, which are refused together, that are refused: found by halving."""
    middle = len(links) // 2
    halves = [links[:middle], links[middle:]] if middle else []
    refused = [half for half in halves if _is_refused(survey, note, dict(half))]
    if not refused:
        yield from (place for place, _ in links)
    for half in refused:
        yield from _at_fault(survey, note, half)
