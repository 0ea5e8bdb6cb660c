"""Which bucket a memory belongs to, by cue words and shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.config import CATCH_ALL_BUCKET
from reme_cli.dream.extractive.cues import (
    IMPERATIVES,
    IMPERATIVES_ZH,
    PERSONAL_HEADING,
    PERSONAL_SENTENCE,
    PROCEDURE_HEADING,
    PROCEDURE_SENTENCE,
)
from reme_cli.dream.extractive.naming import plain
from reme_cli.dream.extractive.sections import Line, Passage, heading_key

if TYPE_CHECKING:
    from collections.abc import Collection

CLEAR: Final = 1.0
"""Points from which a bucket is taken; a heading's cue or one clear shape is enough."""


def bucket_of(passage: Passage, buckets: Collection[str]) -> str:
    """`procedure`, `personal` or `wiki`: the one with most points among `buckets`, at least `CLEAR`; in doubt `wiki`."""
    points = {"procedure": _procedure(passage), "personal": _personal(passage)}
    best = max(points, key=lambda bucket: points[bucket])
    return best if points[best] >= CLEAR and best in buckets else CATCH_ALL_BUCKET


def _procedure(passage: Passage) -> float:
    """Numbered instructions weigh most, then instructions as such, then how-to headings and phrasings."""
    lines = passage.lines
    instructions = sum(map(_instructs, lines))
    numbered = sum(line.shape == "step" and _instructs(line) for line in lines)
    phrasings = sum(PROCEDURE_SENTENCE.search(plain(line.text).lower()) is not None for line in lines)
    heading = 1.0 if PROCEDURE_HEADING.search(heading_key(passage.heading)) else 0.0
    return (
        heading
        + (1.0 if numbered >= 2 else 0.0)
        + 1.5 * instructions / len(lines)
        + 0.6 * phrasings / len(lines)
    )


def _personal(passage: Passage) -> float:
    """The share of sentences with a cue of preference, habit or identity, and the heading's."""
    hits = sum(
        PERSONAL_SENTENCE.search(_keeping_first_capital(line.text)) is not None for line in passage.lines
    )
    heading = 1.0 if PERSONAL_HEADING.search(heading_key(passage.heading)) else 0.0
    return heading + 2.0 * hits / len(passage.lines)


def _instructs(line: Line) -> bool:
    """Whether a line opens with an imperative, behind a condition or a bold label where it has one."""
    text = re.sub(
        r"^(?:\*\*[^*]+\*\*[:：]?\s*|(?:if|when|before|after|once)\b[^,]{3,60},\s*)",
        "",
        line.text,
        flags=re.IGNORECASE,
    )
    text = plain(text)
    first = re.match(r"[A-Za-z]+", text)
    if first:
        return first[0].lower() in IMPERATIVES
    return line.shape != "prose" and IMPERATIVES_ZH.match(text) is not None


def _keeping_first_capital(text: str) -> str:
    """The text with a pronoun that opens it in small letters, since the cues for pronouns are."""
    return re.sub(r"\b(?:I|We|He|She|They|My|Our|Team|House)\b", lambda match: match[0].lower(), plain(text))
