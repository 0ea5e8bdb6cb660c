"""What words and shapes tell the extractive engine, in English and Chinese: tables, to be extended here."""

from __future__ import annotations

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split("|"))


TEMPLATE_HEADINGS: Final = _phrases(
    # what a template or a commit message puts over any content
    "action|actions|action items|agenda|background|changes|comments|conclusion|conclusions|content|contents|context|correction|corrections"
    "|cleanup|clean up|daily|daily log|daily note|daily notes|details|diary|done|draft|example|examples|expand|experiments|extra|faq|fix"
    "|fixes|fixed|followup|follow up|follow-up|general|highlights|idea|ideas|info|instructions|intro|introduction|journal|links|log|logs"
    "|meeting|meeting notes|meetings|meta|misc|miscellaneous|more|more info|more notes|move|needs|new|news|next|next steps|note|notes"
    "|observations|open questions|other|others|overview|plan|plans|priorities|progress|questions|random|reading|readings|recap|references"
    "|next sprint|next week|schedule|related|reminders|reorg|reshuffle|results|review|see also|session|sources|standup|stand-up|status|steps|style|summary|task|tasks"
    "|thoughts|tidy up|tip|tips|to do|todo|todos|tldr|today|tomorrow|tweak|tweaks|typo|typos|update|updates|update info|why|what happened"
    "|wip|work log|worklog|xxx|yesterday|wins|morning|afternoon|evening|added|add|adding|add notes|small update|more updates|edits"
    "|decision|decisions|outcome|facts|preferences|procedure|how|what|remember|learned|lessons|create readme.md|update readme.md|add readme"
    "|add files via upload|prequel|chronicles|various updates|what we agreed"
    # Chinese
    "|备忘|备注|笔记|步骤|参考|参考资料|草稿|待办|待办事项|概述|感想|感悟|工作|工作日志|会议|会议记录|会议纪要|计划|记录|结论|决定|进展|来源"
    "|今日|今天|灵感|闪念|链接|明日计划|其他|其它|日程|日记|日志|事项|思考|随笔|随想|问题|下一步|想法|小结|心得|原因|摘要|总结|杂记|做法|背景|要点|阅读|读书笔记"
    "|偏好|约定|复盘|讨论|行动项"
)
"""Headings that say nothing of what is under them, folded by `sections.heading_key`."""

LOG_HEADINGS: Final = _phrases(
    "daily log|done|journal|log|logs|progress|standup|stand-up|status|today|work log|worklog|yesterday|今日|今天|工作日志|今天的工作日志|日志|进展"
)
"""Those of them under which single lines tell what was done, not what is known."""

PLAN_HEADINGS: Final = _phrases(
    "action items|actions|agenda|next|next sprint|next steps|next week|open questions|plan|plans|priorities|questions|schedule|tasks|to do|todo"
    "|todos|tomorrow|待办|待办事项|计划|明日计划|日程|行动项|下一步|下周计划|未决问题"
)
"""Those of them under which nothing is known yet: it is wished, asked or to be done."""

TEMPLATE_HEADING: Final = re.compile(
    r"今天的|今日|昨天|昨日|明天|明日|本周|本日"
    r"|^what happened\b|^(?:today|yesterday|tomorrow|this week|daily|weekly|my day)\b"
    r"|^(?:(?:new|old|another) )?(?:experiment|exp|part|step|day|week|round|version|test|section|chapter|try|run|attempt|set)s?[ #-]*$"
)
"""Searched in a folded heading: it carries no name of its own."""

COMMIT_HEADING: Final = re.compile(
    r"^(?:\S+|(?:add|added|adding|change|changed|clarify|clean|correct|corrected|create|enable|expand|extra|fix|fixed|fixes|fixing|improve"
    r"|major|make|minor|more|move|moved|multiple|new|note|notes|recover|remove|removed|rename|renamed|reorg|reorganize|replace|restore"
    r"|revert|rework|s/\S*|set|small|some|start|switch|sync|tweak|tweaks|update|updated|updates|use|various|wip)\b.{0,40})$"
)
"""Matches a folded heading that names a change of a file, where a file path follows it: it tells of the work, not of what is known."""

