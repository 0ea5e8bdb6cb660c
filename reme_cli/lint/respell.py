"""How a link is written so that it leads to a certain note, or so that it is a link no more."""

from __future__ import annotations

import json
import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from reme_cli.errors import FrontmatterError
from reme_cli.graph.conservation import EdgeKey
from reme_cli.graph.edge import literal_target
from reme_cli.lint.finding import Replacement
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.link import bare_link
from reme_cli.vault.paths import NOTE_SUFFIX, fold, folder_of, name_of, nfc, stem_of
from reme_cli.vault.resolve import would_be_note
from reme_cli.vault.table_rows import TableRows
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Match

    from reme_cli.index.rows import IndexedLink
    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names

_NOT_IN_DESTINATION: Final = regex(r"[\x00-\x20\x7f()<>\\%#?&`$\[\]|]")
_NOT_BETWEEN_POINTS: Final = regex(r"[\x00-\x1f\x7f<>\\%#?&`$\[\]|]")
_ENCODED_LETTER: Final = regex(r"%[89A-Fa-f][0-9A-Fa-f]")
_NOT_ASCII: Final = regex(r"[^\x00-\x7f]")
# in a string of any quotation it could mean something else
_NOT_IN_YAML: Final = regex(r"""["'\\#,\[\]{}\n]|:\s|:$""")
_BEGINS_YAML: Final = regex(r"\W|$")
_NO_TITLE: Final = regex(r"(?:#[^\s<>]*)?>?\)")
# in which nothing has a meaning, so that it need not be read; most links are such
_PLAIN: Final = regex(
    r"\[\[([A-Za-z0-9\u4e00-\u9fff](?:[A-Za-z0-9\u4e00-\u9fff/._ -]*[A-Za-z0-9\u4e00-\u9fff])?)"
    r"(?:\|([A-Za-z0-9\u4e00-\u9fff](?:[A-Za-z0-9\u4e00-\u9fff/ -]*[A-Za-z0-9\u4e00-\u9fff])?))?\]\]"
)


def edge_key(link: Link, path: str | None = None) -> EdgeKey:
    """The edge of a link that leads to this path; without one, of a link that leads nowhere."""
    if path is None:
        path = literal_target(link) if would_be_note(link) else nfc(link.target)
    return EdgeKey(path, link.predicate)


def respelled(
    text: str,
    found: IndexedLink,
    path: str,
    names: Names,
    *,
    is_full: bool = False,
    keeps_shown: bool = False,
    origin: str | None = None,
) -> Replacement | None:
    """What makes the link lead to the note at `path`, and to no other; `None` where it cannot be written.

    It is spelled as it was where that is unambiguous: as short, relative or from the root, with or without `.md`, unless
    `is_full` asks for the whole path. What a label says stays. Of a wikilink without one, a reader of the note sees the same
    text as before if `keeps_shown`, else the note's name: where a path is written in the place of a name, the name becomes the
    label. `origin` is the path that the note had when the link was written, where it has another one now.
    """
    if found.link.kind in {"markdown", "image"}:
        return _destination(text, found, path, names, origin or found.source)
    for target in (path,) if is_full else _targets(found, path):
        if _means(target, path, found, names):
            written = _wikilink(text, found, target, keeps_shown=keeps_shown)
            if written is not None:
                return written
    return None


def as_wikilink(text: str, found: IndexedLink, path: str) -> Replacement | None:
    """A Markdown link as the wikilink that leads to `path` and shows the same; `None` where it says more than that."""
    link = found.link
    if link.kind != "markdown" or not link.start <= link.target_start < link.end:
        return None
    label = label_of(text, link)
    head, tail = text[link.start : link.target_start], text[link.target_end : link.end]
    if head.removesuffix("<") != f"[{label}](" or not _NO_TITLE.fullmatch(tail):
        return None
    anchor = "" if link.anchor is None else f"#{link.anchor}"
    written = f"[[{path}{anchor}{_pipe(text, link)}{label}]]"
    return _checked(written, found, link.start, link.end, written, path, label)


