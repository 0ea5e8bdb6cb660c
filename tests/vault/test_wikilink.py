"""The scanner: cases by hand, equality with the markdown-it reference, properties of its spans, and its growth."""

from __future__ import annotations

import itertools
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.vault.wikilink import canonical_predicate, prose_spans, scan, strip_links
from tests.vault import markdown_reference
from tests.vault.markdown_reference import ReferenceHeading, ReferenceLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.link import Link, Scan

SECTION = re.compile(r"^## (.+)\n\n~~~~text\n((?:.*\n)*?)~~~~\n~~~~found\n((?:.*\n)*?)~~~~\n", re.MULTILINE)
EXAMPLES = settings.default.max_examples if settings.default else 100


class Case(NamedTuple):
    title: str
    text: str
    found: str


def cases() -> list[Case]:
    content = (Path(__file__).parent / "wikilink.md").read_text(encoding="utf-8")
    found = [Case(*section) for section in SECTION.findall(content)]
    assert len(found) == content.count("\n## ")
    # an escaped line break, so that a carriage return can stand before or without a newline
    return [
        case._replace(text=case.text.replace("→", "\t").replace("␍\n", "\r\n").replace("␍", "\r"))
        for case in found
    ]


def shown(link: Link) -> str:
    target = link.target if link.anchor is None else f"{link.target}#{link.anchor}"
    key = f"{link.predicate}: " if link.kind == "frontmatter" else f"{link.predicate}:: "
    mark = "!" if link.kind in {"embed", "image"} else ""
    if link.kind in {"markdown", "image"}:
        body = f"[{link.alias}]({target})"
    else:
        body = f"[[{target}|{link.alias}]]" if link.alias else f"[[{target}]]"
    return f"{link.line}:{link.col} {key if link.predicate else ''}{mark}{body}"


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_case(case: Case) -> None:
    result = scan(case.text)
    lines = [(heading.start, f"{heading.line}:# {heading.text}") for heading in result.headings]
    lines += [(link.start, shown(link)) for link in result.links]
    assert "".join(f"{line}\n" for _, line in sorted(lines, key=lambda line: line[0])) == case.found
    check_spans(case.text, result)


