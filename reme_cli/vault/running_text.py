"""Where in a note a new link could stand: in the running text, outside of headings, links and everything that is no text."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from reme_cli.vault.runs import runs, source_of
from reme_cli.vault.stretches import stretches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.vault.runs import Source


class Span(NamedTuple):
    """A stretch of running text in the file, as character offsets."""

    start: int
    end: int
    in_cell: bool
    """Whether it is in the cell of a table, where a pipe has to be escaped."""


def running_text(text: str, wanted: Sequence[int]) -> list[Span]:
    """The running text of those paragraphs in which the wanted places stand, in source order; `wanted` is in order too.

    No heading, code, math, comment, HTML or URL is in it, and no link: neither its target nor what it shows.
    """
    source = source_of(text)
    if source.returns:
        behind = [place + number for number, place in enumerate(source.returns)]
        wanted = [place - bisect_left(behind, place) for place in wanted]
    found: list[Span] = []
    for part, start in _parts(source, wanted):
        found.extend(_spans(part, start))
    if source.returns:
        return [Span(source.original(start), source.original(end), cell) for start, end, cell in found]
    return found


def _parts(source: Source, wanted: Sequence[int]) -> Iterator[tuple[Source, int]]:
    """What has to be read for the wanted places: texts that end where reading ends, with where it begins."""
    bare, parts = stretches(source.text, source.body_start)
    at = bisect_left(wanted, source.body_start)
    for stretch in parts:
        place = stretch.start
        while at < len(wanted) and wanted[at] < stretch.end:
            if wanted[at] < place:
                at += 1
                continue
            if not stretch.is_plain:
                place, end = stretch.start, stretch.end
            else:
                # what stands between two blank lines can be read alone
                before = bare.rfind("\n\n", place, wanted[at])
                after = bare.find("\n\n", wanted[at], stretch.end)
                place = place if before < 0 else before + 2
                end = stretch.end if after < 0 else after + 2
            yield source._replace(text=bare[:end]), place
            place = end
            at = bisect_left(wanted, end)


def _spans(source: Source, start: int) -> Iterator[Span]:
    for leaf, run, inline in runs(source, source.blocks(start, only_bracketed=False)):
        if leaf.kind == "heading":
            continue
        in_cell = leaf.kind == "cell"
        place = 0
        for first, end in sorted(inline.holes + [(link.start, link.end) for link in inline.links]):
            yield from (Span(*span, in_cell) for span in run.spans(place, first))
            place = max(place, end)
        yield from (Span(*span, in_cell) for span in run.spans(place, len(run.text)))
