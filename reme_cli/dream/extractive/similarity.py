"""How alike two memories are: the one documented measure by which the extractive engine groups and corroborates.

    similarity = 0.4 · names + 0.6 · terms

`names` is rapidfuzz's token-set ratio of the terms of both names (0–1). `terms` is the overlap coefficient
(Szymkiewicz–Simpson) of both term sets, each term weighed: what is shared over what the smaller of the two holds. It is zero
below `MIN_SHARED` shared terms, so that two short texts do not meet on a word. The overlap coefficient is meant: a new
passage is short beside the note that it repeats.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reme_cli.dream.extractive.salience import terms

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES_SHARE: Final = 0.4
MIN_SHARED: Final = 4
SAME: Final = 0.6
"""At and above: the same memory again."""
RELATED: Final = 0.3
"""At and above: worth a link."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What a memory is compared by."""

    name: tuple[str, ...]
    terms: frozenset[str]


def profile_of(name: str, text: str) -> Profile:
    """The profile of a memory with this name and text."""
    figures = re.findall(r"\d+(?:\.\d+)*", name)
    return Profile(tuple(sorted({*terms(name), *figures})), frozenset(terms(f"{name}\n{text}")))


def similarity(one: Profile, other: Profile, weight: Callable[[str], float] = lambda _: 1.0) -> float:
    """How alike two memories are, 0–1; symmetric. `weight` of a term defaults to 1."""
    return NAMES_SHARE * name_similarity(one.name, other.name) + (1 - NAMES_SHARE) * overlap(
        one.terms, other.terms, weight
    )


def name_similarity(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """rapidfuzz's token-set ratio of two names' terms, 0–1; two terms must be shared, or all, and no figure may differ."""
    shared = set(one) & set(other)
    if _figures(one) != _figures(other) and _figures(one) and _figures(other):
        return 0.0
    if len(shared) < 2 and not (shared and set(one) == set(other)):
        return 0.0
    from rapidfuzz.fuzz import token_set_ratio  # a binary extension: loaded by the commands that compare

    return token_set_ratio(" ".join(one), " ".join(other)) / 100


def _figures(name: tuple[str, ...]) -> set[str]:
    """What tells `Experiment 3` from `Experiment 4`, which are alike in every other word."""
    return {term for term in name if term[0].isdigit()}


def overlap(one: frozenset[str], other: frozenset[str], weight: Callable[[str], float]) -> float:
    """The weighed overlap coefficient of two term sets, 0–1."""
    shared = one & other
    if len(shared) < MIN_SHARED:
        return 0.0
    # fsum is exact: the order of a set must not show in the result
    return math.fsum(map(weight, shared)) / min(math.fsum(map(weight, one)), math.fsum(map(weight, other)))
