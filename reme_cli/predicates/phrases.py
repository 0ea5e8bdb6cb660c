"""What a noun phrase passes over, and where it ends: adverbs, descriptions, what only belongs to it."""

from __future__ import annotations

from typing import Final

from reme_cli.config.phrasing import OBJECT, SUBJECT
from reme_cli.predicates.clause import Clauses
from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import (
    AUXILIARIES,
    BOUNDARIES,
    COMMAS,
    CONJUNCTIONS,
    FILLERS,
    HYPOTHETICAL,
    KIN,
    NEGATIONS,
    OF_RELATIVE,
    PHASES,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    STOPS,
    is_adverbial,
    words_of,
)
from reme_cli.predicates.words import SELF

_KIN_SIGNS: Final = words_of("婆 爷 奶 爸 妈 岳 姑 叔 舅 姨 嫂 孙 侄 媳 婿 妻 弟 哥 姐 妹")
"""Of which one stands in a word for a relative; words that nobody lists are cut into characters."""
ARTICLES: Final = words_of("a an the one 一家 一个 一名 一位")
_OF_A_NOUN: Final = words_of("of to for from at")
_BEFORE_TIMES: Final = words_of("in on at by 于 在")
_NO_ADVERBIAL: Final = (
    KIN
    | _KIN_SIGNS
    | words_of(
        "的 由 被 把 将 向 对 给 为 与 和 同 跟 及 让 使 说 问 请 派 劝 帮 陪 以及 令 叫 称 讲 告诉 推荐 介绍 听说 见 见到 是 有 ， 、 ： 或 见面 。"
    )
)
"""What stands in no adverbial, or behind which somebody else acts."""
_LONGEST_ADVERBIAL: Final = 8
"""Words of a Chinese adverbial, of which the unknown ones are single characters."""
_FINITE: Final = words_of("is are was were has had have")
_CONTENTS: Final = words_of(
    "section sections chapter chapters part parts paragraph claim claims finding findings result results conclusion conclusions data figures"
    " numbers argument arguments thesis hypothesis assumption assumptions premise premises table tables appendix version rest text wording"
    " statement statements definition definitions requirements rules design contents content theory estimate estimates model core idea ideas"
    " method methods protocol advice recommendation recommendations evidence account position view views"
)
_CONTENTS_HAN: Final = (
    "结论", "结果", "观点", "数据", "说法", "主张", "内容", "发现", "论点", "假设", "章节", "论断", "看法", "定义", "规定", "条款", "要求", "方法", "建议", "数字", "描述", "记载", "记录",
    "估计", "预测", "设计", "前提", "思路", "核心", "论证", "原则", "理论", "表述", "部分",
)  # fmt: skip
"""Parts of a text that stand for it as a whole where it contradicts or rests on another."""
_INSIDE: Final = words_of("的 中 里 内 上 里面")
_MOST_BEFORE_CONTENTS: Final = 4
_THIS: Final = words_of("this these our 本 该 此 这 这个 我们的")
_LONGEST_DEICTIC: Final = 6
LONGEST_PHRASE: Final = 8
"""Words between a phrasing and the link that fills its role."""


