"""How a relation is put into words: one line of the phrasing table, ours or the vault's own.

`X` stands for the subject of the relation, `Y` for its object; the other words are looked for in a sentence in this order.

    X founded/co-founded Y              one word of several
    Y founded … by X                    up to six further words
    Y's founder X                       whose
    X joined as … advisor               a role that is not named is the note itself
    X worked at Y ; past                what held once, `ended` what certainly holds no more
    X leading ; with round/seed         only where one of these words stands in the sentence too
    X joined Y ; without board          only where none of these does
    X presented ; in meeting            only in a note about a meeting
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple

Tense = Literal["", "past", "ended"]
Step = frozenset[str] | str
"""The spellings of a word, or a role, or `GAP`."""

SUBJECT: Final = "X"
OBJECT: Final = "Y"
GAP: Final = "…"
GENRES: Final = ("meeting",)
_ROLES: Final = (SUBJECT, OBJECT)
_POSSESSIVE: Final = "'s"


class Phrasing(NamedTuple):
    """A phrasing, taken apart."""

    lead: str
    """The role that stands before the first word; empty where none does."""
    steps: tuple[Step, ...]
    """From the first word on."""
    tense: Tense = ""
    given: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    genre: str = ""


def parse_phrasing(text: str) -> Phrasing:
    """A line of the table. Raises `ValueError` that says what is wrong with it."""
    pattern, *conditions = (part.strip() for part in text.replace("’", "'").split(";"))
    steps = [step for word in pattern.split() for step in _steps(word)]
    roles = [step for step in steps if step in _ROLES]
    words = [step for step in steps if isinstance(step, frozenset)]
    if not roles or len(roles) != len(set(roles)):
        raise ValueError(f"`{text}` must name `X`, the subject, or `Y`, the object, and each once")
    if not words:
        raise ValueError(f"`{text}` has no words beside its roles")
    lead = steps.pop(0) if steps[0] in _ROLES else ""
    if not isinstance(steps[0], frozenset):
        raise ValueError(f"`{text}` needs a word where it begins or behind its first role")
    phrasing = Phrasing(str(lead), tuple(steps))
    for condition in conditions:
        phrasing = _under(phrasing, condition, text)
    return phrasing


@cache
def _steps(word: str) -> tuple[Step, ...]:
    """The steps that a written word stands for; phrasings share their long groups of words."""
    if word.endswith(_POSSESSIVE) and word != _POSSESSIVE:
        return *_steps(word.removesuffix(_POSSESSIVE)), frozenset({_POSSESSIVE})
    if word in _ROLES or word == GAP:
        return (word,)
    return (frozenset(filter(None, word.lower().split("/"))) or frozenset({word}),)


def _under(phrasing: Phrasing, condition: str, text: str) -> Phrasing:
    name, _, value = condition.partition(" ")
    words = frozenset(filter(None, value.strip().lower().split("/")))
    if condition == "past":
        return phrasing._replace(tense="past")
    if condition == "ended":
        return phrasing._replace(tense="ended")
    if name == "with" and words:
        return phrasing._replace(given=words)
    if name == "without" and words:
        return phrasing._replace(excluded=words)
    if name == "in" and value.strip() in GENRES:
        return phrasing._replace(genre=value.strip())
    raise ValueError(
        f"`{condition}` in `{text}` is no condition: write `past`, `ended`, `with a/b`, `without a/b` or `in meeting`"
    )