PROCEDURE_HEADING: Final = re.compile(
    r"^(?:how(?:to| to)|steps|runbook|playbook|checklist|set(?:ting)? ?up|setup|install|troubleshooting|recipe|procedure)\b"
    r"|\b(?:runbook|playbook|checklist|procedure|how[- ]?to|step by step|instructions)\b"
    r"|如何|怎么|怎样|步骤|流程|手册|清单|指南|教程|操作|方法"
)
PROCEDURE_SENTENCE: Final = re.compile(
    r"^(?:to \w+[^,]{2,60}, (?:\w+ly )?[a-z]+ |first,? |then,? |next,? |finally,? |make sure |remember to |be sure to |do not |don't |never )"
    r"|\b(?:you (?:need|have) to|you should|you can use|in order to)\b"
    r"|^(?:先|首先|然后|接着|最后|再)|第[一二三四五六]步|(?:需要先|记得|务必|不要忘|一定要|点击|打开.*?设置|执行|运行`)"
)
IMPERATIVES: Final = _words(
    "add allow apply ask avoid back build call change check choose clean click clone close compare configure confirm connect copy create"
    " cut deploy delete disable do document download drain edit enable ensure enter export find flip follow force generate get give go"
    " import increase install keep kill launch let list load log look make mark measure merge mount move name note open page pass paste"
    " pick pin ping post press print promote publish pull push put read rebase rebuild reduce reload remove rename repeat replace"
    " reset restart restore retry return revert roll rollback rotate run save schedule search select send set share ship sign skip"
    " start stop store submit switch sync tag take tell test trigger try turn type unset update upgrade upload use verify wait warm watch"
    " wrap write"
)
"""Words that open an instruction."""
IMPERATIVES_ZH: Final = re.compile(
    r"^(?:请|先|再|把|将|用|在.{1,12}(?:里|中|上)|打开|点击|执行|运行|检查|确认|删除|新建|创建|添加|设置|选择|等待|通知|重启|切换|关闭|安装|下载"
    r"|导出|导入|更新|记录|填写|提交|发送|备份|恢复|回滚|部署|发布|复制|粘贴|保存|输入|配置|启用|禁用|查看|比较|对比|清空|停止|启动|按)"
)

PERSONAL_SENTENCE: Final = re.compile(
    r"\b(?:i|we|he|she|they|[A-Z][a-z]+) (?:really |strongly |still |always |usually |never |now )?"
    r"(?:prefers?|likes?|dislikes?|loves?|hates?|enjoys?|favou?rs?)\b"
    r"|\bi (?:always|usually|never|tend to|no longer) \w+|\bi(?:'m| am) (?:allergic|vegetarian|used to)"
    r"|\bmy (?:favou?rite|preference|habit|birthday|routine|rule)\b|\bour (?:convention|rule|agreement|working hours|style)\b"
    r"|\bwe (?:agreed|always|never) \w+|\b(?:team|house) (?:convention|rule|style)\b|\bworks from\b|\b(?:birthday|time ?zone is)\b"
    r"|\bprefers\b|\ballergic to\b"
    r"|我(?:更|最|很|比较|还是|一直|真的)?(?:喜欢|讨厌|偏爱|习惯|偏好|不喜欢|不爱|爱吃|爱喝)|我(?:一般|通常|总是|从不|每天都)"
    r"|(?:他|她|[A-Za-z]+)(?:更|最|很|比较)?(?:喜欢|不喜欢|偏好|习惯用|讨厌)|对.{1,6}过敏|我们(?:约定|的约定|的习惯|一律)"
    r"|团队(?:约定|习惯|规范)|的生日|习惯养成|我的[^，。]{0,6}(?:原则|习惯|偏好|底线)"
)
PERSONAL_HEADING: Final = re.compile(
    r"\b(?:preferences?|prefers|conventions?|habits?|about me|working (?:style|agreement|hours)|team rules|house rules)\b"
    r"|偏好|习惯|约定|喜好|关于我|社交原则"
)

