"""Cutting a sentence into words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.predicates.sentences import LINK, NOTHING
from reme_cli.predicates.vocabulary import LISTED, NO_NAMES
from reme_cli.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SELF: Final = "\x04"
"""Stands for a name of the note itself, where it is written without spaces around it."""

_TOKEN: Final = regex(
    r"[\x01\x02\x04‡]|['’]s\b|[^\W\d_]+(?:[-'’.&][^\W\d_]+)*(?<!['’]s)|\d+(?:[.,:/-]\d+)*[%+]?[^\W\d_]*|[^\s*_=]"
)
_TOKEN_OR_HAN: Final = regex(
    r"[\x01\x02\x04‡]|['’]s\b|[^\W\d_\u3400-\u9fff]+(?:[-'’.&][^\W\d_\u3400-\u9fff]+)*(?<!['’]s)|[\u3400-\u9fff]+|\d+(?:[.,:/-]\d+)*[%+]?[^\W\d_\u3400-\u9fff]*|[^\s*_=]"
)
"""The same where Chinese may stand. It takes long to compile, which English does without."""
_LINKS: Final = frozenset({LINK, NOTHING})
_FIRST_HAN: Final = "\u3400"
_LAST_HAN: Final = "\u9fff"
_BEFORE_HAN: Final = bytes(range(0xE3))
"""What no character from U+3000 on begins with in UTF-8."""


class Words(NamedTuple):
    """A sentence cut into words, each with whether it is a name by its capital, and each link with its number."""

    words: list[str]
    capital: list[bool]
    links: list[int]
    """Ordinal of the link, or -1."""


class Mentions:
    """Names by which a note's sentences may speak of what it links to elsewhere."""

    def __init__(self, shown: Callable[[], Iterable[tuple[int, str]]], own: frozenset[str]) -> None:
        self._shown = shown
        """Asked for when the first name is met."""
        self._own = own
        self._by_name: dict[str, int | None] | None = None

    def get(self, name: str) -> int | None:
        """The link that a run of capitalised words names, if just one is meant."""
        if self._by_name is None:
            self._by_name = self._names()
        return self._by_name.get(name)

    def _names(self) -> dict[str, int | None]:
        whole: dict[str, int] = {}
        for number, text in self._shown():
            name = " ".join(text.lower().split())
            if name and name not in whole:
                whole[name] = number
        by_name: dict[str, int | None] = {}
        for name, number in whole.items():
            parts = name.split()
            # a name's first or last word is enough, where no other name and not the note's own has it
            for part in {parts[0], parts[-1]} if 1 < len(parts) < 4 else ():
                by_name[part] = None if part in by_name or part in self._own else number
        return by_name | whole


class Lexicon:
    """The Chinese words that the table and the lists above know; everything else is single characters."""

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        self._source = words
        """Of the table's words; asked when the first Chinese is cut."""
        self._words: frozenset[str] = frozenset()
        self._sizes: dict[str, list[int]] = {}
        """How long the words are that begin with two characters, longest first."""

    def _read(self) -> None:
        self._words = frozenset(
            word for word in (*self._source(), *LISTED) if len(word) > 1 and "\u3400" <= word[0] <= "\u9fff"
        )
        for size, head in sorted({(len(word), word[:2]) for word in self._words}, reverse=True):
            self._sizes.setdefault(head, []).append(size)

    def cut(self, run: str) -> list[str]:
        """The run's words, each the longest known one."""
        if not self._words:
            self._read()
        known, sizes = self._words, self._sizes
        words: list[str] = []
        at, end = 0, len(run)
        while at < end:
            for size in sizes.get(run[at : at + 2], ()):
                word = run[at : at + size]
                if word in known:
                    words.append(word)
                    at += size
                    break
            else:
                words.append(run[at])
                at += 1
        return words


def is_han(text: str) -> bool:
    """Whether a text has Chinese characters, or what stands behind them in Unicode."""
    # most text that is not ASCII has but other quotation marks; bytes are left out much faster than characters are compared
    return (
        not text.isascii()
        and bool(text.encode(errors="surrogatepass").translate(None, _BEFORE_HAN))
        and max(text) >= _FIRST_HAN
    )


def cut(sentence: str, ordinals: tuple[int, ...], lexicon: Lexicon, mentions: Mentions) -> Words:
    """The words of a sentence; a name of what the note links to elsewhere counts as a link to it."""
    words: list[str] = []
    capital: list[bool] = []
    if is_han(sentence):
        for token in _TOKEN_OR_HAN.findall(sentence):
            if _FIRST_HAN <= token[0] <= _LAST_HAN:
                run = lexicon.cut(token)
                words += run
                capital += [False] * len(run)
            else:
                word, is_name = _FOLDED[token]
                words.append(word)
                capital.append(is_name)
    else:
        folded = [_FOLDED[token] for token in _TOKEN.findall(sentence)]
        words = [word for word, _ in folded]
        capital = [is_name for _, is_name in folded]
    links = [-1] * len(words)
    places = [at for at, word in enumerate(words) if word in _LINKS]
    for place, ordinal in zip(places, ordinals, strict=False):
        if words[place] == LINK:
            links[place] = ordinal
    found_words = Words(words, capital, links)
    return _with_mentions(found_words, mentions) if True in capital else found_words


class _Folded(dict[str, tuple[str, bool]]):
    """How a word is compared, and whether its capital makes it a name: notes repeat their words, so that each is folded once."""

    def __missing__(self, spelling: str) -> tuple[str, bool]:
        if len(self) >= _REMEMBERED:
            self.clear()
        word = spelling.lower().replace("’", "'")
        if word.endswith("n't"):
            word = "n't"
        elif spelling == "May":  # the month; the verb is written small
            word = "month"
        folded = self[spelling] = word, spelling[0].isupper() and word not in NO_NAMES
        return folded


_REMEMBERED: Final = 50_000
_FOLDED: Final = _Folded()


def _with_mentions(cut_words: Words, mentions: Mentions) -> Words:
    words, capital, links = cut_words
    at = 0
    while at < len(words):
        if not capital[at]:
            at += 1
            continue
        end = at + 1
        while end < len(words) and capital[end]:
            end += 1
        number = mentions.get(" ".join(words[at:end]))
        if number is None and at == 0 and end > 1:  # `Left Acme`: the first word of a sentence is no name
            at = 1
            number = mentions.get(" ".join(words[at:end]))
        if number is not None:
            words[at:end], capital[at:end], links[at:end] = [LINK], [False], [number]
            end = at + 1
        at = end
    return cut_words
