"""Names that a note spells nearly right: one letter of one word is missing, doubled, wrong, or two have changed places.

Only names of several words are looked for, all of whose other words are there: of a single word, one letter makes another word
too often. The words of the vault come from the index, so that only notes are looked at that hold such a word.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from reme_cli.index.tokenize import tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reme_cli.index.index import Index
    from reme_cli.linking.lexicon import Lexicon


class Connection(Protocol):
    """What is asked of the index's database here."""

    def execute(self, statement: str, values: Sequence[object] = ..., /) -> Iterable[Any]:
        """The rows of a statement."""


SHORTEST_NAME: Final = 10
SHORTEST_WORD: Final = 6
"""Characters of the word that is misspelt; in a shorter one a letter makes too much of a difference."""
LIKENESS: Final = 0.9
"""The rapidfuzz ratio of mention and name, from which the mention counts; it is its score too."""
_RARE: Final = 3
"""A word that stands in more notes is no slip."""

_WORDS: Final = re.compile(r"[a-z]+(?: [a-z]+)+")
# `{` comes behind `z`: other words need not be counted
_TERMS: Final = (
    "SELECT term FROM temp.vocabulary WHERE term >= 'a' AND term < '{' AND doc <= ? AND length(term) >= ?"
)
_HOLDING: Final = "SELECT notes.path FROM fulltext JOIN notes ON notes.id = fulltext.rowid WHERE fulltext MATCH ? ORDER BY 1"


def misspelt(index: Index, lexicon: Lexicon) -> dict[str, frozenset[int]]:
    """For each note that may hold a misspelt name, the numbers of these names."""
    by_word: dict[str, set[int]] = {}
    for number, (key, meanings) in enumerate(zip(lexicon.keys, lexicon.meanings, strict=True)):
        is_own = len(meanings) == 1 and meanings[0].name.origin in {"name", "alias"}
        if is_own and len(key) >= SHORTEST_NAME and _WORDS.fullmatch(key):
            for word in tokens_of(key):
                if len(word) >= SHORTEST_WORD - 1 and word.isalpha():
                    by_word.setdefault(word, set()).add(number)
    if not by_word:
        return {}
    found: dict[str, set[int]] = {}
    for term, words in _near(by_word, index.read(_rare_terms)).items():
        numbers = {number for word in words for number in by_word[word]}
        for path in index.read(partial(_holding, term)):
            found.setdefault(path, set()).update(numbers)
    return {path: frozenset(numbers) for path, numbers in found.items()}


def _rare_terms(connection: Connection) -> list[str]:
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, fulltext, row)"
    )
    return [term for (term,) in connection.execute(_TERMS, (_RARE, SHORTEST_WORD - 1))]


def _holding(term: str, connection: Connection) -> list[str]:
    return [path for (path,) in connection.execute(_HOLDING, (f'"{term}"',))]


def near_spellings(key: str, text: str) -> Iterator[tuple[int, int, float]]:
    """Where a folded text holds a name with one letter wrong: start, end, and the likeness; in order of place."""
    from rapidfuzz import fuzz  # only where a word is nearly one of a name's

    words = key.split(" ")
    found = []
    for number, word in enumerate(words):
        if len(word) < SHORTEST_WORD:
            continue
        for match in _pattern(words, number).finditer(text):
            likeness = fuzz.ratio(match[0], key) / 100
            if likeness >= LIKENESS and is_slip(match[1], word):
                found.append((match.start(), match.end(), likeness))
    yield from sorted(set(found))


def is_slip(written: str, word: str) -> bool:
    """Whether a word is another but for one letter, which is not the first."""
    from rapidfuzz.distance import OSA

    return written[0] == word[0] and written != word and OSA.distance(written, word, score_cutoff=1) == 1


def _pattern(words: list[str], number: int) -> re.Pattern[str]:
    """The name with any word of nearly the same length in one place."""
    length = len(words[number])
    parts = [re.escape(word) for word in words]
    parts[number] = rf"(\w{{{length - 1},{length + 1}}})"
    return re.compile(rf"(?<!\w){' '.join(parts)}(?!\w)")


def _near(by_word: Mapping[str, object], terms: Iterable[str]) -> dict[str, list[str]]:
    """For each term that is no word of a name, the words that it is nearly.

    Two words that differ by one letter have a part in common that one gets by leaving out a letter of each.
    """
    by_part: dict[str, list[str]] = {}
    for word in by_word:
        for part in _parts(word):
            by_part.setdefault(part, []).append(word)
    found = {}
    for term in terms:
        if term in by_word or not (term.isascii() and term.isalpha()):
            continue
        words = {word for part in _parts(term) for word in by_part.get(part, ())}
        if near := sorted(word for word in words if is_slip(term, word)):
            found[term] = near
    return found


def _parts(word: str) -> Iterator[str]:
    yield word
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]
