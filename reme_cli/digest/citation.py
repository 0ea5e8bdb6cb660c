"""Links as reme writes them."""

from __future__ import annotations

import re
from urllib.parse import quote

from reme_cli.vault.paths import name_of
from reme_cli.vault.wikilink import scan

_UNSHOWABLE = re.compile(r"[\[\]|]+")


def link_to(path: str, shown: str | None = None) -> str:
    """A canonical link to a vault path: `[[digest/wiki/jwt.md|JWT]]`.

    A path that no wikilink can hold (`#`, `|`, `[[`) becomes a Markdown link from the root, percent-encoded. A text that
    would break the link is left out.
    """
    label = _label(shown) if shown else ""
    wikilinks = [f"[[{path}|{label}]]"] if label else []
    destination = f"(/{quote(path)})"
    markdown = [f"[{text}]{destination}" for text in (label, _label(name_of(path))) if text]
    written = [*wikilinks, f"[[{path}]]", *markdown]
    return next((link for link in written if _leads_to(link, path)), f"[note]{destination}")


def _label(text: str) -> str:
    return " ".join(_UNSHOWABLE.sub(" ", text).split())


def _leads_to(written: str, path: str) -> bool:
    """Whether a text is one link, and all of it, to a vault path."""
    links = scan(written).links
    if len(links) != 1 or (links[0].start, links[0].end) != (0, len(written)):
        return False
    return links[0].target.removeprefix("/") == path and links[0].anchor is None


def cite(path: str) -> str:
    """The line that names `path` as a source."""
    return f"derived_from:: {link_to(path)}"
