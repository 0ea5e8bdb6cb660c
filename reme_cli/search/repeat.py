"""Whether two passages say the same, so that one of them is enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.tokenize import tokens_of

if TYPE_CHECKING:
    from typing import Self

    from reme_cli.index.rows import Passage

SHARED: Final = 0.9
"""Of the distinct words of both passages, the share that both have."""
FEWEST: Final = 6
"""Distinct words of which a passage says something of its own: many notes say `to do`."""
MOST_CHARS: Final = 20_000
"""Longer passages are not compared."""

# What differs in a number or in a negation is another statement, however much of the rest is the same.
_TELLING: Final = re.compile(r"\d|^(?:not?|never|none|don|won|cannot|without)$|[不没無无非未否]")


class Statement(NamedTuple):
    """The words of a passage that answers a query."""

    words: frozenset[str]
    """Of its text below the heading."""
    telling: frozenset[str]
    """Those by which an otherwise equal passage says something else."""
    asked: frozenset[str]
    """Words of the query in its heading: a passage about them is another than one that mentions them."""

    @classmethod
    def of(cls, text: str, passage: Passage, terms: frozenset[str]) -> Self | None:
        """The words of a passage of a text; `None` where it has too few or too many to compare, or none of the query."""
        if passage.end - passage.start > MOST_CHARS:
            return None
        below = text.find("\n", passage.start, passage.end) if passage.level else passage.start
        words = frozenset(tokens_of(text[below : passage.end])) if below >= 0 else frozenset()
        asked = terms.intersection(tokens_of(passage.heading))
        if len(words) < FEWEST or not (asked or words & terms):
            return None
        return cls(words, frozenset(word for word in words if _TELLING.search(word)), asked)

    def repeats(self, other: Statement) -> bool:
        """Whether both say the same."""
        if (self.telling, self.asked) != (other.telling, other.asked):
            return False
        return len(self.words & other.words) >= SHARED * len(self.words | other.words)
