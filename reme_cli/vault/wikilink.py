"""Every link of a note with its exact place: wikilinks, Markdown links, predicates, frontmatter; and its headings.

The one scanner for everything that looks at links. `blocks` finds the runs of inline text, `inline` the links in
them; here they get their targets, predicates and places in the file (docs/decisions/0003-own-scanner.md).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.block_lines import atx_content
from reme_cli.vault.destination import WHITESPACE
from reme_cli.vault.inline import WIKILINK, is_wikilink
from reme_cli.vault.link import Heading, Link, Scan
from reme_cli.vault.predicate import canonical_predicate, predicate_spellings
from reme_cli.vault.property_links import property_links
from reme_cli.vault.runs import runs, source_of
from reme_cli.vault.stretches import headings_in, stretches
from reme_cli.vault.target import Target, markdown_parts, wiki_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.vault.blocks import Leaf, Structure
    from reme_cli.vault.inline import Inline, InlineLink
    from reme_cli.vault.link import LinkKind
    from reme_cli.vault.runs import Run, Source

__all__ = ["canonical_predicate", "prose_spans", "scan", "strip_links"]

_NEWLINE: Final = regex("\n")
_MAY_BE_HEADING: Final = regex(r"(?:^|[ \t>])#{1,6}[ \t\n]|^[ \t>*+\-=0-9.)]++\n", re.MULTILINE)
_SPACES: Final = regex(rf"[{WHITESPACE}]+")


def scan(text: str) -> Scan:
    """The links and headings of a note, frontmatter included, in source order."""
    source = source_of(text)
    body = source.body_start
    links = list(_frontmatter_links(source))
    headings: list[Heading] = []
    # a BOM hides the start of its line from the pattern
    if source.text.find("[", body) >= 0 or body == 1 or _MAY_BE_HEADING.search(source.text, body):
        bare, parts = stretches(source.text, body)
        line, counted = 1, 0
        for start, end, is_plain in parts:
            line += source.text.count("\n", counted, start)
            counted = start
            if is_plain:
                headings.extend(_plain_headings(source.text, bare, start, end, line))
                links.extend(_plain_links(source.text, bare, start, end, line))
                continue
            part = source if end == len(source.text) else source._replace(text=source.text[:end])
            structure = part.blocks(start, only_bracketed=True)
            for leaf, run, inline in runs(part, structure, only_links=True):
                if leaf.kind == "heading" and not inline.begins_in_comment:
                    headings.append(_heading(leaf, run, structure, line))
                if inline.links:
                    links.extend(_links(leaf, run, inline, structure, line))
    if source.returns:
        links = [_at_original_places(link, source) for link in links]
        headings = [
            heading._replace(start=source.original(heading.start), end=source.original(heading.end))
            for heading in headings
        ]
    return Scan(tuple(links), tuple(headings), source.original(body))


def prose_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of the body that a reader sees as text, in source order, none of them empty.

    Code, HTML, comments, math, URLs and the markup of links are left out; a link's text, a wikilink's alias or else
    its target, are in. Nothing of an embed or an image is.
    """
    source = source_of(text)
    spans: list[tuple[int, int]] = []
    for _, run, inline in runs(source, source.blocks(source.body_start, only_bracketed=False)):
        place = 0
        for start, end in sorted(
            inline.holes + [hole for link in inline.links for hole in _markup(run.text, link)]
        ):
            spans.extend(run.spans(place, start))
            place = max(place, end)
        spans.extend(run.spans(place, len(run.text)))
    return tuple((source.original(start), source.original(end)) for start, end in spans)


def strip_links(text: str) -> str:
    """The text with each link of the body replaced by what it shows: alias or target, a Markdown link's text.

    Embeds, images and links elsewhere are treated alike. Frontmatter, code and comments stay as they are.
    """
    source = source_of(text)
    if source.text.find("[", source.body_start) < 0:
        return text
    kept: list[str] = []
    place = 0
    for _, run, inline in runs(
        source, source.blocks(source.body_start, only_bracketed=True), only_links=True
    ):
        for start, end in sorted(
            hole for link in inline.links for hole in _markup(run.text, link, shown=True)
        ):
            if start < end:
                kept.append(text[place : source.original(run.place(start))])
                place = source.original(run.place(end - 1) + 1)
    kept.append(text[place:])
    return "".join(kept)


def _at_original_places(link: Link, source: Source) -> Link:
    return link._replace(
        start=source.original(link.start),
        end=source.original(link.end),
        target_start=source.original(link.target_start),
        target_end=source.original(link.target_end),
    )


def _plain_headings(text: str, bare: str, start: int, end: int, line: int) -> Iterator[Heading]:
    """The headings of a plain stretch, whose first line is the one of this number."""
    counted = start
    for place, behind, line_end in headings_in(bare, start, end):
        line += text.count("\n", counted, place)
        counted = place
        content = atx_content(text[behind:line_end]).strip(WHITESPACE)
        yield Heading(behind - place, content, line, place, line_end)


