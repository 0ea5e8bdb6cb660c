"""What a reader should know of a hit because of another hit: that it contradicts it, or has taken its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reme_cli.index.nearby import typed_between
from reme_cli.predicates.inverse import oriented

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reme_cli.index.index import Index

FLAGS: Final = {"contradicts": "contradicted by", "evolved_from": "superseded by"}
"""What is said of the object of a predicate, before the path of its subject. `supersedes` is another name of `evolved_from`."""


def flags_of(index: Index, hits: Mapping[int, str]) -> dict[str, tuple[str, ...]]:
    """For each path the flags that other hits give it; `hits` are the numbers and paths of all hits."""
    flags: dict[str, list[str]] = {}
    for subject, predicate, target in sorted(_relations(index, hits)):
        if predicate in FLAGS and subject != target:
            flag = f"{FLAGS[predicate]} {subject}"
            if flag not in flags.setdefault(target, []):
                flags[target].append(flag)
    return {path: tuple(told) for path, told in flags.items()}


def _relations(index: Index, hits: Mapping[int, str]) -> Iterator[tuple[str, str, str]]:
    """Subject, predicate and object of what links among the hits say, and of what sentences about them state."""
    for tie in typed_between(index, hits):
        if tie.predicate:
            predicate, against = oriented(tie.predicate)
            ends = (hits[tie.source], hits[tie.target])
            subject, target = reversed(ends) if against else ends
            yield subject, predicate, target
    for edge in index.implied_between(hits.values(), FLAGS):
        yield edge.source, edge.predicate, edge.target
