"""What is worth quoting: prose that stands on its own, as against code, logs, tables, templates and bare links."""

from __future__ import annotations

import re
from typing import Final

from reme_cli.digest.sentences import CJK
from reme_cli.dream.extractive.cues import LEANING, STOP_WORDS
from reme_cli.vault.wikilink import strip_links

MAX_SENTENCE: Final = 420
"""Characters. What is longer is a dump, or a paragraph without stops."""
MIN_WORDS: Final = 5
"""Words of its own, beside links, that make an English sentence; an item of a list needs fewer."""
MIN_CJK: Final = 8
"""The same for Chinese, in characters."""

_URL = re.compile(r"(?:https?|ftp|file|ssh)://\S+|\bwww\.\S+")
_LONG_TOKEN = re.compile(r"[^\s\u3000-\u9fff\uff00-\uffef]{70,}")
_CODE_SPAN = re.compile(r"(?<!`)(`++)(?:(?!\1).)+\1")
_LINK = re.compile(r"!?\[\[[^\[\]]*\]\]|!?\[[^\[\]]*\]\([^()]*\)")
_LATIN_WORD = re.compile(r"(?<![\w/\\$.-])[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ'’-]*(?![\w/\\=({])")
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_SYMBOL = re.compile(r"[{}\[\]<>=|\\$&*_/@#~^;+]")
_CODE = re.compile(
    r"^(?:\$ |#!|#[A-Z]{3,} |--?\w|\||\+\+?[-|\w]|@@|diff |import \w+$|from \w+ import|def \w+\(|class \w+[:(]|export |sudo |cd |git |pip |python |srun |sbatch"
    r"|perl |echo |if \[|for \w+ in .*; |while .*; do|done$|fi$|[A-Z_]{3,}=|\w+\s*=\s*[\w\"'\[{(]|\w+\(.*\)[;:]?$)"
    r"|\\$|[;{]$|;\s*(?:then|do)\b|&&|\|\||\$\(|\$\{|^\S+\.py\b.*:\d+"
)
_LOG = re.compile(
    r"^\W{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)|\b(?:INFO|WARN|WARNING|DEBUG|TRACE|ERROR|FATAL)\b\s*[\]|:\-]|Traceback \(most recent"
    r"|^\s*File \"|\bat 0x[0-9a-f]+|\|.*\|.*\|"
)
_STRUCTURE = re.compile(
    r"^(?:[-+*>]\s|#{1,6}\s|\d+[.)]\s|`{3}|~{3}|={3,}|-{3,}|!\[|\[\^[^\]]+\]:|\[![a-zA-Z])"
)
"""Markup that would make something else of a line when it begins a line of a new note."""
_FIELD = re.compile(r"(?:^|[\[(])[^\W\d][\w-]*::(?:\s|$)")
"""A typed line: it states an edge, which a quotation must not repeat."""
_MARKUP_NOT_CARRIED = re.compile(
    r"%%|\$\$|<!--|<[/a-zA-Z][^>`]*>|!\[|\[\^|\]\[|\{\{|<%|\^[\w-]+$|[\x00-\x08\x0b-\x1f\x7f\ufffc\ufffd]|^\W*(?:XXX|TODO|FIXME|TBD)\b"
)
_POINTER = re.compile(
    r"(?:\b(?:see|notes?|in|at|cf\.?|here)\b|[,:，：见]|详见|参见)\s*(?:also\s+)?(?:\[\[[^\[\]]*\]\][\s,，、和and]*)+[.。]?$"
)
# in the marks at the end: whether a run of marks is there is asked once, where it begins
_QUESTION = re.compile(r"(?<!\W)(?=\W*+$)\W*?[?？]")
_COLON = re.compile(r"(?<!\W)(?=\W*+$)\W*?[:：]")


def own_words(sentence: str) -> int:
    """How much a sentence says beside its links, code spans and URLs: words, a CJK character being 5/8 of one."""
    bare = _URL.sub(" ", _LINK.sub(" ", _CODE_SPAN.sub(" ", sentence)))
    return len(_LATIN_WORD.findall(bare)) + len(_CJK_CHARACTER.findall(bare)) * MIN_WORDS // MIN_CJK


def is_quotable(sentence: str) -> bool:
    """Whether the sentence keeps its meaning and its markup when it is taken out of its note."""
    if (
        len(sentence) > MAX_SENTENCE
        or sentence.count("`") % 2
        or _STRUCTURE.search(sentence)
        or _FIELD.search(sentence)
    ):
        return False
    outside_code = _CODE_SPAN.sub("x", sentence)
    if _MARKUP_NOT_CARRIED.search(outside_code):
        return False
    shown = strip_links(sentence)
    # An escaped link, or one in a code span, would be a link in the frontmatter, which knows neither.
    return "[[" not in shown and not (_LONG_TOKEN.search(shown) or _LOG.search(sentence))


def is_prose(sentence: str, *, min_words: int = MIN_WORDS) -> bool:
    """Whether the sentence says something: quotable, words of its own, no code, no figures only."""
    if not is_quotable(sentence):
        return False
    outside_code = _CODE_SPAN.sub("x", _LINK.sub("x", sentence))
    if _CODE.search(outside_code) or own_words(sentence) < min_words:
        return False
    bare = _URL.sub("", outside_code)
    letters = sum(character.isalpha() for character in bare)
    if len(_SYMBOL.findall(bare)) > 0.08 * len(bare) or letters < 0.55 * len(bare.replace(" ", "")):
        return False
    words = [word.lower() for word in _LATIN_WORD.findall(bare)]
    has_cjk = _CJK_CHARACTER.search(bare) is not None
    # English without a single function word is a label, a command or a row of a table.
    return has_cjk or min_words < MIN_WORDS or any(word in STOP_WORDS for word in words)


def stands_alone(sentence: str) -> bool:
    """Whether the sentence can open a note: it neither asks, nor announces what follows, nor leans on one before it."""
    return can_open(sentence) and not _QUESTION.search(sentence)


def can_open(sentence: str) -> bool:
    """The same of a sentence that others follow: there a question may open."""
    shown = strip_links(sentence).lstrip("*_ ")
    return bool(shown) and shown[0] not in "(（[…,，" and not (_COLON.search(shown) or LEANING.search(shown))


def is_pointer(sentence: str) -> bool:
    """Whether the sentence ends by sending the reader to another note, where what it is about is said."""
    return _POINTER.search(sentence) is not None


def announces(sentence: str) -> bool:
    """Whether the sentence ends in a colon, and says nothing without what follows it."""
    return _COLON.search(sentence) is not None
