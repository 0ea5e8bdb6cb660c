"""Where the names of a vault occur in a text, longest name first, and how each occurrence stands there."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.linking.folding import BEFORE_UNSPACED, is_bound, is_unspaced
from reme_cli.linking.lexicon import needs_exact_case
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self

    from ahocorasick_rs import AhoCorasick

    from reme_cli.linking.lexicon import Lexicon
    from reme_cli.linking.shown import Shown

ALONE: Final = 1
"""Nothing else is on the line but the mark of a list, a heading or a quote."""
LEADS: Final = 2
"""It begins its line or list item."""
PROPER: Final = 4
"""It begins with a capital where no sentence does."""
EXACT: Final = 8
"""It is spelled as a note spells it."""
JOINED: Final = 16
"""A hyphen, slash or dot binds it to another word, or a plus or number sign makes another name of it: "C#", "Notepad++"."""
OPEN: Final = 32
"""Before it stands something else than a word of content: a mark, a function word, or the other script."""
CLOSED: Final = 64
"""The same behind it."""
FREE: Final = OPEN | CLOSED
"""Both."""
HYPHENATED: Final = 128
"""It is spelled as the note spells it, with hyphens or underscores."""
LINKED: Final = 256
"""A link holds it, or a part of it."""
LABELLED: Final = 512
"""Something in bold stands before it in its line."""
QUOTED: Final = 1024
"""It stands in a block quote."""
LONGER: Final = 2048
"""It is part of a longer name: it has a capital, and so has the word directly before or behind it."""

_BULLET: Final = regex(r"[\s>]*(?:[-*+]|\d{1,9}[.)]|#{1,6})?\s*(?:\[.\]\s)?\s*")
_OPENING: Final = " *_\"“‘'(（【[《「=~"
_CLOSING: Final = " *_\"”’')）】]》」=~"
_APART: Final = frozenset(" \n.,;:!?()*，。、；：")
"""Beside these no word goes on. What is not among them is looked at more closely."""
_ENDING: Final = frozenset((*"\n.,;:!?，。、；：！？", ""))
"""Behind one of these no word of content follows directly, nor does a name go on."""
_SENTENCE_ENDS: Final = frozenset(".!?。！？:：")
_BINDING: Final = regex(r"[-_/.@](?=[^\W_])|[+#](?![^\W_])")
"""What joins a mention to what stands behind it. "A+B" mentions both and "A#b" has a tag, but neither "A+" nor "A#" is "A"."""
_LAST_WORD: Final = regex(r"[\w'’]+\Z")
_WORD: Final = regex(r"[\w'’]+")
_AROUND: Final = 60
"""Characters that are looked at on each side."""
_LONGEST_WORD: Final = 30
_LINE_BACK: Final = 1_000
"""Characters in which the beginning of the line is looked for."""
# Words behind which, and before which, a noun phrase is over.
_FUNCTION_WORDS_TEXT: Final = """
    a an the and or of in on at to for with by from as is are was were be been it its this that these those into over about than then
    but if not no your our their his her my we you they he she i can will would should could do does did has have had how what when
    where which who why so such more most less each any all some via per through between without within using use see like etc
    """
_FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS_TEXT.split())
_LONGEST_FUNCTION_WORD: Final = max(map(len, _FUNCTION_WORDS))


class Mention(NamedTuple):
    """An occurrence of a name in the text that is shown."""

    start: int
    end: int
    number: int
    """Of the name, in the lexicon."""
    flags: int


as_mention: Final = partial(tuple.__new__, Mention)
"""The mention of a tuple with its four values: of very many made in a third of the time that their names would take."""


_NO_REGION: Final = (sys.maxsize, sys.maxsize, None)
"""Behind every text."""


def occurrences(automaton: AhoCorasick, text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and number of the names in a folded text that are whole words there, none within or across another.

    Of two that overlap the one that begins first counts, and of two that begin together the longer one.
    """
    found = []
    length = len(text)
    for number, start, end in automaton.find_matches_as_indexes(text, overlapping=True):
        if start and (before := text[start - 1]) not in _APART and is_bound(before, text[start]):
            continue
        if end < length and (after := text[end]) not in _APART and is_bound(text[end - 1], after):
            continue
        found.append((start, -end, number))
    found.sort()
    behind = 0
    for start, negative_end, number in found:
        if start >= behind:
            behind = -negative_end
            yield start, behind, number


