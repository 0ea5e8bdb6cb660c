"""A sentence taken over from a note: checked against its source, its links made canonical or plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.digest.citation import link_to
from reme_cli.digest.sentences import one_line
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from reme_cli.vault.resolve import Names

MARKER: Final = re.compile(r"^(?:-|\d+\.) ")
"""What a quoted list item or step begins with in a digest note; the rest of the line is the source's."""
STEP: Final = re.compile(r"^\d+\. ")
"""What a quoted step begins with."""


def quoted(sentence: str, source: str, names: Names) -> str:
    """`sentence` of the note `source` with each link to a note as a canonical one, and every other as its text.

    A link that could mean several notes becomes text: in doubt nothing is linked.
    """
    parts: list[str] = []
    done = 0
    for link in scan(sentence).links:
        resolution = names.resolve(link, source)
        shown = strip_links(sentence[link.start : link.end])
        # A note is named by its link, whatever anchor it had: what it says may be split later.
        is_sure = resolution.path is not None and resolution.is_note and not resolution.ambiguous
        parts += [
            sentence[done : link.start],
            link_to(resolution.path, shown) if is_sure and link.target and resolution.path else shown,
        ]
        done = link.end
    return "".join([*parts, sentence[done:]])


def essence(text: str) -> str:
    """What a quotation and its source are compared by: the text without link markup, on one line."""
    return one_line(strip_links(text))


def occurs(sentence: str, source_essence: str) -> bool:
    """Whether the source, given as its `essence`, holds the sentence word for word."""
    return essence(MARKER.sub("", sentence)) in source_essence