def unlinked(text: str, found: IndexedLink) -> Replacement | None:
    """What leaves of a link only the text that it shows; `None` where that would mean something in YAML."""
    link = found.link
    if link.kind in {"markdown", "image"}:
        shown = label_of(text, link)
    elif link.alias is None or link.kind == "embed":
        shown = link.target
    else:
        shown = link.alias
    if link.kind == "frontmatter" and (_NOT_IN_YAML.search(shown) or _BEGINS_YAML.match(shown)):
        return None
    return Replacement(found.source, link.start, link.end, shown)


def is_from_folder(link: Link, source: str, path: str) -> bool:
    """Whether a Markdown link leads to `path` read from the folder of the note it stands in, as other programs read it."""
    if link.kind not in {"markdown", "image"} or link.target.startswith("/"):
        return False
    here = fold(posixpath.normpath(posixpath.join(folder_of(source), nfc(link.target))))
    return here in {fold(path), fold(path.removesuffix(NOTE_SUFFIX))}


def label_of(text: str, link: Link) -> str:
    """What stands between the brackets of a Markdown link or image, exactly."""
    start = link.start + 1 + (link.kind == "image")
    if link.start <= link.target_start < link.end:
        return text[start : text.rindex("](", start - 1, link.target_start)]
    written = text[start : link.end]  # by reference: `[label]`, `[label][]` or `[label][name]`
    return written[: written.rindex("][")] if "][" in written else written[:-1]


def _targets(found: IndexedLink, path: str) -> Iterator[str]:
    """The targets of a wikilink that may lead to `path`, the one that is most like what stands there first."""
    old = found.link.target
    spelled = path if old.endswith(NOTE_SUFFIX) else path.removesuffix(NOTE_SUFFIX)
    if old.startswith("/"):
        yield f"/{spelled}"
    elif old.startswith(("./", "../")) and (found.note or found.file):
        yield _relative(spelled, found.source, old)
    elif "/" not in old:
        yield name_of(spelled)
    else:
        if (depth := _depth(found)) is not None:
            yield "/".join(spelled.split("/")[-depth:])
        yield spelled
    yield path


def _depth(found: IndexedLink) -> int | None:
    """How many of the last components of a path a link names; `None` where it names all, or leads nowhere."""
    meant = (found.note or found.file or "").removesuffix(NOTE_SUFFIX)
    old = found.link.target.removesuffix(NOTE_SUFFIX)
    return old.count("/") + 1 if meant and meant.count("/") > old.count("/") else None


def _relative(path: str, source: str, old: str) -> str:
    """A path from the source's folder; with `./` where the old spelling begins so."""
    relative = posixpath.relpath(path, folder_of(source) or ".")
    return f"./{relative}" if old.startswith("./") and not relative.startswith(".") else relative


def _means(target: str, path: str, found: IndexedLink, names: Names) -> bool:
    meant = names.resolve(bare_link(target, found.link.kind), found.source)
    return meant.path == path and meant.exact_case and not meant.ambiguous


def _wikilink(text: str, found: IndexedLink, target: str, *, keeps_shown: bool) -> Replacement | None:
    link = found.link
    start, end = link.target_start, link.target_end
    if link.kind == "frontmatter":
        return _in_property(text, found, target)
    written, alias = target, link.alias
    shown = link.target if keeps_shown else _name(link.target, target)
    if shown is not None and alias is None and link.kind == "wikilink":
        end = link.end - len("]]")
        rest = text[link.target_end : end].rstrip()
        alias = shown if link.anchor is None else f"{shown}#{link.anchor}"
        written = f"{target}{rest}{'' if '|' in rest else _pipe(text, link)}{alias}"
    whole = text[link.start : start] + written + text[end : link.end]
    return _checked(whole, found, start, end, written, target, alias)


