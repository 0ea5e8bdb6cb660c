"""A passage of a note as a message shows it."""

from __future__ import annotations

from typing import Final

from reme_cli.vault.wikilink import strip_links

_LONGEST: Final = 200


def excerpt(text: str) -> str:
    """A text on one line: of links what they show, no backticks, which quote it, and cut where it goes on and on."""
    return cut(strip_links(text).replace("`", ""))


def cut(text: str) -> str:
    """A text on one line, cut where it goes on and on."""
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
