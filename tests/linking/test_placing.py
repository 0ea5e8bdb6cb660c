"""Where a link may stand, against the reference: a link is seen there, and all else is as it was."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reme_cli.linking import placing
from reme_cli.linking.folding import is_bound
from reme_cli.linking.placing import places_among, with_links
from reme_cli.vault.wikilink import scan, strip_links
from tests.vault.markdown_reference import read

if TYPE_CHECKING:
    from collections.abc import Iterable

NAMES = ("Kube", "知识管理", "k8s cluster", "C++", "C#", ".net", "(Kube) x", "A & B", "קובה", "🍀 Kube")
NAME = re.compile("|".join(map(re.escape, sorted(NAMES, key=len, reverse=True))))
TARGET = "d/n.md"
PIECES = (
    *NAMES,
    *(" ", "\n", "\n\n", "\r\n", "\r", "\t", "\0", "\ufeff", "\u2028", "\u0301", "word ", "中文", "。", "1"),
    *("[", "]", "[[", "]]", "(", ")", "|", "`", "```\n", "~~~\n", "$", "$$\n", "%%", "\\", "{", "}"),
    *(
        "<!--",
        "-->",
        "<b>",
        "</b>",
        "<div>\n",
        "</div>\n",
        "<![CDATA[",
        "<?",
        "?>",
        "<",
        ">",
        "<https://",
        "https://",
        "://",
    ),
    *(
        "+++\n",
        "import a from 'x'\n",
        "export const a = {\n",
        "<Tabs>",
        "</Tabs>",
        "<Card a={",
        "/>",
        "\n{",
        "'",
    ),
    *("- ", "1. ", "\n    ", "> ", "\n# ", "\n===\n", "---\n", "\n| a | b |\n|---|---|\n| ", " | ", "- [ ] "),
    *(
        "!",
        "^",
        "^[",
        "[^1]",
        "\n[^1]: ",
        "\nx:: ",
        "[x:: ",
        "(x:: ",
        "Kube:: ",
        "> [!NOTE] ",
        "#",
        "#tag",
        "@",
        ":",
        "::",
        "/",
        ".",
    ),
    *(
        "[[kube]]",
        "[[kube|Kube]]",
        "![[kube]]",
        "[text](x.md)",
        "![Kube](x.png)",
        "[Kube][a]",
        "[a]",
        "\n[a]: b\n",
        "\n[Kube]: b 'x'\n",
    ),
)


def mentions(text: str) -> list[tuple[int, int]]:
    return [
        found.span()
        for found in NAME.finditer(text)
        if not is_bound(text[found.start() - 1 : found.start()] or " ", found[0][0])
        and not is_bound(found[0][-1], text[found.end() : found.end() + 1] or " ")
    ]


def spelled(links: Iterable[object]) -> Counter[tuple[object, ...]]:
    return Counter(
        tuple(getattr(link, field) for field in ("kind", "target", "anchor", "alias", "predicate"))
        for link in links
    )


@example("[a]: b\n\n[a]知识管理")
@example("https://x.y知识管理")
@example("Kube:: [[kube]]")
@example("[x:: [[kube]] Kube]")
@example("<![CDATA[ Kube> </div>")
@settings(max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_a_link_is_all_that_is_new(text: str) -> None:
    places = places_among(text, mentions(text))
    after = with_links(text, dict.fromkeys(places.values(), TARGET))
    made = Counter(("wikilink", TARGET, None, text[start:end], None) for start, end in places)
    assert strip_links(after) == strip_links(text)
    assert spelled(scan(after).links) == spelled(scan(text).links) + made
    assert [heading.text for heading in scan(after).headings] == [
        heading.text for heading in scan(text).headings
    ]
    seen, seen_before = read(after), read(text)
    assert spelled(seen[0]) == spelled(seen_before[0]) + made
    assert [heading.text for heading in seen[1]] == [heading.text for heading in seen_before[1]]


@example("Kube(Kube) x")
@example("C#知识管理")
@example("知识管理.net")
@example("<A & B C++ <")
@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_a_link_beside_it_makes_no_difference(text: str) -> None:
    places = places_among(text, mentions(text))
    for one in places:
        after = with_links(text, {places[one]: TARGET})
        moved = len(after) - len(text)
        still = places_among(
            after, [span for span in mentions(after) if not one[0] <= span[0] < one[1] + moved]
        )
        others = [(start + moved, end + moved) if start > one[0] else (start, end) for start, end in places]
        assert set(still) == {span for span, other in zip(others, places, strict=True) if other != one}


@pytest.mark.parametrize("text", ["\ufefftool:: Kube", "text\rtool:: Kube", "text\r> [!NOTE] Kube"])
def test_every_line_ending_and_a_byte_order_mark_begin_a_line(text: str) -> None:
    assert places_among(text, [(len(text) - 4, len(text))]) == {}


def test_a_long_word_behind_it_is_looked_through_once() -> None:
    assert len(places_among("Kube" + "知" * 5000, [(0, 4)])) == 1


@pytest.mark.parametrize(
    ("spans", "is_near"),
    [([], False), ([(0, 3)], False), ([(0, 3), (27, 31)], False), ([(0, 3), (16, 19)], True)],
)
def test_near_a_key_is_what_its_paragraph_holds(spans: list[tuple[int, int]], is_near: bool) -> None:
    # looked through once, however many paragraphs have a key
    assert placing._is_near_key("one\n\na:: b\n\nc:: two three\n\nfour", iter(spans)) is is_near


@pytest.mark.parametrize(
    ("behind", "is_in_braces"),
    [
        (" of 1}", True),
        (" of\n1}", False),
        ("", False),
        (" " * 9_000 + "}", True),
        (" " * 10_000 + "}", False),
    ],
)
def test_a_brace_is_looked_for_so_far(behind: str, is_in_braces: bool) -> None:
    assert placing._is_in_braces(f"{{Kube{behind}", 5) is is_in_braces


@pytest.mark.parametrize(
    ("line", "is_barred"),
    [
        ("> [!note] ", True),
        (f"> [!note {'of one thing ' * 9}] ", True),
        (f"> [!note {'of one thing ' * 90}] ", False),
        ("- [x] 键:: ", True),
        (f"- {'键' * 150}:: ", True),
        (f"- {'键' * 1500}:: ", False),
    ],
)
def test_what_begins_a_line_is_no_longer_than_that(line: str, is_barred: bool) -> None:
    assert (placing._LINE_START.match(line) is not None) is is_barred
