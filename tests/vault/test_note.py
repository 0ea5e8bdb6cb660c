"""What a note says about itself."""

from __future__ import annotations

import pytest

from reme_cli.errors import FrontmatterError
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of


def note(text: str, path: str = "digest/wiki/jwt.md") -> Note:
    return Note(path, text, stamp_of(text.encode()))


def test_a_note_without_frontmatter_is_named_by_its_file() -> None:
    plain = note("# Title\n")
    assert (plain.name, plain.description, plain.aliases, plain.tags, plain.kind) == ("jwt", "", (), (), None)
    assert plain.body == "# Title\n"


def test_frontmatter_names_it() -> None:
    named = note("---\nname: JWT rotation\ndescription: >\n  How keys\n  rotate\nkind: howto\n---\nbody\n")
    assert (named.name, named.description, named.kind) == ("JWT rotation", "How keys rotate", "howto")
    assert named.body == "body\n"


@pytest.mark.parametrize("spelled", ["no", "2026-06-20", "1.10", "007", "1e3", "true", "0o17", "1_000"])
def test_a_name_is_what_the_note_spells(spelled: str) -> None:
    assert note(f"---\nname: {spelled}\naliases: [{spelled}]\n---\n").name == spelled
    assert note(f"---\naliases: [{spelled}]\n---\n").aliases == (spelled,)


@pytest.mark.parametrize("value", ["", " ~", " null", " []", " {a: b}", ' "  "'])
def test_an_empty_name_is_none(value: str) -> None:
    assert note(f"---\nname:{value}\n---\n").name == "jwt"


@pytest.mark.parametrize(
    ("yaml", "aliases"),
    [
        ("aliases: JWT", ("JWT",)),
        ("aliases: [JWT, 令牌, JWT]", ("JWT", "令牌")),
        ("aliases:\n- a, b\n-\n- 5", ("a, b", "5")),
        ("alias: x", ("x",)),
        ("aliases:", ()),
    ],
)
def test_aliases(yaml: str, aliases: tuple[str, ...]) -> None:
    assert note(f"---\n{yaml}\n---\n").aliases == aliases


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: a, b", ("a", "b")),
        ('tags: "#a #b"', ("a", "b")),
        ("tags: [a/b, 数据]", ("a/b", "数据")),
        ("tags:\n- '#a'\n- a\n- 2024", ("a", "2024")),
        ("tag: x", ("x",)),
        ("tags:", ()),
    ],
)
def test_tags(yaml: str, tags: tuple[str, ...]) -> None:
    assert note(f"---\n{yaml}\n---\n").tags == tags


def test_broken_frontmatter_is_an_error_where_it_is_asked_for_and_nowhere_else() -> None:
    broken = note("---\nname: x: y\n---\nbody\n")
    assert (broken.name, broken.body) == ("jwt", "body\n")
    with pytest.raises(FrontmatterError) as error:
        _ = broken.frontmatter
    assert error.value.where == "digest/wiki/jwt.md:2"


def test_a_bom_is_no_part_of_the_body() -> None:
    assert note("\ufefftext").body == "text"
    assert note("\ufeff---\r\nname: n\r\n---\r\ntext").body == "text"