class Spellings(NamedTuple):
    """How the names of a lexicon are written, by number: what is asked of every occurrence, without the notes that it may mean."""

    texts: Sequence[tuple[str, ...]]
    """As the notes that have the name write it."""
    exact_only: frozenset[int]
    """Those that are mentions only in these letters."""

    @classmethod
    def of(cls, lexicon: Lexicon) -> Self:
        """Those of all names of a vault."""
        return cls(
            [
                meanings[0].name.texts
                if len(meanings) == 1
                else tuple(text for meaning in meanings for text in meaning.name.texts)
                for meanings in lexicon.meanings
            ],
            frozenset(
                number for number, meanings in enumerate(lexicon.meanings) if needs_exact_case(meanings)
            ),
        )


def mentions_in(
    shown: Shown, automaton: AhoCorasick, spellings: Spellings, is_own: Callable[[int], bool]
) -> list[Mention]:
    """The occurrences of a vault's names in a text, in order. `is_own` tells of a name's number whether it is the note's own."""
    text = shown.text
    texts, exact_only = spellings
    found: list[tuple[int, int, int, int]] = []
    longer = []
    own_label, seen = -1, 0
    regions = iter(shown.regions)
    region_start, region_end, _ = next(regions, _NO_REGION)
    for start, end, number in occurrences(automaton, shown.folded):
        mention = text[start:end]
        if mention in texts[number]:
            flags = EXACT | HYPHENATED if "-" in mention or "_" in mention else EXACT
        elif number in exact_only:
            continue
        else:
            flags = 0
        flags |= _stand(text, start, end)
        while region_end <= start:
            region_start, region_end, _ = next(regions, _NO_REGION)
        if region_start < end:
            flags |= LINKED
        if flags & LABELLED:
            # each mention is looked at once: a line may be as long as the note
            own_label = _own_label(text, found[seen:], is_own, own_label)
            seen = len(found)
            if own_label > text.rfind("\n", max(0, start - _LINE_BACK), start):
                flags ^= LABELLED
        if flags & LONGER:
            longer.append(len(found))
        found.append((start, end, number, flags))
    for place in longer:
        if _is_beside_names(text, found, place):
            start, end, number, flags = found[place]
            found[place] = start, end, number, flags ^ LONGER
    return list(map(as_mention, found))


def _own_label(
    text: str, found: Iterable[tuple[int, int, int, int]], is_own: Callable[[int], bool], before: int
) -> int:
    """Where the last name of the note itself begins that stands in bold among these mentions; `before` where there is none.

    What begins so is no label: the rest of its line is about the note.
    """
    own = before
    for start, _, number, _ in found:
        if text.startswith("**", start - 2, start) and is_own(number):
            own = start
    return own


def _is_beside_names(text: str, found: Sequence[tuple[int, int, int, int]], place: int) -> bool:
    """Whether the words with a capital that stand beside a mention are names of other notes: it is no part of a longer name, then."""
    start, end, number, _ = found[place]
    after = text[end : end + 2]
    if _is_longer("", after) and not (
        place + 1 < len(found) and found[place + 1][0] == end + 1 and found[place + 1][2] != number
    ):
        return False
    if place and found[place - 1][1] == start - 1 and found[place - 1][2] != number:
        return True
    before = text[max(0, start - _AROUND) : start].rpartition("\n")[2]
    bullet = _BULLET.match(before)
    return not _is_longer(before[bullet.end() :] if bullet else before, "")


