"""Which paths are refused, what is kept of them, and the file names that titles become."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.errors import PathRefused
from reme_cli.vault import paths
from reme_cli.vault.paths import (
    MAX_SLUG_BYTES,
    MAX_SLUG_CHARS,
    check_note_path,
    check_path,
    fold,
    slugify,
    stem_of,
)

NEVER = [
    "",
    "  ",
    "/",
    ".",
    "./",
    "..",
    "../x.md",
    "a/../../x.md",
    "a/../b.md",
    "/etc/passwd.md",
    "a\0.md",
    "daily/",
    "a/" + "x" * 253 + ".md",
    "/".join(["x" * 100] * 50) + ".md",
    "a\udc80.md",
]
NOT_FOR_NEW_NOTES = [
    "C:/x.md",
    "C:x.md",
    "a\\b.md",
    "x\\..\\..\\y.md",
    "con.md",
    "AUX.md",
    "nul.txt.md",
    "com1.md",
    "LPT9.md",
    "a/prn/b.md",
    "a./b.md",
    "a /b.md",
    " a.md",
    "a\n.md",
    "a\u202egnp.md",
    "a\u2028b.md",
    "what?.md",
    "a|b.md",
    "a*b.md",
    'a"b.md',
    "a<b.md",
    "a:b.md",
    "C#.md",
    "a]].md",
]
NO_NOTE = ["a.txt", "a", "a.MD", ".md", ".hidden/a.md", "a/.x.md"]


@pytest.mark.parametrize("path", NEVER)
def test_a_path_that_cannot_be_in_a_vault_is_refused_always(path: str) -> None:
    with pytest.raises(PathRefused):
        check_path(path)


@pytest.mark.parametrize("path", NOT_FOR_NEW_NOTES)
def test_an_existing_odd_name_is_read_but_none_is_made(path: str) -> None:
    assert check_note_path(path)
    with pytest.raises(PathRefused):
        check_note_path(path, portable=True)


@pytest.mark.parametrize("path", NO_NOTE)
def test_a_note_path_ends_in_md_and_is_not_hidden(path: str) -> None:
    with pytest.raises(PathRefused):
        check_note_path(path)


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("a.md", "a.md"),
        ("./a//b/./c.md", "a/b/c.md"),
        (unicodedata.normalize("NFD", "Café/é.md"), "Café/é.md"),
        ("知识/机器学习.md", "知识/机器学习.md"),
        ("p/🚀 launch.md", "p/🚀 launch.md"),
        ("v1.2 notes.md", "v1.2 notes.md"),
        ("console.md", "console.md"),
    ],
)
def test_a_good_path_is_normalised(path: str, normal: str) -> None:
    assert check_note_path(path) == normal
    assert check_note_path(path, portable=True) == normal


def test_the_refusal_says_what_where_and_what_next() -> None:
    with pytest.raises(PathRefused) as refusal:
        check_path("../../.bashrc")
    assert "`..`" in refusal.value.what
    assert refusal.value.where == "../../.bashrc"
    assert refusal.value.hint


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("JWT rotation", "jwt-rotation"),
        ("  Don't panic!  ", "dont-panic"),
        ("snake_case & Co.", "snake-case-co"),
        ("机器学习：入门", "机器学习-入门"),
        ("ＦＵＬＬ width", "full-width"),
        (unicodedata.normalize("NFD", "Café Zürich"), "café-zürich"),
        ("ความทรงจำ", "ความทรงจำ"),
        ("../../.bashrc", "bashrc"),
        ("CON", "con-note"),
        ("com¹", "com¹-note"),
        ("2026-06-20", "2026-06-20"),
        ("🚀 launch", "launch"),
        ("a/b\\c:d", "a-b-c-d"),
    ],
)
def test_a_title_becomes_a_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_titles_without_letters_get_names_of_their_own() -> None:
    assert slugify("🚀").startswith("note-")
    assert slugify("🚀") != slugify("🎉")
    assert slugify("") == slugify("")


def test_a_long_title_is_cut_at_a_word() -> None:
    slug = slugify("memory that organises itself " * 10)
    assert len(slug) <= MAX_SLUG_CHARS
    assert set(slug.split("-")) == {"memory", "that", "organises", "itself"}


@given(st.text())
def test_every_slug_is_a_portable_file_name_and_its_own_slug(title: str) -> None:
    slug = slugify(title)
    path = f"digest/wiki/{slug}.md"
    assert check_note_path(path, portable=True) == path
    assert stem_of(path) == slug
    assert len(slug) <= MAX_SLUG_CHARS
    assert len(slug.encode()) <= MAX_SLUG_BYTES
    assert slugify(slug) == slug


@given(st.text())
def test_fold_sees_neither_case_nor_normal_form(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)
    if text.isascii():
        assert fold(text.upper()) == fold(text)


@given(st.text(max_size=40))
def test_no_text_crashes_the_check(path: str) -> None:
    try:
        normal = check_path(path)
    except PathRefused:
        return
    assert check_path(normal) == normal
    assert ".." not in normal.split("/")
    assert not normal.startswith("/")


@given(
    st.lists(
        st.sampled_from(["a", "B7", "_", "-", ".", "..", "/", " ", "\0", ".md", "é", ":", "x" * 240])
    ).map("".join)
)
def test_a_plain_path_is_what_every_check_lets_pass(path: str) -> None:
    """Most paths are taken at one look; those are the ones that the checks would give as they are."""
    if paths._PLAIN_PATH.fullmatch(path):
        assert paths._checked(path, portable=False) == path
