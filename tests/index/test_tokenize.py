"""What texts are cut into."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reme_cli.index import tokenize as tokenize_module
from reme_cli.index.stem import beginnings_of, stem
from reme_cli.index.tokenize import fold, is_unspaced, occurrences, tokens_of

CUTS = {
    "Vector search, again.": "vector search again",
    # identifiers: whole, and in parts
    "node_search": "node_search node search",
    "E-1": "e-1 e 1",
    "auto_dream.py": "auto_dream.py auto dream py",
    "camelCase": "camelcas camel case",
    "HTTPServer": "httpserver http server",
    "v1.2.3": "v1.2.3 v1 2 3",
    "2026-06-20": "2026-06-20 2026 06 20",
    "R&D": "r&d r d",
    "C++ and C#": "c++ c and c# c",
    "C++11": "c++ c 11",
    ".env": ".env env",
    ".pre-commit-hooks.yaml": ".pre-commit-hooks.yaml pre commit hook yaml",
    # marks that only stand beside a word bind nothing
    "end.Next": "end.next end next",
    "the end. Next": "the end next",
    "_emphasis_ **bold** `code`": "emphasis bold code",
    "a -- b ... c": "a b c",
    "#tag and ## Heading": "tag and head",
    "Caroline's don't O'Brien": "carolin don o brien",
    "Caroline’s": "carolin",
    # letters are folded
    "Café Straße Łódź Ærø İstanbul": "cafe strass lodz aero istanbul",
    "Cafe\u0301": "cafe",
    "ＡＢＣ１２３": "abc123",
    "ﬁne": "fine",
    # scripts without spaces: pairs, and the last character
    "数据库": "数据 据库 库",
    "数据，设计": "数据 据 设计 计",
    "猫": "猫",
    "GPT模型4": "gpt 模型 型 4",
    "カタカナ": "カタ タカ カナ ナ",
    "ｶﾞｷﾞ": "ガギ ギ",
    "か\u3099き": "がき き",
    "데이터 베이스": "데이 이터 터 베이 이스 스",
    "ไทย": "ไท ทย ย",
    # other scripts: words
    "Привет, МИР": "привет мир",
    "हिन्दी में": "हिन्दी में",
    "مَرْحَبًا": "مرحبا",
    "😀 ok 👍🏽": "ok",
    "": "",
}


@pytest.mark.parametrize("text", CUTS)
def test_cut(text: str) -> None:
    assert " ".join(tokens_of(text)) == CUTS[text]


STEMS = {
    "note": ("note", "notes", "noted", "noting"),
    "run": ("run", "runs", "running", "ran"),
    "study": ("study", "studies", "studied", "studying"),
    "plan": ("plan", "plans", "planned", "planning"),
    "create": ("create", "creates", "created", "creating"),
    "box": ("box", "boxes", "boxed"),
    "class": ("class", "classes"),
    "quick": ("quick", "quickly"),
    "happy": ("happy", "happily"),
    "child": ("child", "children"),
    "write": ("write", "writes", "writing", "wrote", "written"),
    "index": ("index", "indexes", "indices", "indexing", "indexed"),
}


@pytest.mark.parametrize("base", STEMS)
def test_inflections_meet(base: str) -> None:
    assert {stem(word) for word in STEMS[base]} == {stem(base)}


@pytest.mark.parametrize(
    ("one", "other"),
    [("university", "universe"), ("new", "news"), ("sing", "s"), ("bus", "bu"), ("thing", "th")],
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_a_stem_is_for_english_words_only() -> None:
    assert [stem(word) for word in ("2026s", "привести", "v1s")] == ["2026s", "привести", "v1s"]


texts = st.text(
    st.sampled_from("aAbsSe1_-.&+#'’ \n　数据かがｶﾞ데ไ้éE\u0301\u3099ßø。，ﬁ\ud7a3\U0001f600İ"), max_size=40
) | st.text(max_size=40)


@given(texts)
def test_places_belong_to_the_same_tokens(text: str) -> None:
    placed = list(occurrences(text, tokens_of(text)))
    assert [token.text for token in placed] == tokens_of(text)
    assert all(0 <= token.start < token.end <= len(text) for token in placed)
    assert [token.start for token in placed] == sorted(token.start for token in placed)


@given(st.text(st.sampled_from("abdegilnopsty"), min_size=1, max_size=9))
@example("died")
@example("went")
@example("stopped")
def test_a_word_begins_as_its_stem_says(word: str) -> None:
    assert word.startswith(tuple(beginnings_of({stem(word)})))


WORDS = (
    "Went",
    "went",
    "goes",
    "Tied",
    "dying",
    "notes",
    "NOTES",
    "nodeSearch",
    "E-1",
    "café",
    "数据库",
    "的",
    "R&D",
)


@given(st.lists(st.sampled_from(WORDS) | texts, max_size=6).map(" ".join), st.data())
def test_what_is_not_wanted_changes_nothing(text: str, data: st.DataObject) -> None:
    """Words are passed over unseen; none of them is wanted."""
    tokens = tokens_of(text)
    wanted = data.draw(st.sets(st.sampled_from(tokens) | st.sampled_from("数的据"))) if tokens else set()
    found = [token.text for token in occurrences(text, wanted)]
    single = tuple(token for token in wanted if len(token) == 1 and is_unspaced(token))
    assert found == [token for token in tokens if token in wanted or token.startswith(single)]


@given(texts)
def test_no_token_is_empty_or_holds_a_space(text: str) -> None:
    assert all(token and not any(character.isspace() for character in token) for token in tokens_of(text))


@given(texts, texts)
def test_a_space_parts_tokens(one: str, other: str) -> None:
    assert tokens_of(f"{one} {other}") == tokens_of(one) + tokens_of(other)


@given(texts)
def test_case_and_width_do_not_matter_to_folding(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=12), st.data())
def test_every_chinese_word_of_two_characters_is_a_token(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 2))
    assert text[at : at + 2] in tokens_of(text)
    assert any(token.startswith(text[at]) for token in tokens_of(text))


def test_a_very_long_chunk_is_cut_to_a_bounded_token() -> None:
    assert all(len(token) <= 64 for token in tokens_of("A" * 100_000 + " " + "ab_" * 50_000))


def test_a_very_large_text_is_cut_like_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "node_search of 数据库\nC++ and .env\n\nthe end" * 5
    whole = tokens_of(text)
    monkeypatch.setattr(tokenize_module, "_SLICE", 7)
    assert tokens_of(text) == whole