class Phrases(Clauses):
    """The noun phrases of one sentence, as far as they are passed over."""

    def _over_adverbs(self, at: int, passed: list[int]) -> int:
        """The place of the last word that is no auxiliary, adverb or date."""
        words = self.words
        while at >= 0:
            word = words[at]
            if (
                word in AUXILIARIES
                or word in PHASES
                or word in FILLERS
                or word in NEGATIONS
                or word in HYPOTHETICAL
                or word == "to"
                or is_adverbial(word)
                or (word in _BEFORE_TIMES and passed and self._is_light(passed[-1]))
            ):
                passed.append(at)
            else:
                break
            at -= 1
        return at

    def _is_fragment(self, place: int, role: str, *, of_thing: bool) -> bool:
        """Whether the noun at `place` may say of the note what it is: `A condensed version of [[x]]`, `The successor to [[x]]`."""
        words = self.words
        if role == OBJECT:
            return words[0] in {"a", "an"}
        if words[0] in POSSESSIVES or not (of_thing or _FINITE.isdisjoint(words[:place])):
            return False  # `His flatmate is in charge of [[x]]`; but `All readings were taken from [[x]]`
        preposition = next(
            (at for at in (place + 1, place + 2) if words[at : at + 1] and words[at] in _OF_A_NOUN), 0
        )
        return preposition > 0 and not takes_subject(words[preposition - 1])

    def _deictic_start(self, at: int) -> int:
        """Where `this result` or 「本制度」 begins that ends at `at` and means the note or what it holds; -1 where none does."""
        words = self.words
        for before in range(at, max(at - _LONGEST_DEICTIC, -1), -1):
            word = words[before]
            if word in _THIS:
                is_first = before == 0 or words[before - 1] in COMMAS or words[before - 1] in BOUNDARIES
                return before if is_first and before < at else -1
            if word in STOPS or self.capital[before] or not word.isalpha():
                return -1
        return -1

    def _whole_of_content(self, at: int) -> int:
        """Where the link stands whose contents end at `at`: `the findings of [[x]]`, 「[[x]] 的结论」; -1 where nothing of the kind does."""
        words = self.words
        if words[at] == LINK:
            start = at
            if start > 1 and words[start - 1] in {"of", "in", "from"}:
                before = range(start - 2, max(start - 3 - _MOST_BEFORE_CONTENTS, -1), -1)
                for place in before:
                    if words[place] in _CONTENTS:
                        return at
                    if words[place] in STOPS or self.capital[place] or words[place] == LINK:
                        break
            return -1
        first = at
        while (
            first >= 0
            and at - first < _LONGEST_ADVERBIAL
            and words[first] >= "\u3400"
            and words[first] != "的"
        ):
            first -= 1
        if first < 0 or not "".join(words[first + 1 : at + 1]).endswith(_CONTENTS_HAN):
            return -1
        while first > 0 and words[first] in _INSIDE:
            first -= 1
        if words[first] == LINK:
            return first
        return -1

    def _over_chinese(self, at: int) -> int | None:
        """The noun that stands before a Chinese adverbial we do not know, if one does: `[[x]]五年前创立`."""
        words = self.words
        for before in range(at, max(at - _LONGEST_ADVERBIAL, -1), -1):
            word = words[before]
            if word in {LINK, SELF} or (word in PRONOUNS and word >= "\u3400"):
                return before
            if word in _NO_ADVERBIAL or word in BOUNDARIES or not (word >= "\u3400" or word[0].isdigit()):
                return None
        return None

    def _is_light(self, at: int) -> bool:
        """Whether a preposition before this word is part of an adverb: `in 2019`, `on to`."""
        word = self.words[at]
        return is_adverbial(word) or word in HYPOTHETICAL or word == "to"

    def _over_description(self, at: int) -> int | None:
        """What stands before `a robotics startup`, if that is what ends at `at`."""
        words = self.words
        start = at
        while at >= 0 and start - at < LONGEST_PHRASE:
            word = words[at]
            if word in ARTICLES:
                return at - 1
            if word in {"of", "and", "or"} and at < start:
                at -= 1
                continue
            if (
                word in STOPS
                or word in {LINK, NOTHING, SELF}
                or word in COMMAS
                or (self.capital[at] and at > 0)
                or word >= "\u3400"
            ):
                break
            at -= 1
        if at < 0:
            return -1
        if at < start and (words[at] in AUXILIARIES or words[at] == "as"):
            return at
        return None

    def _antecedent_end(self, at: int) -> int:
        """The last word of what `who` or `both of whom` goes back to."""
        at -= 1
        while at >= 0 and self.words[at] in OF_RELATIVE:
            at -= 1
        while at >= 0 and self.words[at] in COMMAS:
            at -= 1
        return at

    def _is_adjunct(self, comma: int) -> bool:
        """Whether only a time or place stands before the comma."""
        return self.words[0] in PREPOSITIONS and LINK not in self.words[:comma] and comma < 6

    def _leads_to_link(self, at: int) -> bool:
        """Whether a possessive belongs to a description of a link: `his co-founder [[x]]`."""
        for after in range(at + 1, min(at + 5, self.count)):
            word = self.words[after]
            if word == LINK:
                return True
            if word in STOPS:
                return False
        return False

    def _belongs_to_other(self, end: int, role: str) -> bool:
        """Whether the noun phrase that ends at `end` only describes another one: `[[x]]'s rival`, `[[x]] veteran Bob`."""
        words = self.words
        if end >= self.count:
            return False
        if words[end] == "'s":
            ahead = words[end + 1 : end + 5]
            return role == SUBJECT or not any(
                word in {"round", "seed", "series", "board", "team", "financing", "extension"}
                for word in ahead
            )
        if words[end] == "的":
            return role == SUBJECT
        return (
            end + 1 < self.count
            and words[end][0].isalpha()
            and words[end].isascii()
            and not self.capital[end]
            and words[end] not in STOPS
            and words[end] not in CONJUNCTIONS
            and self.capital[end + 1]
        )

    def _inherits(self, place: int) -> bool:
        """Whether a verb behind `and` depends on what governs the one before: `plans to hire and invest`."""
        return not self.words[place].endswith(("ed", "s", "ing", "by"))


def takes_subject(word: str) -> bool:
    """Whether a word is a verb that takes a subject of its own."""
    return (
        word.endswith("ed")
        or (word.endswith("s") and not word.endswith("rs"))
        or word in _VERBS
        or word >= "\u3400"
    )


_VERBS: Final = words_of(
    "led wrote left quit put took bought ran oversaw spoke came went sat stuck gave said"
)
