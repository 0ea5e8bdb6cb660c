"""How a sentence is cut into words, and where it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.predicates.sentences import sentences_of
from reme_cli.predicates.words import Lexicon, Mentions, cut, is_han
from reme_cli.vault.wikilink import scan

KNOWN = ("创立", "联合创立", "联合", "顾问", "顾问委员会", "的")


@given(st.text(st.sampled_from("aé“ア、。中龥\uffff𠀀😀 "), max_size=8))
def test_what_is_chinese_is_told_by_its_characters(text: str) -> None:
    assert is_han(text) == any(character >= "\u3400" for character in text)


@given(st.text(st.sampled_from("联合创立顾问委员会的人"), max_size=12))
def test_chinese_is_cut_into_the_longest_known_words(run: str) -> None:
    words = Lexicon(lambda: KNOWN).cut(run)
    assert "".join(words) == run
    at = 0
    for word in words:
        longest = max((known for known in KNOWN if run.startswith(known, at)), key=len, default=run[at])
        assert len(word) >= len(longest)
        at += len(word)


def test_links_keep_their_numbers_among_words_of_both_languages() -> None:
    nobody = Mentions(lambda: (), frozenset())
    for sentence in ("\x01 met \x02 and \x01.", "\x01见了\x02和\x01。"):
        found = cut(sentence, (4, 5, 6), Lexicon(lambda: KNOWN), nobody)
        numbered = [(word, link) for word, link in zip(found.words, found.links, strict=True) if link >= 0]
        assert numbered == [("\x01", 4), ("\x01", 6)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met. [[a]] left", ["We met", "\x01 left"]),
        ('He said so.) "[[a]]" left', ["He said so", '"\x01" left']),
        ("Dr. [[a]] met J. Bob", ["Dr. \x01 met J. Bob"]),
        ("v1. of [[a]]", ["v1. of \x01"]),
        ("[[a]] left... Then", ["\x01 left", "Then"]),
        ("[[a]] left; so did I", ["\x01 left", "so did I"]),
        ("[[a]]走了。」他也走了", ["\x01走了", "他也走了"]),
        ("is it [[a]]? It is", ["It is"]),
    ],
)
def test_a_sentence_ends(text: str, expected: list[str]) -> None:
    sentences = sentences_of(text, scan(text).links, 0, [0], every=True)
    assert [sentence.text for sentence in sentences] == expected
