"""How a link is written so that it leads to a certain note, or so that it is a link no more."""

from __future__ import annotations

import posixpath
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from reme_cli.graph.conservation import EdgeKey
from reme_cli.graph.edge import literal_target
from reme_cli.lint.finding import Replacement
from reme_cli.regex import regex
from reme_cli.vault.link import bare_link
from reme_cli.vault.paths import NOTE_SUFFIX, folder_of, name_of, nfc, stem_of
from reme_cli.vault.resolve import would_be_note
from reme_cli.vault.table_rows import table_rows
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reme_cli.index.rows import IndexedLink
    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names

_NOT_IN_DESTINATION: Final = regex(r"[\x00-\x20\x7f()<>\\%#?&`$\[\]|]")
# in a string of any quotation it could mean something else
_NOT_IN_YAML: Final = regex(r"""["'\\#,\n]|:\s|:$""")
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
) -> Replacement | None:
    """What makes the link lead to the note at `path`, and to no other; `None` where it cannot be written.

    A wikilink stays as short as it is where that is unambiguous, unless `is_full` asks for the whole path. What a label
    says stays. Of a wikilink without one, a reader of the note sees the same text as before if `keeps_shown`, else the
    note's name: where a path is written in the place of a name, the name becomes the label.
    """
    if found.link.kind in {"markdown", "image"}:
        return _destination(text, found, path, names)
    for target in _targets(found.link.target, path, is_full=is_full):
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


def label_of(text: str, link: Link) -> str:
    """What stands between the brackets of a Markdown link or image, exactly."""
    start = link.start + 1 + (link.kind == "image")
    if link.start <= link.target_start < link.end:
        return text[start : text.rindex("](", start - 1, link.target_start)]
    written = text[start : link.end]  # by reference: `[label]`, `[label][]` or `[label][name]`
    return written[: written.rindex("][")] if "][" in written else written[:-1]


def _targets(old: str, path: str, *, is_full: bool) -> Iterator[str]:
    if not is_full:
        has_suffix = old.endswith(NOTE_SUFFIX)
        if "/" in old:
            yield path if has_suffix else path.removesuffix(NOTE_SUFFIX)
        else:
            yield name_of(path) if has_suffix else stem_of(path)
    yield path


def _means(target: str, path: str, found: IndexedLink, names: Names) -> bool:
    meant = names.resolve(bare_link(target, found.link.kind), found.source)
    return meant.path == path and meant.exact_case and not meant.ambiguous


def _wikilink(text: str, found: IndexedLink, target: str, *, keeps_shown: bool) -> Replacement | None:
    link = found.link
    start, end = link.target_start, link.target_end
    if link.kind == "frontmatter":
        return None if _NOT_IN_YAML.search(target) else Replacement(found.source, start, end, target)
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
    return "\\|" if link.line in _table_rows(text) else "|"


@lru_cache(maxsize=8)
def _table_rows(text: str) -> frozenset[int]:
    """As `table_rows`, which is asked about one note again and again."""
    return table_rows(text)


def _destination(text: str, found: IndexedLink, path: str, names: Names) -> Replacement | None:
    link = found.link
    raw = text[link.target_start : link.target_end]
    if raw.startswith("/"):
        target = f"/{path}"
    else:
        target = posixpath.relpath(path, folder_of(found.source) or ".")
        if raw.startswith("./") and not target.startswith("."):
            target = f"./{target}"
    written = _NOT_IN_DESTINATION.sub(lambda character: quote(character[0]), target)
    read = [each.target for each in scan(f"[x]({written})").links]
    if read != [target] or not _means(target, path, found, names):
        return None
    return Replacement(found.source, link.target_start, link.target_end, written)
