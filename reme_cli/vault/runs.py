"""A note's runs of inline text, with what each holds and where its characters stand in the file."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.blocks import read_blocks
from reme_cli.vault.inline import NOTHING, read_inline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.vault.blocks import Leaf, Structure
    from reme_cli.vault.inline import Inline

_CRLF: Final = regex("\r\n")


class Source(NamedTuple):
    """A note's text as it is scanned."""

    text: str
    r"""With `\n` for every line ending, and one at its end."""
    body_start: int
    has_comments: bool
    returns: list[int]
    """Places of those line endings that were two characters."""

    def blocks(self, start: int, *, only_bracketed: bool) -> Structure:
        """The structure of the text from there on; to follow comments every run is needed."""
        return read_blocks(self.text, start, only_bracketed=only_bracketed and not self.has_comments)

    def original(self, place: int) -> int:
        """A place in `text` as one in the note."""
        return place + bisect_left(self.returns, place) if self.returns else place


class Run(NamedTuple):
    """A run of inline text and where its characters stand in the note."""

    text: str
    starts: list[int]
    """Where in `text` its pieces begin."""
    places: list[int]
    """Where in the note they do."""

    def place(self, offset: int) -> int:
        """Where in the note the character at this offset stands."""
        number = bisect_right(self.starts, offset) - 1
        return self.places[number] + offset - self.starts[number]

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The stretches of the note that hold `text[start:end]`."""
        while start < end:
            number = bisect_right(self.starts, start)
            stop = min(end, self.starts[number]) if number < len(self.starts) else end
            yield self.place(start), self.place(stop - 1) + 1
            start = stop


def source_of(text: str) -> Source:
    """A note's text, ready to be scanned."""
    returns: list[int] = []
    if "\r" in text:
        returns = [found.start() - number for number, found in enumerate(_CRLF.finditer(text))]
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    block = frontmatter.split(text)
    body = block.body_start if block else int(text.startswith("\ufeff"))
    if not text.endswith("\n"):
        text += "\n"
    return Source(text, body, "%" in text and text.find("%%", body) >= 0, returns)


def runs(
    source: Source, structure: Structure, *, only_links: bool = False
) -> Iterator[tuple[Leaf, Run, Inline]]:
    """Each run of inline text with what it holds; comments go on from one to the next.

    `only_links`: the holes of runs without links are not asked for.
    """
    last_marked = -1
    if source.has_comments:
        marked = (number for number, leaf in enumerate(structure.leaves) if _has_mark(source.text, leaf))
        last_marked = max(marked, default=-1)
    in_comment = False
    for number, leaf in enumerate(structure.leaves):
        run = _run(source.text, leaf)
        if only_links and not source.has_comments and "[" not in run.text:
            yield leaf, run, NOTHING
            continue
        inline = read_inline(
            run.text,
            structure.definitions,
            structure.footnotes,
            in_comment=in_comment,
            comment_may_go_on=number < last_marked,
        )
        in_comment = inline.opens_comment
        yield leaf, run, inline


def _has_mark(source: str, leaf: Leaf) -> bool:
    return any(source.find("%%", start, end) >= 0 for start, end in leaf.pieces)


def _run(source: str, leaf: Leaf) -> Run:
    pieces = leaf.pieces
    start, end = pieces[0][0], pieces[-1][1]
    if len(pieces) == 1:
        return Run(source[start:end], [0], [start])
    if leaf.kind == "cell":
        glue = ""
    elif all(not source[before[1] + 1 : after[0]].strip(" \t") for before, after in pairwise(pieces)):
        # what a line is indented by means nothing, so the lines can stay as they stand
        return Run(source[start:end], [0], [start])
    else:
        glue = "\n"
    texts = [source[start:end] for start, end in pieces]
    starts, place = [], 0
    for piece in texts:
        starts.append(place)
        place += len(piece) + len(glue)
    return Run(glue.join(texts), starts, [start for start, _ in pieces])
