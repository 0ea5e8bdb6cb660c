"""Wikilinks in frontmatter, against what PyYAML writes: however a value is laid out, its links are found under its key."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reme_cli.vault.wikilink import canonical_predicate, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = [
    "a",
    "see",
    "it's",
    '"b"',
    "é",
    "知识",
    "🚀",
    "x:",
    "-",
    "k: v",
    "{c}",
    "100%",
    "&",
    "*",
    "!",
    "@",
    "\\",
    "`",
    "%%",
]
TARGETS = [
    "a",
    "my long name",
    "it's",
    "知识/机器学习",
    "🚀 launch",
    "v1.2, notes",
    "a: b",
    "x & y",
    'q "r" s',
    "d\\e f",
    "é",
]
KEYS = ["related", "See-Also", "相关", "a b", "no", "2024", "x"]

strings = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from(TARGETS).map("[[{}]]".format)), max_size=12
).map(" ".join)
scalars = st.one_of(strings, st.none(), st.booleans(), st.integers())
# no list in a list: in brackets that is how a link without quotation marks is written
values = st.recursive(
    st.one_of(scalars, st.lists(scalars, max_size=3)),
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
        st.lists(st.dictionaries(st.sampled_from(KEYS), inner, max_size=3), max_size=2),
    ),
    max_leaves=6,
)
layouts = st.fixed_dictionaries(
    {
        "default_flow_style": st.sampled_from([False, None, True]),
        "default_style": st.sampled_from([None, None, "'", '"', ">", "|"]),
        "allow_unicode": st.booleans(),
        "width": st.sampled_from([12, 30, 80, 1000]),
        "indent": st.sampled_from([2, 4]),
    }
)


def strings_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings_in(item)


@given(st.dictionaries(st.sampled_from(KEYS), values, max_size=4), layouts)
@example({"related": ["[[my long name]] and [[知识/机器学习]]"]}, {"width": 12, "allow_unicode": False})
@example({"related": "[[my long name]]", "x": "[[é]]"}, {"default_flow_style": True})
@example({"related": {"x": {"x": "a a [[a]] [[v1.2, notes]]"}}}, {"width": 12})
@example({"related": ["a, [[v1.2, notes]]"]}, {"width": 10})
def test_every_link_is_found_however_the_yaml_is_laid_out(
    properties: dict[str, Any], layout: dict[str, Any]
) -> None:
    document = yaml.safe_dump(properties, sort_keys=False, **layout)
    assume(yaml.safe_load(document) == properties)  # deep in a narrow page PyYAML doubles a backslash
    expected = Counter(
        (canonical_predicate(key), target)
        for key, value in properties.items()
        for text in strings_in(value)
        for target in TARGETS
        for _ in range(text.count(f"[[{target}]]"))
    )
    note = f"---\n{document}---\n"
    links = scan(note).links
    assert Counter((link.predicate, link.target) for link in links) == expected, note
    for link in links:
        assert note[link.start : link.end].startswith("[[")
        assert note[link.start : link.end].endswith("]]")
        assert note.count("\n", 0, link.start) == link.line - 1


@pytest.mark.parametrize(
    ("written", "target"),
    [
        (r'"[[caf\u00e9]]"', "café"),
        (r'"[[caf\xe9]]"', "café"),
        (r'"[[\ud83d\ude80]]"', "🚀"),
        (r'"[[\U0001F680]]"', "🚀"),
        (r'"[[a\ud83d]]"', "a\ufffd"),
        (r'"[[a\uFFFF\x00\U00110000]]"', "a\uffff\ufffd\ufffd"),
        (r'"[[a\/b]]"', "a/b"),
        (r"'[[a\/b]]'", r"a\/b"),
        (r"[[a\u00e9]]", r"a\u00e9"),
        (r'"[[a\qb]]"', r"a\qb"),
    ],
)
def test_escapes_mean_what_they_do_in_yaml(written: str, target: str) -> None:
    (link,) = scan(f"---\nx: {written}\n---\n").links
    assert link.target == target
    link.target.encode()


@pytest.mark.parametrize(
    "document",
    [
        "x: |\n  [[a\n  b]]\n",
        "x:\n  - [[a\n  - b]]\n",
        "x:\n  y: [[a\n  z: b]]\n",
        "x: [[a # c\n  b]]\n",
        "x: [[a\n# b]]\n",
        "x: [[a\nb]]\n",
        "x: [[a,\n  b]]\n",
        'x:\n  y: "[[a"\n  z: "b]]"\n',
        r'x: "[[a\nb]]"' + "\n",
        r'x: "[[\x20]]"' + "\n",
        'x: "[[\\\n  ]]"\n',
    ],
)
def test_brackets_on_lines_that_are_not_one_value_are_no_link(document: str) -> None:
    assert scan(f"---\n{document}---\n").links == ()
