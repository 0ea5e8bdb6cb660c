"""Where in a note a new link could stand: in the running text, outside of headings, links and everything that is no text."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault.inline import read_inline
from reme_cli.vault.runs import runs, source_of
from reme_cli.vault.stretches import stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reme_cli.vault.runs import Source
    from reme_cli.vault.stretches import Stretch

_ONE_LINE: Final = regex(r"(?:[-*+] )?([^\W\d_][^\n]*+)\n\n?")
"""A paragraph or a list's item of one line: what begins with a letter begins no other block."""


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
    bare, parts = stretches(source.text, source.body_start)
    found: list[Span] = []
    for start, end, is_plain in _parts(bare, parts, wanted):
        line = _ONE_LINE.fullmatch(bare, start, end) if is_plain else None
        if line:
            found += _spans_of_line(bare, *line.span(1))
        else:
            found += _spans(source._replace(text=bare[:end]), start)
    if source.returns:
        return [Span(source.original(start), source.original(end), cell) for start, end, cell in found]
    return found


def _parts(bare: str, parts: Iterable[Stretch], wanted: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """What has to be read for the wanted places: from where to where, and whether it is part of a plain stretch."""
    at = 0
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
            yield place, end, stretch.is_plain
            place = end
            at = bisect_left(wanted, end)


def _spans_of_line(text: str, start: int, end: int) -> Iterator[Span]:
    """The running text of what is one line of inline text in a plain stretch."""
    place = 0
    inline = read_inline(text[start:end], {}, frozenset())
    for first, behind in sorted(inline.holes + [(link.start, link.end) for link in inline.links]):
        if place < first:
            yield Span(start + place, start + first, in_cell=False)
        place = max(place, behind)
    if start + place < end:
        yield Span(start + place, end, in_cell=False)


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
