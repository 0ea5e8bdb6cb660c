"""The phrasing table: that it is well made, that it agrees with its documentation, and what a wrong phrasing is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from reme_cli.config.phrasing import Phrasing, parse_phrasing
from reme_cli.predicates import chinese, english
from reme_cli.predicates.inverse import INVERSES, names_of, oriented
from reme_cli.predicates.sentences import LINK
from reme_cli.predicates.table import standard_phrasings, table_of

DOCS = Path(__file__).parents[2] / "docs" / "predicates.md"


def test_both_languages_word_the_same_predicates_and_each_has_an_inverse() -> None:
    assert english.PHRASINGS.keys() == chinese.PHRASINGS.keys() == INVERSES.keys()


def test_no_phrasing_stands_twice() -> None:
    for predicate, lines in standard_phrasings():
        assert len(lines) == len(set(lines)), predicate


def test_the_documentation_names_every_predicate_with_its_inverse() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for predicate, inverse in INVERSES.items():
        assert f"| `{predicate}` | `{inverse}` |" in text


def test_inverses_are_told_from_the_other_end() -> None:
    assert oriented("founded") == ("founded", False)
    assert oriented("founded_by") == ("founded", True)
    assert oriented("part_of") == ("belongs_to", False)
    assert oriented("anything_else") == ("anything_else", False)
    assert set(names_of("founded")) >= {"founded", "founded_by", "co_founded_by", "founder_of"}


@pytest.mark.parametrize("predicate", sorted(INVERSES))
def test_every_name_of_a_predicate_leads_back_to_it(predicate: str) -> None:
    assert {oriented(name)[0] for name in names_of(predicate)} == {predicate}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X founded Y", Phrasing("X", (frozenset({"founded"}), "Y"))),
        ("Y's founder X", Phrasing("Y", (frozenset({"'s"}), frozenset({"founder"}), "X"))),
        ("founded … by X", Phrasing("", (frozenset({"founded"}), "…", frozenset({"by"}), "X"))),
        ("X works/worked at Y ; past", Phrasing("X", (frozenset({"works", "worked"}), frozenset({"at"}), "Y"), "past")),
        ("X quit Y ; ended", Phrasing("X", (frozenset({"quit"}), "Y"), "ended")),
        (
            "X led ; with round/seed ; without plan",
            Phrasing("X", (frozenset({"led"}),), "", frozenset({"round", "seed"}), frozenset({"plan"})),
        ),
        ("X spoke ; in meeting", Phrasing("X", (frozenset({"spoke"}),), genre="meeting")),
    ],
)  # fmt: skip
def test_a_phrasing_is_taken_apart(text: str, expected: Phrasing) -> None:
    assert parse_phrasing(text) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("founded", "must name `X`"),
        ("X founded X", "each once"),
        ("X Y", "no words beside its roles"),
        ("X … founded Y", "needs a word"),
        ("X founded Y ; sometimes", "`sometimes`"),
        ("X founded Y ; with", "is no condition"),
        ("X founded Y ; in church", "is no condition"),
        ("", "must name `X`"),
    ],
)
def test_a_wrong_phrasing_says_what_is_wrong(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_phrasing(text)


def test_every_phrasing_has_a_word_that_few_sentences_have() -> None:
    table = table_of()
    for predicate, lines in standard_phrasings():
        for line in lines:
            phrasing = parse_phrasing(line)
            words = [step if isinstance(step, str) else min(step) for step in phrasing.steps]
            text = " ".join(
                [LINK if word in {"X", "Y", "…"} else word for word in (phrasing.lead, *words) if word]
            )
            text += " " + " ".join(sorted(phrasing.given)[:1]) + f" {LINK}"
            spaced = text if text.isascii() else text.replace(" ", "")
            assert table.telling(spaced, phrasing.genre), f"{predicate}: {line}"


def test_every_phrasing_is_found_by_its_words() -> None:
    table = table_of()
    table.telling("中文")
    for predicate, lines in standard_phrasings():
        for line in lines:
            phrasing = parse_phrasing(line)
            groups = [step for step in phrasing.steps if isinstance(step, frozenset)]
            for choose in (min, max):
                words = frozenset(choose(group) for group in (*groups, *filter(None, (phrasing.given,))))
                found = table.rules(words)[choose(groups[0])]
                assert (predicate, phrasing) in [(rule[2], rule[3]) for rule in found], line
                assert not table.rules(words - {choose(groups[0])}).get(choose(groups[0]))


def test_the_phrasings_of_longest_wording_come_first() -> None:
    rules = table_of().rules(frozenset({"is", "a", "the", "kind", "of", "part", "in"}))
    assert rules
    for found in rules.values():
        lengths = [sum(step != "…" for step in rule[3].steps) for rule in found]
        assert lengths == sorted(lengths, reverse=True)


def test_what_most_paragraphs_say_is_not_worth_reading() -> None:
    table = table_of()
    for text in (
        f"A plain walk to {LINK} in the rain.",
        f"今天天气很好，去了{LINK}。",
        f"My own {LINK}.",
        f"It was founded.\n\n{LINK}",
        f"- founded\n- {LINK}",
        f"This was founded. Then {LINK}",
        f"他创立了。{LINK}",
    ):
        assert not table.telling(text), text
    for text in (
        f"{LINK} founded {LINK}",
        f"{LINK}创立了{LINK}",
        f"It is a {LINK}",
        f"FOUNDED by {LINK}",
        f"It was founded by Mr. {LINK}",
        f"It was founded by Acme Corp. {LINK}",
    ):
        assert table.telling(text), text
    assert not table.telling(f"{LINK} dialed in")
    assert table.telling(f"{LINK} dialed in", "meeting")