def _plain_links(text: str, bare: str, start: int, end: int, line: int) -> Iterator[Link]:
    """The links of a plain stretch, whose first line is the one of this number."""
    counted = line_start = start
    for found in WIKILINK.finditer(bare, start, end):
        content = found[1]
        if not is_wikilink(content):
            continue
        place, behind = found.span()
        target, anchor, alias, first, last = wiki_parts(content)
        if passed := text.count("\n", counted, place):
            line += passed
            line_start = text.rindex("\n", counted, place) + 1
        counted = place
        label = place + 2
        kind: LinkKind = "wikilink"
        if place > start and text[place - 1] == "!":
            kind = "embed"
            place -= 1
        # most links of a vault are made here, and keywords double the time of it
        yield Link(
            kind,
            target,
            anchor,
            alias,
            None,
            None,
            place,
            behind,
            label + first,
            label + last,
            line,
            place - line_start + 1,
        )


def _heading(leaf: Leaf, run: Run, structure: Structure, first_line: int) -> Heading:
    start, end = structure.line_starts[leaf.first_line], structure.line_starts[leaf.last_line + 1] - 1
    content = run.text.strip(WHITESPACE)
    if "\n" in content:
        content = _SPACES.sub(" ", content)
    return Heading(leaf.level, content, leaf.first_line + first_line, start, end)


def _links(leaf: Leaf, run: Run, inline: Inline, structure: Structure, first_line: int) -> Iterator[Link]:
    has_lines = leaf.kind == "text" or leaf.first_line < leaf.last_line
    spellings = predicate_spellings(run.text, inline, has_lines=has_lines)
    for link, spelling in zip(inline.links, spellings, strict=True):
        target = _wiki_target(run, link) if link.destination is None else _markdown_target(run, link)
        if target is None:
            continue
        start = run.place(link.start)
        number = bisect_right(structure.line_starts, start) - 1
        yield Link(
            kind=link.kind,
            target=target.target,
            anchor=target.anchor,
            alias=target.alias,
            predicate=None if spelling is None else canonical_predicate(spelling),
            spelling=spelling,
            start=start,
            end=run.place(link.end - 1) + 1,
            target_start=target.start,
            target_end=target.end,
            line=number + first_line,
            col=start - structure.line_starts[number] + 1,
        )


def _wiki_target(run: Run, link: InlineLink) -> Target:
    target, anchor, alias, start, end = wiki_parts(run.text[link.label_start : link.label_end])
    place = run.place(link.label_start + start)
    # a wikilink stands on one line, so in one piece up to an escaped pipe, which is behind the target
    return Target(target, anchor, alias, place, place + end - start)


def _markdown_target(run: Run, link: InlineLink) -> Target | None:
    """Where a Markdown link leads; `None` where that is no place in the vault."""
    if link.destination is None:
        return None
    parts = markdown_parts(link.destination.raw)
    if parts is None:
        return None
    target, anchor, length = parts
    alias = _SPACES.sub(" ", run.text[link.label_start : link.label_end].strip(WHITESPACE))
    start = link.destination.start if link.defined else run.place(link.destination.start)
    return Target(target, anchor, alias or None, start, start + length)


def _markup(text: str, link: InlineLink, *, shown: bool = False) -> Iterator[tuple[int, int]]:
    """The stretches of a link that are not its text; the whole of an embed or image unless it counts as `shown`."""
    if not shown and link.kind in {"embed", "image"}:
        yield link.start, link.end
        return
    start, end = link.label_start, link.label_end
    if link.destination is None:
        content = text[start:end]
        before, pipe, alias = content.partition("|")
        if alias.strip(WHITESPACE):
            start += len(before) + len(pipe)
        elif pipe:
            end = start + len(before) - before.endswith("\\")
        content = text[start:end]
        start += len(content) - len(content.lstrip(WHITESPACE))
        end -= len(content) - len(content.rstrip(WHITESPACE))
    yield link.start, start
    yield end, link.end


def _frontmatter_links(source: Source) -> Iterator[Link]:
    text = source.text
    block = frontmatter.split(text) if text.find("[[", 0, source.body_start) >= 0 else None
    if block is None:
        return
    line_starts = [0, *(found.end() for found in _NEWLINE.finditer(text, 0, block.yaml_end))]
    for key, found, content in property_links(text, block.yaml_start, block.yaml_end):
        written, meant = wiki_parts(found[1]), wiki_parts(content)
        start = found.start() - text.startswith("!", found.start() - 1)
        line = bisect_right(line_starts, start)
        yield Link(
            kind="frontmatter",
            target=meant.target,
            anchor=meant.anchor,
            alias=meant.alias,
            predicate=key and canonical_predicate(key),
            spelling=key,
            start=start,
            end=found.end(),
            target_start=found.start(1) + written.start,
            target_end=found.start(1) + written.end,
            line=line,
            col=start - line_starts[line - 1] + 1,
        )
