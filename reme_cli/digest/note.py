"""What a digest note must be, and how the missing parts that need no judgement are put in."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from reme_cli.digest.citation import cite, link_to
from reme_cli.digest.wording import wording_of
from reme_cli.errors import FrontmatterError, NoteError, PathRefused, Refused
from reme_cli.graph.edge import occurrences_of
from reme_cli.vault import frontmatter
from reme_cli.vault.note import one_line
from reme_cli.vault.paths import check_note_path, fold, slugify, stem_of
from reme_cli.vault.resolve import is_url
from reme_cli.vault.wikilink import prose_spans, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

SOURCES_HEADINGS: Final = frozenset({"sources", "source", "来源", "出处"})
_LIST_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")
_FIELD: Final = re.compile(r"[ \t]*(?:[-*+][ \t]+)?[^\W\d_][\w-]*::")


def new_path(vault: Vault, path: str) -> str:
    """The path of a note about to be made, which must be `digest/<bucket>/<slug>.md`. Raises `PathRefused`."""
    digest = vault.config.folders.digest
    normal = check_note_path(path, portable=True)
    bucket = vault.bucket(normal)
    stem = stem_of(normal)
    if bucket is None or normal != f"{digest}/{bucket}/{stem}.md":
        raise PathRefused(
            "a new note must be directly in a bucket of the digest",
            where=normal,
            hint=f"Write to {digest}/<bucket>/<slug>.md, the bucket one of: {', '.join(vault.config.digest.buckets)}.",
        )
    if slugify(stem) != stem:
        raise PathRefused(
            "the file name is not a slug",
            where=normal,
            hint=f"Write to {digest}/{bucket}/{slugify(stem)}.md.",
        )
    return normal


def compose(name: str, description: str, body: str) -> str:
    """The text of a new note."""
    head = f"name: {frontmatter.emit(name)}\ndescription: {frontmatter.emit(description)}"
    return f"---\n{head}\n---\n\n{body.strip()}\n"


def added_links(before: str, after: str) -> list[Link]:
    """The links of `after` that `before` does not have in the same spelling and with the same predicate, in order."""
    known = Counter((before[link.start : link.end], link.predicate) for link in scan(before).links)
    added = []
    for link in scan(after).links:
        key = (after[link.start : link.end], link.predicate)
        if known[key]:
            known[key] -= 1
        else:
            added.append(link)
    return added


def unresolved(path: str, before: str, after: str, names: Names) -> tuple[str, ...]:
    """The links that `after` adds and that lead nowhere, as they are spelled."""
    return tuple(
        after[link.start : link.end]
        for link in added_links(before, after)
        if link.target and not is_url(link.target) and names.resolve(link, path).path is None
    )


def canonical(
    path: str, before: str, after: str, names: Names, digest: str, name_of: Callable[[str], str]
) -> str:
    """`after` with each wikilink that it adds in canonical form: full path, `.md`, an alias in prose, no anchor into the digest.

    `digest` is the digest's folder; `name_of` gives the alias for the path of a note. Links that lead nowhere stay as they are.
    """
    text = after
    for link in reversed(added_links(before, after)):
        if link.kind != "wikilink" or not link.target or is_url(link.target):
            continue
        found = names.resolve(link, path).path
        if found is None or not found.endswith(".md"):
            continue
        shown = link.alias or (None if link.predicate or _is_field(after, link) else name_of(found))
        written = link_to(found, shown)
        if link.anchor and not found.startswith(f"{digest}/") and written.startswith("[["):
            written = written.replace(found, f"{found}#{link.anchor}", 1)
        text = text[: link.start] + written + text[link.end :]
    return text


def missing_sources(path: str, text: str, sources: Iterable[str], names: Names) -> tuple[str, ...]:
    """The sources that `text` does not link to."""
    linked = {occurrence.edge.target for occurrence in occurrences_of(path, text, names)}
    return tuple(source for source in sources if source not in linked)


def with_sources(text: str, sources: Iterable[str]) -> str:
    """`text` with `derived_from:: [[…]]` for each of `sources` at the end of its `## Sources` or `## 来源`.

    The section is made where it has none, under the heading of the language that the note is in.
    """
    lines = [f"- {cite(source)}" for source in sources]
    if not lines:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    headings = scan(text).headings
    for number, heading in enumerate(headings):
        if fold(heading.text.strip()) in SOURCES_HEADINGS:
            end = next((later.start for later in headings[number + 1 :]), len(text))
            section = text[:end].rstrip()
            return (
                section
                + _gap(section, newline)
                + newline.join(lines)
                + (text[len(section) : end] or newline)
                + text[end:]
            )
    body = text.rstrip()
    section = wording_of("".join(text[start:end] for start, end in prose_spans(text))).sources
    return f"{body}{newline * 2}## {section}{newline * 2}{newline.join(lines)}{newline}"


def with_line(text: str, line: str) -> str:
    """`text` with a line that stands alone at its end, in front of its `## Sources` or `## 来源`."""
    newline = "\r\n" if "\r\n" in text else "\n"
    end = len(text)
    for heading in scan(text).headings:
        if fold(heading.text.strip()) in SOURCES_HEADINGS:
            end = heading.start
    rest = f"{newline}{text[end:]}" if end < len(text) else ""
    return f"{text[:end].rstrip()}{newline * 2}{line}{newline}{rest}"


def check(path: str, text: str, names: Names, digest: str = "digest") -> None:
    """Raise `Refused` unless `text` has a name, a description, something to say and a source outside the folder `digest`."""
    try:
        head = frontmatter.read(text)
    except FrontmatterError as error:
        raise Refused(f"the frontmatter is broken: {error.what}", where=path) from error
    for key in ("name", "description"):
        if not one_line(head.get(key)):
            raise Refused(f"the frontmatter has no {key}", where=path, hint=f"Give the note a {key}.")
    block = frontmatter.split(text)
    if block is None or not text[block.body_start :].strip():
        raise Refused("the note says nothing", where=path)
    edges = (occurrence.edge for occurrence in occurrences_of(path, text, names))
    if not any(edge.resolved and not edge.target.startswith(f"{digest}/") for edge in edges):
        raise Refused("the note names no source", where=path, hint="Add `derived_from:: [[…]]`.")


def finished(
    vault: Vault,
    path: str,
    before: str | None,
    after: str,
    sources: tuple[str, ...],
    names: Names,
) -> str:
    """`after` made complete and checked: links canonical and resolving, every source cited, the parts of a digest note present.

    `names` is the set of notes with `path` in it. Raises `Refused` with everything that is wrong in words for a model.
    """
    old = before or ""
    digest = vault.config.folders.digest

    def name_of(target: str) -> str:
        try:
            return vault.read(target).name
        except (NoteError, PathRefused):
            return stem_of(target)

    if broken := unresolved(path, old, after, names):
        raise Refused(
            f"these links lead to no note: {', '.join(broken)}",
            where=path,
            hint="Link only to notes that exist, by their full path, or write plain text.",
        )
    text = canonical(path, old, after, names, digest, name_of)
    text = with_sources(text, missing_sources(path, text, sources, names))
    if uncited := missing_sources(path, text, sources, names):
        raise Refused(
            f"a source cannot be cited: {', '.join(uncited)}",
            where=path,
            hint="Close every code fence, comment and math block in the note.",
        )
    if before is None:
        check(path, text, names, digest)
    else:
        _check_head(path, before, text)
    return text


def broken_links(path: str, text: str, names: Names) -> tuple[str, ...]:
    """The links of a note that lead nowhere, as they are spelled, each once."""
    return tuple(dict.fromkeys(unresolved(path, "", text, names)))


def _check_head(path: str, before: str, after: str) -> None:
    """Raise `Refused` where a change breaks the frontmatter or takes name or description away. What a person left out is no fault."""
    try:
        old = frontmatter.read(before)
    except FrontmatterError:
        return  # lint tells the person; the block stays byte for byte
    try:
        new = frontmatter.read(after)
    except FrontmatterError as error:
        raise Refused(f"the change breaks the frontmatter: {error.what}", where=path) from error
    for key in ("name", "description"):
        if one_line(old.get(key)) and not one_line(new.get(key)):
            raise Refused(f"the change takes the note's {key} away", where=path)


def _is_field(text: str, link: Link) -> bool:
    """Whether the link stands in a line of data rather than in prose: `key:: [[…]]`, or alone in its list item."""
    start = max(text.rfind("\n", 0, link.start), text.rfind("\r", 0, link.start)) + 1
    if _FIELD.match(text, start):
        return True
    item = _LIST_ITEM.match(text, start)
    ends = text[link.end : link.end + 1] in {"", "\n", "\r"}
    return ends and start + (len(item[0]) if item else 0) == link.start


def _gap(section: str, newline: str) -> str:
    """What parts new list items from the section they are appended to."""
    last = section[max(section.rfind("\n"), section.rfind("\r")) + 1 :]
    return newline if _LIST_ITEM.match(last) or _FIELD.match(last) else newline * 2
