"""Links as reme writes them."""

from __future__ import annotations

import re
from urllib.parse import quote

from reme_cli.vault.paths import name_of
from reme_cli.vault.wikilink import scan

_UNSHOWABLE = re.compile(r"[\[\]|]+")


def link_to(path: str, shown: str | None = None) -> str:
    """A canonical link to a vault path: `[[digest/wiki/jwt.md|JWT]]`.

    A path that no wikilink can hold (`#`, `|`, `[[`) becomes a Markdown link from the root, percent-encoded.
    """
    label = " ".join(_UNSHOWABLE.sub(" ", shown).split()) if shown else ""
    wikilink = f"[[{path}|{label}]]" if label else f"[[{path}]]"
    links = scan(wikilink).links
    if len(links) == 1 and links[0].target == path and links[0].anchor is None:
        return wikilink
    return f"[{label or name_of(path)}](/{quote(path)})"


def cite(path: str) -> str:
    """The line that names `path` as a source."""
    return f"derived_from:: {link_to(path)}"
