"""Cutting prose into sentences; the cases are in `sentences.md`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.digest.sentences import one_line, split

CASES = [
    (title, *body.rsplit("\n\n", 1))
    for title, body in re.findall(
        r"^## (.+)\n\n((?:.+\n|\n)+?)(?=\n## |\Z)",
        Path(__file__).with_name("sentences.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
]


@pytest.mark.parametrize(("title", "text", "expected"), CASES, ids=[case[0] for case in CASES])
def test_case(title: str, text: str, expected: str) -> None:
    assert [f"- {sentence}" for sentence in split(text)] == expected.strip().split("\n")


def test_all_cases_are_found() -> None:
    assert len(CASES) == Path(__file__).with_name("sentences.md").read_text(encoding="utf-8").count("\n## ")


@given(st.text(alphabet=st.sampled_from("aB. !?。；“”\"'`[]()\n 密钥1:/")))
def test_nothing_is_lost_or_reordered(text: str) -> None:
    sentences = split(text)
    assert "".join("".join(sentences).split()) == "".join(text.split())
    assert all(sentence and sentence == one_line(sentence) for sentence in sentences)


def test_a_sentence_of_megabytes_is_read_once_and_not_once_for_each_stop() -> None:
    # each stop belongs to an abbreviation; to copy or search all that is around it takes minutes
    assert len(split("Dr. " * 200_000 + "Vos came. Two.")) == 2


@pytest.mark.parametrize("text", ["!" * 100_000 + "x", "`" * 100_000, "a" + "?!." * 30_000 + "(x"])
def test_a_run_of_marks_that_end_nothing_is_looked_at_once(text: str) -> None:
    # Quadratic, each of these would take minutes.
    assert split(text) == (text,)
