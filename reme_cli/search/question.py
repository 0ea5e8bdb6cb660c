"""Reading a question that asks for a relation: which one, which end of it, and whose name is given.

A question is read only as a whole: apart from the name and one cue for the relation it may hold little else. What is left over means
that something else is asked, which is for the ordinary search.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.predicates.vocabulary import words_of
from reme_cli.regex import regex
from reme_cli.search.question_frame import (
    ASKING,
    COMPANIES,
    FUNCTION,
    MEETINGS,
    NEGATED,
    OTHERS,
    PAST,
    PEOPLE,
    PLACES,
    TOLERATED,
    framed,
)
from reme_cli.search.question_wording import NAME, last_sentence
from reme_cli.search.question_words import CUES, PHRASES, Cue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST: Final = 200
"""Characters; what is longer is no question for one relation."""
_MOST_WORDS: Final = 12
"""Of a name."""
_MOST_LEFT: Final = 1
"""Unknown words that a question with a question word may hold."""

_HAS_PLACE: Final = frozenset({"works_at", "located_in", "invested_in", "advises"})
"""Relations whose object a `where` can ask for."""
_UNIT: Final = regex(r"[^\W_\u3400-\u9fff]+(?:[-'’.&+][^\W_\u3400-\u9fff]+)*|[\u3400-\u9fff]|[^\s\w]")
_LONG: Final = 7
"""Words of a question that may hold one unknown word more, where its cue is a plain one."""
_VAGUE: Final = words_of(
    "建议 钱 资金 融资 团队 ear crew headcount colleagues hires backing on_board 嘉宾 来宾"
)
"""Words that ask for a relation only where the query asks for something."""
_COUNTING: Final = words_of(
    "count counts counted list lists listed name names consider considers regard regards see sees"
)
_SERVING: Final = words_of("serve serves served act acts acted work works worked")
_SPACE: Final = regex(r"\s+")
_WHO: Final = words_of("who who's who've")
_PASSIVE: Final = words_of("is are was were be been being get got")
_ACTIVE: Final = words_of("do does did has have had can could")
_HAN: Final = "\u3400"


class Unit(NamedTuple):
    """A word of the question, or one Chinese character."""

    text: str
    start: int
    end: int


class Asked(NamedTuple):
    """What a question asks for, once the name in it is known."""

    predicates: tuple[str, ...]
    end: str
    """`subject` or `object`: the end that is asked for; the name is that of the other one."""
    kind: str
    """`person`, `organisation` or `meeting` where the question says so; else empty."""
    is_past: bool
    """Whether it also asks for what held once."""


def units_of(text: str) -> tuple[Unit, ...]:
    """The words of a question, or nothing where it cannot be one for a relation."""
    if not text or len(text) > LONGEST or "\n" in text.strip():
        return ()
    folded = text.casefold().replace("’", "'")
    if not _has_cue(framed(folded)):
        return ()
    units = tuple(Unit(found.group(), found.start(), found.end()) for found in _UNIT.finditer(folded))
    words = {unit.text for unit in units}
    return () if words & OTHERS or any(word in folded for word in _HAN_OTHERS) else units


def spans(units: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    """Every stretch of words that may be a name, longest first."""
    count = len(units)
    for size in range(min(_MOST_WORDS, count), 0, -1):
        for start in range(count - size + 1):
            yield start, start + size


def read_question(text: str, start: int, end: int) -> tuple[Asked, int] | None:
    """What is asked about the name at `text[start:end]`, and how many words are left over; `None`: no relation."""
    folded = text.casefold().replace("’", "'")
    end -= 2 if folded.startswith("'s", end - 2) else 0
    words = _words(last_sentence(f"{folded[:start]} {NAME} {folded[end:]}"))
    if words.count(NAME) != 1 or not NEGATED.isdisjoint(words) or _is_negated(words):
        return None
    known = frozenset(words)
    place = words.index(NAME)
    found = _cue(words, place)
    if found is None:
        return None
    at, cue = found
    left = [number for number in range(len(words)) if number != at and _is_unknown(words, number, at, cue)]
    if _is_of_another(words, place, left) or any(
        words[number - 1] in _TOPICAL for number in left if number > at
    ):
        return None
    asks = bool(known & ASKING) or text.rstrip().endswith(("?", "？"))
    if not asks and words[at] in _VAGUE:
        return None
    most = 0 if not asks else _MOST_LEFT + (_rank(words[at]) == 0 and len(words) >= _LONG)
    if len(left) > most or _is_yes_no(words, known):
        return None
    if known & PLACES and not _HAS_PLACE & set(cue.predicates):
        return None
    asked = _end(words, at, place, cue)
    if asked is None:
        return None
    kind = (
        "person"
        if known & PEOPLE and asked == "subject"
        else "organisation"
        if known & COMPANIES
        else "meeting"
        if known & MEETINGS and asked == "object"
        else ""
    )
    is_past = bool(known & PAST) or "did" in known or (words[at].endswith("ed") and words[at] != "employed")
    return Asked(cue.predicates, asked, kind, is_past), len(left)


def _is_negated(words: list[str]) -> bool:
    """Whether it asks for whom the relation does not hold: `who is not in NAME`, but `I am not sure who is`."""
    return any(word == "not" and after not in {"sure", "certain"} for word, after in pairwise(words))


def _is_unknown(words: list[str], number: int, at: int, cue: Cue) -> bool:
    """Whether a word is none that a question with this cue may hold."""
    word = words[number]
    if word in FUNCTION or word in TOLERATED or not word[0].isalnum():
        return False
    other = CUES.get(word)
    return other is None or not (other.predicates == cue.predicates or _rank(word) > _rank(words[at]))


def _is_of_another(words: list[str], place: int, left: list[int]) -> bool:
    """Whether the name only says whose the thing is that is asked about: `NAME's biggest rival`, `the rivals of NAME`."""
    if words[place + 1 : place + 2] == ["'s"]:
        return any(place + 1 < number <= place + 3 for number in left)
    return place > 1 and words[place - 1] in {"of", "to"} and place - 2 in left


def _has_cue(folded: str) -> bool:
    words = set(_UNIT_SPLIT.split(folded))
    if not words.isdisjoint(CUES):
        return True
    if not words.isdisjoint(COMPANIES | MEETINGS) and (
        not words.isdisjoint({"whose", "at", "in", "been"}) or "'s " in folded
    ):
        return True
    return any(phrase in folded for phrase in PHRASES) or (
        not folded.isascii() and any(cue in folded for cue in _HAN_CUES)
    )


_UNIT_SPLIT: Final = regex(r"[\s,.?!;:()\"]+|'s\b")
_HAN_CUES: Final = tuple(cue for cue in CUES if cue[0] >= _HAN)
_HAN_OTHERS: Final = tuple(word for word in OTHERS if word[0] >= _HAN)
_HAN_WORDS: Final = frozenset(word for word in (*CUES, *FUNCTION, *TOLERATED) if word[0] >= _HAN)
_LONGEST_HAN: Final = max(map(len, _HAN_WORDS))


def _words(text: str) -> list[str]:
    """The words of a question: English ones with the cues of several words joined, Chinese ones the longest known."""
    text = framed(_SPACE.sub(" ", text))
    for phrase, cue in PHRASES.items():
        if phrase in text:
            text = re.sub(rf"\b{re.escape(phrase)}\b", cue, text)
    words: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0] < _HAN or token[0] > "\u9fff":
            words += [token.removesuffix("'s"), "'s"] if token.endswith("'s") and len(token) > 2 else [token]
            continue
        at = 0
        while at < len(token):
            size = next(
                (
                    size
                    for size in range(min(_LONGEST_HAN, len(token) - at), 1, -1)
                    if token[at : at + size] in _HAN_WORDS
                ),
                1,
            )
            words.append(token[at : at + size])
            at += size
    return words


_TOKEN: Final = regex(
    r"\x01|'s\b|[^\W\u3400-\u9fff]+(?:[-'.&+][^\W\u3400-\u9fff]+)*|[\u3400-\u9fff]+|[^\s\w]"
)


def _cue(words: list[str], place: int) -> tuple[int, Cue] | None:
    """The word that asks: of several the most telling one, then the nearest to the name."""
    found = [(number, CUES[word]) for number, word in enumerate(words) if word in CUES]
    if not found:
        return _by_company(words, place)
    rank = min(_rank(words[number]) for number, _ in found)
    strong = [one for one in found if _rank(words[one[0]]) == rank]
    predicates = {cue.predicates for _, cue in strong}
    if len(predicates) > 1:
        return None
    nouns = [one for one in strong if one[1].sort in {"verb", "reverse verb", "state"}] or strong
    return min(nouns, key=lambda one: abs(one[0] - place))


def _rank(word: str) -> int:
    return 3 if word in {"part", "was_at"} else 2 if word in _WEAKEST else int(word in _WEAK)


def _by_company(words: list[str], place: int) -> tuple[int, Cue] | None:
    """`whose company is NAME`, `NAME's startup`, `which firm is NAME at`: there the company itself is the cue."""
    at = next((number for number, word in enumerate(words) if word in COMPANIES or word in MEETINGS), None)
    if at is None:
        return None
    if "whose" in words and words[at] in COMPANIES:
        return at, Cue(("founded",), "subject")
    if words[place + 1 : place + 2] == ["'s"] and at == place + 2 and words[at] in COMPANIES:
        return at, Cue(("founded", "works_at"), "object")
    if words[place + 1 : place + 2] and words[place + 1] in {"at", "in", "been"} and at < place:
        return at, Cue(("works_at",) if words[at] in COMPANIES else ("attended",), "object")
    return None


_WEAKEST: Final = words_of(
    "behind work works working took_part take_part sat_in sit_in join joins joined joining participate participated participates came come go went was_at people_in include includes included"
    " feature features featured met meet meets team headcount ear 团队 人员 意见 加入 参与 包括 管 住"
)
_WEAK: Final = words_of(
    " round rounds money capital funding check checks stake equity there present go went come came part need needs office member"
    " members set_up build built create created start started run runs ran lead leads heads back bet bets guide guides angel angels"
    " job required require need like source results result example types kinds guests guest behind financing advisory seed_round backing crew hires on_board"
    " 管 住 投 钱 资金 融资 股份 建议 来了 去了 来过 去过 做事 前任 结果 总部 单位 管理 需要 包括"
)
"""Words that are a cue only where there is no better one."""


def _is_yes_no(words: list[str], known: frozenset[str]) -> bool:
    """Whether only a yes or no is asked for."""
    return not known & ASKING and (
        words[0] in _PASSIVE or words[0] in _ACTIVE or words[-1] == "吗" or "吗" in words
    )


def _end(words: list[str], at: int, place: int, cue: Cue) -> str | None:
    """The end of the relation that is asked for."""
    if cue.sort in {"subject", "object"}:
        return _of_noun(words, at, place, cue.sort)
    name_acts = _name_acts(words, at, place, is_state=cue.sort == "state")
    if cue.sort == "reverse verb":
        name_acts = not name_acts
    return "object" if name_acts else "subject"


_TOPICAL: Final = words_of("on about regarding concerning")
"""Words before what somebody did something about, which no relation tells."""
_HAVING: Final = words_of("have has had")
_SOMEBODY: Final = words_of("somebody someone anybody anyone people persons folks")
_MONEY: Final = words_of("investment investments")
_RECEIVED: Final = words_of(
    "received receives receive got gets get raised secured obtained took takes accepted from"
)


def _of_noun(words: list[str], at: int, place: int, sort: str) -> str:
    """`investors in NAME` asks for whom the noun means; `what is NAME an investor in` for the other end."""
    other = "object" if sort == "subject" else "subject"
    between = words[place + 1 : at]
    before = words[place - 1] if place else ""
    if sort == "object" and (
        ("whose" in words[:at] and place > at)
        or (words[at] in _MONEY and place < at and not _RECEIVED.isdisjoint(words))
    ):
        return other  # `whose employer is NAME`, `NAME got investment from whom`
    if (
        sort == "object"
        and place > at
        and (before in {"at", "with", "for", "to"} or (before in {"in", "into"} and words[at] in _MONEY))
        and not PEOPLE.isdisjoint(words)
    ):
        return other  # `who holds an advisory role at NAME`, `who has an investment in NAME`
    if sort == "subject" and place > at and before == "from" and PEOPLE.isdisjoint(words):
        return other  # `companies that got money from NAME`
    if "as" in between and sort == "subject":
        # `companies that count NAME as an investor`, but `whom does NAME have as advisors`
        is_said = before in _COUNTING or not _SERVING.isdisjoint(between)
        return other if is_said else sort
    if words[at] in {"there", "present", "attendance", "was_at"} and place < at:
        return sort if MEETINGS.isdisjoint(words) else other
    if words[at][0] >= _HAN:
        asking = next((number for number, word in enumerate(words) if word in ASKING), -1)
        # `NAME 是哪些公司的投资人`
        is_received = not _RECEIVING.isdisjoint(words[place:at])
        return other if place < asking < at and "的" in words[asking:at] and not is_received else sort
    if sort == "subject" and place < at and "'s" not in between and _is_said_of_name(words, before, between):
        return other
    return sort


def _is_said_of_name(words: list[str], before: str, between: list[str]) -> bool:
    """Whether the noun behind the name is said of it: `which startups is NAME an investor in`."""
    if not ASKING.isdisjoint(between) or not _HAVING.isdisjoint(between):
        return False  # `at NAME, who are the employees`, `does NAME have an advisor`
    is_predicate = before in _PASSIVE or before in _ACTIVE or not _PASSIVE.isdisjoint(between)
    last = next(word for word in reversed(words) if word[0].isalnum())
    ends_open = last in {"in", "to", "of", "at", "for"}
    return is_predicate and (ends_open or not {"a", "an", "the", "as"}.isdisjoint(between))


def _name_acts(words: list[str], at: int, place: int, *, is_state: bool) -> bool:
    """Whether the name is that of who does it, or of whom it is said."""
    if words[at][0] >= _HAN:
        return _name_acts_han(words, at, place)
    has_by = "by" in words
    if place > at:
        # `companies founded by NAME`, `who was hired by NAME`
        return "by" in words[at:place]
    if is_state:
        return True
    before, after = words[:place], words[place + 1 : at]
    is_participle = not words[at].endswith(("ing", "s")) and (
        words[at].endswith("ed") or words[at] in {"built", "set_up", "run", "led", "put_money"}
    )
    asking = next((number for number, word in enumerate(after) if word in _WHO), None)
    if asking is not None and _ACTIVE.isdisjoint(after[asking:]):
        return False  # `NAME: who joined`
    if place < at and not _HAVING.isdisjoint(after) and not _SOMEBODY.isdisjoint(after):
        return False  # `NAME has somebody advising it`
    passive = is_participle and (
        has_by
        or bool(set(after) & _PASSIVE and not set(after) & {"has", "have", "had"})
        or (bool(before) and before[-1] in _PASSIVE)
    )
    return not passive


_RECEIVING: Final = words_of("获 获得 得到 接受 拿到 拿 拿了 拿过 收到 听 听取 采纳 征求")


_TO_WHOM: Final = words_of("给 为 向 对 替 帮")
_BEING_AT: Final = words_of("工作 任职 就职 上班 供职 住 居住 打工 干活 做事 当差")
_AT_PLACE: Final = frozenset({"attended", "works_at"})


def _name_acts_han(words: list[str], at: int, place: int) -> bool:
    asking = next((n for n, word in enumerate(words) if word in ASKING and n != at), None)
    if not _RECEIVING.isdisjoint(words[place:at]):
        return False  # `NAME 获得了谁的投资`
    marked = next((n for n, word in enumerate(words) if word in {"由", "被", "归"}), None)
    if marked is not None and marked < at:
        return marked < place < at and not (asking is not None and marked < asking < at)
    if place and place < at and words[place - 1] in _TO_WHOM:
        return False  # `谁给 NAME 投了钱`
    if asking is not None and place < asking < at and words[asking - 1] in _TO_WHOM:
        return True
    if "在" in words and words[at] in _BEING_AT:
        being = words.index("在")
        # `NAME 都有谁在上班`
        return place < being and not (asking is not None and place < asking < being)
    if place > at:
        return False
    if asking is None:
        return "的" not in words[at:]
    if asking > at:
        # `NAME 到场的有谁`
        is_named = words[at + 1 : at + 2] == ["的"] and not PEOPLE.isdisjoint(words[at:])
        return not (is_named and _AT_PLACE & set(CUES[words[at]].predicates))
    return asking < place  # who stands next to the verb does it
