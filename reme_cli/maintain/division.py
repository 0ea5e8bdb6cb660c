"""The split of a note without a model: only where the note itself is divided already.

A section moves, word for word, when it is long and shares few words with the other long ones. Its heading stays in the note with a
sentence and a link below, so that links to the heading still lead somewhere; what is short stays, and so do the sources.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.config import CATCH_ALL_BUCKET
from reme_cli.digest.citation import link_to
from reme_cli.digest.note import SOURCES_HEADINGS
from reme_cli.digest.sentences import split
from reme_cli.maintain.coverage import blocks, content_words, words_of_body
from reme_cli.maintain.shared_words import pairs_sharing
from reme_cli.maintain.split_draft import Draft, PartDraft, sources_of
from reme_cli.vault.paths import fold, slugify, stem_of
from reme_cli.vault.tokens import estimate_tokens
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

LONG: Final = 100
"""Estimated tokens from which on a section may be a note of its own: about 75 English words."""
FAR: Final = 0.35
"""Overlap coefficient of their content words up to which two sections are about different things."""
_LONGEST_DESCRIPTION: Final = 200
"""Characters."""
_BOOKKEEPING: Final = SOURCES_HEADINGS | {"related", "references", "see also", "links", "相关", "参考"}
"""Headings of what belongs to the whole note."""


class Section(NamedTuple):
    """A section as characters of the note: from its heading, over what is below that from `body` on, to the next one."""

    heading: str
    start: int
    body: int
    end: int


def divide(vault: Vault, note: Note, names: Names) -> Draft | None:
    """How the note's own headings divide it; `None` where they do not."""
    text = note.text
    moving = [each for each in sections(text) if _is_long(text, each)]
    words = {each: words_of_body(text[each.start : each.end]) for each in moving}
    near = _near(words)
    moving = [each for each in moving if each not in near]
    if len(moving) < 2:
        return None
    bucket = vault.bucket(note.path) or CATCH_ALL_BUCKET
    newline = "\r\n" if "\r\n" in text else "\n"
    taken = {fold(path) for path in (*names.notes, *names.files)}
    sources = sources_of(vault, note.path, text, names)
    kept, parts, at = [], [], scan(text).body_start
    for section in moving:
        name = _name(note, section.heading)
        slug = _free_slug(f"{vault.config.folders.digest}/{bucket}", note, name, taken)
        path = f"{vault.config.folders.digest}/{bucket}/{slug}.md"
        taken.add(fold(path))
        description = _description(text[section.body : section.end]) or name
        parts.append(
            PartDraft(slug, bucket, name, description, text[section.start : section.end], sources=sources)
        )
        told = f"{newline * 2}{link_to(path, name)}: {description}{newline * 2}"
        kept += [text[at : section.body], told]
        at = section.end
    return Draft("".join((*kept, text[at:])), tuple(parts))


def sections(text: str) -> tuple[Section, ...]:
    """The sections that divide a note: those of the highest level of which there are two, but for sources and the like."""
    headings = scan(text).headings
    for level in sorted({heading.level for heading in headings}):
        dividing = [heading for heading in headings if heading.level == level]
        if len(dividing) < 2:
            continue
        ends = [*(heading.start for heading in headings if heading.level <= level), len(text)]
        return tuple(
            Section(
                heading.text.strip(),
                heading.start,
                heading.end,
                ends[bisect_right(ends, heading.start)],
            )
            for heading in dividing
            if fold(strip_links(heading.text).strip(" :：")) not in _BOOKKEEPING
        )
    return ()


def _is_long(text: str, section: Section) -> bool:
    return estimate_tokens(text[section.body : section.end]) >= LONG


def _near(words: Mapping[Section, frozenset[str]]) -> set[Section]:
    """The sections that are not about different things, by the words of each."""
    found = list(words)
    near: set[Section] = set()
    for pair in pairs_sharing(list(words.values()), FAR):
        both = tuple(found[number] for number in pair)
        if not near.issuperset(both) and _overlap(*map(words.__getitem__, both)) > FAR:
            near.update(both)
    return near


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The overlap coefficient (Szymkiewicz–Simpson) of two sets of words."""
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


def _name(note: Note, heading: str) -> str:
    """What a section is called among all notes: a heading of one word says what it is about only inside its note."""
    shown = " ".join(strip_links(heading).replace("`", "").replace("*", "").split())
    return shown if len(content_words(shown)) >= 2 else f"{note.name}: {shown}"


def _free_slug(folder: str, note: Note, name: str, taken: set[str]) -> str:
    slug = slugify(name)
    if fold(f"{folder}/{slug}.md") not in taken:
        return slug
    return slugify(f"{stem_of(note.path)} {name}")


def _description(text: str) -> str:
    """The first sentence of a section's prose."""
    shown = strip_links(text)
    for block in blocks(shown):
        sentence = next(iter(split(shown[block.start : block.end])), "")
        if not block.is_code and sentence[:1].isalnum():
            return (
                sentence if len(sentence) <= _LONGEST_DESCRIPTION else f"{sentence[:_LONGEST_DESCRIPTION]}…"
            )
    return ""