def test_shared_cases(shared: Path) -> None:
    """What a case resolves to is tested where links are resolved; here, that each link is seen with its predicate."""
    for line in (shared / "cases/links.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        links = [link for link in scan(case["text"]).links if link.target and "://" not in link.target]
        known = [*case["broken"], *case["attachments"]]
        assert {link.target for link in links} >= set(case["broken"]), case["id"]
        typed = {link.predicate for link in links if not any(path.endswith(link.target) for path in known)}
        assert typed == {predicate for _, predicate in case["edges"]}, case["id"]


# the reference


def in_reference_terms(result: Scan) -> tuple[list[ReferenceLink], list[ReferenceHeading]]:
    return (
        [
            ReferenceLink(link.kind, link.target, link.anchor, link.alias, link.predicate, link.line)
            for link in result.links
        ],
        [ReferenceHeading(heading.level, heading.text, heading.line) for heading in result.headings],
    )


@pytest.mark.parametrize(
    ("folder", "step"),
    [
        ("vaults/foam-docs", 1),
        ("vaults/handbook", 1),
        ("vaults/world-v1", 2),
        ("vaults/oldwinter-zh", 8),
        ("gold/dream", 4),
        ("gold/retrieval", 6),
        ("gold/autolink", 16),
    ],
)
def test_equals_reference_on_real_notes(shared: Path, folder: str, step: int) -> None:
    notes = sorted(path for path in (shared / folder).rglob("*.md") if path.is_file())[::step]
    assert notes
    for note in notes:
        text = note.read_bytes().decode()
        result = scan(text)
        assert in_reference_terms(result) == markdown_reference.read(text), note
        check_spans(text, result)


TRICKY = [
    # a label is not looked for behind a failed destination
    "[x](a y[b] c\n\n[b]: d.md",
    "![x](a y[b] c\n\n[b]: d.md",
    "[x](a y[b\n\n[x]: d.md",
    "[x][y][z]\n\n[y]: a.md\n[z]: b.md",
    "[x][[y] z]\n\n[x]: a.md",
    "![a [b](c.md)][x] [a [b](c.md)][x]\n\n[x]: d.md",
    "[a [^1] b](c.md) [a [b] c](d.md) [[b] c][x]\n\n[^1]: n\n[x]: e.md",
    "[a ![b [c](d.md)](e.png) f](g.md)",
    "[a ^[b [c](d.md)] e](f.md)",
    # destinations, titles, definitions
    "[x](a\\ b) [x](a(b(c(d(e)f)g)h)i) [x](a(b) [x](<a\\>b>)",
    "[x](" + "(" * 33 + "a" + ")" * 33 + ")",
    "[x](a 'b\\'c') [x](a (b(c) [x](a 'b'c) [x](a'b')",
    "[x](javascript:a)[b](c.md)",
    '[x]: a.md\n"" y\n\n[x]',
    '[x]: a.md\n"t" y\n\n[x]',
    '[x]: a.md "t\nu"\n[y]: b.md\n\n[x] [y]',
    "[x\ny]:\nb.md\n't'\n\n[X  Y]",
    "[x]: a\\\n't'\n[x]",
    "> [x]:\n> a.md\n\n- [x]",
    "p\n[x]: a.md\n\n[x]",
    "[]: a.md\n[ ]: a.md\n[\\]]: b.md\n\n[] [ ] [\\]]",
    # lists that end a paragraph or do not, and columns behind tabs
    "p\n2.     [[a]]\n\n1. p\n2.     [[b]]",
    "> p\n2.     [[a]]",
    "p\n-\n    [[a]]",
    "-\n\n  [[a]]\n-\n\n      [[b]]",
    ">\t\t[[a]]\n\n>\t [[b]]\n\n >\t   [[c]]\n\n> \t  [[d]]\n\n>\t    [[e]]",
    "  >\t\t[[a]]\n\n  >\t  [[b]]\n\n-\t\t[[c]]\n\n-\t   [[d]]\n\n  -\t\t[[e]]",
    "- >\t\t[[a]]\n\n1. >\t [[b]]\n\n10. >\t  [[c]]\n\n> -\t\t[[d]]\n> -\t  [[e]]",
    "[^1]:\t\t[[a]]\n[^2]:     [[b]]\n\n        [[c]]\n\n    [[d]]\n   [[e]]",
    "- a\n - b\n  - c\n   - d\n    - [[e]]\n     - [[f]]",
    # lines that end a quote in an item, and lines that two quotes share
    "- > a\n  - [[b]]\n      [[c]]",
    "- > a\n  # b\n      [[c]]",
    "-   > a\n      ---\n          [[c]]",
    "- > a\n      - [[b]]",
    "> > a\n    - [[b]]",
    "> > a\nb\n- [[c]]\nd",
    "> > a\nb\n    - [[c]]",
    "> > > a\nb\nc\n===\n> d\ne\n    [[f]]",
    "> - > a\nb\nc\n  d\n\n    [[e]]",
    "> ```\n[[a]]\n\n> <div>\n[[b]]\n\n>     c\n    [[d]]",
    # other blocks
    "`` ` ``[[a]]``` [[b]] `x`\n\n``` `\n[[c]]",
    "a | b\n- | -\n[[c]] | [[d]]\n\na | b\n-|-\n    [[e]]",
    "p\n| [[a]] |\n|---|\n| b \\\\| [[c]] |",
    "<b>\n[[a]]\n\np\n<b>\n[[b]]\n\n</b >\n[[c]]\n\np\n<td>\n[[d]]",
    "<?a\n\n[[b]]?>\n<!X\n[[c]]\n\n><![CDATA[\n\n]]>\n[[d]]",
    "$[[a]]$5 $ [[b]]$ $[[c]] $ $[[d]]\\$ $\\$[[e]]$ $$[[f]]$ $$",
    "$$ a\n\n[[b]]\n$$ c\n\n- $$\n  [[d]]\n[[e]]\n\n$$\n[[f]] $$",
    "%% [[a]] `%%` [[b]]\n\n    %%\n\n[[c]] %% [[d]]\n\n%%",
    "<http://a [[b]]> <a:[[b]]> <ab:[[c]]> <a@b.c> http://a([[d]] ftp://a/[[e]] xhttp://a/[[f]]",
    "<a b=[[c]]> <a b='[[c]]'> <a b='[[c]]'c> </a [[b]]> <!-->[[d]]--> <!---->[[e]]",
]
"""Where implementations of Markdown differ, or ours did while it was written."""


@pytest.mark.parametrize("text", [*TRICKY, *(case.text for case in cases())])
def test_equals_reference_on_tricky_notes(text: str) -> None:
    if "it''s" not in text:
        assert in_reference_terms(scan(text)) == markdown_reference.read(text)


FRAGMENTS = """
[[ ]] [[a]] [[b|c]] [[d#e]] ![[f]] [x](y.md) [x] [x][y] [y][] ![i](p.png) [^1] ^[ ]( [ ] ( ) ` `` ``` ~~~ > - * + 1.
2) | \\| --- |---|---| $ $$ %% <!-- --> ---> <div> </div> <b> </b> <a␠href=' '> <pre> </pre> <? ?> <x␠y=" "> <http://a>
https://e.org/ \\ \\\\ \\[ # ## === *** ⏎ ⏎ ⏎ ⏎ ⏎⏎ ⏎⏎ ⏎␠␠␠␠ ⏎===⏎ ⏎---⏎ ⏎```⏎ ⏎$$⏎ ⏎|a|b|⏎|-|-|⏎| [x]:␠y.md ⏎[x]:␠a.md⏎ [x]:⏎
[y]:␠<z␠z.md>␠'T' [^1]:␠ ␠ ␠␠ ␠␠␠␠ →  - [␠]␠ is_a::␠ (p::␠ [q-R::␠ :: a b1 5 ! * _ ~~ &amp; &#35; a.md #h %20 : "t" 't' "
' 知 。 é \u3000 \u2028 \u00a0 \x0c \x00 ␍⏎ ␍
"""


def spelled(fragment: str) -> str:
    for sign, meaning in {"⏎": "\n", "␠": " ", "→": "\t", "␍": "\r"}.items():
        fragment = fragment.replace(sign, meaning)
    return fragment


MARKS = [spelled(fragment) for fragment in re.split("[ \n]+", FRAGMENTS.strip("\n "))]
HEADS = ["", "", "", "", "\ufeff", "---\nk: v\n---\n", '\ufeff---\nk-K:\n - "[[z|it]]" # [[c]]\n...\n']


@st.composite
def notes(draw: st.DrawFn) -> str:
    """Markdown with far more structure than text; half of them of a few kinds of mark only, which then interact."""
    few = draw(st.one_of(st.none(), st.lists(st.sampled_from(MARKS), min_size=3, max_size=12)))
    marks = MARKS if few is None else [*few, "\n", "[[a]]"]
    return draw(st.sampled_from(HEADS)) + "".join(draw(st.lists(st.sampled_from(marks), max_size=36)))


@settings(max_examples=EXAMPLES * 6)
@given(notes())
def test_equals_reference_on_fuzzed_notes(text: str) -> None:
    assert in_reference_terms(scan(text)) == markdown_reference.read(text)


# spans


def check_spans(text: str, result: Scan) -> None:
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff") if text.startswith("\ufeff") else text)
    body = [link for link in result.links if link.kind != "frontmatter"]
    assert [link.start for link in body] == sorted(link.start for link in body)
    for link in result.links:
        source = text[link.start : link.end]
        assert source.startswith(("!" if link.kind in {"embed", "image"} else "[", "![[", "[["))
        assert source.endswith(("]", ")"))
        assert lines[link.line - 1][link.col - 1 :].startswith(source.splitlines()[0].split("\0")[0][:2])
        target = text[link.target_start : link.target_end]
        if link.kind in {"wikilink", "embed"}:
            assert target.replace("\0", "\ufffd") == link.target
            assert link.start < link.target_start <= link.target_end < link.end
        elif link.kind == "frontmatter":
            assert link.end <= result.body_start
        elif "%" not in target and "\\" not in target and "&" not in target:
            assert target.strip().replace("\0", "\ufffd") == link.target
    for heading in result.headings:
        assert result.body_start <= heading.start <= heading.end <= len(text)
        assert heading.text.split("\n")[0][:1].replace("\ufffd", "\0") in text[heading.start : heading.end]


@settings(max_examples=EXAMPLES * 2)
@given(notes())
def test_spans_of_fuzzed_notes(text: str) -> None:
    check_spans(text, scan(text))


@settings(max_examples=EXAMPLES)
@given(notes())
def test_a_target_can_be_replaced_by_its_span(text: str) -> None:
    for number, link in enumerate(scan(text).links):
        if link.kind in {"wikilink", "embed"} and link.target:
            renamed = text[: link.target_start] + "new name" + text[link.target_end :]
            after = scan(renamed).links[number]
            assert (after.kind, after.target, after.start) == (link.kind, "new name", link.start)


@settings(max_examples=EXAMPLES)
@given(notes())
def test_line_endings_change_nothing_but_offsets(text: str) -> None:
    unix = text.replace("\r\n", "\n").replace("\r", "\n")
    windows = unix.replace("\n", "\r\n")
    assert in_reference_terms(scan(windows)) == in_reference_terms(scan(unix))
    assert in_reference_terms(scan(unix.replace("\n", "\r"))) == in_reference_terms(scan(unix))
    assert [link.col for link in scan(windows).links] == [link.col for link in scan(unix).links]
    check_spans(windows, scan(windows))
    assert strip_links(windows) == strip_links(unix).replace("\n", "\r\n")


@settings(max_examples=EXAMPLES)
@given(notes())
def test_prose_is_within_the_body_and_outside_markup(text: str) -> None:
    spans = prose_spans(text)
    result = scan(text)
    assert list(spans) == sorted(spans)
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    assert not spans or (spans[0][0] >= result.body_start and spans[-1][1] <= len(text))
    inside = {place for start, end in spans for place in range(start, end)}
    for link in result.links:
        if link.kind == "wikilink":
            assert not inside & {link.start, link.start + 1, link.end - 1, link.end - 2}


# examples


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("a `b` c", ["a ", " c"]),
        ("[[t|x y]] and [[u]]", ["x y", " and ", "u"]),
        ("[x](y.md) <zz:a> https://e.org/b w", ["x", " ", " ", " w"]),
        ("---\nk: v\n---\n# H\n\n```\nc\n```\n> q\n> r", ["H", "q", "r"]),
        ("a %%b%% $c$ <b>d</b> ![[e]] f[^1]\n\n[^1]: g", ["a ", " ", " ", "d", " ", " f", "g"]),
        ("| a | b |\n|--|--|\n| [[c\\|d]] | e\\|f |", ["a", "b", "d", "e", "|f"]),
        ("[x]: y.md\n\n    code\n\n<div>\nh\n</div>", []),
    ],
)
def test_prose(text: str, prose: list[str]) -> None:
    found = [text[start:end] for start, end in prose_spans(text)]
    assert [part.strip() for part in found if part.strip()] == [
        part.strip() for part in prose if part.strip()
    ]


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        ("See [[a/b.md|B c]], [[d]] and [[e#f]].", "See B c, d and e#f."),
        ('[x *y*](z.md "t") [w](https://e.org)', "x *y* w"),
        ("[![i](p.png)](q.md) ![[e|100]]", "i 100"),
        ("`[[a]]` %%[[b]]%% \\[[c]]", "`[[a]]` %%[[b]]%% \\[[c]]"),
        ('---\nk: "[[a]]"\n---\n[[b]]\r\n', '---\nk: "[[a]]"\n---\nb\r\n'),
        ("| [[a\\|A]] | b |\n|--|--|\n", "| A | b |\n|--|--|\n"),
        ("> [x\n> y](z.md) [[ a | b ]]", "> x\n> y b"),
        ("[r][d]\n\n[d]: e.md", "r\n\n[d]: e.md"),
        ("no links\n", "no links\n"),
    ],
)
def test_strip_links(text: str, stripped: str) -> None:
    assert strip_links(text) == stripped


