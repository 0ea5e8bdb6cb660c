"""Which passages say the same."""

from __future__ import annotations

import pytest

from reme_cli.index.document import passages_of
from reme_cli.search.repeat import Statement

BASE = "The gateway rotates its signing keys every ninety days, and each service fetches the new set from the registry at start.\n"

PAIRS = [
    (BASE, BASE, True),
    (f"# One\n\n{BASE}", f"# Two\n\n{BASE}", True),
    (BASE, BASE.replace("keys every", "keys\nevery").replace("the registry", "a **registry**"), True),
    (BASE, BASE.upper().replace(".", ""), True),
    (BASE, BASE.replace("registry", "vault"), False),
    (BASE, BASE.replace("rotates", "slowly rotates"), False),
    (BASE.replace("rotates", "slowly rotates"), BASE.replace("rotates", "quickly rotates"), False),
    (BASE.replace("fetches", "increased"), BASE.replace("fetches", "decreased"), False),
    (BASE.replace("rotates", "rarely rotates"), BASE, False),
    (BASE, BASE.replace("The gateway", "Each service").replace("each service", "the gateway"), False),
    (f"{BASE}It does so at night.\n", f"It does so at night. {BASE}", True),
    (BASE, BASE.replace("ninety", "30"), False),
    (BASE, BASE.replace("rotates", "never rotates"), False),
    (BASE, BASE.replace("signing keys every ninety days", "certificates once a year"), False),
    # a passage about what is asked for is another than one that mentions it
    (f"# Gateway\n\n{BASE}", f"# Two\n\n{BASE}", False),
    (
        "网关每九十天轮换一次签名密钥，服务启动时拉取。\n",
        "网关每九十天轮换一次签名密钥，服务启动时拉取\n",
        True,
    ),
    (
        "网关每九十天轮换一次签名密钥，服务启动时拉取。\n",
        "网关每九十天不轮换一次签名密钥，服务启动时拉取。\n",
        False,
    ),
]


@pytest.mark.parametrize(("one", "other", "same"), PAIRS)
def test_repeats(one: str, other: str, same: bool) -> None:
    statements = [
        Statement.of(text, passages_of(text)[-1], frozenset({"gateway", "网关"})) for text in (one, other)
    ]
    assert statements[0]
    assert statements[1]
    assert statements[0].repeats(statements[1]) is statements[1].repeats(statements[0]) is same


def test_the_one_that_says_more_is_not_left_out() -> None:
    more, less = (
        Statement.of(text, passages_of(text)[-1], frozenset({"gateway"}))
        for text in (f"{BASE} At night.\n", BASE)
    )
    assert more
    assert less
    assert less.repeats(more)
    assert not more.repeats(less)


@pytest.mark.parametrize("text", ["gateway to do\n", "# Gateway\n", f"{BASE * 500}"])
def test_too_few_or_too_many_words_to_compare(text: str) -> None:
    assert Statement.of(text, passages_of(text)[-1], frozenset({"gateway"})) is None


def test_a_passage_without_a_word_of_the_query_is_not_compared() -> None:
    assert Statement.of(BASE, passages_of(BASE)[0], frozenset({"zebra"})) is None
