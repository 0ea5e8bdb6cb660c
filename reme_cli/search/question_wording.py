"""A question put as names and phrasings are written: quarters of a year, pronouns, other sentences before it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: Final = "\x01"
"""Stands for the name in a question."""


def wordings_of(text: str) -> Iterator[str]:
    """The question as it stands, then with quarters of a year and meetings called as titles call them."""
    yield text
    said = _QUARTER.sub(lambda found: f"Q{_QUARTERS[found[1].casefold()]}", text)
    said = _ONE_ON_ONE.sub(" 1:1 ", said)
    said = _AT_WHICH.sub(r"\1at", said) if _ASKED_ELSE.search(said) else said
    said = _TO_SEE.sub(" ", _SEEING.sub("was at", said))
    said = _BOARD_MET.sub(r"\1 meeting", said)
    said = _YEAR_FIRST.sub(r"\2 \1 ", said)
    if said != text:
        yield said
    paired = _BETWEEN.sub("1:1", said)
    if paired != said:
        yield paired
    undated = _IN_MONTH.sub(" ", paired) if "1:1" in paired else paired
    if undated != paired:
        yield undated
    translated = said
    for chinese, english in _MEETING_NAMES.items():
        translated = translated.replace(chinese, f" {english} ")
    if translated != said:
        yield translated


_QUARTERS: Final = {
    word: number
    for number, words in enumerate(
        (
            "first 1st 第一 第1 一 1",
            "second 2nd 第二 第2 二 2",
            "third 3rd 第三 第3 三 3",
            "fourth last 4th 第四 第4 四 4",
        ),
        start=1,
    )
    for word in words.split()
}
_QUARTER: Final = regex(
    r"(\b(?:first|second|third|fourth|[1-4](?:st|nd|rd|th))(?=[- ]quarter\b)|\blast(?=[- ]quarter(?: of)? \d{4})|第?[一二三四1-4](?=季度))(?:[- ]quarter(?: of)?\b|季度)",
    re.IGNORECASE,
)
_ONE_ON_ONE: Final = regex(r"\b(?:one|1)[- ](?:on|to)[- ](?:one|1)\b|\b1on1\b|一对一", re.IGNORECASE)
_AT_WHICH: Final = regex(
    r"(^|\w,? )(?:when|as|while)\b(?=.*\b(?:met|meets|meet|convened|gathered|assembled|got together|sat down|caught up|spoke|talked|presented|pitched|had|held)\b)",
    re.IGNORECASE,
)
"""Before a meeting that a clause tells: `present when NAME's board met`."""
_ASKED_ELSE: Final = regex(r"^(?!when\b)|, ?(?:who|whom|which people|list|name)\b", re.IGNORECASE)
"""Where `when` is not what is asked."""
_BOARD_MET: Final = regex(
    r"\b(board)(?: of directors)?(?: (?:met|meets|convened|gathered|assembled|got together|sat down|sat|session|call|gathering)\b|(?=[,:]? (?:in |for |of |during )?Q[1-4]))",
    re.IGNORECASE,
)
_TO_SEE: Final = regex(
    r",? (?:to|and) (?:see|saw|watch|watched|hear|heard|listen to)\b[^.?!？]*\b(?:pitch|pitches|pitching|present|presents|presenting|presentation|demo|speak)\b",
    re.IGNORECASE,
)
"""What people came for, beside the name of the event."""
_IN_MONTH: Final = regex(
    r",? (?:in|on|from|of|that) (?:(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\b(?: \d{1,2}\b(?:st|nd|rd|th)?)?,?(?: \d{4}\b)?)",
    re.IGNORECASE,
)
"""When two people met, beside their names."""
_SEEING: Final = regex(
    r"\b(?:watched|saw|heard)\b[^.?!？]*?\b(?:pitch|pitches|pitching|present|presentation|presenting|demo) (?:at|during)\b",
    re.IGNORECASE,
)
"""`watched NAME pitch at`: was there."""
_BETWEEN: Final = regex(
    r"\b(?:meeting|catch-?up|sync|chat|conversation|talk|face-to-face|sit-down|call)(?= (?:between|of)\b)",
    re.IGNORECASE,
)
"""Two people's meeting, whose title says `1:1`."""
_YEAR_FIRST: Final = regex(r"(\b\d{4})\s*年?的?\s*(Q[1-4])")
_MEETING_NAMES: Final = {
    "董事会会议": "board meeting",
    "董事会": "board meeting",
    "路演日": "demo day",
    "全员会": "all-hands",
}
"""Meetings whose notes have English titles also where people ask in Chinese."""