def test_predicates_compare_without_case_hyphen_and_normal_form() -> None:
    assert canonical_predicate("Derived-From") == "derived_from"
    assert canonical_predicate("Cafe\u0301") == "café"
    assert scan("De\u0301rive:: [[a]]").links[0].predicate == "dérive"
    assert scan("हिन्दी:: [[a]]").links[0].spelling == "हिन्दी"


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_newlines_and_returns_end_lines(separator: str) -> None:
    first, second = scan(f"[[a]]{separator}[[b]]\n").links
    assert (first.line, second.line, second.col) == (1, 1, 7)


def test_a_bom_is_no_column() -> None:
    link = scan("\ufeff[[a]]").links[0]
    assert (link.line, link.col, link.start) == (1, 1, 1)
    assert scan("\ufeff").body_start == 1
    assert scan("\ufeff---\n---\n").body_start == 9
    assert [heading.text for heading in scan("\ufeff# H").headings] == ["H"]


# growth


def nested_list(depth: int) -> str:
    return "".join(f"{'  ' * level}- [[a]]\n" for level in range(depth))


HOSTILE: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "closed brackets": lambda n: "[" * n + "]" * n,
    "openings": lambda n: "[[" * n,
    "unclosed wikilinks": lambda n: "[[a" * n,
    "half closed wikilinks": lambda n: "[[a]" * n,
    "images": lambda n: "![" * n,
    "footnotes": lambda n: "^[" * n,
    "labels": lambda n: "[x][" * n + "\n\n[x]: y",
    "destinations": lambda n: "[a](" * n,
    "titles": lambda n: "[a](b 'c" * n,
    "backticks": lambda n: "`" * n + "[",
    "growing backticks": lambda n: "".join("`" * (k % 40 + 1) + " " for k in range(n // 8)) + "[",
    "quotes": lambda n: "> " * n + "[[a]]",
    "lazy quote": lambda n: "> " * n + "[\n" + "b\n" * n,
    "items": lambda n: "- " * n + "[[a]]",
    "nested list": lambda n: nested_list(int(n**0.5)),
    "rule-like items": lambda n: "* " * n + "[",
    "dollars": lambda n: "$" * n + "[",
    "open math": lambda n: "$a " * n + "[",
    "math blocks": lambda n: "$$ x\n\n" * n + "[",
    "comment marks": lambda n: "%%" * n + "[",
    "comments": lambda n: "%% [[a]]\n\n" * n,
    "declarations": lambda n: "x " + "<!A " * n + "[",
    "HTML comments": lambda n: "x <!--" * n + "[",
    "tags": lambda n: "<a b='" * n + "[",
    "pointed brackets": lambda n: "<" * n + "[",
    "definitions": lambda n: "[x]:\n" * n,
    "open title": lambda n: "[x]: a '\n" + "b\n" * n,
    "open label": lambda n: "[\n" + "b\n" * n,
    "table": lambda n: "|a[|\n|-|\n" + "|b|\n" * n,
    "cells": lambda n: "|" * n + "[\n" + "|-" * n + "|",
    "predicates": lambda n: "(p:: " * n + "[[a]] " * n + ")" * n,
    "one long line": lambda n: "p:: " + "[[a]] " * n,
    "frontmatter": lambda n: "---\n" + "- \"'\n" * n + "[[x]]\n---\n",
    "frontmatter links": lambda n: "---\n" + "x: '[[a]]'\n" * n + "---\n",
    "links in a property": lambda n: "---\nx: '" + "[[a]] " * n + "'\n---\n",
    "wrapped links in a property": lambda n: "---\nx: " + "[[a\n  b]] " * n + "\n---\n",
    "open wrapped links": lambda n: "---\nx: " + "[[a\n  b " * n + "\n---\n",
    "block scalars": lambda n: "---\n" + "x: |\n" * n + "  [[a]]\n---\n",
    "blank lines in a block scalar": lambda n: "---\nx: |\n" + "  \n" * n + "[[a]]\n---\n",
    "quoted": lambda n: "---\nx: [" + "\"a', " * n + "[[a]]]\n---\n",
    "braces": lambda n: "---\n" + "{x: " * n + "[[a]]\n---\n",
    "tags of values": lambda n: "---\nx: " + "!a " * n + "[[a]]\n---\n",
    "indented property": lambda n: "---\n" + " " * n + "[[a]]\n---\n",
    "long key": lambda n: "---\n" + "a" * n + "\n[[a]]\n---\n",
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_work_grows_with_the_text(shape: str) -> None:
    """Lines of code run, not time: twice the text takes about twice the lines."""
    small, large = (lines_run(HOSTILE[shape](size)) for size in (300, 600))
    assert large < 2.6 * small + 300


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_notes_are_read(shape: str) -> None:
    """What no line count shows, work inside a pattern that grows with the square, would take minutes here."""
    text = HOSTILE[shape](20_000)
    scan(text)
    assert len(strip_links(text)) <= len(text)
    assert all(start < end for start, end in prose_spans(text))


def lines_run(text: str) -> int:
    count = 0

    def trace(_frame: object, event: str, _argument: object) -> object:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        scan(text)
    finally:
        sys.settrace(before)
    return count


def test_text_deeper_than_the_nesting_limit_is_still_read() -> None:
    assert [link.target for link in scan("> " * 5_000 + "[[a]]\n\n[[b]]").links] == ["a", "b"]
    assert scan("- " * 5_000 + "[[a]]\n\n[[b]]").links[-1].target == "b"
