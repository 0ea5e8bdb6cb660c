"""Mending a managed block: nothing that a person wrote goes, and what can be mended is mended once."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from reme_cli.config import Config
from reme_cli.index.database import in_memory
from reme_cli.index.index import Index
from reme_cli.lint.rules.damaged_block import RULE
from reme_cli.lint.survey import Subject, Survey
from reme_cli.vault.managed_block import END, START, find_block, markers_in
from reme_cli.vault.note import Note
from reme_cli.vault.stamp import stamp_of
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from reme_cli.lint.finding import Problem

PATH = "daily/2026-06-20.md"
OWN = "- [[daily/2026-06-20/a.md|A]]"
LINES = st.sampled_from(
    [
        START,
        END,
        START,
        END,
        f"  {START}",
        f"{END} text",
        f"{START}  ",
        OWN,
        OWN,
        "- mine",
        "text",
        "",
        "```",
        "# 标题",
    ]
)
PAGES = st.lists(st.tuples(LINES, st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])), max_size=10).map(
    lambda lines: "".join(line + ending for line, ending in lines)
)


def survey_of(root: Path) -> Survey:
    vault = Vault(root, Config())
    return Survey(vault, Index(vault, in_memory(), print), dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def problems(text: str, survey: Survey) -> list[Problem]:
    assert RULE.check_note is not None
    return list(RULE.check_note(Subject(Note(PATH, text, stamp_of(text.encode())), "daily"), survey))


def mended(text: str, found: list[Problem]) -> str:
    replacements = sorted(
        (each.start, each.end, each.text)
        for problem in found
        if problem.fix is not None
        for each in problem.fix.replacements
    )
    for start, end, new in reversed(replacements):
        text = text[:start] + new + text[end:]
    return text


def kept_lines(text: str) -> Counter[str]:
    """The lines, without markers and the items that reme itself lists."""
    for marker in (START, END):
        text = text.replace(marker, "")
    lines = (line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return Counter(line for line in lines if line and line != OWN)


def test_what_a_person_wrote_stays_and_the_rest_is_mended(tmp_path_factory: pytest.TempPathFactory) -> None:
    survey = survey_of(tmp_path_factory.mktemp("vault"))

    @given(PAGES, st.sampled_from(["", "\ufeff"]))
    def check(page: str, bom: str) -> None:
        text = bom + page
        for _ in range(6):
            found = problems(text, survey)
            assert all(0 <= problem.start < problem.end <= len(text) for problem in found)
            after = mended(text, found)
            assert kept_lines(after) == kept_lines(text)
            if after == text:
                break
            text = after
        assert not any(problem.fix for problem in found)
        if not found:
            assert markers_in(text) == [] or find_block(text) is not None

    check()
    survey.index.close()
