"""How well a note's words answer a query: BM25 over its fields, and whether the query names it."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.stem import beginnings_of
from reme_cli.index.tokenize import is_unspaced, tokenize
from reme_cli.regex import regex
from reme_cli.search.query import phrase_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from reme_cli.index.fulltext import Matches

WEIGHTS: Final = (8.0, 6.0, 3.0, 2.0, 1.0)
"""Of a match in each of `index.schema.FIELDS`: name, aliases, headings, properties, body."""

SATURATION: Final = 1.2
"""BM25's k1: how soon a further occurrence adds little."""
LENGTH: Final = 0.75
"""BM25's b: how much a long note has to say a word more often."""

_OPENINGS: Final = regex(r"(?<![a-z0-9'])[a-z0-9]{1,2}")
_JOINTS: Final = regex(r"(?<=\w)[-_.](?=\w)")


class Evidence(NamedTuple):
    """What a note's words say for it."""

    bm25: float
    named: float
    """How telling a name of the note is that stands in the query as a whole: 0 to 1; 0 for none."""


def weights_of(matches: Matches) -> dict[str, float]:
    """What each word that occurs is worth: the rarer, the more, and never nothing.

    Robertson's inverse document frequency with 1 added inside the logarithm, as Lucene has it. FTS5's own is without it, and 0 for
    a word that more than half of the notes have: in a small vault, most of what is asked for.
    """
    return {
        term: math.log1p((matches.notes - count + 0.5) / (count + 0.5))
        for term, count in matches.frequency.items()
    }


class Scale(NamedTuple):
    """What words are weighed by."""

    worth: Mapping[str, float]
    """Of each word of the query that occurs, from `weights_of`."""
    average: float
    """Tokens of a note, on average."""
    rarest: float
    """What a word of a single note is worth, about: the name that is made of it is as telling as can be."""

    @classmethod
    def of(cls, matches: Matches) -> Self:
        """The scale for what the full text knows of a query."""
        return cls(weights_of(matches), matches.tokens, math.log1p(matches.notes))


def bm25(fields: Sequence[str], scale: Scale) -> float:
    """What a note's words say for it. `fields` are its tokens by field.

    BM25 with weighted fields as FTS5 computes it: the fields are one text in which a match counts as often as its weight says
    (Robertson, Zaragoza, Taylor 2004, "Simple BM25 extension to multiple weighted fields").
    """
    worth = scale.worth
    beginnings = {term for term in worth if len(term) == 1 and is_unspaced(term)}
    counts: dict[str, float] = {}
    length = 0
    for weight, text in zip(WEIGHTS, fields, strict=True):
        tokens = text.split()
        length += len(tokens)
        found = Counter(filter(worth.__contains__, tokens))
        if beginnings:
            found.update(token[0] for token in tokens if token not in worth and token[0] in beginnings)
        for term, count in found.items():
            counts[term] = counts.get(term, 0.0) + weight * count
    slack = SATURATION * (1 - LENGTH + LENGTH * length / scale.average)
    return sum(worth[term] * count * (SATURATION + 1) / (count + slack) for term, count in counts.items())


class Said(NamedTuple):
    """What names are compared with."""

    tokens: str
    """Those of the query, each between spaces."""
    openings: frozenset[str]
    """The first two letters of every word in ASCII that has such a token; a single letter stands for all that it begins."""

    def may_hold(self, name: str) -> bool:
        """Whether a name may be there: of most names it is clear at a glance."""
        if not name.isascii():
            return not "一" <= name[0] <= "鿿" or name[0] in self.tokens
        openings = self.openings
        return all(
            opening in openings or opening[0] in openings for opening in _OPENINGS.findall(name.lower())
        )


def named(names: Iterable[str], said: Said, scale: Scale) -> float:
    """How telling a name of a note is that stands in the query as a whole: 0 for none, 1 for one as rare as can be.

    Many notes are called `Log`, one is called `JWT rotation`.
    """
    return max((_named(name, said, scale) for name in names), default=0.0)


def said_in(query: str) -> Said:
    """What a query says, for `named`."""
    tokens = tokenize(_unjoined(query))
    return Said(f" {tokens} ", frozenset(word[:2] for word in beginnings_of(tokens.split())))


def _unjoined(text: str) -> str:
    """The text with its compounds taken apart: a file is called `jwt-rotation` where people write "JWT rotation"."""
    return _JOINTS.sub(" ", text)


def _named(name: str, said: Said, scale: Scale) -> float:
    if not said.may_hold(name):
        return 0.0
    tokens = phrase_tokens(_unjoined(name))
    if not tokens or f" {' '.join(tokens)} " not in said.tokens:
        return 0.0
    return min(1.0, sum(scale.worth.get(token, 0.0) for token in set(tokens)) / scale.rarest)