LEANING: Final = re.compile(
    r"^(?:this|that|these|those|it|its|it's|they|them|he|she|so|but|and|or|also|then|so far|finally|however|therefore|thus|hence|otherwise"
    r"|which|as such|in that case|because of (?:this|that)|here|there|again|same|another|yes|ok|well|instead|besides|moreover"
    r"|furthermore|now|still|note that|nb|btw|fyi|important|update|actually|eventually|unfortunately|currently (?:it|we)|as (?:you|we) can"
    r"|as for|except|additionally|similarly|nevertheless|not|e\.g\.|i\.e\.|the (?:other|former|latter|same|above|below))\b"
    r"|^(?:这|那|它|他|她|所以|但|但是|不过|而且|并且|因此|然后|于是|另外|此外|同时|否则|其中|还有|也|而|结果|反正|当然|总之|甚至|比如|例如|不是|不然|就像|至于)",
    re.IGNORECASE,
)
"""Openings that lean on the sentence before: no name and no description begins so."""

SUBORDINATE: Final = re.compile(
    r"^(?:when|whenever|if|because|since|as|while|although|though|after|before|once|unless|until|for|in order to|due to|given|with|without"
    r"|by|in|on|at|to|from|whereas|where|despite|instead of|besides|apart from|unlike|according to)\b"
    r"|^(?:如果|要是|假如|虽然|尽管|当|因为|由于|为了|既然|只要|只有|即使|就算|除了|关于|对于|相比|根据|通过|随着|自从|每当|每次|不管|无论|我?觉得|看了)"
    r"|在[^，]+[时中里上]$|(?:是|就是|原因是|觉得|说|的时候|之后|以后)$",
    re.IGNORECASE,
)
"""A clause that is no name without the clause behind it."""

STOP_WORDS: Final = _words(
    "a about above after again against all also am an and any are aren't as at be because been before being below between both but by"
    " can can't cannot could couldn't did didn't do does doesn't doing don't down during each either else etc even ever every few for"
    " from further get gets getting got had has hasn't have haven't having he her here hers him his how however i i'd i'll i'm i've if"
    " in into is isn't it it's its itself just kind less let let's like made make makes many may maybe me might more most much must my"
    " need needs neither never no nor not now of off often ok on once one only onto or other our ours out over own per perhaps"
    " please put quite rather really same say see seems shall she should shouldn't since so some something still such take than that"
    " that's the their theirs them then there there's these they they're thing things this those though through thus to together too"
    " two under until up upon us use used uses using very via want wants was wasn't way we we'd we'll we're we've well were what when"
    " where whether which while who whole whose why will with within without won't would wouldn't yes yet you you'll you're your"
    " yours able actually already almost along always another anyway around away back became become best better big bit day days"
    " different done first good great keep last later long looks lot next nothing old ones others right second several small soon"
    " sure time times today tomorrow try trying week weeks went work works yesterday currently based different instead going came"
    " across among toward otherwise means mean happen happens cause causes repeat takes repeats towards regarding according including dont wont cant didnt doesnt"
    " longest latest largest biggest smallest highest lowest fastest slowest worst shortest nearest newest oldest"
    " three four five given added following e.g i.e w note notes new xxx todo wip"
)

STOP_CHUNKS: Final = re.compile(
    "我们|你们|他们|她们|它们|自己|大家|这个|那个|这些|那些|这种|那种|这样|那样|这里|那里|什么|怎么|怎样|如何|为什么|因为|所以|如果|但是|不过|而且"
    "|并且|或者|还是|以及|然后|于是|虽然|尽管|可以|可能|应该|需要|能够|必须|已经|正在|一直|一下|一个|一些|一种|一次|两个|三个|没有|不是|不会|不能|不要|就是"
    "|只是|还有|都是|也是|非常|比较|特别|真的|其实|现在|目前|今天|昨天|明天|今晚|上午|下午|时候|之后|之前|以后|以前|通过|进行|使用|关于|对于|根据|按照|除了|直接"
    "|感觉|觉得|认为|知道|看到|发现|出来|起来|下来|上去|很多|不少|有点|例如|比如|甚至|只要|只有|不管|无论|看看|继续|完成|开始|结束|包括|问题|东西|事情|大概率"
    "|大部分人|大部分|基本上|一定程度|某种|所有|任何|每个|每天|每次|第一次|越来越"
    "|等待|大多数|少数|来自|原因是|当天|每一笔|第二天|金额|超过"
    "|[的了是在和与也就都而及着把被从我你他她它这那很让给又才还再最没吗呢吧啊呀哦嗯么其或但若则之将跟等先]"
)
"""Function words at which a Chinese run is cut into phrases; longer ones first."""
