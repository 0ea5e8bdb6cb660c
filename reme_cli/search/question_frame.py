"""The words around the cue and the name in a question for a relation, English and Chinese."""

from __future__ import annotations

from typing import Final

from reme_cli.predicates.vocabulary import words_of

PAST: Final = words_of(
    "worked used former formerly previously ex past ever once 先后 曾 曾经 以前 之前 过 前"
)
"""Words that ask for what held once, too."""

ASKING: Final = words_of(
    "who whom whose who's which what what's where where's list name show tell give find identify anyone anybody everyone everybody someone"
    " somebody those 谁 哪些 哪个 哪位 哪家 哪几 哪里 哪儿 哪 什么 列出 列举 告诉 几位 何处 何人 何"
)
PEOPLE: Final = words_of(
    "who whom whose who's anyone anybody everyone everybody someone somebody people person persons folks individuals 谁 人 哪位 何人"
)
OTHERS: Final = words_of(
    "how why when year 哪年 哪一年 何年 年份 日期 时间 几年 多久 怎么 怎样 如何 为什么 为何 何时 什么时候 多少"
)
"""Questions that no relation answers."""
PLACES: Final = words_of("where where's 哪里 哪儿 何处")
COMPANIES: Final = words_of(
    "company companies startup startups start-up start-ups firm firms business businesses organisation organization organisations organizations employer venture ventures 公司 企业 机构 创业公司"
)
MEETINGS: Final = words_of("meeting meetings event events session sessions call calls 会议 会 活动 例会")

FUNCTION: Final = (
    ASKING
    | PEOPLE
    | COMPANIES
    | MEETINGS
    | PAST
    | words_of(
        "a an the of in at for to by with from on into as is are was were be been being am do does did has have had having can could you me"
        " please and or all any some that this these those there it its their his her him them they he she i we us our my one ones"
        " also currently now today still right actually so far exactly really know knows many much up out's s 's re 've ve"
        " names names' full complete entire list every each else other thing things something anything note notes page pages"
        " would like want need make_up i'm i'd looking called named known turn turns turned within inside about over among amongst counted"
        " 的 了 吗 呢 ？ 是 有 由 被 在 于 都 请 我 一下 位 个 家 几 名 些 里 中 上 和 与 吧 啊 给 为 对 向 所 目前 现在 正在 到 从 自 跟 归 名单 会 着 还 也 担任 做 当 任 作为 过 哪 到底 究竟 东西 事情 项目 那 这 方 手上 手里 旗下 列 出 当时 获 获得 得到 接受 拿到 背后 过谁 共 都有"
    )
)
"""Words that a question for a relation may hold besides its cue and a name."""

TOLERATED: Final = words_of(
    "financial hold holds held holding supply supplied supplies provide provides provided offer offers offered give gives gave given get gets got receive"
    " receives received take takes took serve serves served serving act acts acted sit sits sat contribute contributed contributes count counts"
    " raise raised angel early first lead leading main key notable outside external seed series original initial primary independent institutional"
    " venture actual individual private various current former own money capital cash funds funding round rounds board committee role"
    " roles capacity position positions company's startup's technical strategic formal informal side person people's living"
    " system systems service services team teams project projects module modules tool tools product products group groups document documents"
    " 系统 服务 团队 项目 模块 组 小组 部门 工具 产品 组件 方案 文档 提供 建议 给予 主要 早期 天使 第一 最初 公司 企业"
)
"""Descriptions that do not change what is asked for."""
