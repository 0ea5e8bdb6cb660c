"""The links and passages of one note, from the index where it has read the very text, else from a scan of it.

The index gives them many times faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reme_cli.index.rows import Passage
    from reme_cli.lint.survey import Subject, Survey
    from reme_cli.vault.link import Link


def links_in(subject: Subject, survey: Survey) -> tuple[Link, ...]:
    """The links of a note, in order."""
    if _is_known(subject, survey):
        return tuple(found.link for found in survey.links_from(subject.path))
    return subject.scan.links


def passages_in(subject: Subject, survey: Survey) -> tuple[Passage, ...]:
    """The passages of a note, in order."""
    if _is_known(subject, survey):
        return survey.index.passages(subject.path)
    # here, since it brings along what the index is made by
    from reme_cli.index.document import passages_of

    return passages_of(subject.text)


def _is_known(subject: Subject, survey: Survey) -> bool:
    return survey.stamps.get(subject.path) == subject.note.stamp
