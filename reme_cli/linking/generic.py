"""Names that say nothing: what many vaults call a note by its place, its day or its part of a whole, and function words."""

from __future__ import annotations

from typing import Final

from reme_cli.regex import regex


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_GENERIC: Final = _words(
    """
    404 about abstract all and appendix archive archives attachments changelog chapter contact contents draft drafts faq file files folder home
    homepage inbox index introduction journal license links list log main misc miscellaneous new note notes overview page pages part
    preface readme references scratch scratchpad section start summary tag task tasks template test tmp temp todo todos untitled welcome
    acknowledgements acknowledgments bibliography conclusion epilogue foreword
    引言 结语 后记 目次 大纲 备忘 杂记 札记 周报 月报 新页面 无题 临时 暂存 索引页
    关于 归档 附件 目录 索引 首页 主页 说明 草稿 模板 收件箱 收集箱 日记 日志 周记 月记 笔记 随笔 其他 其它 杂项 未命名 无标题 列表
    任务 待办 待办事项 标签 文件 链接 测试 示例 概述 概览 简介 前言 序言 附录 摘要 小结 总结 参考资料 参考文献 备忘录 会议记录 会议纪要
    读书笔记 每日笔记 新笔记 新建笔记 新建文件 新建文档 新建文本文档 未命名笔记 未命名文件 未命名文档 无标题笔记 无标题文档
    """
) | frozenset(
    {
        "class notes",
        "daily log",
        "daily note",
        "lecture notes",
        "meeting minutes",
        "meeting note",
        "meeting notes",
        "monthly note",
        "new document",
        "new file",
        "new folder",
        "new note",
        "new notes",
        "new page",
        "reading note",
        "reading notes",
        "start here",
        "todo list",
        "to do list",
        "table of contents",
        "untitled document",
        "untitled note",
        "weekly note",
        "weekly notes",
    }
)
_STOP: Final = _words(
    """
    a an and any are as at be been but by can could did do does for from get go had has have he her here him his how i if in into is it
    its just like may me might more most much must my no not now of off on one only or our out over own same she should so some such
    than that the their them then there these they this those through to too under up us very was we well were what when where which
    while who whom why will with would yes you your today tomorrow yesterday
    的 了 和 是 在 我 有 他 她 它 们 这 那 与 也 都 就 不 而 及 或 我们 你们 他们 她们 它们 自己 什么 怎么 如何 为什么 因为 所以 但是 如果 这个 那个
    这些 那些 可以 没有 一个 一些 一种 以及 或者 然后 其中 时候 现在 今年 去年 问题 方法 时间 东西 事情 今天 明天 昨天
    """
)
_COPIES: Final = ("copy", "副本")
_COPY: Final = regex(rf"(?:\s?(?:\b{_COPIES[0]}|{_COPIES[1]}))?\s?[(（]?\d{{0,3}}[)）]?\Z")
"""What programs and people put behind a name that is taken: `Untitled 1`, `未命名(2)`, `Chapter 3`."""
_PART: Final = regex(
    r"(?:appendix|chapter|day|episode|lecture|lesson|module|part|section|session|step|unit|vol\.?|volume)"
    r" (?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-d]|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"|第(?:\d{1,3}|[一二三四五六七八九十百]{1,5})(?:章|节|回|卷|篇|讲|课|集|期|天|部|部分|单元)|附录(?:\d{1,2}|[a-z一二三四五六七八九十])"
)
"""A part of a whole by its number: `Section 1.2`, `Part II`, `第三章`."""

_MONTH: Final = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?"
    r"|dec(?:ember)?)\.?"
)
_WEEKDAY: Final = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
_HAN_NUMBER: Final = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_HAN_WEEKDAY: Final = "(?:星期|礼拜|周)[一二三四五六日天]"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE: Final = regex(
    r"\d{4}[ ./年]\d{1,2}(?:[ ./月]\d{1,2}日?)?|\d{6}(?:\d{2}(?:\d{4}(?:\d{2})?)?)?|\d{4}\s?w\d{1,2}|\d{4}\s?q[1-4]"
    r"|\d{4} week \d{1,2}|week \d{1,2}(?:,? \d{4})?|q[1-4] \d{4}|第?\d+周"
    rf"|(?:\d{{4}}年)?{_HAN_NUMBER}月(?:份|{_HAN_NUMBER}[日号])?|\d{{4}}年"
    r"|\d{1,2}[ ./]\d{1,2}[ ./]\d{4}|q[1-4]|(?:spring|summer|autumn|winter) \d{4}"
    rf"|(?:{_DAY} (?:of )?)?{_MONTH}(?:,? \d{{4}})?|{_MONTH} {_DAY}(?:,? \d{{4}})?|\d{{4}} {_MONTH}(?: {_DAY})?"
)
_OF_A_WEEK: Final = regex(
    rf"(?:{_WEEKDAY},? )(?=.)|(?<=.)(?:,? ?[(（]?(?:{_WEEKDAY}|{_HAN_WEEKDAY})[)）]?)\Z"
)
"""The day of the week beside a date,"""
_IN_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun", "星期", "礼拜", "周")
"""which holds one of these: most names do not, and that is found out sooner."""
_NOT_A_DAY: Final = _words("dec fri jan mar mon oct sat sun thu tue tues wed")
"""With a number beside it a date; alone also something else, as the Sun."""
_WEEKDAY_ALONE: Final = regex(f"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{_HAN_WEEKDAY}")


def says_nothing(key: str) -> bool:
    """Whether a name is one that no mention is meant by: generic, a date, or a function word. `key` is as names are compared."""
    if key in _STOP or is_date(key) or _PART.fullmatch(key):
        return True
    bare = key
    if (not key[-1:].isalpha() or key.endswith(_COPIES)) and (match := _COPY.search(key)):
        bare = key[: match.start()]
    return bare in _GENERIC or key in _GENERIC


def is_date(key: str) -> bool:
    """Whether a name is a day, a week, a month or a year, or a day of the week. `key` is as names are compared."""
    if key in _NOT_A_DAY:
        return False
    if not any(map(key.__contains__, _IN_WEEKDAYS)):
        return _DATE.fullmatch(key) is not None
    return _WEEKDAY_ALONE.fullmatch(key) is not None or _DATE.fullmatch(_OF_A_WEEK.sub("", key)) is not None
