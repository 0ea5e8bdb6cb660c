"""Whether a passage says nothing that another does not say, so that the other is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from reme_cli.index.tokenize import tokens_of
from reme_cli.regex import regex

if TYPE_CHECKING:
    from typing import Self

    from reme_cli.index.rows import Passage

SHARED: Final = 0.9
"""Of the distinct words of both passages, the share that both have."""
FEWEST: Final = 6
"""Distinct words of which a passage says something of its own: many notes say `to do`."""
MOST_CHARS: Final = 20_000
"""Longer passages are not compared."""

FILLERS: Final = frozenset({"a", "an", "the", "this", "that", "these", "those", "and", "also"})
"""Words with which a sentence says what it says without them."""

# behind its mark, at a blank line, or before an entry of a list or a heading: lines may be broken anywhere
_SENTENCE_END: Final = regex(r"[.!?](?=\s)|[。！？]|\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)]\s))")
_TELLING: Final = regex(r"\d|^(?:not?|never|none|don|won|cannot|without)$|[不没無无非未否]")


class Statement(NamedTuple):
    """What a passage that answers a query says."""

    words: frozenset[str]
    """Of its text below the heading."""
    sentences: frozenset[tuple[str, ...]]
    """Each as its words in order, but for fillers."""
    telling: frozenset[str]
    """Numbers and negations: even in a sentence of its own, one makes the others say something else."""
    asked: frozenset[str]
    """Words of the query in its heading: a passage about them is another than one that mentions them."""

    @classmethod
    def of(cls, text: str, passage: Passage, terms: frozenset[str]) -> Self | None:
        """What a passage of a text says; `None` where it has too few or too many words to compare, or none of the query."""
        if passage.end - passage.start > MOST_CHARS:
            return None
        below = text.find("\n", passage.start, passage.end) if passage.level else passage.start
        if below < 0:
            return None
        told = [tokens_of(sentence) for sentence in _SENTENCE_END.split(text[below : passage.end])]
        words = frozenset(word for sentence in told for word in sentence)
        asked = terms.intersection(tokens_of(passage.heading))
        if len(words) < FEWEST or not (asked or words & terms):
            return None
        sentences = (tuple(word for word in sentence if word not in FILLERS) for sentence in told)
        telling = frozenset(word for word in words if _TELLING.search(word))
        return cls(words, frozenset(filter(None, sentences)), telling, asked)

    def repeats(self, other: Statement) -> bool:
        """Whether all that it says is said by the other too, which says hardly more.

        A word that stands in one of them alone may turn the sense of the rest, such as `slowly` for `quickly`, and so may the
        order of the words: each of the sentences must be there as a whole.
        """
        return (
            (self.telling, self.asked) == (other.telling, other.asked)
            and self.sentences <= other.sentences
            and len(self.words & other.words) >= SHARED * len(self.words | other.words)
        )
