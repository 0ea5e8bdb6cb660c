"""The commonest words of content in English and in Chinese: as a note's name they are often no mention of it."""

from __future__ import annotations

from typing import Final

# The nouns, verbs and adjectives that general word lists (the General Service List, the first thousand of the New GSL) begin with.
_ENGLISH: Final = """
    ability able access account act action active activity add address advance advice age air allow amount animal answer appear apply
    approach area argue arm army art article ask attempt attention author average baby back bad balance bank base basic basis battle bear
    beat beautiful become bed begin behavior believe benefit best better big bill bit black block blood blue board body book bottom box
    boy break bring brother brown budget build building business buy call camera campaign cancer capital car card care career carry case
    catch category cause cell center central century certain chair challenge chance change character charge check child choice choose
    church citizen city claim class clean clear close cloud club coach code cold collection college color come command comment commit
    common community company compare computer concept concern condition conference consider contain content context continue contract
    control cost country couple course court cover create crime culture cup current customer cut cycle dark data date daughter day deal
    death debate decade decide decision deep default define degree demand department describe design detail determine develop development
    die difference difficult direct direction director discover discuss discussion disease doctor dog door down draw dream drive drop
    drug early earth east easy eat economy edge edit education effect effort element email employee end energy enjoy enter entire entry
    environment error establish evening event evidence exactly example executive exist expect experience expert explain export eye face
    fact factor fail fall family far fast father fear feature feel feeling field fight figure file fill film final find fine finger finish
    fire firm first fish five flow floor fly focus follow food foot force foreign forget form format former forward free friend front full
    function fund future game garden general generation girl give glass goal good government great green ground group grow growth guess
    gun hair half hand handle hang happen happy hard hat head health hear heart heat heavy help high history hit hold hope hospital hot
    hotel hour house huge human husband idea identify identity image imagine impact import important improve include increase individual
    industry information input inside install instance institution interest interesting international interview investment involve issue
    item job join joint keep key kid kill kind kitchen know knowledge label land language large late laugh law lawyer lay layer lead leader
    learn learning leave left leg legal less let letter level lie life light like limit line list listen little live local long look lose
    loss love low machine magazine maintain major majority make man manage management manager map mark market marriage master match
    material matter meaning measure media medical meet meeting member memory mention message method middle military mind minute miss
    mission mode model modern moment money month morning mother mouth move movement movie music name nation national natural nature near
    need network news night node none normal north nothing number object occur offer office officer official oil open operation opinion
    option order organization original other output outside own owner package page pain paper parent part participant particular partner
    party pass past path patient pattern pay peace people perform performance period person phone photo physical pick picture piece place
    plan plant play player point police policy political politics poor popular population position possible power practice prepare present
    president pressure prevent price private problem process produce product production professional program project property protect
    prove provide public pull purpose push put quality question queue quick race radio raise range rate reach read reading ready real
    reality realize reason receive recent recipe recognize record red reduce reflect region relate relation relationship release remain
    remember remove rename replace report represent require research resource respond response rest result return reveal review rich right
    rise risk road rock role room root rule run safe sale save say scene schedule school science scientist score screen sea search season
    seat second section security see seek seem sell send senior sense series serious serve service session set seven sex share shoot short
    shot show side sign signal significant similar simple single sister sit site situation size skill skin sleep small smile social society
    soldier solution solve son song sort sound source south space speak special specific speech speed spend sport spring staff stage stand
    standard star state statement station status stay step stock stop store story strategy street strong structure student study stuff
    style subject success successful suffer suggest summer support surface system table take talk target task tax teach teacher team
    technology television tell term test text theme theory thing think thinking thought thousand threat time title today tool top total
    tough town track trade traditional training travel treat treatment tree trial trip trouble true trust truth try turn type understand
    unit update upgrade use user usual value version video view violence visit voice vote wait walk wall want war watch water way weapon
    wear week weight west white whole wife win wind window wish woman wonder word work worker workflow world worry write writer writing
    wrong yard year young
"""
_CHINESE: Final = """
    安全 安排 办法 帮助 保护 保持 报告 背景 本质 比较 必须 编辑 变化 标准 标题 表达 表示 表现 步骤 部分 部门 材料 参加 操作 层次 产品 产生 成本 成功 成果
    成绩 成长 城市 程度 处理 传统 创造 存在 错误 搭配 答案 打开 打印 大家 大学 代码 单位 当时 到达 道理 得到 等级 地方 地区 地位 电话 电视 电脑 电影 电子
    调查 调整 动作 对方 对手 对象 儿子 发布 发生 发现 发展 翻译 反应 反映 范围 方便 方面 方式 方向 房子 访问 分类 分析 分享 风格 服务 符合 附近 复杂 父亲
    改变 概念 感觉 感情 感受 高兴 告诉 个人 个性 根本 更新 工具 工作 工程 公司 公园 功能 共同 构成 故事 关系 关键 关注 观点 观察 管理 规定 规律 规则 国家
    过程 孩子 合作 合适 核心 后果 互联网 化学 环境 回答 回来 回忆 活动 活着 机会 机器 基本 基础 积极 集中 记录 记忆 技能 技术 技巧 继续 价格 价值 家庭
    坚持 检查 简单 建立 建设 建议 将来 讲话 交流 交易 教师 教育 阶段 结果 结构 结束 解决 解释 介绍 金钱 紧张 进步 进行 经济 经历 经验 精神 竞争 具体 决定
    开发 开始 开放 看法 科学 可能 课程 控制 空间 快乐 困难 来源 老师 类型 理解 理论 理由 理想 历史 力量 利益 联系 练习 灵魂 领导 领域 流程 路线 旅行 满足
    美丽 媒体 面对 描述 民族 名字 明白 目标 目的 内容 能力 能量 年轻 努力 朋友 平台 平衡 评价 评论 普通 其他 奇怪 企业 气氛 前提 情况 情绪 情感 区别 趋势
    全部 权力 确定 群众 人才 人类 人们 人生 人物 认识 认为 任何 日常 软件 设备 设计 设置 社会 社交 身体 生产 生活 生命 升级 声音 失败 失去 实际 实践 实现
    时代 时间 食物 世界 市场 事件 事实 事业 适合 收获 收入 手段 手机 受到 数据 数量 数字 水平 说明 思考 思想 思维 搜索 速度 随时 特点 特别 特征 提高 提供
    体验 条件 跳舞 统一 投资 突然 图片 推荐 完成 完全 玩家 网络 网站 危险 未来 位置 文化 文章 文字 稳定 问题 无法 物质 系统 细节 现代 现实 现象 相关 相互
    相同 想法 项目 消费 消息 小说 效果 效率 心理 心灵 新闻 信号 信任 信息 信心 行动 行为 行业 形成 形式 性格 性质 幸福 需求 需要 许多 选择 学会 学生 学习
    学校 研究 眼睛 样子 要求 业务 医生 医院 依据 艺术 意见 意识 意思 意外 意义 因素 音乐 银行 印象 英雄 应用 影响 用户 优势 由于 游戏 友谊 有效 语言 预测
    原来 原理 原因 原则 愿望 允许 运动 运行 运气 运用 杂志 责任 增加 战略 战争 哲学 真实 整个 整理 正常 政策 政府 政治 知道 知识 直接 职业 指标 制度 制作
    质量 治疗 致命 智慧 中心 中国 重点 重要 周围 主题 主要 主意 住宅 注意 专业 转变 准备 资料 资源 自然 自我 自由 总结 组织 最后 最近 作品 作为 作用 作者
"""

WORDS: Final = frozenset((_ENGLISH + _CHINESE).split())


def is_everyday(key: str) -> bool:
    """Whether a name, as names are compared, is one such word; a plural counts as its word."""
    return key in WORDS or (key.endswith("s") and key[:-1] in WORDS)
