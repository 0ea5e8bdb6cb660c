"""The words by which a question asks for a relation, English and Chinese."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from reme_cli.predicates.vocabulary import words_of
from reme_cli.search.question_frame import SAID

Sort = Literal["verb", "reverse verb", "subject", "object", "state"]


class Cue(NamedTuple):
    """What a word asks for."""

    predicates: tuple[str, ...]
    sort: Sort
    """`verb`: who does it is the relation's subject; `reverse verb`: its object. `subject` and `object` are nouns for who fills the role
    (`investors`, `employer`). `state`: said of the subject (`based`, `responsible`)."""


_CUES: Final[tuple[tuple[str, Sort, str], ...]] = (
    (
        "founded",
        "verb",
        """
        found founds founded founding co-found co-founds co-founded cofound cofounded start starts
        started launch launched launches create created creates establish established incorporate
        incorporated set_up build built dream_up began begun brought_to_life came_up_with conceived 创立 创办 创建 成立 联合创立 共同创立 联合创办 共同创办
        发起 建立
        """,
    ),
    (
        "founded",
        "subject",
        """
        founder founders co-founder co-founders cofounder cofounders creator creators behind originator
        founding_team brainchild entrepreneur entrepreneurs mastermind masterminds off_the_ground 创始人
        联合创始人 创办人 创立者 发起人 创始团队
        """,
    ),
    (
        "invested_in",
        "verb",
        """
        invest invests invested investing back backs backed backing fund funds funded finance finances
        financed bankroll bankrolled bankrolls put_money puts_money put_capital put_cash wrote_a_check
        write_a_check wrote_checks wrote_a_cheque gave_money bet bets bought_into buy_into
        participate_in_the_round poured_money sink_money seeded bought_a_stake bought_shares chipped_in chip_in chips_in inject injected 投资 领投 跟投 参投
        注资 入股 出资 投了 投过 投 投钱 投了钱 投过钱 出钱 出了钱 出过钱 掏钱 掏了钱 砸钱 砸了钱 给钱 给了钱 给过钱 打钱
        打了钱 投了资 出了资 注了资 注入资金 投入资金 持股 持有股份 下注
        """,
    ),
    (
        "invested_in",
        "subject",
        """
        investor investors backer backers funder funders shareholder shareholders financier financiers
        angel angels vc vcs funding money capital cap_table round rounds seed_round check checks cheque cheques
        financing stake stakes equity shares backing finances investor_list shareholding shareholdings
        financial_backing sponsors 资金 资金来源 融资 钱 股份 出资人 出资方 出资者 投资人 投资方 投资者 投资机构 股东 金主 资方
        """,
    ),
    (
        "invested_in",
        "object",
        """
        portfolio investments investment bets investee investees portfolio_companies 投资组合 被投公司 被投企业 所投公司
        """,
    ),
    (
        "advises",
        "verb",
        """
        advise advises advised advising mentor_verb mentors_verb mentored counsel counsels counselled
        counseled guide guides guided consult consults coach coaches coached gives_advice give_advice
        gave_advice mentoring counselling counseling guiding coaching consulting offers_advice provides_advice provides_guidance give_guidance 指导 辅导 提供咨询 提供建议 出谋划策 提建议 提意见 给建议 出主意 支招 献策 指点 当参谋 做参谋 做顾问 当顾问
        """,
    ),
    (
        "advises",
        "subject",
        """
        advisor advisors adviser advisers mentor mentors advisory advisory_board board_of_advisors
        board_of_advisers advice
        guidance counselor counselors counsellor counsellors consultant consultants sounding_board
        sounding_boards brain_trust mentorship advisory_circle advisory_bench advisory_panel advisory_council ear 建议 参谋 军师 智囊 智囊团 高参 顾问 导师 顾问团 顾问委员会
        """,
    ),
    ("advises", "reverse verb", "请教 求教 取经 咨询"),
    (
        "advises",
        "object",
        """
        advisees advisee mentees mentee advisory_roles advisory_role advisory_positions
        """,
    ),
    (
        "attended",
        "verb",
        """
        attend attends attended attending participate participated participates took_part take_part
        sat_in sit_in show_up showed_up turned_up turn_up dialed_in dial_in dialled_in dialing_in came_along come_along called_in logged_on tuned_in dropped_in came come go went 参加 出席 参与 列席
        到场 到会 参会 与会 在场 现身 露面 到了场 出了席 参会了 来了 去了 来过 去过
        """,
    ),
    (
        "attended",
        "subject",
        """
        attendee attendees participant participants met meet meets people_in attendance present guest
        guests attendee_list in_the_room at_the_table around_the_table on_the_call participant_list attendees_list
        guest_list invitees on_hand there 参会名单 与会名单 出席名单 到场名单 参加名单 来宾 嘉宾 参会人 参会者 参会人员 出席者 与会者 与会人员 参加者 参加人员 参与者
        """,
    ),
    (
        "works_at",
        "verb",
        """
        has_a_job have_a_job hold_a_job holds_a_job work works worked working employed_at 工作 任职 就职 上班 供职
        受雇于 入职 在职 打工 干活 做事 当差
        """,
    ),
    (
        "works_at",
        "reverse verb",
        """
        employ employs employed hire hires hired recruit recruited 雇佣 雇用 聘用 聘请 招聘 招了 雇 雇了 雇过 聘了
        """,
    ),
    (
        "works_at",
        "subject",
        """
        employee employees staff staffer staffers worker workers team workforce personnel headcount crew colleague colleagues coworker coworkers co-worker
        co-workers teammates hires on_board on_the_books on_the_payroll
        people_at anyone_at everyone_at payroll paycheck salary 员工 职员 团队成员 雇员 同事 人手 班底 团队 人员
        """,
    ),
    (
        "works_at",
        "object",
        """
        employer employers workplace job day_job 雇主 东家 工作单位 单位
        """,
    ),
    (
        "located_in",
        "state",
        """
        located based headquartered situated 位于 坐落 地处 总部
        """,
    ),
    (
        "located_in",
        "verb",
        """
        live lives lived reside resides 居住 住
        """,
    ),
    (
        "located_in",
        "object",
        """
        headquarters hq location office offices 所在地 地址
        """,
    ),
    (
        "responsible_for",
        "state",
        """
        responsible accountable in_charge 负责 主管 维护 管理 分管 掌管 主导 牵头 管 运维
        """,
    ),
    (
        "responsible_for",
        "verb",
        """
        own owns owned maintain maintains maintained manage manages managed run runs ran oversee oversees
        oversaw handle handles handled look_after looks_after take_care takes_care lead leads heads
        """,
    ),
    (
        "responsible_for",
        "subject",
        """
        owner owners maintainer maintainers dri point_person 负责人 维护者 管理员
        """,
    ),
    (
        "responsible_for",
        "object",
        """
        responsibilities responsibility duties remit 职责
        """,
    ),
    (
        "prefers",
        "verb",
        """
        prefer prefers preferred favor favors favour favours 偏好 喜欢 偏爱 更喜欢 倾向于 青睐
        """,
    ),
    (
        "prefers",
        "object",
        """
        preference preferences favorite favorites favourite favourites 最爱 首选
        """,
    ),
    (
        "depends_on",
        "verb",
        """
        depend depends depended rely relies relied require requires required need needs 依赖 依靠 取决于 需要
        """,
    ),
    (
        "depends_on",
        "object",
        """
        dependency dependencies prerequisite prerequisites requirement requirements 依赖项 前提 前置条件
        """,
    ),
    (
        "depends_on",
        "subject",
        """
        dependents dependants
        """,
    ),
    (
        "caused_by",
        "reverse verb",
        """
        cause caused causes trigger triggered triggers lead_to led_to leads_to result_in resulted_in 导致
        引起 造成 引发 触发
        """,
    ),
    (
        "caused_by",
        "object",
        """
        root_cause reason reasons culprit 原因 根因 起因
        """,
    ),
    (
        "caused_by",
        "subject",
        """
        consequence consequences result results effect effects aftermath 后果 结果
        """,
    ),
    (
        "derived_from",
        "state",
        """
        derived based_on adapted distilled excerpted inspired_by derives 源自 来自 取自 摘自 基于 改编自 出自
        """,
    ),
    (
        "derived_from",
        "object",
        """
        source sources basis origin origins 来源 出处 依据
        """,
    ),
    (
        "evolved_from",
        "verb",
        """
        supersede supersedes superseded replace replaces replaced obsolete obsoleted 取代 替代 代替 替换
        """,
    ),
    (
        "evolved_from",
        "state",
        """
        evolved evolve evolves 演变自 演化自
        """,
    ),
    (
        "evolved_from",
        "subject",
        """
        successor successors replacement 后继 继任者 替代品
        """,
    ),
    (
        "evolved_from",
        "object",
        """
        predecessor predecessors forerunner 前身 前任
        """,
    ),
    (
        "contradicts",
        "verb",
        """
        contradict contradicts contradicted conflict conflicts refute refutes dispute disputes disagree
        disagrees 矛盾 冲突 反驳 相悖 抵触
        """,
    ),
    (
        "is_a",
        "subject",
        """
        examples example instances instance kinds types 例子 实例
        """,
    ),
    (
        "belongs_to",
        "verb",
        """
        belong belongs belonged 属于 隶属于 隶属
        """,
    ),
    (
        "belongs_to",
        "reverse verb",
        """
        contain contains comprise comprises consist consists 包含 包括
        """,
    ),
    (
        "belongs_to",
        "subject",
        """
        下面 下属 下辖 麾下 part parts member members component components module modules subsidiary subsidiaries 成员 组成部分 子公司
        组件 模块
        """,
    ),
)

CUES: Final[dict[str, Cue]] = {}
"""What each word asks for; of a word in two rows, what the first one says."""
for _predicate, _sort, _words in reversed(_CUES):
    CUES.update(dict.fromkeys(_words.split(), Cue((_predicate,), _sort)))
# who joins a company works there, who joins a meeting attends it
CUES.update(dict.fromkeys(words_of("join joins joined joining 加入"), Cue(("attended", "works_at"), "verb")))
CUES.update(
    dict.fromkeys(
        words_of("include includes included feature features featured bring_together brought_together"),
        Cue(("attended",), "reverse verb"),
    )
)
CUES["part"] = Cue(("belongs_to", "attended"), "subject")
CUES.update(
    dict.fromkeys(
        words_of("was_at people_at anyone_at everyone_at"), Cue(("attended", "works_at"), "subject")
    )
)

PHRASES: Final[dict[str, str]] = dict(
    sorted(
        ({phrase.replace("_", " "): phrase for phrase in CUES if "_" in phrase} | SAID).items(),
        key=lambda said: -len(said[0]),
    )
)
"""Several words that are one cue, the longest first."""
