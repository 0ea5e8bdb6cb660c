"""The frontmatter block: where it is, and edits that leave every other byte alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.errors import FrontmatterError
from reme_cli.vault.frontmatter import read, split, update
from reme_cli.vault.wikilink import scan

NO_BLOCK = [
    "",
    "text",
    "---",
    "---\n",
    "---\nname: n\n",
    "text\n---\nname: n\n---\n",
    "\n---\nname: n\n---\n",
    " ---\nname: n\n---\n",
    "----\nname: n\n----\n",
    "--- name\n---\n",
    "---\nname: n\n ---\n",
    "---\nname: n\n----\n",
    "\ufeff\ufeff---\nname: n\n---\n",
]


@pytest.mark.parametrize("text", NO_BLOCK)
def test_no_block(text: str) -> None:
    assert split(text) is None
    assert read(text) == {}


@pytest.mark.parametrize(
    ("text", "yaml", "body"),
    [
        ("---\nname: n\n---\nbody\n", "name: n\n", "body\n"),
        ("---\r\nname: n\r\n---\r\nbody", "name: n\r\n", "body"),
        ("\ufeff---\nname: n\n---\nbody", "name: n\n", "body"),
        ("---\nname: n\n...\nbody", "name: n\n", "body"),
        ("---\n---\nbody", "", "body"),
        ("--- \nname: n\n---\t\nbody", "name: n\n", "body"),
        ("---\nname: n\n---", "name: n\n", ""),
        ("---\rname: n\r---\rbody", "name: n\r", "body"),
        ("---\na: |\n  ---\n---\nb\n---\n", "a: |\n  ---\n", "b\n---\n"),
    ],
)
def test_the_block_ends_at_the_next_line_of_dashes_or_dots(text: str, yaml: str, body: str) -> None:
    block = split(text)
    assert block is not None
    assert text[block.start :].startswith("---")
    assert text[block.yaml_start : block.yaml_end] == yaml
    assert text[block.body_start :] == body


def test_an_error_names_the_line_in_the_note() -> None:
    with pytest.raises(FrontmatterError) as error:
        read("---\nok: 1\nname: x: y\n---\n")
    assert error.value.line == 3


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        # a value on one line: comment, spacing and the key's own quotes stay
        ("name : 'old'   # why\nz: 1\n", {"name": "new"}, "name : new   # why\nz: 1\n"),
        ('"name": old\n', {"name": "new"}, '"name": new\n'),
        ("name:\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        ("name:   # none yet\nz: 1\n", {"name": "new"}, "name: new   # none yet\nz: 1\n"),
        ("name: !!str &n old # c\n", {"name": "new"}, "name: new # c\n"),
        ("name:\n  on the next line\nz: 1\n", {"name": "new"}, "name:\n  new\nz: 1\n"),
        ("name: old\n  continued\n\n  again\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        ('name: "a\n  b"\nz: 1\n', {"name": "new"}, "name: new\nz: 1\n"),
        ("a: &x 1\nname: *x # c\n", {"name": "new"}, "a: &x 1\nname: new # c\n"),
        # block scalars: blank lines behind them belong to what follows, unless they are kept by `+`
        ("name: |\n  a\n\n  b\n\n# c\nz: 1\n", {"name": "new"}, "name: new\n\n# c\nz: 1\n"),
        ("name: >-\n  a\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        ("name: |+\n  a\n\n\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        ("name: |2-\n   a\n   # text\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        # lists
        ("tags: [a, b] # c\n", {"tags": ["b", "[[x]]"]}, 'tags: [b, "[[x]]"] # c\n'),
        ("tags: [\n  a, # one\n  b\n]\nz: 1\n", {"tags": ["c"]}, "tags: [c]\nz: 1\n"),
        ("tags:\n- a # one\n- b # two\n# of z\nz: 1\n", {"tags": ["c"]}, "tags:\n- c\n# of z\nz: 1\n"),
        ("tags:\n  - a\n  -\nz: 1\n", {"tags": "c"}, "tags: c\nz: 1\n"),
        ("tags: a\nz: 1\n", {"tags": ["a", "b"]}, "tags:\n- a\n- b\nz: 1\n"),
        ("tags:\n- a\n", {"tags": []}, "tags: []\n"),
        (
            "m:\n  x:\n    - 1\n\n    # in\n    - 2\n\n# of z\nz: 1\n",
            {"m": {"x": "no"}},
            'm:\n  x: "no"\n\n# of z\nz: 1\n',
        ),
        # more than one key, new keys, deleted keys
        ("b: 1\na: 2\n", {"a": "x", "b": "w", "c": "z"}, "b: w\na: x\nc: z\n"),
        ("# only a comment\n", {"name": "new"}, "# only a comment\nname: new\n"),
        ("", {"name": "new"}, "name: new\n"),
        ("a: 1\nb: |\n  x\n# c\nz: 1 # d\n", {"b": None, "z": None}, "a: 1\n# c\n"),
        ("a: 1\n", {"b": None}, "a: 1\n"),
        ("  a: 1\n  z: 2\n", {"a": ["x"], "new": {"k": "v"}}, "  a:\n  - x\n  z: 2\n  new:\n    k: v\n"),
        ("? name\n: old\nz: 1\n", {"name": "new"}, "name: new\nz: 1\n"),
        ("名字: 旧\n", {"名字": "新", "🚀": "x"}, "名字: 新\n🚀: x\n"),
    ],
)
def test_an_update_changes_the_span_of_its_key(before: str, values: dict[str, object], after: str) -> None:
    for newline in ("\n", "\r\n"):
        for bom in ("", "\ufeff"):
            text, expected = (
                bom + f"---\n{block}---\nbody: x\n".replace("\n", newline) for block in (before, after)
            )
            assert update(text, values) == expected


def test_a_block_is_made_where_there_is_none() -> None:
    assert update("body\r\n", {"name": "new", "tags": ["a"], "x": None}) == (
        "---\r\nname: new\r\ntags:\r\n- a\r\n---\r\nbody\r\n"
    )
    assert update("\ufeffbody", {"name": "new"}) == "\ufeff---\nname: new\n---\nbody"
    assert update("---\nnever closed\n", {"name": "new"}) == "---\nname: new\n---\n---\nnever closed\n"
    assert update("body", {"x": None}) == "body"


@pytest.mark.parametrize(
    "block",
    [
        "name: x: y\n",
        "name: a\nname: b\n",
        "- a\n",
        "{name: a, b: c}\n",
        "date: {{date}}\nname: a\n",
        "name: &n a\nother: *n\n",
        "name: \x01\n",
        "name: a\tb\n",
    ],
)
def test_what_cannot_be_edited_in_place_is_refused(block: str) -> None:
    with pytest.raises(FrontmatterError):
        update(f"---\n{block}---\n", {"name": "new"})


@dataclass(frozen=True)
class Part:
    """A piece of a block: a key with its lines (in `{}` goes the key), or lines between keys."""

    lines: str

    @property
    def has_key(self) -> bool:
        return "{}" in self.lines


PARTS = st.sampled_from(
    [
        Part("{}: plain text\n"),
        Part("{}: 'single ''quoted'''\n"),
        Part('{}: "double \\" quoted"\n'),
        Part("{}:\n"),
        Part("{}: ~\n"),
        Part("{}: no\n"),
        Part("{}: 2026-06-20\n"),
        Part("{}: 1.50\n"),
        Part("{}: [a, 'b, c', [d]]\n"),
        Part("{}: [\n  a,\n  b\n]\n"),
        Part("{}: {{x: 1, y: [2]}}\n".replace("{{", "{").replace("}}", "}")),
        Part("{}: [[note]]\n"),
        Part("{}:\n- a\n- b\n"),
        Part("{}:\n  - a\n\n  - b: 1\n    c: |\n      d\n"),
        Part("{}:\n  k: v\n  # inside\n  l:\n    m: n\n"),
        Part("{}: |\n  line: one\n\n    - two\n"),
        Part("{}: >-\n  folded\n  text\n"),
        Part("{}: plain\n  over two lines\n"),
        Part('{}: "quoted\n\n  over lines"\n'),
        Part("{}: 中文 🚀\n"),
        Part("# a comment: with colon\n"),
        Part("\n"),
    ]
)
KEYS = st.sampled_from(["name", "tags", "a b", "键", "k", "x-y", "Z", "1"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["no", "2026-06-20", "a: b", "# x", "[[a]]", "---", "...", "\n---\n", "- a", "|", "'"]
)
NEW_VALUES = (
    TEXTS
    | st.integers(0, 99)
    | st.booleans()
    | st.lists(TEXTS, max_size=3)
    | st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS, max_size=2), max_size=2)
)


@st.composite
def blocks(draw: st.DrawFn) -> list[tuple[str | None, str]]:
    """Pieces of a block in order: the key that a piece holds, if any, and its text."""
    keys = draw(st.lists(KEYS, unique=True, min_size=1, max_size=5))
    parts = draw(st.lists(PARTS, max_size=10))
    pieces: list[tuple[str | None, str]] = []
    for part in parts:
        if not part.has_key:
            pieces.append((None, part.lines))
        elif keys:
            key = keys.pop()
            pieces.append((key, part.lines.replace("{}", key, 1)))
    return pieces


def expected_value(key: str, value: object) -> object:
    """What is read back: the scalars of text keys are always text."""
    if key not in {"name", "tags"} or isinstance(value, str | dict):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else value


@given(
    pieces=blocks(),
    key=KEYS,
    value=st.none() | NEW_VALUES,
    newline=st.sampled_from(["\n", "\r\n"]),
    bom=st.sampled_from(["", "\ufeff"]),
    body=st.sampled_from(["", "body", "---\nname: not this\n---\n"]),
)
def test_one_key_changes_and_every_other_byte_stays(
    pieces: list[tuple[str | None, str]], key: str, value: object, newline: str, bom: str, body: str
) -> None:
    def laid_out(lines: str) -> str:
        return lines.replace("\n", newline)

    block = "".join(lines for _, lines in pieces)
    text = bom + laid_out(f"---\n{block}---\n{body}")
    before = read(text)
    after = update(text, {key: value})

    expected = {**before, key: expected_value(key, value)}
    if value is None:
        del expected[key]
    assert read(after) == expected
    assert [found for found in read(after) if found != key] == [found for found in before if found != key]
    assert update(after, {key: value}) == after

    position = next((index for index, (found, _) in enumerate(pieces) if found == key), None)
    if position is None:
        head, tail = block, ""
    else:
        head = "".join(lines for _, lines in pieces[:position])
        tail = "".join(lines for _, lines in pieces[position + 1 :])
    assert after.startswith(bom + laid_out(f"---\n{head}"))
    assert after.endswith(laid_out(f"{tail}---\n{body}"))
    assert "\n" not in after.replace("\r\n", "") or newline == "\n"


@given(pieces=blocks(), values=st.dictionaries(KEYS, st.none() | NEW_VALUES, max_size=4))
def test_several_keys_change_at_once(pieces: list[tuple[str | None, str]], values: dict[str, object]) -> None:
    text = f"---\n{''.join(lines for _, lines in pieces)}---\nbody\n"
    after = update(text, values)
    kept = {key: value for key, value in read(text).items() if key not in values}
    new = {key: expected_value(key, value) for key, value in values.items() if value is not None}
    assert read(after) == kept | new
    assert update(after, values) == after
    for key, lines in pieces:
        if key not in values:
            assert lines in after
    assert after.endswith("---\nbody\n")


@given(st.text(st.sampled_from(list("-.:#a \n\r\t[]{}&*|>'\"\ufeff中")), max_size=60))
def test_no_text_does_worse_than_an_error(text: str) -> None:
    try:
        after = update(text, {"name": "n"})
    except FrontmatterError:
        return
    assert read(after)["name"] == "n"
    body = split(text)
    assert after.endswith(text[body.yaml_end :] if body else text.removeprefix("\ufeff"))


@given(
    st.lists(
        st.sampled_from(
            [
                "---",
                "...",
                "--- ",
                "---\t",
                "----",
                " ---",
                "a: b",
                "",
                "\ufeff",
                "---x",
                "\u2028---",
                "\x0c---",
            ]
        ),
        max_size=6,
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", "\ufeff"]),
)
def test_the_scanner_sees_the_same_block(lines: list[str], newline: str, bom: str) -> None:
    text = bom + newline.join(lines)
    block = split(text)
    assert scan(text).body_start == (block.body_start if block else int(text.startswith("\ufeff")))
