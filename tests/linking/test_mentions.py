"""Which occurrences of names count, and how they stand."""

from __future__ import annotations

from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.linking import mentions
from reme_cli.linking.folding import fold_name, is_bound
from reme_cli.linking.lexicon import automaton
from reme_cli.linking.mentions import occurrences
from reme_cli.linking.shown import shown_text

if TYPE_CHECKING:
    from collections.abc import Callable


def found(text: str, *names: str) -> list[str]:
    return [text[start:end] for start, end, _ in occurrences(automaton(names), text)]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("note taking", ["note", "note taking"], ["note taking"]),
        ("note takings", ["note", "note taking"], ["note"]),
        ("a note", ["a note", "note"], ["a note"]),
        ("知识管理系统", ["知识", "知识管理", "管理系统"], ["知识管理"]),
        ("用note做", ["note"], ["note"]),
        ("notes", ["note"], []),
        ("a b c", ["a b", "b c"], ["a b"]),
        ("c++ and c#, no c", ["c", "c++", "c#"], ["c++", "c#", "c"]),
    ],
)
def test_the_longest_whole_name(text: str, names: list[str], expected: list[str]) -> None:
    assert found(text, *names) == expected


@given(
    text=st.text(alphabet="ab 中", max_size=30),
    names=st.lists(st.text(alphabet="ab 中", min_size=1, max_size=4), min_size=1, max_size=6, unique=True),
)
def test_as_looking_from_place_to_place(text: str, names: list[str]) -> None:
    expected, at = [], 0
    while at < len(text):
        fit = [
            name
            for name in names
            if text.startswith(name, at)
            and not (at and is_bound(text[at - 1], text[at]))
            and not (at + len(name) < len(text) and is_bound(text[at + len(name) - 1], text[at + len(name)]))
        ]
        if fit:
            expected.append((at, max(fit, key=len)))
        at += len(max(fit, key=len)) if fit else 1
    spans = list(occurrences(automaton(names), text))
    assert [(start, text[start:end]) for start, end, _ in spans] == expected
    assert all(one[1] <= other[0] for one, other in pairwise(map(itemgetter(0, 1), spans)))


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("- [ ] Focus", {"ALONE", "LEADS", "CLOSED", "OPEN"}),
        ("We love Focus.", {"PROPER", "CLOSED"}),
        ("This is it. Focus on it", {"CLOSED", "OPEN"}),
        ("the Focus of", {"PROPER", "CLOSED", "OPEN"}),
        ("deep Focus session", {"PROPER"}),
        ("auto-Focus", {"PROPER", "JOINED", "CLOSED", "OPEN"}),
        ("We love Focus+.app", {"PROPER", "JOINED", "CLOSED"}),
        ("We love Focus++", {"PROPER", "JOINED", "CLOSED"}),
        ("We love Focus#, too", {"PROPER", "JOINED", "CLOSED"}),
        ("We love Focus#tag", {"PROPER", "CLOSED"}),
        ("We love Focus+Notes", {"PROPER", "CLOSED"}),
        ("We love Focus + Notes", {"PROPER", "CLOSED"}),
        ("We love Focus.next", {"PROPER", "JOINED", "CLOSED"}),
        ("- **May**: saw Focus.", {"PROPER", "CLOSED", "LABELLED"}),
        ("- **Focus** first", {"LEADS", "OPEN"}),
        ("into Focus Labs", {"PROPER", "LONGER", "OPEN"}),
        ("of Computer Focus", {"PROPER", "LONGER", "CLOSED"}),
        ("Yes. Love Focus", {"PROPER", "CLOSED"}),
        (" > by Focus", {"PROPER", "CLOSED", "OPEN", "QUOTED"}),
    ],
)
def test_how_it_stands(text: str, flags: set[str]) -> None:
    start = text.index("Focus")
    stand = mentions._stand(text, start, start + 5)
    named = {
        name: getattr(mentions, name)
        for name in ("ALONE", "LEADS", "PROPER", "JOINED", "OPEN", "CLOSED", "LABELLED", "QUOTED", "LONGER")
    }
    assert {name for name, flag in named.items() if stand & flag} == flags


def in_line(text: str, is_own: Callable[[int], bool], *names: str) -> list[mentions.Mention]:
    lexicon = mentions.Spellings([(name,) for name in names], frozenset())
    return mentions.mentions_in(
        shown_text(text, []), automaton(tuple(map(fold_name, names))), lexicon, is_own
    )


def test_behind_the_notes_own_name_in_bold_nothing_is_labelled() -> None:
    text = "**Own** and Other\n**Some** **Word** and Other\n**Word** **Own** Other\nand Other"
    found = in_line(text, lambda number: number == 0, "Own", "Other")
    assert [bool(each.flags & mentions.LABELLED) for each in found if each.number == 1] == [
        False,
        True,
        False,
        False,
    ]


def test_in_a_line_of_many_labels_each_mention_is_looked_at_once() -> None:
    asked: list[int] = []

    def is_own(number: int) -> bool:
        asked.append(number)
        return False

    found = in_line("**Word** **Other** and Other, " * 50, is_own, "Own", "Other")
    assert len(asked) < len(found) == 100
    assert all(each.flags & mentions.LABELLED for each in found[2:])
