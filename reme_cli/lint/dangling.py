"""The links that lead nowhere, each with what it seems to mean: a note, an attachment, a folder, an address on the net.

Left out is what only looks like a link that should lead somewhere: what a template fills in, the address of a page that
a site makes of a note, a file that is on disk where reme lists none.
"""

from __future__ import annotations

import posixpath
import re
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from reme_cli.lint.placeholder import Placeholders
from reme_cli.regex import regex
from reme_cli.vault.link import bare_link
from reme_cli.vault.paths import NOTE_SUFFIX, fold, folder_of, nfc
from reme_cli.vault.resolve import is_url, would_be_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.index.rows import IndexedLink
    from reme_cli.lint.survey import Survey
    from reme_cli.vault.link import Link

Meaning = Literal["note", "outside", "attachment", "folder", "address", "citation"]
"""`outside`: a note that its path puts outside the vault; `citation`: `[[1]](…)`, which Markdown reads otherwise."""

_NOWHERE: Final = "links.resolved IS NULL AND links.file IS NULL AND links.target <> ''"
_ADDRESS: Final = regex(
    r"www\.[^/\s]+\.[^/\s]+.*|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|cn|de|uk|fr|jp|app|ai)(?:[/?:].*|)",
    re.IGNORECASE | re.DOTALL,
)
_DOT_FILE: Final = regex(r"(?:^|/)\.[^./]+$")
_PROSE: Final = regex("[，。？！；：、“”（）《》]")
_BEHIND_CITATION: Final = regex(r"\((?:<?[A-Za-z][A-Za-z0-9+.-]*:|<?www\.|#|/|\.)")
# `[[ $minutes -ge 60 ]]`, `[[ ! -f "$file" ]]`: code that stands in no block of code
_SHELL_TEST: Final = regex(r"""\[\[\s+(?:!\s+)?(?:-[A-Za-z]\s|["']?\$[A-Za-z_{(]).*\s\]\]""", re.DOTALL)
_BEFORE_LIST: Final = regex(r"(?:^[ \t]*|[:\-][ \t]+|[\[,][ \t]*)\Z", re.MULTILINE)


class Dangling(NamedTuple):
    """A link that leads nowhere, and the text of its note."""

    found: IndexedLink
    text: str
    meaning: Meaning
    folder: str | None = None
    """The folder that it leads to instead of a note; empty: the vault itself."""


def dangling(survey: Survey, *meanings: Meaning) -> Iterator[Dangling]:
    """The links that lead nowhere and have one of these meanings, by path, then by place."""
    return (each for each in survey.once(_all) if each.meaning in meanings)


def _all(survey: Survey) -> tuple[Dangling, ...]:
    seen: list[Dangling | None] = []
    for source, rows in groupby(survey.links_where(_NOWHERE), key=lambda row: row.source):
        text = survey.text(source)
        if text is None:
            continue
        placeholders = Placeholders(text)
        seen += (
            _meant(survey, found, text, survey.everywhere.once(_folders))
            for found in rows
            if not placeholders.holds(found.link) and not _is_no_link(text, found.link)
        )
    return tuple(each for each in seen if each is not None)


def _meant(survey: Survey, found: IndexedLink, text: str, folders: Mapping[str, str]) -> Dangling | None:
    link = found.link
    is_markdown = link.kind in {"markdown", "image"}
    if is_url(link.target) or (is_markdown and _ADDRESS.fullmatch(link.target)):
        return Dangling(found, text, "address")
    if link.kind == "wikilink" and _BEHIND_CITATION.match(text, link.end):
        return Dangling(found, text, "citation")
    place = named_place(link, found.source)
    folder = None if place is None else folders.get(fold(place))
    if folder is not None and (is_markdown or "/" in link.target):
        # `/` alone is a site's front page
        return None if link.target == "/" else Dangling(found, text, "folder", folder)
    if is_markdown and _is_served(survey, found):
        return None
    if place is not None and _is_left_out(survey, place):
        return None
    if not would_be_note(link) or (is_markdown and _DOT_FILE.search(link.target)):
        return Dangling(found, text, "attachment")
    return Dangling(found, text, "outside" if place is None else "note")


def _is_no_link(text: str, link: Link) -> bool:
    """Whether a reader would not take it for a link: a footnote's mark before a parenthesis, a test in a shell script, a list in
    YAML."""
    if link.kind == "markdown":
        is_footnote = link.alias is not None and link.alias.startswith("^")
        is_prose = _PROSE.search(link.target) is not None and not link.target.endswith(NOTE_SUFFIX)
        return is_footnote or (is_prose and "/" not in link.target)
    if link.kind == "wikilink":
        return _SHELL_TEST.fullmatch(text, link.start, link.end) is not None
    if link.kind == "frontmatter" and "," in link.target:
        line_start = text.rfind("\n", 0, link.start) + 1
        return _BEFORE_LIST.search(text, line_start, link.start) is not None
    return False


def named_place(link: Link, source: str) -> str | None:
    """Where in the vault the target says that it is, without `/` at the end; `None` outside of the vault."""
    target = nfc(link.target)
    is_relative = link.kind in {"markdown", "image"} or target.startswith(("./", "../"))
    folder = folder_of(source) if is_relative and not target.startswith("/") else ""
    joined = posixpath.normpath(posixpath.join(folder, target.strip("/") or "."))
    if joined == "..":
        return None
    return None if joined.startswith("../") else "" if joined == "." else joined


def _folders(survey: Survey) -> dict[str, str]:
    """Every folder that holds a file, by its folded path; the vault itself by the empty one."""
    found = {"": ""}
    for path in (*survey.names.notes, *survey.names.files):
        folder = folder_of(path)
        while folder and fold(folder) not in found:
            found[fold(folder)] = folder
            folder = folder_of(folder)
    return found


def _is_served(survey: Survey, found: IndexedLink) -> bool:
    """Whether a site or a web view serves the target: a file with a query, `page.html` of `page.md`, `/assets/…`.

    A site's root need not be the vault's: the whole of a longer path from the root can be the end of a vault path.
    """
    target = found.link.target
    path, query, _ = target.partition("?")
    spellings = [path] if query and path else []
    if path.lower().endswith((".html", ".htm")):
        spellings.append(path.rpartition(".")[0] + NOTE_SUFFIX)
    if path.startswith("/") and ("/" in path.strip("/") or not would_be_note(found.link)):
        spellings.append(path.lstrip("/"))
    return any(
        survey.names.resolve(bare_link(spelling, found.link.kind), found.source).path is not None
        for spelling in spellings
    )


def _is_left_out(survey: Survey, place: str) -> bool:
    """Whether there is a file on disk in a place that reme lists nothing of, such as `.github/` or `prompts/`."""
    parts = place.split("/")
    left_out = {"prompts", survey.config.folders.metadata.partition("/")[0]}
    is_hidden = any(part.startswith(".") for part in parts) or "node_modules" in parts
    if not is_hidden and parts[0] not in left_out:
        return False
    return any(map(survey.exists, (place, place + NOTE_SUFFIX)))
