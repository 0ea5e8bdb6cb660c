"""What a change broke in the notes that it did not touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.lint.anchors import Anchors
from reme_cli.lint.repository import old_text
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from reme_cli.index.rows import IndexedLink
    from reme_cli.lint.finding import Finding
    from reme_cli.lint.repository import Change
    from reme_cli.lint.survey import Survey

TARGETS: Final = frozenset({"L001", "L010", "P002"})
"""The rules of links that lead nowhere."""
ANCHORS: Final = "L005"
"""The rule of links whose note is there, but not the place in it."""


class Consequences:
    """The links that led somewhere before a change, and do no more."""

    def __init__(self, survey: Survey, change: Change) -> None:
        self._survey = survey
        self._change = change
        self._old_names = {new: old for old, new in change.renames.items()}
        self._old_anchors: dict[str, Anchors | None] = {}

    def include(self, finding: Finding) -> bool:
        """Whether the change is why something is found."""
        if finding.code not in TARGETS and finding.code != ANCHORS:
            return False
        links = [each for each in self._survey.links_from(finding.path) if each.link.start == finding.start]
        was_right = self._had_anchor if finding.code == ANCHORS else self._had_target
        return any(map(was_right, links))

    def _had_target(self, found: IndexedLink) -> bool:
        before = self._survey.before
        return (
            found.note is None
            and found.file is None
            and before is not None
            and before.resolve(found.link, found.source).path is not None
        )

    def _had_anchor(self, found: IndexedLink) -> bool:
        if found.note is None or found.note not in self._change.touched:
            return False
        if found.note not in self._old_anchors:
            path = self._old_names.get(found.note, found.note)
            text = old_text(self._survey.vault, self._change.base, path)
            headings = () if text is None else [(each.level, each.text) for each in scan(text).headings]
            self._old_anchors[found.note] = None if text is None else Anchors(path, headings, lambda: text)
        anchors = self._old_anchors[found.note]
        return anchors is not None and anchors.missing(found.link.anchor or "") is None
