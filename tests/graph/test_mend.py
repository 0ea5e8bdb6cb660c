"""The edge rule of lint's fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.around import Around
from reme_cli.errors import EdgesLost
from reme_cli.graph.conservation import EdgeKey, change_of
from reme_cli.graph.mend import Mend

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault


def key(text: str) -> EdgeKey:
    predicate, _, target = text.rpartition(":: ")
    return EdgeKey(target, predicate or None)


CASES = [
    # before, after, announced as `old > new`, what is missing
    ("[[a]]", "[[a.md]]", "", ""),
    ("[[a]]", "[[a]] [[b]]", "", ""),
    ("[[a]]", "a", "", "[[a.md]]"),
    ("[[a]]", "a", "a.md >", ""),
    ("[[gone]] [[a]]", "gone a", "gone >", "[[a.md]]"),
    ("[[gone]]", "[[a]]", "gone > a.md", ""),
    ("[[gone]]", "[[b]]", "gone > a.md", "[[gone]]"),
    ("[[gone]]", "gone", "gone > a.md", "[[gone]]"),
    ("[[gone]]", "[[b]]", "gone > a.md; a.md > b.md", ""),
    ("[[gone]]", "gone", "gone > a.md; a.md > gone", "[[gone]]"),
    ("[[gone]] [[gone]]", "[[a]] gone", "gone > a.md; gone >", ""),
    ("relatedTo:: [[a]]", "related_to:: [[a]]", "relatedto:: a.md > related_to:: a.md", ""),
    ("relatedTo:: [[a]]", "related_to:: [[a]]", "", "relatedto:: [[a.md]]"),
    ("![](x.png)", "", "x.png >", ""),
    ("![](x.png)", "", "", "[[x.png]]"),
]


@pytest.mark.parametrize(("before", "after", "announced", "missing"), CASES)
def test_what_may_go(
    vault_of: Callable[..., Vault], before: str, after: str, announced: str, missing: str
) -> None:
    vault = vault_of({"a.md": "", "b.md": "", "x.png": ""})
    edges = set()
    for pair in filter(None, announced.split("; ")):
        old, _, new = pair.partition(" >")
        edges.add((key(old), key(new.strip()) if new.strip() else None))
    change = change_of("note.md", before, after)
    around = Around(vault, None, added=(), removed=())
    if missing:
        with pytest.raises(EdgesLost) as told:
            Mend(frozenset(edges)).check(change, around, [change])
        assert told.value.missing == (missing,)
    else:
        Mend(frozenset(edges)).check(change, around, [change])
