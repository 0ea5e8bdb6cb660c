"""What the index keeps of one note: pure functions from its text to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import FrontmatterError, PathRefused, UnreadableNote
from reme_cli.index.resolution import resolved
from reme_cli.index.rows import Passage
from reme_cli.index.tokenize import tokenize
from reme_cli.regex import regex
from reme_cli.vault.frontmatter import read as read_frontmatter
from reme_cli.vault.keys import link_key
from reme_cli.vault.note import aliases_of, one_line, tags_of
from reme_cli.vault.paths import fold, stem_of
from reme_cli.vault.resolve import is_url, would_be_note
from reme_cli.vault.spans import is_within
from reme_cli.vault.wikilink import prose_spans, scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reme_cli.predicates.implied import Implied
    from reme_cli.vault.link import Link, Scan
    from reme_cli.vault.note import Note
    from reme_cli.vault.resolve import Names
    from reme_cli.vault.vault import Vault

Row = tuple[object, ...]

_UNRESOLVED: Final = (None, None, None)
_DATE: Final = regex(r"\d{4}-\d{2}-\d{2}")
_LINE_END: Final = regex(r"\r\n|\n|\r")
# A tag holds at least one character that is no digit: `#1` is an issue, not a tag.
_INLINE_TAG: Final = regex(r"#(?=[\w/-]*[^\W\d])([\w/-]+)")
_BEFORE_TAG: Final = frozenset(" \t\n\r\f\v\u3000\ufeff([{,;，。、；（")


class Document(NamedTuple):
    """The rows of one note, without its id; plain tuples, so that they pass cheaply between processes."""

    path: str
    stamp: str
    note: Row
    """name, description, layer, bucket, kind, date, frontmatter, problem"""
    names: tuple[Row, ...] = ()
    """kind, text, key"""
    tags: tuple[str, ...] = ()
    passages: tuple[Row, ...] = ()
    """level, heading, line, last_line, start, end"""
    links: tuple[Row, ...] = ()
    """kind, target, key, anchor, alias, predicate, spelling, start, end, target_start, target_end, line, col, then what it resolves
    to: the path of a note, or of a file, and whether it means a note; nothing where no names were given to resolve it in"""
    implied: tuple[Row, ...] = ()
    """predicate, subject, object, place, tense: of `predicates.implied.Implied`"""
    fulltext: tuple[str, ...] = ()
    """The tokens of each of `schema.FIELDS`; empty for a note that cannot be read."""
    is_lasting: bool = True
    """Whether it stays true as long as the file's size and time do."""


def read_document(
    vault: Vault, path: str, known_stamp: str | None = None, names: Names | None = None
) -> Document | None:
    """The rows of the note at a path; `None` where its content is still the one of `known_stamp`.

    Links are resolved where `names` are given. A note that cannot be read gives a document that says why. Raises `NoteNotFound`.
    """
    try:
        note = vault.read(path)
    except (UnreadableNote, PathRefused) as error:
        # what the system refuses now it may grant later, without the file changing
        return _unreadable(vault, path, error.what, is_lasting=not isinstance(error.__cause__, OSError))
    return None if note.stamp == known_stamp else document_of(vault, note, names)


def document_of(vault: Vault, note: Note, names: Names | None = None) -> Document:
    """The rows of a note that has been read."""
    path, text = note.path, note.text
    found = scan(text)
    properties, frontmatter = _properties_of(text, found)
    stem = stem_of(path)
    given = one_line(properties.get("name"))
    name = given or stem
    aliases = _aliases_in(properties)
    tags = _tags_in(properties, text, found.body_start)
    headings = [heading.text for heading in found.headings]
    heading = _title(found)
    title = one_line(properties.get("title"))
    description = one_line(properties.get("description"))
    day = vault.day(path)
    return Document(
        path=path,
        stamp=note.stamp,
        note=(
            given or title or heading or stem,
            description,
            vault.layer(path),
            vault.bucket(path),
            one_line(properties.get("kind")) or None,
            day.isoformat() if day else _date_in(properties),
            frontmatter,
            None,
        ),
        names=_names(stem, name, aliases, title, heading),
        tags=tags,
        passages=tuple(_passages(text, found)),
        links=tuple(_link_row(link, path, names) for link in found.links),
        # a sentence with the link and one that only names it make the same row
        implied=tuple(dict.fromkeys(_row_of(edge) for edge in _implied(vault, note, found, properties))),
        fulltext=(
            tokenize(name if name == stem else f"{name}\n{stem}"),
            tokenize("\n".join(aliases)),
            tokenize("\n".join(headings)),
            tokenize("\n".join(_words_of(properties))),
            tokenize(_visible(text, found)),
        ),
    )


def implied_in(vault: Vault, note: Note) -> tuple[Implied, ...]:
    """What the sentences of a note state, of which its document has the rows."""
    found = scan(note.text)
    return _implied(vault, note, found, _properties_of(note.text, found)[0])


def _implied(vault: Vault, note: Note, found: Scan, properties: Mapping[str, object]) -> tuple[Implied, ...]:
    if not found.links:
        return ()
    # here, since the process that only writes rows does without
    from reme_cli.predicates.implied import implied_edges
    from reme_cli.predicates.note_self import called, note_self
    from reme_cli.predicates.table import table_of

    name = one_line(properties.get("name")) or stem_of(note.path)
    said = (note.path, properties, (name, *_aliases_in(properties)), _title(found))
    table = table_of(tuple(vault.config.predicates.items()))
    return implied_edges(note.text, found, table, called(*said), lambda: note_self(*said))


