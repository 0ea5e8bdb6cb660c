"""Names and descriptions, taken from the text itself: a heading, the thing it is about, the head of a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reme_cli.digest.sentences import CJK, split
from reme_cli.dream.extractive.cues import STOP_CHUNKS, STOP_WORDS, SUBORDINATE
from reme_cli.dream.extractive.salience import Background, phrases, terms
from reme_cli.dream.extractive.sections import MAX_NAME, Line, Passage, display_width
from reme_cli.dream.extractive.substance import can_open, stands_alone
from reme_cli.vault.wikilink import scan, strip_links

if TYPE_CHECKING:
    from collections.abc import Sequence

GOOD_NAME: Final = 56
"""Columns within which a whole sentence can be a name."""
MAX_DESCRIPTION: Final = 180
"""Columns of a description, beyond which it is cut at the end of a clause."""

_MARKUP = re.compile(r"`+|\*\*|__|~~|==|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|(?<![\w#])#(?=\w)")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_EDGES = " \t.,;:!?。，；：、！？…-–—*_~"
_CLAUSE_END = re.compile(
    r"[，；：。！？]|[,;:!?.](?=\s)|\s[-–—]\s|\s\(|（|——"
    r"|\s(?=(?:because|since|which|so that|so|but|when|if|unless|until|after|before|while|as|where|although|though|whereas|and then)\s)",
)
_PAIRS: Final = (("(", ")"), ("（", "）"), ("[", "]"), ("“", "”"), ("「", "」"), ("《", "》"), ('"', '"'))
_LINK_LEADS = re.compile(r"^(?:\[\[[^\[\]]+\]\]|\[[^\[\]]+\]\([^()]*\))\s*(?=[:：，,、—–。是-]|\s|$)")
_TAGS_LEAD = re.compile(r"^(?:#[\w/-]+\s+)+")
_BOLD_LEADS = re.compile(r"^\*\*([^*]{2,60}?)[:：.。]?\*\*")


def plain(text: str) -> str:
    """`text` without link, emphasis and code markup."""
    return _MARKUP.sub("", _MARKDOWN_LINK.sub(r"\1", strip_links(text))).strip()


def name_of(passage: Passage, background: Background) -> str:
    """The name of a passage, never empty: its heading, what its first line is about, the head of its first good sentence, its strongest phrase."""
    if is_telling(passage.heading) or _is_subject(passage):
        return passage.heading
    if not passage.heading and (lead := _lead(passage.lines[0].text)):
        return lead
    sentences = [sentence for line in passage.lines for sentence in split(line.text)]
    for sentence in filter(can_open, sentences):
        if head := sentence_head(sentence):
            return head
    if passage.heading:
        return passage.heading
    opening = next(filter(can_open, sentences), sentences[0])
    if opening.isascii() and is_telling(head := first_columns(plain(opening), GOOD_NAME)):
        return head
    candidates = [phrase.shown for sentence in sentences for phrase in phrases(sentence)]
    ranked = sorted(candidates, key=lambda shown: (-background.salience(terms(shown)), shown))
    return ranked[0] if ranked else first_columns(plain(sentences[0]), GOOD_NAME)


def description_of(name: str, lines: Sequence[Line], background: Background) -> str:
    """The sentence that tells most of the passage and stands on its own; the first one where none does. At most `MAX_DESCRIPTION` columns."""
    sentences = [sentence for line in lines if line.shape == "prose" for sentence in split(line.text)]
    if not sentences:  # of a list the first item, since one from its middle would be out of its order
        return clip(plain(lines[0].text), MAX_DESCRIPTION)
    standing = [
        sentence for sentence in sentences if stands_alone(sentence) and plain(sentence).strip(_EDGES) != name
    ]
    if not standing:
        return clip(plain(sentences[0]), MAX_DESCRIPTION)
    about = set(terms(name))

    def appeal(place: int) -> tuple[float, int]:
        found = terms(standing[place])
        shares_name = len(about & set(found)) / (len(about) or 1)
        fits = 1.0 if display_width(plain(standing[place])) <= MAX_DESCRIPTION else 0.6
        return (
            -background.mean_weight(found) * (1 + 0.5 * shares_name) * fits * (1.6 if place == 0 else 1.0),
            place,
        )

    return clip(plain(standing[min(range(len(standing)), key=appeal)]), MAX_DESCRIPTION)


def sentence_head(sentence: str) -> str:
    """A short sentence whole, or its first clause that says enough; empty where neither can be a name."""
    text = plain(_TAGS_LEAD.sub("", sentence)).strip(_EDGES)
    if sentence[0] in "`$-(\"'":
        return ""
    if _fits(text, GOOD_NAME) and is_telling(text):
        return text
    for end in _CLAUSE_END.finditer(text):
        head = text[: end.start()].strip(_EDGES)
        if display_width(head) > MAX_NAME:
            break
        is_whole = end.start() == len(text) or not SUBORDINATE.search(head) or _CLAUSE_END.search(head)
        if is_whole and is_telling(head) and _says_enough(head) and _fits(head, MAX_NAME):
            return head
    return text if _fits(text, MAX_NAME) and is_telling(text) else ""


def clip(text: str, columns: int) -> str:
    """`text`, or its longest run of whole clauses within `columns`, or of whole words."""
    if display_width(text) <= columns:
        return text
    ends = [
        end.start() for end in _CLAUSE_END.finditer(text) if display_width(text[: end.start()]) <= columns
    ]
    if ends and display_width(text[: ends[-1]]) >= columns // 3:
        return text[: ends[-1]].rstrip(" ,，;；:：、(（-–—")
    return first_columns(text, columns)


def first_columns(text: str, columns: int) -> str:
    """The whole words of `text` that fit in `columns`, without a dangling function word."""
    kept = ""
    for word in re.findall(rf"[{CJK}]|[^\s{CJK}]+\s*|\s+", text):
        if display_width(kept + word) > columns:
            break
        kept += word
    if kept != text:
        kept = kept.rstrip(_EDGES)
        while " " in kept and (tail := kept.rsplit(" ", 1)[-1]).lower() in STOP_WORDS:
            kept = kept[: -len(tail)].rstrip(_EDGES)
    return kept.strip(_EDGES) or text[:columns].strip()


def _is_subject(passage: Passage) -> bool:
    """Whether the heading is a question or statement of four words, or one word that the passage itself uses."""
    words = passage.heading.split()
    own = set(terms(passage.heading))
    used = {term for line in passage.lines for term in terms(line.text)}
    return len(words) >= 4 or (len(passage.heading) >= 5 and bool(own) and own <= used)


def _lead(line: str) -> str:
    """What a line is about when it opens with a bold label or a link: the label, or the link's text."""
    if bold := _BOLD_LEADS.match(line):
        lead = plain(bold[1]).strip(_EDGES)
    elif found := _LINK_LEADS.match(line):
        lead = plain(found[0]).strip(_EDGES)
    else:
        return ""
    return lead if _fits(lead, MAX_NAME) and scan(f"[[{lead}]]").links else ""


