"""The claims of a note: what its frontmatter says that is held true, with how surely and on which evidence.

    claims:
    - id: token-lifetime
      text: Access tokens live for 15 minutes.
      status: confirmed
      confidence: 0.9
      evidence: "[[daily/2026-06-20/session.md]]"

Every key may be left out; `status` is any word. An item without `id` and `text`, and a value of another type, says nothing here:
`wrong-type` tells of it. Notes of `daily/` and `resource/` make no claims, they record.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.lint.excerpt import excerpt
from reme_cli.lint.properties import property_place
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.lint.survey import Subject, Survey

KEY: Final = "claims"
CONFIDENCE: Final = "confidence"
"""Of a claim, and of a note as a whole."""
_HEAD: Final = 16_384
"""Bytes; a longer frontmatter is read with its whole note."""
_LINE: Final = regex(r"[^\r\n]*")


class Claim(NamedTuple):
    """One claim; its place is the first line of its item. Texts are empty where they are left out."""

    path: str
    start: int
    end: int
    id: str
    text: str
    status: str
    confidence: float | None
    """From 0 to 1."""
    has_evidence: bool

    @property
    def shown(self) -> str:
        """What it is called in a message."""
        return excerpt(self.id or self.text)


def claims_of(subject: Subject) -> tuple[Claim, ...]:
    """The claims of a note, in order."""
    block = subject.block
    if subject.layer not in {"digest", None} or block is None:
        return ()
    if subject.text.find(KEY, block.yaml_start, block.yaml_end) < 0:
        return ()
    items = subject.properties.get(KEY)
    if not isinstance(items, list):
        return ()
    places = _places(subject, len(items))
    found = (_claim(subject.path, place, item) for place, item in zip(places, items, strict=True))
    return tuple(claim for claim in found if claim is not None)


def all_claims(survey: Survey) -> Iterator[Claim]:
    """The claims of all notes, by path, then by place."""
    for path in survey.once(claimants):
        subject = survey.subject(path)
        if subject is not None:
            yield from claims_of(subject)


def claimants(survey: Survey) -> tuple[str, ...]:
    """The notes that may make claims, in order."""
    rows = survey.rows(
        "SELECT path FROM notes WHERE frontmatter = 'ok' AND ifnull(layer, 'digest') = 'digest' ORDER BY path"
    )
    return tuple(path for (path,) in rows if survey.looks_at(path) and _may_claim(survey, path))


def _may_claim(survey: Survey, path: str) -> bool:
    """Whether the word is in the head of a note: this is asked about most notes of the vault, and found in few."""
    if path in survey.texts:
        return True
    try:
        file = os.open(f"{survey.vault.root}{os.sep}{path}", os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            head = os.read(file, _HEAD)
        finally:
            os.close(file)
    except OSError:  # the disk spells it otherwise
        return True
    return KEY.encode() in head or (len(head) == _HEAD and b"\n---" not in head)


def confidence_in(value: object) -> float | None:
    """A confidence as a number from 0 to 1; `None` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)


def _claim(path: str, place: tuple[int, int], item: object) -> Claim | None:
    if not isinstance(item, dict):
        return None
    name, text = _text(item.get("id")), _text(item.get("text"))
    if not name and not text:
        return None
    return Claim(
        path,
        *place,
        id=name,
        text=text,
        status=_text(item.get("status")),
        confidence=confidence_in(item.get(CONFIDENCE)),
        has_evidence=_says_something(item.get("evidence")),
    )


def _text(value: object) -> str:
    is_scalar = isinstance(value, str | int | float) and not isinstance(value, bool)
    return " ".join(str(value).split()) if is_scalar else ""


def _says_something(value: object) -> bool:
    """Whether there is any text in a value; `[[a]]` without quotes is a list in a list."""
    if isinstance(value, list):
        return any(map(_says_something, value))
    if isinstance(value, dict):
        return any(map(_says_something, value.values()))
    return bool(_text(value))


def _places(subject: Subject, number: int) -> Sequence[tuple[int, int]]:
    """The first line of each of so many items; that of the key where the items cannot be told apart."""
    import yaml  # only where there are claims

    block = subject.block
    if block is None:
        return [(0, 0)] * number
    text = subject.text
    try:
        root = yaml.compose(text[block.yaml_start : block.yaml_end], Loader=yaml.SafeLoader)
    except (
        yaml.YAMLError,
        RecursionError,
    ):  # of the two parsers the one that tells places is the stricter one
        root = None
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    listed = next((value for key, value in pairs if key.value == KEY), None)
    if not isinstance(listed, yaml.SequenceNode) or len(listed.value) != number:
        return [property_place(subject, KEY)] * number
    places = []
    for item in listed.value:
        start = block.yaml_start + int(item.start_mark.index)
        line = _LINE.match(text, start)
        places.append((start, start + len(line[0].rstrip()) if line else start))
    return places
