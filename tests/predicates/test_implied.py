"""What sentences state, case by case, and what no sentence may do to the reading."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reme_cli.predicates.implied import implied_edges
from reme_cli.predicates.note_self import called, note_self
from reme_cli.predicates.table import standard_phrasings, table_of
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from _pytest.mark import ParameterSet

    from reme_cli.predicates.implied import Implied
    from reme_cli.predicates.table import Table
    from reme_cli.vault.link import Scan

CASES = Path(__file__).with_name("cases.md")
NO_PROPERTIES: Mapping[str, object] = {}


def edges_of(
    text: str,
    found: Scan,
    path: str,
    properties: Mapping[str, object] = NO_PROPERTIES,
    table: Table | None = None,
) -> tuple[Implied, ...]:
    """The relations in a note of no other name."""
    said = (path, properties, (), "")
    return implied_edges(text, found, table or table_of(), called(*said), lambda: note_self(*said))


def stated(
    text: str, path: str = "notes/topic.md", properties: Mapping[str, object] = NO_PROPERTIES
) -> list[str]:
    """The relations in a note as `subject predicate object`, in order of first statement."""
    found = scan(text)
    edges = edges_of(text, found, path, properties)

    def name(end: int | None) -> str:
        return "self" if end is None else found.links[end].target

    lines = (
        f"{name(edge.subject)} {edge.predicate} {name(edge.object)}"
        + (f" ({edge.tense})" if edge.tense else "")
        for edge in edges
    )
    return list(dict.fromkeys(lines))


def cases() -> Iterator[ParameterSet]:
    """Path of the note, text and expected relations of each case."""
    path = ""
    for number, line in enumerate(CASES.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("## "):
            path = line.partition(" · ")[2]
        elif "→" in line and path:
            text, _, expected = line.partition("→")
            wanted = sorted(filter(None, (part.strip() for part in expected.split(";"))))
            yield pytest.param(path, text.strip().replace("⏎", "\n"), wanted, id=f"{number}")


@pytest.mark.parametrize(("path", "text", "expected"), list(cases()))
def test_a_sentence_states(path: str, text: str, expected: list[str]) -> None:
    assert sorted(stated(text, path)) == expected


def test_the_cases_cover_every_predicate_in_both_languages() -> None:
    headings = re.findall(r"^## (\S+)( zh)? · ", CASES.read_text(encoding="utf-8"), re.MULTILINE)
    for predicate, _ in standard_phrasings():
        assert {("", True), (" zh", True)} <= {(zh, name == predicate) for name, zh in headings}, predicate


@pytest.mark.parametrize(
    "text",
    [
        "```\n[[mia]] founded [[acme]]\n```",
        "    [[mia]] founded [[acme]]",
        "> [[mia]] founded [[acme]].",
        "> quoted\n[[mia]] founded [[acme]].",
        "- > [[mia]] founded [[acme]].",
        "%% [[mia]] founded [[acme]] %%",
        "<!-- [[mia]] founded [[acme]] -->",
        "[[mia]] `founded` [[acme]]",
        "founded_by:: [[mia]]",
        "The phrase (founded:: [[acme]]) is typed by [[mia]].",
        "| founded | [[mia]] |\n|---|---|\n| [[acme]] | x |",
        "---\nfounded: '[[mia]]'\n---\nNothing.",
        "# [[mia]]\n\nfounded\n\n[[acme]]",
    ],
)
def test_what_no_sentence_of_the_note_says_is_not_stated(text: str) -> None:
    assert stated(text) == []


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "---\ntype: company\n---\n"])
def test_line_endings_and_what_stands_before_the_text_make_no_difference(start: str, ending: str) -> None:
    text = f"{start}One.\nAcme was founded\nby [[mia]]\nand [[tom]]. Later.\n".replace("\n", ending)
    assert stated(text, "acme.md") == ["mia founded self", "tom founded self"]


@pytest.mark.parametrize(
    "text",
    [
        "[[acme]] is old.\n\n[[zoe]] called. [[mia]] founded [[acme]].",
        # the one who is meant is linked in the next sentence, which a quotation begins
        'One.\n\nThere was Mia, who founded [[acme]].\n"I knew it all along", says [[mia]].',
    ],
)
def test_a_link_shows_where_the_sentence_stands(text: str) -> None:
    found = scan(text)
    (edge,) = edges_of(text, found, "a/b.md")
    link = found.links[edge.place]
    assert (link.target, link.line) == ("acme", 3)


def test_the_kind_of_the_note_is_only_a_hint() -> None:
    text = "She founded [[acme]]."
    assert stated(text, "x/mia.md") == ["self founded acme"]
    assert stated(text, "x/mia.md", {"type": "person"}) == ["self founded acme"]
    assert stated(text, "x/mia.md", {"type": "company"}) == []


def test_a_vault_can_add_phrasings() -> None:
    table = table_of((("mentors", ("X took Y under her wing", "Y 拜 X 为师")),))
    for text in ("[[mia]] took [[tom]] under her wing.", "[[tom]]拜[[mia]]为师。"):
        found = scan(text)
        (edge,) = edges_of(text, found, "a.md", table=table)
        named = (found.links[edge.subject or 0].target, edge.predicate, found.links[edge.object or 0].target)
        assert named == ("mia", "mentors", "tom")


FRAGMENTS = st.sampled_from(
    [
        "[[a]]", "[[b|B]]", "[C](c.md)", "![[d]]", " founded ", " by ", " and ", ", ", ". ", "\n", "\n\n", "who ", "never ", "(", ")", "“", "”",
        '"', "`", "- ", "> ", "| ", "**2021** | ", "由", "创立", "，", "、", "。", "的", "is a ", "led the seed round", "\x01", "\x02", "\x04", "'s ", "投资", "joined as advisor", "%%",
        "<!--", "~~", "Acme ", "She ", "the company ",
    ]
)  # fmt: skip


@given(
    st.lists(FRAGMENTS, max_size=40).map("".join),
    st.sampled_from(["acme.md", "meetings/1:1.md", "2025-01-01.md"]),
)
def test_every_relation_stands_between_links_of_the_text(text: str, path: str) -> None:
    found = scan(text)
    edges = edges_of(text, found, path)
    assert edges == edges_of(text, found, path)
    for edge in edges:
        assert edge.subject != edge.object
        assert all(end is None or 0 <= end < len(found.links) for end in (edge.subject, edge.object))
        assert 0 <= edge.place < len(found.links)


@pytest.mark.parametrize(
    ("unit", "end"),
    [
        ("[[a]] founded [[b]] and ", ""),
        ("[[a]], ", "founded [[b]]."),
        ("founded by ([[a]] ", ""),
        ("`[[a]] founded ", ""),
        ('"[[a]] founded ', ""),
        ("<!-- [[a]] founded\n", ""),
        ("- [[a]] founded [[b]]\n", ""),
        ("[[a]] founded\n", ""),
        ("[[a]]由创立", ""),
        ("founded ", "[[a]]"),
        ("launched [[a]] ", ""),
        ("Acme Acme, and ", "[[b]] founded [[a]]"),
    ],
)
def test_hostile_text_is_read_in_linear_time(unit: str, end: str) -> None:
    def steps(times: int) -> int:
        """Lines of our code that are run, which no load of the machine changes."""
        text = unit * times + end
        found = scan(text)
        about = note_self("acme.md", {}, (), "")
        count = 0

        def trace(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal count
            count += 1
            return trace if "predicates" in frame.f_code.co_filename else None

        sys.settrace(trace)
        try:
            implied_edges(text, found, table_of(), "acme.md", lambda: about)
        finally:
            sys.settrace(None)
        return count

    assert steps(2000) < 5 * steps(500) + 5_000
