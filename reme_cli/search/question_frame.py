"""The words around the cue and the name in a question for a relation, English and Chinese."""

from __future__ import annotations

from typing import Final

from reme_cli.predicates.vocabulary import words_of
from reme_cli.regex import regex

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
NEGATED: Final = words_of(
    "isn't aren't wasn't weren't doesn't didn't never wants refused refuses declined declines 没有 没 不是 拒绝"
)
"""Words of questions for whom a relation does not hold."""
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
        " would like want need two three four both together few several couple comes coming through via anywhere hi hey hello thanks thank wondering wonder curious remind quick question make_up i'm i'd looking called named known turn turns turned within inside about over among amongst counted"
        " 的 了 吗 呢 ？ 是 有 由 被 在 于 都 请 我 一下 位 个 家 几 名 些 里 中 上 和 与 吧 啊 给 为 对 向 所 目前 现在 正在 到 从 自 跟 归 名单 会 着 还 也 担任 做 当 任 作为 过 哪 到底 究竟 东西 事情 项目 那 这 方 手上 手里 旗下 列 出 当时 获 获得 得到 接受 拿到 拿 拿了 拿过 收到 帮 替 想 找 听 听取 采纳 征求 那里 那儿 来自 一共 分别 背后 过谁 共 都有"
    )
)
"""Words that a question for a relation may hold besides its cue and a name."""

TOLERATED: Final = words_of(
    "financial hold holds held holding supply supplied supplies provide provides provided offer offers offered give gives gave given get gets got receive"
    " receives received take takes took serve serves served serving act acts acted sit sits sat contribute contributed contributes count counts"
    " raise raised angel early first lead leading main key notable outside external seed series original initial primary independent institutional"
    " venture actual individual private various current former own money capital cash funds funding round rounds board committee role"
    " circle bench panel council bunch pool roster lineup folks books chair chairs seat seats rest accept accepts accepted seek seeks sought roles capacity position positions company's startup's technical strategic formal informal side person people's living"
    " system systems service services team teams project projects module modules tool tools product products group groups document documents"
    " 系统 服务 团队 项目 模块 组 小组 部门 工具 产品 组件 方案 文档 提供 给予 主要 早期 天使 第一 最初 公司 企业"
)
"""Descriptions that do not change what is asked for."""

