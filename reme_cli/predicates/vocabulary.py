"""Words that every sentence has, English and Chinese, by the part they play when a relation is looked for."""

from __future__ import annotations

from typing import Final


def words_of(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


DETERMINERS: Final = words_of(
    "a an the this that these those our its his her their my your some several both all two three"
)
POSSESSIVES: Final = words_of("its his her their our my")
OF_PERSONS: Final = words_of("he she him her his i me my 他 她")
PRONOUNS: Final = words_of(
    "he she it they we i him her them us itself 他 她 它 他们 她们 我 我们 其 它们 本人 笔者"
)
OF_AUTHORS: Final = words_of("i we me us my our 我 我们")
"""What means who writes, not what the note is about."""
OF_SEVERAL: Final = words_of("they them their 他们 她们 它们")
NO_PRONOUNS: Final = words_of("其他 其它 其中 其实 其余 其次 极其 尤其 他人 我国 自我 它山")
"""Words that begin or end like a Chinese pronoun."""
IMPERATIVES: Final = words_of(
    "prefer favor invest need require join attend depend rely own maintain manage oversee advise lead participate live work belong use"
    " contradict conflict look take build start create launch back fund set 需要 使用 参加 参与 加入 维护 管理 喜欢 首选 取代 替换 替代 代替 依赖"
)
"""Verbs that without a subject tell somebody to do something."""
RELATIVE: Final = words_of("who which that whom whose")
OF_RELATIVE: Final = words_of("both all each one some most many of")
AUXILIARIES: Final = words_of(
    "is are was were be been being am has have had having do does did 's 've 're as became becomes become remains remained"
    " serves serve served serving acts acting known get got gets currently 是 曾 曾经 已 已经 也 又 还 均 都 共同 一起 联合 先后 目前 现 现在"
    " 现任 正式 最初 最早 后来 随后 之后 后 当时 一直 仍 依然 主要 亲自 先前 此前 独自 分别 于是 便 就 则 同时 正 刚 刚刚 近日 今年 去年 今天 昨天 所 主动"
)
ADVERBS: Final = words_of(
    "also now then later once still just soon first originally initially already often never always even again together"
    " recently eventually subsequently formerly previously quietly jointly personally formally officially largely mainly"
    " today yesterday earlier afterwards thereafter since longer used"
)
PHASES: Final = words_of(
    "began begins begin beginning started starts starting continues continued continuing went goes helped helps helping came"
    " 开始 继续"
)
"""Verbs that say when or how far something is done: `began advising`, `went on to found`."""
FILLERS: Final = words_of("了 过 着 一 下 有限 的话 「 」 “ ” \" ‘ ’ ' 《 》")
PREPOSITIONS: Final = words_of(
    "at in for from with to on by about after before during via through against over under into onto upon near between among"
    " without within alongside despite besides unlike like of than per toward towards across until till"
)
STOPS: Final = (
    PREPOSITIONS
    | RELATIVE
    | words_of(
        "but while although though whereas because since when where if unless whether so nor yet not no never n't ; : — – | ‡ … / ( ) （ ）"
        " he she they we i it is are was were has had have will would can could may might should must did does do said says"
        " ， 。 、 ； ： 但 但是 而 而是 于 在 从 向 对 与 和 跟 同 及 由 被 把 将 以 因 因为 所以 如果 并 并且 或 或者"
    )
)
CONJUNCTIONS: Final = words_of("and & as well plus or together with 和 与 及 以及 、 跟 同 还有 ， , 或")
COORDINATING: Final = words_of("and & then but 并 并且 并于 而且 且 又 也 还 然后 后")
BOUNDARIES: Final = words_of(
    "; : — – | ‡ but however while whereas although though yet ； ： 但 但是 然而 不过 而 …"
)
COMMAS: Final = words_of(", ，")

NEGATIONS: Final = words_of(
    "not no never neither nor without cannot n't non false untrue incorrect denies denied deny refutes absent missed skipped"
    " hardly rarely 不 没 没有 未 并未 从未 尚未 未曾 不曾 并非 并没有 从没 从来没有 无 非 否认 不是 没能 未能 不再是 缺席 未参加 不会 无法"
)
HYPOTHETICAL: Final = words_of(
    "would could might may should will if unless whether considered considering considers consider plans plan planned planning hopes hope hoped"
    " hoping wants want wanted wish wishes wished intends intended intend tried tries try trying attempted attempts attempting declined"
    " declines decline declining refused refuses refuse rejected rejects rejecting rumored rumoured rumors rumours allegedly supposedly"
    " purportedly potential potentially prospective possible possibly maybe perhaps probably almost nearly contemplated contemplating"
    " exploring explored explores considering expects expected likely aims aimed hypothetical hypothetically suppose supposing imagine"
    " imagined wondered wonders mulling mulled debated weighing weighed decide pondered offered invited asked unlikely turned passed failed fails"
    " failing tempted thinking thought pretend pretended lest dreamed dreams dreaming interested willing ready eager unable scheduled"
    " slated due proposed proposes negotiating talks discussing meant supposed assume assumes assumed assuming believe believes believed suspect suspects suspected mistakenly wrongly speculated"
    " speculation rumour rumor reportedly reported hypothesised hypothesized conceivably suggestion proposal propose proposing claim claims misread mistaken expectation intention ambition"
    " could've would've should've"
    " 考虑 打算 计划 如果 若 假如 假设 倘若 要是 可能 或许 也许 大概 拟 想 想要 希望 是否 有意 将 将要 会 准备 正在考虑 曾考虑 拒绝 婉拒 谢绝 放弃 差点"
    " 险些 传闻 据传 谣传 据说 谈判 洽谈 商谈 不想 愿意 原本想 本想 尝试 试图 能否 应该 应当 要去 下个月 下周 明年 明天 下月 后天 误以为 以为 常说 有人说 外界传 传他 传她 传闻说 传言 谣言 据称 误传 传说 听说 盛传 提议 提出 主张 设想 构想 建议用 倡议 猜测 怀疑 推测 本来想 本打算 如能 一旦 拟用 考虑过 犹豫 期待 假想 不一定 未必 无意 即将 预计 有望 邀请 建议"
)
CONDITIONS: Final = words_of(
    "if unless whether suppose supposing imagine hypothetically 如果 若 假如 假设 倘若 要是 是否 能否 万一"
)
ENDED: Final = words_of(
    "until till ex former formerly ended retired resigned previously 前 原 前任 曾 曾经 直到 此前 先前 离职前"
)
UNDONE: Final = words_of(
    "fell rejected cancelled canceled collapsed failed abandoned denied false untrue unfounded wrong nonsense incorrect mistaken invented 告吹 失败 取消 作罢 未果 被拒 落空"
)

GENERIC: Final = words_of(
    "company startup start-up firm business organization organisation org team project product service app application tool platform"
    " module component system library fund institute lab agency studio school university band club group department program programme"
    " meeting session call workshop sync standup event conference article paper note idea concept theory method approach book model venture"
    " 公司 项目 团队 产品 系统 服务 模块 平台 组织 机构 部门 企业 本文 会议 例会 笔记 工具 方案 概念 基金 本书 课程 学校 实验室 小组 组件 库"
)
ORGANISATIONS: Final = words_of(
    "company startup start-up firm business organization organisation venture agency studio 公司 企业 机构"
)
DEICTIC: Final = words_of("the this our its 本 该 此 这家 这个 我们 我 贵 本次 此次 这次 我司 我们的")
HONORIFICS: Final = words_of(
    "先生 女士 老师 博士 教授 总 同学 同事 等 等人 公司 两人 三人 二人 两位 团队 小组 集团 项目"
)
KIN: Final = words_of(
    "同事 朋友 妻子 丈夫 学生 女儿 儿子 父亲 母亲 弟弟 哥哥 姐姐 妹妹 助理 助手 员工 对手 竞争对手 老板 上司 下属 客户 家人 同学 室友 邻居 合伙人 创始人 投资人"
    " 前身 前任 导师 搭档 徒弟 学长 表弟 表哥 竞品 邻座 兄弟 团队 子公司 母公司"
)
"""Who or what belongs to another."""
COMPANIONS: Final = words_of(
    "partner husband wife brother sister friend colleague co-founder cofounder co-author teammate mentor former fellow angel investor cto ceo cfo engineer researcher advisor"
)

TIMES: Final = words_of(
    "january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec"
    " q1 q2 q3 q4 month early late mid end spring summer autumn fall winter year years month day days time weeks"
    " 年 月 日 年初 年底 年末 初 底 中 春 夏 秋 冬 上半年 下半年 号 上午 下午 晚 周一 周二 周三 周四 周五 周六 周日 当天"
)

LISTED: Final = frozenset().union(
    PRONOUNS,
    AUXILIARIES,
    STOPS,
    CONJUNCTIONS,
    COORDINATING,
    BOUNDARIES,
    NEGATIONS,
    HYPOTHETICAL,
    ENDED,
    UNDONE,
    GENERIC,
    DEICTIC,
    HONORIFICS,
    NO_PRONOUNS,
    TIMES,
    FILLERS,
    KIN,
)
"""All of them: what the Chinese ones are cut by."""

NO_NAMES: Final = (
    DETERMINERS
    | PRONOUNS
    | AUXILIARIES
    | ADVERBS
    | STOPS
    | CONJUNCTIONS
    | COORDINATING
    | NEGATIONS
    | HYPOTHETICAL
    | TIMES
    | GENERIC
)
"""What a capital does not make a name."""


def is_adverbial(word: str) -> bool:
    """Whether a word may stand anywhere in a clause without changing who does what: adverbs, numbers, parts of a date."""
    return (
        word in ADVERBS
        or word in TIMES
        or word[0].isdigit()
        or word in "$€£#~"
        or (len(word) > 4 and word.endswith("ly"))
    )