def _row_of(edge: Implied) -> Row:
    return edge.predicate, edge.subject, edge.object, edge.place, edge.tense


def _properties_of(text: str, found: Scan) -> tuple[Mapping[str, object], str]:
    """The frontmatter, and what state it is in: `ok`, `none` or `broken`."""
    try:
        properties = read_frontmatter(text)
    except FrontmatterError:
        return {}, "broken"
    return properties, "ok" if properties or found.body_start > 1 else "none"


def _aliases_in(properties: Mapping[str, object]) -> Sequence[str]:
    return aliases_of(properties.get("aliases", properties.get("alias")))


def _title(found: Scan) -> str:
    """The first heading of the first level."""
    return next((heading.text for heading in found.headings if heading.level == 1 and heading.text), "")


def _unreadable(vault: Vault, path: str, why: str, *, is_lasting: bool) -> Document:
    stem = stem_of(path)
    return Document(
        path=path,
        stamp="",
        note=(stem, "", vault.layer(path), vault.bucket(path), None, None, "none", why),
        names=_names(stem, stem, (), "", ""),
        is_lasting=is_lasting,
    )


def passages_of(text: str) -> tuple[Passage, ...]:
    """The passages of a text, as the index would keep them."""
    return tuple(Passage(*row) for row in _passages(text, scan(text)))


def _names(stem: str, name: str, aliases: Iterable[str], title: str, heading: str) -> tuple[Row, ...]:
    named = [("file", stem)]
    if name != stem:
        named.append(("name", name))
    named += [("alias", alias) for alias in aliases]
    if title and title not in {stem, name}:
        named.append(("title", title))
    if heading and heading not in {stem, name, title}:
        named.append(("heading", heading))
    return tuple((kind, text, fold(text)) for kind, text in named)


def _tags_in(properties: Mapping[str, object], text: str, body_start: int) -> tuple[str, ...]:
    tags = set(tags_of(properties.get("tags", properties.get("tag"))))
    inline = [
        match
        for match in _INLINE_TAG.finditer(text, body_start)
        if match[1] not in tags and text[match.start() - 1 : match.start()] in _BEFORE_TAG
    ]
    if inline:
        spans = prose_spans(text)
        tags.update(match[1].strip("/") for match in inline if is_within(spans, match.start()))
    return tuple(sorted(tags))


def _date_in(properties: Mapping[str, object]) -> str | None:
    for key in ("date", "created"):
        match = _DATE.match(one_line(properties.get(key)))
        if match:
            return match.group()
    return None


def _words_of(value: object) -> Iterator[str]:
    """Every scalar inside a frontmatter value, as text."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words_of(inner)
    elif text := one_line(value):
        yield text


def _visible(text: str, found: Scan) -> str:
    """The body as a reader sees it: of a link only what it shows, so that a phrase may run across it.

    The names of targets that a shown text hides follow at the end, so that they are found all the same.
    """
    pieces: list[str] = []
    hidden: list[str] = []
    at = found.body_start
    for link in found.links:
        if link.start < at or link.kind == "frontmatter":  # inside the text of another link
            continue
        shown = link.alias if link.alias is not None else stem_of(link.target)
        pieces += (text[at : link.start], shown)
        at = link.end
        if link.alias is not None and link.target and not is_url(link.target):
            name = stem_of(link.target)
            if fold(name.replace("-", " ").replace("_", " ")) != fold(shown):
                hidden.append(name)
    return " ".join(("".join((*pieces, text[at:])), *hidden))


def _passages(text: str, found: Scan) -> Iterator[tuple[int, str, int, int, int, int]]:
    """One passage for the text before the first heading, unless blank, then one for each heading with what follows it."""
    headings = found.headings
    first = headings[0].start if headings else len(text)
    if text[found.body_start : first].strip():
        line = 1 + _lines_ended(text, 0, found.body_start)
        yield 0, "", line, line + _last_line(text, found.body_start, first), found.body_start, first
    ends = [heading.start for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=False):
        last = heading.line + _last_line(text, heading.start, end)
        yield heading.level, heading.text, heading.line, last, heading.start, end


def _lines_ended(text: str, start: int, end: int) -> int:
    if text.find("\r", start, end) < 0:
        return text.count("\n", start, end)
    return sum(1 for _ in _LINE_END.finditer(text, start, end))


def _last_line(text: str, start: int, end: int) -> int:
    """How many lines below `start` the last line is that `text[start:end]` reaches into."""
    ended = _lines_ended(text, start, end)
    return ended - 1 if ended and text[end - 1] in "\r\n" else ended


def _link_row(link: Link, source: str, names: Names | None) -> Row:
    target = link.target
    key = link_key(target, source)
    if not key:  # names no file, whatever files come: `[up](..)`
        leads_to: Row = (None, None, bool(target) and not is_url(target) and would_be_note(link))
    else:
        leads_to = resolved(link, source, names) if names else _UNRESOLVED
    return (*link[:2], key, *link[2:], *leads_to)
