"""How a note's sentences speak of the note itself: its names, what it is about, and whether they can mean it at all."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.predicates.vocabulary import GENERIC, STOPS
from reme_cli.regex import regex
from reme_cli.vault.note import one_line
from reme_cli.vault.paths import stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_KINDS: Final = {
    "person": "person people contact contacts human founder employee investor 人 人物 联系人",
    "organisation": "company companies organisation organization org orgs organizations organisations startup startups firm firms team"
    " teams 公司 企业 组织 团队",
    "thing": "project projects concept concepts idea ideas paper papers book books article articles topic topics product products place"
    " places technology technologies service services system systems decision decisions incident incidents module modules library libraries 项目 概念 论文 书 文章 主题 产品 地点 系统 决策",
    "meeting": "meeting meetings call calls event events standup standups interview interviews 会议 会议纪要 例会 周会 活动",
}
_KIND_OF: Final = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_MEETING: Final = regex(
    r"\b(?:meetings?|stand-?ups?|1:1|1-1|1on1|one-on-ones?|retrospectives?|sprint retros?|workshops?|kick-?offs?|off-?sites?|demo[ -]days?"
    r"|town ?halls?|all[ -]hands|sync (?:with|call|up)|(?:weekly|daily|monthly|team) (?:sync|call|check-in)|board call"
    r"|call with|interview with|debrief|round ?tables?|minutes of)\b"
    r"|会议|例会|周会|晨会|早会|评审会|复盘会|讨论会|座谈会|碰头会|研讨会|访谈|纪要|董事会",
    re.IGNORECASE,
)
_KIND_KEYS: Final = ("type", "kind")
_HINTS: Final = (
    "meeting",
    "standup",
    "stand-up",
    "1:1",
    "1-1",
    "1on1",
    "one-on-one",
    "retro",
    "check-in",
    "workshop",
    "kickoff",
    "kick-off",
    "offsite",
    "off-site",
    "demo",
    "town",
    "all-hands",
    "all hands",
    "sync",
    "call",
    "interview",
    "debrief",
    "table",
    "minutes",
    "event",
    "会",
    "访谈",
    "纪要",
    "活动",
)
"""Of which one stands wherever `_MEETING` or a folder's name finds a meeting; a pattern takes ten times as long."""
_OF_TWO: Final = regex(r"\b(?:1[-:]1|1on1|one-on-one)\b|\w\s+(?:\+|<>|x)\s+\w|一对一", re.IGNORECASE)
"""In the title of a meeting that is called by those who meet: their names mean them, not the note."""
_MEETING_NAME: Final = regex(
    r"(?:^|[-_ ])(?:meeting|call|standup|stand-up|sync|retro|retrospective|workshop|offsite|kick-?off|summit|conference|debrief|1-1|1on1"
    r"|all-hands|town-?hall|demo-day)(?=$|[-_ ])|(?:会议|例会|周会|晨会|评审会|复盘会|讨论会|座谈会|研讨会|论坛|峰会|发布会|董事会)",
    re.IGNORECASE,
)
"""In the name of what is linked to."""
_DATE_NAME: Final = regex(
    r"\W*\d{4}\W?W?\d{1,2}(?:\W?\d{1,2})?\W*(?:[a-z]{3,9})?\W*|\W*\d{1,2}\W\d{1,2}\W\d{4}\W*|\W*\d{4}年.*",
    re.IGNORECASE,
)
_DATE: Final = regex(r"(\d{4})[-_.年](\d{1,2})[-_.月](\d{1,2})")
_WORD: Final = regex(r"[^\W\d_\u3400-\u9fff]+(?:[-'.&][^\W\d_\u3400-\u9fff]+)*")
_ASCII_WORD: Final = regex(r"[a-z]+(?:[-'.&][a-z]+)*")
"""The same in a name that is ASCII, which takes no time to compile."""
_HAN: Final = regex(r"[\u3400-\u9fff]{2,}")


