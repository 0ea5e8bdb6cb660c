"""Which note a question names: by its whole name first, then by the beginning of one, then by all words of one in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.fulltext import Query
from reme_cli.index.nearby import names_of
from reme_cli.index.tokenize import tokens_of
from reme_cli.predicates.vocabulary import words_of
from reme_cli.regex import regex
from reme_cli.search.question import read_question, spans
from reme_cli.search.question_frame import FUNCTION
from reme_cli.search.question_wording import sentences_in
from reme_cli.search.question_words import CUES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reme_cli.index.index import Index
    from reme_cli.search.question import Asked, Unit

_MOST: Final = 3
"""Notes of the same name that a question may mean."""
_JOINTS: Final = (" ", "-", "_")
_BASE_END: Final = regex(r"\s+[-–—|(（]|[:：(（]|-\d+$|\s[-–—]")
"""Where the part of a name ends that people say: `Anchor - Data Infrastructure`, `Meta (Cybersecurity)`, `acme-0`."""
_BEGINNINGS: Final = 60
_CANDIDATES: Final = 40
_SHORTEST_NUMBER: Final = 3
"""Digits of a number that may be the beginning of a name."""
_NAME_ONLY: Final = (8.0, 6.0, 3.0, 2.0, 0.0)
_NUMBER: Final = regex(r"-\d+$")


class Seeds(NamedTuple):
    """What a question asks, of which notes."""

    asked: Asked
    notes: tuple[str, ...]
    name: str
    """As the question says it, in small letters."""


def seeds(index: Index, text: str, units: Sequence[Unit]) -> Iterator[Seeds]:
    """What a question may ask of which notes, the likeliest reading first."""
    readings: list[tuple[int, int, int, int, Seeds]] = []
    is_single = len(sentences_in(text)) < 2
    for number, found in enumerate((_whole, _beginning, _scattered)):
        for start, end, notes in found(index, text, units):
            read = read_question(text, units[start].start, units[end - 1].end)
            if read is not None:
                asked, left = read
                name = text[units[start].start : units[end - 1].end].casefold()
                readings.append((left, start - end, number, start, Seeds(asked, notes[:_MOST], name)))
        # what explains every word of the question is what is meant, unless sentences stand beside it that it need not explain
        if is_single and any(left == 0 for left, *_ in readings):
            break
    readings.sort(key=lambda reading: reading[:4])
    stretches = {(start, start - size) for _, size, _, start, _ in readings}
    for _, size, _, start, reading in readings:
        if not _is_inside(start, start - size, stretches):
            yield reading


def _is_inside(start: int, end: int, stretches: set[tuple[int, int]]) -> bool:
    """Whether a name is only a part of a longer one: `Acme` of `Acme Labs`."""
    return any(first <= start and end <= last and (first, last) != (start, end) for first, last in stretches)


def _may_be_name(units: Sequence[Unit], start: int, end: int) -> bool:
    words = [unit.text for unit in units[start:end]]
    return not (
        all(word in FUNCTION or word in CUES or not word[0].isalnum() for word in words)
        or not words[0][0].isalnum()
        or words[-1] == "?"
    )


def _whole(index: Index, text: str, units: Sequence[Unit]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Stretches that are the name of a note as a whole."""
    stretches: dict[str, list[tuple[int, int]]] = {}
    for start, end in spans(units):
        if _may_be_name(units, start, end):
            words = [unit.text for unit in units[start:end]]
            words[-1] = words[-1].removesuffix("'s").removesuffix("'") or words[-1]
            raw = (
                text[units[start].start : units[end - 1].end].casefold().removesuffix("'s").removesuffix("’s")
            )
            for name in dict.fromkeys((raw, *(joint.join(words) for joint in _JOINTS))):
                stretches.setdefault(name, []).append((start, end))
    notes: dict[tuple[int, int], list[str]] = {}
    for name, path in index.named(stretches):
        for stretch in stretches.get(name, ()):
            known = notes.setdefault(stretch, [])
            if path not in known:
                known.append(path)
    longest = sorted(notes, key=lambda stretch: (stretch[0] - stretch[1], stretch))
    for start, end in longest:
        yield start, end, tuple(notes[start, end])


def _beginning(index: Index, text: str, units: Sequence[Unit]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Stretches that are what people say of a longer name."""
    for start, end in spans(units):
        if end - start > 4 or not _may_be_name(units, start, end):
            continue
        said = text[units[start].start : units[end - 1].end].casefold().removesuffix("'s").removesuffix("’s")
        if said.isdigit() and len(said) < _SHORTEST_NUMBER:
            continue  # of `1:1`
        paths = [
            path
            for name, path in index.names_beginning(said, _BEGINNINGS)
            if (found := _BASE_END.search(name)) and name[: found.start()] == said
        ]
        if paths:
            yield start, end, tuple(dict.fromkeys(paths))


def _scattered(index: Index, _text: str, units: Sequence[Unit]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Stretches that hold all words of a name, in whatever order, and nothing else that says something."""
    tokens = [(set(tokens_of(unit.text)), number) for number, unit in enumerate(units)]
    asked = set().union(*(found for found, _ in tokens)) if tokens else set()
    wanted = tuple(
        sorted(token for found, number in tokens for token in found if units[number].text not in FUNCTION)
    )
    if not wanted:
        return
    candidates = index.matches(Query(terms=tuple(dict.fromkeys(wanted))), _NAME_ONLY, _CANDIDATES).candidates
    names = names_of(index, [candidate.id for candidate in candidates])
    found: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for candidate in candidates:
        for name in names.get(candidate.id, ()):
            needed = {token for token in tokens_of(_NUMBER.sub("", name).casefold()) if token not in _LITTLE}
            if len(needed) < 2 or not needed <= asked:
                continue
            places = [number for has, number in tokens if has & needed]
            start, end = places[0], places[-1] + 1
            inside = (number for number in range(start, end) if number not in places)
            if all(
                units[number].text in _LINKING or not units[number].text[0].isalnum() for number in inside
            ):
                found.setdefault((start, end), []).append((-len(needed), candidate.path))
    for start, end in sorted(found, key=lambda stretch: (stretch[0] - stretch[1], stretch)):
        best = sorted(found[start, end])
        yield start, end, tuple(dict.fromkeys(path for size, path in best if size == best[0][0]))


_LITTLE: Final = words_of("a an the of and for in on at to")
_LINKING: Final = _LITTLE | words_of(
    "'s s between with by from held holds hold had have has convened hosted its their met that which when 的 和 与 跟 同 了 在 年 开 举 行 召 办 次 场 一"
)
"""What may stand between the words of a name that are said apart: `Acme held a board meeting`."""
