"""How a note is cut for an embedding model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.index.document import passages_of
from reme_cli.index.pieces import EMBEDDED_CHARS, Piece, pieces_of
from reme_cli.vault.tokens import estimate_tokens

SENTENCE = "The gateway rotates its tokens every hour. "


def letters(pieces: list[Piece]) -> list[str]:
    return [letter for piece in pieces for letter in piece.text if letter.isalnum()]


def cut(text: str, most: int = 100) -> list[Piece]:
    return list(pieces_of(text, passages_of(text), most))


def test_one_piece_for_each_passage_that_has_words() -> None:
    text = "---\nname: A\n---\nIntroduction\n\n# One\n\ntext\n\n---\n\n## Two\n\n***\n"
    assert [(piece.passage, piece.text) for piece in cut(text)] == [
        (0, "Introduction"),
        (1, "# One\n\ntext\n\n---"),
        (2, "## Two\n\n***"),
    ]
    assert cut("---\nname: A\n---\n***\n\n![]()\n") == []


def test_line_endings_around_and_place_make_no_difference_to_a_digest() -> None:
    (one,) = cut("text of a passage\n")
    (other,) = cut("\ufeff\n\ntext of a passage\r\n\r\n")
    assert one.digest == other.digest
    assert len(one.digest) == 16


@pytest.mark.parametrize(
    ("paragraph", "end"),
    [(SENTENCE * 12, "hour."), ("网关每小时轮换一次令牌。" * 12, "。")],
    ids=["English", "Chinese"],
)
def test_a_long_passage_is_cut_between_paragraphs(paragraph: str, end: str) -> None:
    text = "# Title\n\n" + "\n\n".join([paragraph.strip()] * 6)
    pieces = cut(text, 250)
    assert len(pieces) > 1
    assert {piece.passage for piece in pieces} == {0}
    assert all(piece.text.endswith(end) for piece in pieces)
    assert all("\n\n" not in piece.text or len(piece.text) > len(paragraph) for piece in pieces)


def test_a_long_paragraph_is_cut_between_sentences() -> None:
    pieces = cut(SENTENCE * 40)
    assert all(piece.text.startswith("The ") and piece.text.endswith("hour.") for piece in pieces)


@given(st.text(alphabet=st.sampled_from("ab1 \n\r.。数据库𝒳😀#-"), max_size=900), st.integers(50, 120))
def test_pieces_are_short_enough_and_nothing_is_lost(text: str, most: int) -> None:
    pieces = cut(text, most)
    assert all(estimate_tokens(piece.text) <= most for piece in pieces)
    assert letters(pieces) == letters(cut(text, 10**6))


def test_a_very_long_note_is_read_to_a_bound_and_in_linear_time() -> None:
    text = "x" * 3_000_000 + "\n\n" + SENTENCE * 100_000
    pieces = cut(text, 400)
    assert sum(len(piece.text) for piece in pieces) <= EMBEDDED_CHARS
