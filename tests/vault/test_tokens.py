"""The token estimate, against the tokenizer that litellm ships."""

from __future__ import annotations

import importlib.util
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.vault.tokens import estimate_tokens, may_exceed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLES = 40
"""Notes measured per collection, a fixed random choice."""

ENGLISH = "The write lock is short: a note is read again under it, and when its stamp has moved nothing is written. "
CHINESE = "写锁很短：在锁内重新读取笔记，如果它的指纹变了，就什么也不写。每天的工作记录会变成长期记忆。"


@pytest.fixture(scope="module")
def count() -> Iterator[Callable[[str], int]]:
    """The number of cl100k_base tokens of a text, from the file in litellm's package: no network, no import of it."""
    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "TIKTOKEN_CACHE_DIR", str(Path(spec.origin).parent / "litellm_core_utils" / "tokenizers")
        )
        import tiktoken

        encoding = tiktoken.get_encoding("cl100k_base")
        yield lambda text: len(encoding.encode(text, disallowed_special=()))


@pytest.mark.parametrize("text", [ENGLISH * 20, CHINESE * 20, (ENGLISH + CHINESE) * 10])
def test_prose_is_estimated_within_15_percent(count: Callable[[str], int], text: str) -> None:
    assert estimate_tokens(text) == pytest.approx(count(text), rel=0.15)


@pytest.mark.parametrize(
    "folder",
    [
        "gold/dream/bigscience/daily",
        "vaults/handbook",
        "vaults/foam-docs",
        "vaults/world-v1",
        "gold/retrieval/locomo",
        "vaults/oldwinter-zh",
        "gold/dream/oldwinter-zh/daily",
        "gold/retrieval/cmrc2018-zh",
    ],
)
def test_real_notes_of_2_kb_are_estimated_within_15_percent_and_their_sum_within_5(
    count: Callable[[str], int], shared: Path, folder: str
) -> None:
    paths = sorted((shared / folder).rglob("*.md"))
    random.Random(7).shuffle(paths)
    long_notes = (text for text in (path.read_text("utf-8") for path in paths) if len(text.encode()) >= 2000)
    texts = [text for text, _ in zip(long_notes, range(SAMPLES), strict=False)]
    assert texts
    for text in texts:
        assert estimate_tokens(text) == pytest.approx(count(text), rel=0.15), text[:200]
    assert sum(map(estimate_tokens, texts)) == pytest.approx(sum(map(count, texts)), rel=0.05)


@pytest.mark.parametrize(
    "text",
    [
        "Память хранит только то, что было важно. " * 20,
        "기억은 중요한 것만 남긴다. 오늘 회의에서 새로운 배포 절차를 결정했다. " * 20,
        "データベースの設定を確認する。メモリは大切なことだけを残す。" * 20,
        "Größe, Übung und schöne Äpfel für die Straße. " * 20,
        "Les élèves étaient très fatigués après l'été. " * 20,
    ],
)
def test_other_languages_are_not_far_off(count: Callable[[str], int], text: str) -> None:
    assert estimate_tokens(text) == pytest.approx(count(text), rel=0.35)


def test_small_texts() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens(" ") == 1
    assert estimate_tokens("word") == 1
    assert estimate_tokens("记") == 1


_PARTS = [
    "a",
    "B",
    "aaaaaa",
    "AAAAAA",
    "1",
    "22",
    ".",
    " ",
    "\t",
    "\n",
    "\r",
    "\x0b",
    "\x85",
    "\u3000",
    "é",
    "数",
    "\ud800",
]


@given(st.lists(st.sampled_from(_PARTS), max_size=30).map("".join))
def test_letters_digits_marks_and_blanks_are_counted_as_these_patterns_match(text: str) -> None:
    weights = {
        r"[A-Z]?[a-z]+|[A-Z]+": 0.94,
        r"[0-9]{1,3}": 1.43,
        r"[!-/:-@\[-`{-~]+": 0.81,
        r"[!-/:-@\[-`{-~]": 0.11,
        r"[\r\n](?:\s*[\r\n])?": 0.70,
        r"(?<=\S)[ \t]{2,}(?=\S)|(?<=[\r\n])[ \t]+": 1.31,
        "é": 0.55,
        "数": 0.89,
    }
    total = sum(weight * len(re.findall(pattern, text)) for pattern, weight in weights.items())
    total += 0.08 * sum(len(word) - 6 for word in re.findall(r"[A-Za-z][a-z]{6,}|[A-Z]{7,}", text))
    assert estimate_tokens(text) == pytest.approx(max(total, float(text != "")), abs=0.51)


@given(st.text(st.sampled_from("aB1 .\n\r\tß数龘\u200b😀-Z_\u3000가"), max_size=60), st.integers(-2, 1))
def test_what_exceeds_a_limit_is_never_told_not_to(text: str, above: int) -> None:
    tokens = estimate_tokens(text)
    limit = tokens + above
    assert may_exceed(text, limit) or tokens <= limit


@pytest.mark.parametrize(("text", "times"), [(ENGLISH, 2), (CHINESE, 3)])
def test_the_bound_spares_most_estimates(text: str, times: int) -> None:
    many = text * 20
    assert not may_exceed(many, times * estimate_tokens(many))
