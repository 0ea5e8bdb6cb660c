"""The form in which names are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.linking.folding import fold_name

MARKS = "-_\u00a0\u2010\u2011\u202f\u3000\uff0d\uff3f\u2019\u03c2"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Feedback-Loop_One", "feedback loop one"),
        ("ＡＩ（Ｘ）－２＿３", "ai(x) 2 3"),
        ("Mia’s\u2011plan", "mia's plan"),
        ("ΟΔΟΣ", "οδοσ"),
        ("知识\u3000管理", "知识 管理"),
        ("İstanbul", "istanbul"),
    ],
)
def test_what_is_alike(text: str, expected: str) -> None:
    assert fold_name(text) == expected


@given(st.text(alphabet=st.one_of(st.sampled_from(MARKS + "aZ 中Ｆ！～İ"), st.characters()), max_size=40))
def test_character_by_character(text: str) -> None:
    whole = fold_name(text)
    assert len(whole) == len(text)
    assert not set(whole) & set(MARKS)
    assert fold_name(whole) == whole