def sentences_in(text: str) -> list[str]:
    """The sentences of a question."""
    return [sentence for sentence in _SENTENCES.split(text.strip()) if sentence]


def last_sentence(text: str) -> str:
    """The question itself, where other sentences stand before it; a pronoun in it stands for a name that they give."""
    sentences = sentences_in(text)
    questions = [sentence for sentence in sentences if sentence.endswith(("?", "？"))]
    # `Who founded NAME? I forgot.`
    last = questions[-1] if questions else sentences[-1] if sentences else text
    if NAME in last:
        before, _, asked = last.partition(NAME)
        # `NAME - who funded it?`
        if _JOINT.match(asked) and not before.strip() and _PRONOUN.search(asked):
            return _PRONOUN.sub(_named, _JOINT.sub("", asked), count=1)
        return last
    if len(sentences) < 2:
        return text
    named, count = _PRONOUN.subn(_named, last, count=1)
    if count and not _POINTING.fullmatch(last):
        return named
    context = next((sentence for sentence in reversed(sentences) if NAME in sentence), "")
    return joined(context, last)


def joined(context: str, asking: str) -> str:
    """One question made of a sentence that gives the name and one that asks: `NAME held a meeting. Who came?`, `NAME has advisors. Who?`."""
    pointing = _POINTING.fullmatch(asking)
    if pointing is not None:
        # whom it asks for; what for, the sentence before says
        return f"{pointing['who'] or pointing['han']} {_WISH.sub('', context).rstrip(_MARKS)} ?"
    bare = asking.rstrip(_MARKS)
    return f"{NAME} {bare} ?" if _HAN.search(bare) else f"{bare} of {NAME} ?"


def _named(found: re.Match[str]) -> str:
    """The name instead of a pronoun."""
    word = found.group()
    if word in {"its", "their", "his", "her"}:
        return f"{NAME} 's"
    return f"at {NAME}" if word == "there" else f" {NAME} "


_MARKS: Final = "?？!！.。 "
_HAN: Final = regex(r"[\u3400-\u9fff]")
_POINTING: Final = regex(
    r"(?:and\s+|so\s+|but\s+)?(?:(?:from|by|with|for|at|to)\s+)?(?:(?:do|can|could) you (?:know|tell me|say)\s+)?(?P<who>who's|whom?(?:\s+(?:from|by|with|else))?|which(?: ones| people| companies)?|what(?: are)?)"
    r"(?:\s+(?:(?:is|are|was|were|would|might|could|can|will)\s+)?(?:they|that|those|these|it|he|she|this)(?:\s+(?:be|is|are|was|were))?|\s+exactly)?\s*[?.!]*"
    r"|(?:(?:他们|她们|它们|那|这|都|具体|到底|究竟)*(?:都)?(?:是|有)?)(?P<han>谁|哪些人|哪几位|哪位|哪些|哪家|哪几家)(?:呢|啊)?\s*[?？。]*"
)
"""A question that only points to what the sentence before says: `Who are they?`, 「是谁？」."""
_WISH: Final = regex(
    r"^\s*(?:(?:i|we)\b[^.]*?\b(?:to|should|must|can|could)\s+\w+(?:\s+(?:to|with|up))?\s+"
    r"|(?:i|we)(?:'m|'re| am| are)\s+\w+ing(?:\s+(?:to|with|up|for|about))?\s+"
    r"|我们?(?:想要?|要|打算|需要|得)(?:感谢|联系|认识|找到?|拜访|见见?|约)?)"
    r"|\b(?:today|tonight|tomorrow|yesterday|soon|(?:next|last|this) (?:week|month|year|morning|afternoon|quarter))\b"
)
"""What somebody wants of those whom the rest of the sentence tells, and when: `I want to thank`, 「我想联系」."""
_SENTENCES: Final = regex(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_JOINT: Final = regex(r"\s*[-–—:：,，]+\s*")
_PRONOUN: Final = regex(
    r"\b(?:it|them|there|they|its|their|him|her|his)\b|该公司|这家公司|那家公司|它们|它|他们|那里|那儿|这里|他|她"
)