SAID: Final[dict[str, str]] = {
    "skin in the game": "stake",
    "has a desk": "has_a_job",
    "have a desk": "has_a_job",
    "clocks in": "works",
    "clock in": "work",
    "spends their days working": "works",
    "spend their days working": "work",
    "earns their living": "works",
    "earn their living": "work",
    "makes a living": "works",
    "works out of": "works at",
    "over at": "at",
    "made it to": "showed_up",
    "make it to": "showed_up",
    "got together": "met",
    "get together": "met",
    "sat down": "met",
    "team members": "employees",
    "to life": "brought_to_life",
    "employed with": "employed_at",
    "set up": "set_up",
    "dreamed up": "dream_up",
    "take part": "take_part",
    "put money": "put_money",
    "puts money": "put_money",
    "putting money": "put_money",
    "put any money": "put_money",
    "put their money": "put_money",
    "put his money": "put_money",
    "put her money": "put_money",
    "put cash": "put_cash",
    "put capital": "put_capital",
    "write checks": "wrote_checks",
    "write cheques": "wrote_checks",
    "wrote cheques": "wrote_checks",
    "writes checks": "wrote_checks",
    "writes cheques": "wrote_checks",
    "wrote the check": "wrote_checks",
    "wrote the cheque": "wrote_checks",
    "makes up": "make_up",
    "make up": "make_up",
    "write a cheque": "wrote_a_cheque",
    "wrote a cheque": "wrote_a_cheque",
    "give money": "gave_money",
    "in charge of": "in_charge",
    "inspired by": "inspired_by",
    "advisory boards": "advisory_board",
    "off the ground": "off_the_ground",
    "came up with": "came_up_with",
    "people in": "people_in",
    "was at": "was_at",
    "were at": "was_at",
    "is at": "was_at",
    "who's at": "was_at",
    "was in": "was_at",
    "were in": "was_at",
    "was there": "there",
    "were there": "there",
    "on the team": "team",
    "on staff": "staff",
    "i'm after": "find",
    "i am after": "find",
    "we're after": "find",
    "we are after": "find",
    "looking for": "find",
    "i'm looking for": "find",
    "in search of": "find",
    "hunting for": "find",
    "trying to find": "find",
    "find out": "find",
    "pull up": "find",
    "an intro to": "to",
    "an introduction to": "to",
    "intro to": "to",
    "introduction to": "to",
    "introduce me to": "find",
    "intro me to": "find",
    "put me in touch with": "find",
    "get in touch with": "find",
    "i'd like to meet": "find",
    "i want to meet": "find",
    "i'd like to know": "tell",
    "i want to know": "tell",
    "advisory group": "advisory_board",
    "advisory team": "advisory_board",
    "advisory committee": "advisory_board",
    "advisory lineup": "advisory_board",
    "advisory roster": "advisory_board",
    "circle of advisors": "advisors",
    "circle of advisers": "advisors",
    "panel of advisors": "advisors",
    "bench of advisors": "advisors",
    "group of advisors": "advisors",
    "team of advisors": "advisors",
    "sat around the table": "at_the_table",
    "sat at the table": "at_the_table",
    "sitting at the table": "at_the_table",
    "made an appearance": "showed_up",
    "put in an appearance": "showed_up",
    "made it": "showed_up",
    "turn out for": "showed_up",
    "turned out for": "showed_up",
    "sat down together": "met",
    "sit down together": "met",
    "sat in the room": "in_the_room",
    "on the attendee list": "attendee_list",
    "list of attendees": "attendees",
    "list of participants": "participants",
    "on the participant list": "participants",
    "on the call": "on_the_call",
    "in the meeting room": "in_the_room",
    "on the cap table": "cap_table",
    "on payroll": "payroll",
    "on the payroll": "payroll",
    "on the crew": "crew",
    "on the staff": "staff",
    "part of the team": "team",
    "part of the staff": "staff",
    "part of the crew": "crew",
    "on the headcount": "headcount",
    "draws a salary": "salary",
    "draw a salary": "salary",
    "draws a paycheck": "paycheck",
    "draw a paycheck": "paycheck",
    "gets a paycheck": "paycheck",
    "collects a paycheck": "paycheck",
    "collect a paycheck": "paycheck",
}
"""Several words that say what one does."""
_HOLDING: Final = r"(?:a|an|the|any|some|its|their|his|her|own|personal|first|early|initial|seed|angel|small|big|sizable|minority|equity|ownership|financial|up)"
_ADJECTIVE: Final = r"(?:its|their|his|her|the|a|any|some|most|much|all|good|regular|strategic|outside|external|expert|informal|formal|professional|of|in|to|for)"
FRAMES: Final = tuple(
    (regex(pattern), said)
    for pattern, said in (
        (
            (
                rf"\b(?:put|puts|putting|pour|pours|poured|sink|sank|sunk|plow|plough|ploughed|plowed|inject|injects|injected|throw|threw|kick|kicked|pump|pumped|commit|committed|chip|chipped)"
                rf"(?: {_HOLDING})*(?: in)? (?:money|cash|capital|funds|funding|dollars|financing)\b"
            ),
            "put_money",
        ),
        (
            rf"\b(?:write|writes|wrote|written|cut|cuts|sign|signs|signed|hand|handed)(?: {_HOLDING})* (?:cheque|check)s?\b",
            "wrote_checks",
        ),
        (
            (
                rf"\b(?:own|owns|owned|hold|holds|held|have|has|had|having|take|takes|took|taken|buy|buys|bought|acquire|acquired)(?: {_HOLDING})*"
                r" (?:stakes?|shares|equity|piece|slice|shareholdings?)\b"
            ),
            "stake",
        ),
        (r"\bover at\b", "at"),
        (r"\b(working|employed) there\b", r"\1"),
        (r"(?<=\x01) ?'s (?=(?:been|got|raised|had)\b)", " has "),
        (
            r"\b(?:leans?|leaned|rel(?:y|ies|ied)|depends?|depended|counts?|draws?|drew) (?:up)?on\b(?=.*\b(?:advice|guidance|counsel|mentor))",
            "get",
        ),
        (
            r"^\s*(?:我们?|请|帮我|麻烦|帮忙)+(?:你|您)?(?:想要?|要|得|需要)?(?:找|查|认识|联系|知道|了解)(?:一下|到|出)?",
            "列出 ",
        ),
        (
            r"(?<=\x01 's )backing\b(?! \x01)|\b(?:its|their|any|some|financial) backing\b|\bbacking from\b",
            "funding",
        ),
        (r"的?(?:投资|资金|融资|钱)(?:主要|都|分别)*(?:来自|从)(?=谁|哪|何)", "的投资人是"),
        (rf"\b{_ADJECTIVE} counsel\b(?! to\b)|\bcounsel from\b", "advice from"),
        (
            r"\b(?:give|gives|gave|giving|offer|offers|offered|provide|provides|provided|lend|lends|lent) counsel\b",
            "advises",
        ),
        (
            r"\b(?:turn|turns|turned|go|goes|went|look|looks|looked) to\b(?=.* for (?:\w+ )?(?:advice|guidance|mentor))",
            "get",
        ),
        (r"\b(?:dialled|dialed|dial|called|logged|phoned|zoomed) (?:in|into|on to|onto)\b", "dialed_in"),
        (r"\b(?:came|come|turned|showed|gathered|got|met|sat)(?: up| down)? together\b", "met"),
    )
)
"""A noun of the relation in the verbs it goes with."""


def framed(text: str) -> str:
    """A question whose nouns with verbs are said by one word."""
    for pattern, said in FRAMES:
        text = pattern.sub(said, text)
    return text
