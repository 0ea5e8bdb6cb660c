"""A digest note written from quotations, and one that a further quotation is added to."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from reme_cli.digest.citation import cite, link_to
from reme_cli.digest.note import compose, with_sources
from reme_cli.digest.wording import CHINESE, ENGLISH, wording_of
from reme_cli.dream.extractive.quotation import MARKER
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reme_cli.vault.link import Scan


_APPENDIX: Final = frozenset(
    {
        ENGLISH.related,
        ENGLISH.sources,
        CHINESE.related,
        CHINESE.sources,
        "See also",
        "References",
        "参考",
        "参见",
    }
)


def new_note(
    name: str,
    description: str,
    quotes: Sequence[str],
    related: Sequence[tuple[str, str]],
    sources: Sequence[str],
) -> str:
    """The text of a new digest note: frontmatter, the quotes, links to related notes (path, name), and the sources."""
    wording = wording_of("".join(quotes))
    parts = [set_out(quotes)]
    if related:
        links = "\n".join(f"- related_to:: {link_to(path, shown)}" for path, shown in related)
        parts.append(f"## {wording.related}\n\n{links}")
    citations = "\n".join(f"- {cite(source)}" for source in sources)
    parts.append(f"## {wording.sources}\n\n{citations}")
    return compose(name, description, "\n\n".join(parts))


def extended_note(text: str, quotes: Sequence[str], sources: Sequence[str]) -> str:
    """`text` with further quotes behind its body and further sources under its `Sources`; all else as it was,
    but for white space at the seams.

    Sources without a section get one at the end. Line endings follow the note's first.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    text = with_sources(text, sources)
    if quotes:
        place = _end_of_body(scan(text), text)
        before, after = text[:place], text[place:]
        kept = before.rstrip()
        paragraph = set_out(quotes).replace("\n", newline)
        text = f"{kept}{newline * 2 if kept else ''}{paragraph}{newline}{newline if after else ''}{after}"
    return text


def body_of(text: str) -> str:
    """What a digest note says: its text behind the frontmatter and before `Related`, `Sources` and the like."""
    found = scan(text)
    return text[found.body_start : _end_of_body(found, text)]


def set_out(quotes: Sequence[str]) -> str:
    """Quotes as Markdown: one sentence a line, so that a difference shows the sentence; a blank line between paragraph and list."""
    if not quotes:
        return ""
    lines = [quotes[0]]
    for before, quote in pairwise(quotes):
        if _list_of(before) != _list_of(quote):
            lines.append("")
        lines.append(quote)
    return "\n".join(lines)


def _list_of(quote: str) -> str:
    """What kind of list a quote belongs to: a bullet, a number, or none."""
    marker = MARKER.match(quote)
    return "" if marker is None else marker[0][0] if marker[0][0] == "-" else "1"


def _end_of_body(found: Scan, text: str) -> int:
    """Where the trailing sections of links begin; the end of the text where there are none."""
    return next((heading.start for heading in found.headings if heading.text.strip() in _APPENDIX), len(text))
