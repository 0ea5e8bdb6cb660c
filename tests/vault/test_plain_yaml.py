"""The line reader reads what the YAML parser reads, or leaves it to the parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reme_cli.errors import FrontmatterError
from reme_cli.vault import yaml_text
from reme_cli.vault.frontmatter import TEXT_KEYS, split
from reme_cli.vault.plain_yaml import read_plain

if TYPE_CHECKING:
    from pathlib import Path


def parsed(document: str) -> object:
    """What the parser makes of it; the error's class where it refuses."""
    try:
        return list(yaml_text._parsed(document, TEXT_KEYS, 1).items())
    except FrontmatterError as error:
        return type(error)


@pytest.mark.parametrize(
    ("document", "mapping"),
    [
        ("", {}),
        ("# only a comment\n\n", {}),
        ("name: JWT rotation\ndescription: How: not this\n", None),
        (
            "name: JWT rotation\r\nurl: https://example.org/#x\r\n",
            {"name": "JWT rotation", "url": "https://example.org/#x"},
        ),
        (
            "name: 1.10\nn: 1.5\nok: true\nday: 2026-06-20\n",
            {"name": "1.10", "n": 1.5, "ok": True, "day": "2026-06-20"},
        ),
        ("tags: [a, b/c, 'd, e', \"f\"]\n", {"tags": ["a", "b/c", "d, e", "f"]}),
        ("tags: []\naliases:\n  - x\n\n  - '1'\nnone:\n", {"tags": [], "aliases": ["x", "1"], "none": None}),
        ("date created: 2022-05-11\ntitle: 🐤摆烂\n", {"date created": "2022-05-11", "title": "🐤摆烂"}),
        # all of these are for the parser
        ("a: b # comment\n", None),
        ("a: b\n  continued\n", None),
        ("a: b\n  - continued\n", None),
        ("a:\n  - b\n    - continued\n", None),
        ("a: |\n  text\n", None),
        ("a: 1\na: 2\n", None),
        ("a: [[b]]\n", None),
        ("a: &x b\n", None),
        ('a: "\\n"\n', None),
        ("a: {b: c}\n", None),
        (" a: b\n", None),
        ("a: b\tc\n", None),
        ("- a\n", None),
        ("# \x07\n", None),
    ],
)
def test_plain_lines(document: str, mapping: dict[str, object] | None) -> None:
    assert read_plain(document, TEXT_KEYS) == mapping


ODD = st.text(
    st.sampled_from(list("ab1.-:#'\"[]{},&*!|>%@`?~=_ \t\u3000\xa0\u2028\ufeff中🚀é\x85\x07")), max_size=8
)
VALUES = ODD | st.sampled_from(
    [
        "text",
        "two words",
        "no",
        "true",
        "null",
        "~",
        "1",
        "1.5",
        "1e3",
        "2026-06-20",
        "a:b",
        "a: b",
        "a #b",
        "a#b",
        "'q'",
        '"q"',
        "[a, b]",
        "['a, b', \"c\"]",
        "[a,]",
        "[a b , c]",
        "[]",
        "[ ]",
        "[a: b]",
        "[1, true]",
        "...",
        "---",
        "<<",
        "=",
        "",
    ]
)
KEYS = st.sampled_from(["name", "tags", "k", "two words", "键", "1", "true", "a-b", "_x", "<<"]) | ODD
LINES = st.one_of(
    st.builds("{}:{}{}".format, KEYS, st.sampled_from([" ", "  ", "", " \t"]), VALUES),
    st.builds(
        "{}-{}{}".format, st.sampled_from(["", "  ", "    "]), st.sampled_from([" ", "  ", ""]), VALUES
    ),
    st.sampled_from(["", "# comment", "  # comment", "  continued", "   ", "..."]),
    ODD,
)


@given(st.lists(LINES, max_size=6), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
@example(["a: b"], "\r", False)
@example(["k: a\x85b: c"], "\n", True)
@example(["k: a\u2028b: c"], "\n", True)
def test_the_line_reader_never_reads_anything_else_than_the_parser(
    lines: list[str], newline: str, ended: bool
) -> None:
    document = newline.join(lines) + newline * ended
    mapping = read_plain(document, TEXT_KEYS)
    assert mapping is None or list(mapping.items()) == parsed(document)


@pytest.mark.parametrize("vault", ["handbook", "foam-docs", "oldwinter-zh", "world-v1"])
def test_real_notes_are_read_alike(shared: Path, vault: str) -> None:
    documents = []
    for path in sorted((shared / "vaults" / vault).rglob("*.md"))[::3]:
        text = path.read_bytes().decode()
        if block := split(text):
            documents.append(text[block.yaml_start : block.yaml_end])
    plain = [read_plain(document, TEXT_KEYS) for document in documents]
    for document, mapping in zip(documents, plain, strict=True):
        assert mapping is None or list(mapping.items()) == parsed(document)
    assert sum(mapping is not None for mapping in plain) >= 0.8 * len(documents)


def test_long_lines_are_read_in_linear_time() -> None:
    # Quadratic, each of these would take minutes.
    for line in (
        "a: x" + " " * 200_000 + "#",
        "a:" + " " * 200_000 + "#",
        "a: '" + "' '" * 100_000,
        "a: [" + "b " * 100_000,
        "a: [" + " " * 200_000,
    ):
        assert read_plain(line, ()) is None
    assert read_plain("a: " + "b:c#d " * 50_000, ()) is not None