def _fits(text: str, columns: int) -> bool:
    """Whether `text` is short enough and its brackets and quotes are closed."""
    return 1 < display_width(text) <= columns and all(
        text.count(opening) == text.count(closing) if opening != closing else text.count(opening) % 2 == 0
        for opening, closing in _PAIRS
    )


def is_telling(text: str) -> bool:
    """Whether a name says what it is about: two content words of some length, or three CJK characters, or one identifier."""
    characters = re.findall(f"[{CJK}]", STOP_CHUNKS.sub("", text))
    words = [word for word in re.findall(r"[A-Za-zÀ-ÿ][\w'’-]*", text) if word.lower() not in STOP_WORDS]
    is_sign = len(words) == 1 and re.search(r"[A-Z]{2}|[a-z][A-Z]|[-_\d]", words[0]) is not None
    return (
        (len(words) >= 2 and sum(map(len, words)) >= 7)
        or len(characters) >= 3
        or (bool(words) and len(characters) >= 2)
        or is_sign
    )


def _says_enough(head: str) -> bool:
    """Whether a clause is more than an opening: four words, or six CJK characters."""
    return len(re.findall(r"[A-Za-z][\w'’-]*", head)) + len(re.findall(f"[{CJK}]", head)) * 2 // 3 >= 4