class NoteSelf(NamedTuple):
    """What a sentence of a note can mean by a word that stands for the note."""

    words: frozenset[str]
    """The words of its names, in lower case: a run of capitalised words made of them is the note."""
    nouns: frozenset[str]
    """The words by which it may be called in lower case behind an article: `the robotics lab`; none for a person."""
    han: tuple[str, ...]
    """Its names in Chinese, longest first."""
    kind: str
    """`person`, `organisation`, `meeting` or `thing` where the frontmatter, a folder's name or the title of a meeting says so; else empty."""
    is_subject: bool
    """Whether it is about one thing; a page of a day is not."""
    date: str
    """The day that its name or frontmatter gives."""


def called(path: str, properties: Mapping[str, object], names: Iterable[str], title: str) -> str:
    """All that `note_self` reads a note's names and kind from, in lower case: what is cheap to know of it."""
    said = [one_line(properties[key]) for key in ("title", *_KIND_KEYS) if key in properties]
    return "\n".join((path, *names, title, *said)).lower()


def may_be_meeting(called: str) -> bool:
    """Whether a note that is called so may be one about a meeting."""
    return any(map(called.__contains__, _HINTS))


def note_self(path: str, properties: Mapping[str, object], names: Iterable[str], title: str) -> NoteSelf:
    """What is known of a note from its path, frontmatter, names and first heading."""
    stem = stem_of(path)
    heading = one_line(properties.get("title")) or title
    all_names = [
        name for name in dict.fromkeys((stem.replace("-", " ").replace("_", " "), *names, heading)) if name
    ]
    words = frozenset(
        word
        for name in all_names
        if not _OF_TWO.search(name)
        for word in (_ASCII_WORD if name.isascii() else _WORD).findall(name.lower())
        if word not in STOPS and len(word) > 1
    )
    kind = _kind(path, properties, all_names)
    words |= {
        joined for name in all_names if " " in name and (joined := name.lower().replace(" ", "")).isalpha()
    }
    # only a meeting's date is asked for
    date = _DATE.search(f"{one_line(properties.get('date'))} {stem} {heading}") if kind == "meeting" else None
    return NoteSelf(
        words - {word for word in words if word in GENERIC and len(words) > 1},
        frozenset() if kind == "person" else words,
        _han_names(all_names),
        kind,
        not _DATE_NAME.fullmatch(stem),
        "-".join((date[1], date[2].zfill(2), date[3].zfill(2))) if date else "",
    )


def _han_names(names: list[str]) -> tuple[str, ...]:
    """The Chinese names, longest first."""
    runs = {run for name in names if not name.isascii() for run in _HAN.findall(name)}
    return tuple(sorted(runs, key=lambda run: (-len(run), run)))


def _kind(path: str, properties: Mapping[str, object], names: list[str]) -> str:
    for key in _KIND_KEYS:
        said = one_line(properties.get(key)).casefold()
        if said in _KIND_OF:
            return _KIND_OF[said]
    is_meeting = may_be_meeting("\n".join(names).lower()) and any(map(_MEETING.search, names))
    return kind_of_folder(path) or ("meeting" if is_meeting else "")


def kind_of_folder(path: str) -> str:
    """The kind that the nearest folder of a path or of a link's target is named by; empty where none is."""
    folders = path.rpartition("/")[0]
    return _kind_of_folders(folders) if folders else ""


def kind_of_link(target: str) -> str:
    """The kind of what a link leads to, as far as its folder says, or the last words of a meeting's name."""
    return kind_of_folder(target) or ("meeting" if _MEETING_NAME.search(stem_of(target)) else "")


@lru_cache(maxsize=4096)
def _kind_of_folders(folders: str) -> str:
    found = (_KIND_OF.get(folder, "") for folder in reversed(folders.casefold().split("/")))
    return next(filter(None, found), "")
