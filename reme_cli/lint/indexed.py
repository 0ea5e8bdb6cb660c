"""The links and passages of one note, from the index where it has read the very text, else from a scan of it.

The index gives them many times faster, and fastest for all notes that are looked at together.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Final

from reme_cli.index.rows import Passage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reme_cli.lint.survey import Subject, Survey
    from reme_cli.vault.link import Link

_WITH_PREDICATE: Final = (
    "EXISTS (SELECT 1 FROM links AS edges WHERE edges.note = links.note AND edges.predicate = ?)"
)
_HEADED: Final = """
    SELECT path, level, heading, line, last_line, start, "end" FROM passages JOIN notes ON notes.id = passages.note
    WHERE notes.id IN (
        SELECT note FROM json_each(?) AS word CROSS JOIN passages
        WHERE note IN asked AND heading LIKE '%' || word.value || '%'
    )
    ORDER BY path, ordinal
"""


def links_in(subject: Subject, survey: Survey, predicate: str) -> tuple[Link, ...]:
    """The links of a note, in order, if one of them has this predicate; else perhaps none."""
    if not _is_known(subject, survey):
        return subject.scan.links
    if survey.only is None:
        return tuple(found.link for found in survey.links_from(subject.path))
    return survey.once(_links, predicate).get(subject.path, ())


def passages_in(subject: Subject, survey: Survey, words: Sequence[str]) -> tuple[Passage, ...]:
    """The passages of a note, in order, if the heading of one of them has one of these in it; else perhaps none. Of ASCII, case means nothing."""
    if not _is_known(subject, survey):
        # here, since it brings along what the index is made by
        from reme_cli.index.document import passages_of

        return passages_of(subject.text)
    if survey.only is None:
        return survey.index.passages(subject.path)
    return survey.once(_passages, json.dumps(words)).get(subject.path, ())


def _is_known(subject: Subject, survey: Survey) -> bool:
    return survey.stamps.get(subject.path) == subject.note.stamp


def _links(survey: Survey, predicate: str) -> Mapping[str, tuple[Link, ...]]:
    """The links of the notes that are looked at and have one with this predicate, by path."""
    found = survey.links_where(_WITH_PREDICATE, predicate)
    return {
        path: tuple(each.link for each in links) for path, links in groupby(found, lambda each: each.source)
    }


def _passages(survey: Survey, words: str) -> Mapping[str, tuple[Passage, ...]]:
    """The passages of the notes that are looked at and have a heading with one of these words, a list in JSON, in it; by path."""
    rows = survey.rows_of_asked(_HEADED, words)
    return {
        path: tuple(Passage(*row[1:]) for row in passages)
        for path, passages in groupby(rows, lambda row: str(row[0]))
    }