def _name(old: str, target: str) -> str | None:
    """What a link shows whose target was a name and becomes a path; `None` where it shows its target."""
    return stem_of(target) if "/" in target and "/" not in old else None


def _in_property(text: str, found: IndexedLink, target: str) -> Replacement | None:
    """A target in YAML: as it is, or as the quotation around it has its marks."""
    start, end = found.link.target_start, found.link.target_end
    if not _NOT_IN_YAML.search(target):
        return Replacement(found.source, start, end, target)
    head = text[: scan(text).body_start]
    as_read = _properties(head)
    number = sum(link.start < found.link.start for link in as_read.links)
    wanted = [(link.target, link.anchor, link.alias) for link in as_read.links]
    wanted[number] = (target, found.link.anchor, found.link.alias)
    escaped = json.dumps(target, ensure_ascii=False)[1:-1]
    for written in dict.fromkeys((target, target.replace("'", "''"), escaped)):
        now = _properties(head[:start] + written + head[end:])
        read = [(link.target, link.anchor, link.alias) for link in now.links]
        if read == wanted and now.keys == as_read.keys:
            return Replacement(found.source, start, end, written)
    return None


class _Properties(NamedTuple):
    """The links of a frontmatter block, and its keys; `None` where the YAML is broken."""

    links: tuple[Link, ...]
    keys: tuple[str, ...] | None


def _properties(head: str) -> _Properties:
    links = scan(head).links
    try:
        return _Properties(links, tuple(frontmatter.read(head)))
    except FrontmatterError:
        return _Properties(links, None)


def _checked(
    whole: str, found: IndexedLink, start: int, end: int, written: str, target: str, alias: str | None
) -> Replacement | None:
    """The replacement, if the link is then read as it is meant: a name may hold what has a meaning in a link."""
    replacement = Replacement(found.source, start, end, written)
    if (plain := _PLAIN.fullmatch(whole)) and plain.groups() == (target, alias) and found.link.anchor is None:
        return replacement
    read = [(link.target, link.anchor, link.alias, link.end) for link in scan(whole).links]
    meant = (target, found.link.anchor, alias, len(whole))
    return replacement if read == [meant] else None


def _pipe(text: str, link: Link) -> str:
    """What parts target and alias: in a table a bare pipe would part two cells."""
    return "\\|" if link.line in _rows_of(text) else "|"


@lru_cache(maxsize=8)
def _rows_of(text: str) -> TableRows:
    """The rows of tables, which are asked for of one note again and again."""
    return TableRows(text)


def _destination(text: str, found: IndexedLink, path: str, names: Names, origin: str) -> Replacement | None:
    start, end = found.link.target_start, found.link.target_end
    raw = text[start:end]
    is_pointed = text[start - 1 : start] == "<"
    for target in dict.fromkeys(_destinations(found, path, origin)):
        unsafe = _NOT_BETWEEN_POINTS if is_pointed else _NOT_IN_DESTINATION
        written = unsafe.sub(_percent_encoded, target)
        if _ENCODED_LETTER.search(raw):
            written = _NOT_ASCII.sub(_percent_encoded, written)
        link = f"[x](<{written}>)" if is_pointed else f"[x]({written})"
        read = [each.target for each in scan(link).links]
        if read == [target] and _means(target, path, found, names):
            return Replacement(found.source, start, end, written)
    return None


def _destinations(found: IndexedLink, path: str, origin: str) -> Iterator[str]:
    """The targets of a Markdown link that may lead to `path`, the one that is most like what stands there first."""
    old, meant = found.link.target, found.note or found.file
    spelled = path if old.endswith(NOTE_SUFFIX) or meant is None else path.removesuffix(NOTE_SUFFIX)
    for spelling in (spelled, path):
        if old.startswith("/"):
            yield f"/{spelling}"
            continue
        if meant is not None and not is_from_folder(found.link, origin, meant):
            yield from _targets(found, spelling)
        yield _relative(spelling, found.source, old)


def _percent_encoded(character: Match[str]) -> str:
    return quote(character[0])
