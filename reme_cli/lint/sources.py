"""The sources of a digest note: its links into `daily/` and `resource/`, and what it says that it derives from."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Final

from reme_cli.lint.dangling import named_place
from reme_cli.vault.paths import nfc

if TYPE_CHECKING:
    from reme_cli.index.rows import IndexedLink
    from reme_cli.lint.survey import Survey
    from reme_cli.vault.link import Link

DERIVED: Final = "derived_from"
LAYERS: Final = ("daily", "resource")


def is_source(survey: Survey, found: IndexedLink) -> bool:
    """Whether a link names a source, there or not."""
    there = found.note or found.file
    if there is not None:
        return survey.vault.layer(there) in LAYERS
    layers = {survey.vault.layer(place) for place in _places(found.link, found.source) if place}
    return not layers.isdisjoint(LAYERS) or (found.link.predicate == DERIVED and "digest" not in layers)


def _places(link: Link, source: str) -> tuple[str | None, str]:
    """Where in the vault a target says that it is: one that leads nowhere from its note is looked for from the root."""
    return named_place(link, source), posixpath.normpath(nfc(link.target).lstrip("/"))
