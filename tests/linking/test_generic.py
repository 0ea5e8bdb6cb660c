"""Names that no mention is meant by, and names that only look like them."""

from __future__ import annotations

import pytest

from reme_cli.linking.folding import fold_name
from reme_cli.linking.generic import says_nothing
from reme_cli.linking.names import names_of


@pytest.mark.parametrize(
    "text",
    [
        "Notes",
        "README",
        "Readme 2",
        "Index",
        "Untitled",
        "Untitled 1",
        "Untitled-2",
        "Notes copy 2",
        "New Note",
        "Daily Note",
        "Table of Contents",
        "Overview",
        "Chapter 12",
        "Meeting Notes",
        "Reading notes",
        "Section 1.2",
        "Lesson 3",
        "Day 1",
        "Part II",
        "Appendix A",
        "Chapter One",
        "第3章",
        "第三章",
        "第一部分",
        "附录A",
        "后记",
        "today",
        "昨天",
        "未命名",
        "未命名 1",
        "未命名1",
        "未命名（2）",
        "未命名笔记",
        "新建笔记",
        "笔记 副本",
        "目录",
        "首页",
        "会议记录",
        "参考资料",
        "with",
        "什么",
    ],
)
def test_generic_names(text: str) -> None:
    assert says_nothing(fold_name(text))


@pytest.mark.parametrize(
    "text",
    [
        "2026-06",
        "2026-06-20 Saturday",
        "2026-06-20 周六",
        "2026年6月20日",
        "2026年6月20日（星期六）",
        "六月二十日",
        "六月",
        "周一",
        "June 2026",
        "20 June 2026",
        "June 20th, 2026",
        "Saturday, June 20, 2026",
        "2026 June",
        "Monday",
        "2026-W25",
        "Week 26",
        "Q2 2026",
        "Q1",
        "Summer 2026",
        "20.06.2026",
        "06/20/2026",
    ],
)
def test_dates(text: str) -> None:
    assert says_nothing(fold_name(text))


@pytest.mark.parametrize(
    "text",
    [
        "Tags",
        "Daily Notes",
        "Sun",
        "Mars",
        "Apollo 11",
        "Chapter House",
        "Day of the Dead",
        "Step Function",
        "Unit Test",
        "Vitamin C",
        "Summer School",
        "Python 3.11.5",
        "第三方",
        "第一性原理",
        "第二大脑",
        "Python 3",
        "Catch 22",
        "Copyright",
        "Sunday School",
        "Friday Night Lights",
        "Part Time Work",
        "Maya",
        "Page Rank",
        "日记本",
        "六月雪",
        "一月革命",
        "周末",
        "副本",
    ],
)
def test_names_that_look_like_them(text: str) -> None:
    assert not says_nothing(fold_name(text))


def test_a_day_is_no_name_of_the_note_that_begins_with_it() -> None:
    assert names_of([("file", "2026-06-20 Saturday"), ("heading", "Saturday, 20 June 2026")]) == []
