"""Quoting the links of any frontmatter."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.lint.rules.unquoted_link import RULE
from reme_cli.lint.survey import Subject
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.wikilink import scan

if TYPE_CHECKING:
    from reme_cli.lint.finding import Problem
    from reme_cli.lint.survey import Survey

PIECES = st.sampled_from(
    [
        "[[A]]",
        "[[B|b]]",
        "[[C#d, e]]",
        '[[the "f"]]',
        "![[g.png]]",
        "[[1]]",
        "[",
        "]",
        ", ",
        " and ",
        '"',
        "'",
        "# ",
        "x",
    ]
)
VALUES = st.lists(PIECES, max_size=4).map("".join)
LINES = st.one_of(
    st.builds("{}: {}".format, st.sampled_from(["up", "related", "键"]), VALUES),
    st.builds("{}- {}".format, st.sampled_from(["", "  "]), VALUES),
    st.sampled_from(["up:", "text: |", "text: >", "  [[A]]", "", "# [[A]]"]),
)


def problems(text: str) -> list[Problem]:
    assert RULE.check_note is not None
    subject = Subject(Note("a.md", text, stamp_of(text.encode())))
    return list(RULE.check_note(subject, cast("Survey", None)))  # it looks at the text alone


@settings(max_examples=400)
@given(st.lists(LINES, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_a_fix_leaves_every_link_and_nothing_more_to_find(lines: list[str], newline: str) -> None:
    text = newline.join(["---", *lines, "---", "[[Z]]", ""])
    found = problems(text)
    fixed = text
    for problem in reversed(found):
        assert problem.fix is not None
        (change,) = problem.fix.replacements
        fixed = fixed[: change.start] + change.text + fixed[change.end :]
    if found:
        assert Note("a.md", fixed, stamp_of(fixed.encode())).frontmatter
        assert problems(fixed) == []
        before, after = (
            [(link.target, link.anchor, link.alias, link.predicate) for link in scan(each).links]
            for each in (text, fixed)
        )
        assert before == after
