"""What becomes of a note's text when notes and files of the vault get other paths: each link leads where it led before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.errors import FrontmatterError, Refused
from reme_cli.index.rows import IndexedLink
from reme_cli.lint.respell import edge_key, is_from_folder, respelled
from reme_cli.regex import regex
from reme_cli.vault import frontmatter
from reme_cli.vault.keys import link_key, path_key
from reme_cli.vault.paths import fold, nfc, stem_of
from reme_cli.vault.resolve import is_url
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from reme_cli.lint.finding import Replacement
    from reme_cli.vault.link import Link
    from reme_cli.vault.resolve import Names


class Adopted(NamedTuple):
    """A link that led nowhere, and leads to a note or file once that has its new name."""

    source: str
    link: Link
    target: str

    @property
    def literal(self) -> str:
        """What stood for its target before."""
        return edge_key(self.link).target


class Retargeted(NamedTuple):
    """A note's new text, how many of its links are spelled anew, and those that came to lead somewhere."""

    text: str
    links: int
    adopted: tuple[Adopted, ...]


class Renaming:
    """Notes and files that get other paths, and what links mean before and after that."""

    def __init__(self, before: Names, after: Names, paths: Mapping[str, str]) -> None:
        """`paths` gives the new path for each old one."""
        self.before = before
        self.after = after
        self.paths = paths
        self._keys = frozenset(path_key(path) for pair in paths.items() for path in pair)
        self._words = frozenset(max(_APART.split(key), key=len) for key in self._keys)
        self._seen: dict[str, list[tuple[str, Link]]] = {}

    def may_touch(self, path: str, text: str) -> bool:
        """Whether a note may hold a link whose meaning depends on the renaming; a quick look that errs on the safe side."""
        if path in self.paths or len(self._keys) > _FEW:
            return True
        folded = fold(text)
        return any(word in folded for word in self._words) or "%" in text or "&" in text or "\\" in text

    def retargeted(self, path: str, text: str) -> Retargeted:
        """The text of the note at this old path, with its links as they are to be. Raises `Refused` for one that cannot be."""
        source = self.paths.get(path, path)
        moves = source != path
        replacements: dict[tuple[int, int], str] = {}
        adopted = []
        links = 0
        for link in scan(text).links:
            if not link.target or is_url(link.target):
                continue
            key = link_key(link.target, path)
            if key in self._keys:
                self._seen.setdefault(key, []).append((path, link))
            elif not moves:
                continue
            was, now = self.before.resolve(link, path), self.after.resolve(link, source)
            if was.path is None:
                if now.path is not None:
                    adopted.append(Adopted(path, link, now.path))
                continue
            wanted = self.paths.get(was.path, was.path)
            if now.path == wanted and not (
                (was.exact_case and not now.exact_case)
                or (now.ambiguous and not was.ambiguous)
                or (_names_whole(link, was.path) and not _names_whole(link, wanted))
                or (is_from_folder(link, path, was.path) and not is_from_folder(link, source, wanted))
            ):
                continue
            found = IndexedLink(
                source, link, was.path if was.is_note else None, None if was.is_note else was.path
            )
            replacement = respelled(text, found, wanted, self.after, origin=path)
            if replacement is None:
                if now.path == wanted:
                    continue  # as good as it was written
                raise _unspellable(path, link, wanted)
            replacements[replacement.start, replacement.end] = replacement.text
            links += 1
        new = replaced(text, replacements)
        return Retargeted(_renamed(new, path, source) if moves else new, links, tuple(adopted))

    def inbound(self, path: str) -> Iterable[tuple[str, Link]]:
        """Source and link of every link, in the notes that were retargeted, whose last component is the name of `path`."""
        return self._seen.get(path_key(path), ())


_APART: Final = regex(r"[\s'\"]+")
"""In YAML a name may be wrapped between two words, and has its apostrophes twice: its longest word stands there as it is."""
_FEW: Final = 8
"""Of more names than that, reading the links is quicker than looking for each name in the text."""


def replaced(text: str, replacements: Mapping[tuple[int, int], str]) -> str:
    """The text with other characters in these places, which are apart."""
    parts, at = [], 0
    for (start, end), new in sorted(replacements.items()):
        parts += [text[at:start], new]
        at = end
    return "".join((*parts, text[at:]))


def apart(replacements: Iterable[Replacement]) -> dict[tuple[int, int], str]:
    """The replacements that do not lie within others, by their places."""
    taken: dict[tuple[int, int], str] = {}
    end = 0
    for each in sorted(replacements, key=lambda each: (each.start, -each.end)):
        if each.start >= end:
            taken[each.start, each.end] = each.text
            end = each.end
    return taken


def _names_whole(link: Link, path: str) -> bool:
    """Whether a link names a path from the root on, not only the end of it."""
    target = fold(nfc(link.target.removeprefix("/"))).removesuffix(".md")
    return "/" in target and target == fold(path).removesuffix(".md")


def _renamed(text: str, path: str, new: str) -> str:
    """The text of a moved note; its `name` follows the file's where it was the same."""
    old_stem, new_stem = stem_of(path), stem_of(new)
    if old_stem == new_stem:
        return text
    try:
        name = frontmatter.read(text).get("name")
        if isinstance(name, str) and nfc(name) == old_stem:
            return frontmatter.update(text, {"name": new_stem})
    except FrontmatterError:
        pass  # what cannot be read as YAML keeps its name
    return text


def _unspellable(path: str, link: Link, wanted: str) -> Refused:
    return Refused(
        f"the link to {link.target} cannot be written so that it leads to {wanted}",
        where=f"{path}:{link.line}:{link.col}",
        hint="Nothing was written. Change this link by hand, or choose a plainer name.",
    )