def _stand(text: str, start: int, end: int) -> int:
    """The flags of a place that depend on what is around it."""
    # no further than it matters: a line may be as long as the note
    nearest = start - _AROUND - 1 if start > _AROUND else 0
    line = text.rfind("\n", nearest, start) + 1 or nearest
    flags = _kind_of_line(text, line, start, is_cut=line == nearest)
    if start - line > _AROUND:
        before = text[line + 1 : start]
        left = before.rstrip(_OPENING)
    else:
        before = text[line:start]
        # a line that begins with a letter has no mark
        if before and not before[0].isalpha() and (bullet := _BULLET.match(before)):
            before = before[bullet.end() :]
        left = before.rstrip(_OPENING)
        if not left:
            flags |= LEADS
    first = text[start]
    if not left or _is_open(before, left, first):
        flags |= OPEN
    after = text[end : end + 1]
    if after in _ENDING and not flags & LEADS:
        flags |= CLOSED
    else:
        line_end = text.find("\n", end, end + _AROUND)
        after = text[end : line_end if line_end >= 0 else end + _AROUND]
        right = after.lstrip(_CLOSING)
        if not right or _is_closed(after, right, text[end - 1]):
            flags |= CLOSED
        if flags & LEADS and not right.strip(".。 \r"):
            flags |= ALONE
    if first.isupper():
        if left and left[-1] not in _SENTENCE_ENDS:
            flags |= PROPER
        if _is_longer(before, after):
            flags |= LONGER
    if (start > 1 and text[start - 1] in "-_/.@#" and text[start - 2].isalnum()) or (
        end < len(text) and text[end] in "-_/.@+#" and _BINDING.match(text, end)
    ):
        flags |= JOINED
    return flags


def _kind_of_line(text: str, line: int, start: int, *, is_cut: bool) -> int:
    """The flags that what begins the line of a place gives; where `is_cut`, the line may begin before `line`."""
    if is_cut and line and text[line - 1] != "\n":
        furthest = max(0, line - _LINE_BACK)
        line = text.rfind("\n", furthest, line) + 1 or furthest
    flags = LABELLED if text.count("**", line, start) > 1 else 0
    mark = text[line]
    if mark == ">" or (mark == " " and text[line : line + 4].lstrip().startswith(">")):
        flags |= QUOTED
    return flags


def _is_longer(before: str, after: str) -> bool:
    """Whether another word with a capital stands directly beside a mention that has one. The first of a sentence has it anyway."""
    if after[:1] == " " and after[1:2].isupper():
        return True
    word = _LAST_WORD.search(before[-_LONGEST_WORD - 1 : -1]) if before[-1:] == " " else None
    if word is None or not word[0][0].isupper():
        return False
    start = before[: -1 - len(word[0])].rstrip(_OPENING)
    return bool(start) and start[-1] not in _SENTENCE_ENDS


def _is_open(before: str, left: str, first: str) -> bool:
    """Whether no word of content stands directly before a mention that begins so; `left` is not empty."""
    mark = left[-1]
    if mark > BEFORE_UNSPACED and is_unspaced(mark):
        return before[-1] == " " or not is_unspaced(first)
    if not mark.isalnum():
        return True
    last = left[-_LONGEST_FUNCTION_WORD - 1 :]
    plain = last.rpartition(" ")[2]
    if plain.isalnum():  # nearly always, and found in a tenth of the time
        return plain.lower() in _FUNCTION_WORDS
    word = _LAST_WORD.search(last)
    return word is not None and word[0].lower() in _FUNCTION_WORDS


def _is_closed(after: str, right: str, last: str) -> bool:
    """The same for what stands behind it; `right` is not empty."""
    mark = right[0]
    if mark > BEFORE_UNSPACED and is_unspaced(mark):
        return after[0] == " " or not is_unspaced(last)
    if not mark.isalnum():
        return True
    plain = right[: _LONGEST_FUNCTION_WORD + 1].partition(" ")[0]
    if plain.isalnum():  # as above
        return plain.lower() in _FUNCTION_WORDS
    word = _WORD.match(right)
    return word is not None and word[0].lower() in _FUNCTION_WORDS
