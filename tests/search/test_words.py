"""What words say for a note: BM25, and being named."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from reme_cli.index.fulltext import Matches, Query, contents
from reme_cli.index.index import Index
from reme_cli.search.query import query_terms
from reme_cli.search.words import WEIGHTS, Scale, bm25, named, said_in, weights_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.vault.vault import Vault

NOTES = {
    "alpha.md": "---\naliases: [the first, 数据库]\nstatus: beta\n---\n# Beta\n\nalpha beta gamma gamma\n\n## Gamma\n数据\n",
    "b.md": "beta and gamma, gamma and delta; 网关数据库\n",
    "c.md": "nothing of the kind, at some length, so that this note is longer than the others are\n",
    **{f"filler{number}.md": f"other words {number}\n" for number in range(9)},
}


def matches_of(index: Index, text: str) -> Matches:
    return index.matches(Query(terms=query_terms(text)), WEIGHTS, 50)


@pytest.mark.parametrize("text", ["alpha", "beta gamma", "gamma delta alpha", "数据库", "数据 gamma", "库"])
def test_bm25_is_that_of_full_text_search_but_for_the_worth_of_a_word(
    vault_of: Callable[..., Vault], text: str
) -> None:
    with Index.open(vault_of(NOTES)) as index:
        matches = matches_of(index, text)
        scale = Scale.of(matches)._replace(
            worth={
                term: math.log((matches.notes - count + 0.5) / (count + 0.5))
                for term, count in matches.frequency.items()
            }
        )
        found = index.read(lambda connection: contents(connection, [one.id for one in matches.candidates]))
        assert matches.candidates
        for one in matches.candidates:
            assert bm25(found[one.id], scale) == pytest.approx(one.score)


def test_a_word_that_most_notes_have_is_worth_little_but_not_nothing() -> None:
    worth = weights_of(Matches((), (), {"rare": 1, "common": 9, "everywhere": 10}, 10, 100.0))
    assert worth["rare"] > worth["common"] > worth["everywhere"] > 0
    assert worth["rare"] == pytest.approx(math.log(1 + 9.5 / 1.5))


SCALE = Scale(
    {"jwt": 6.0, "rotation": 3.0, "log": 1.0, "go": 2.0, "数据": 3.0, "据库": 5.0, "note": 2.0}, 100.0, 8.0
)

NAMED = [
    ("how does JWT rotation work", ["JWT rotation"], 1.0),
    ("how does jwt rotation work", ["jwt-rotation"], 1.0),
    ("how does jwt-rotation work", ["Jwt_Rotation"], 1.0),
    ("how do JWT rotations work", ["JWT Rotation"], 1.0),
    ("jwt and its rotation", ["JWT rotation"], 0.0),
    ("rotation of the jwt", ["JWT rotation"], 0.0),
    ("rotation", ["JWT rotation"], 0.0),
    ("the log of it", ["Log"], 1 / 8),
    ("the log of the jwt", ["Log", "JWT"], 6 / 8),
    ("重启数据库网关", ["数据库"], 1.0),
    ("重启数据网关", ["数据库"], 0.0),
    ("the JWT数据 of it", ["JWT数据"], 1.0),
    ("重启数据", ["数据"], 3 / 8),
    ("notes", ["🧑 note"], 2 / 8),
    ("where the log went", ["log gone", "the log goes"], 1 / 8 + 2 / 8),
    ("the logs go on", ["Logs' going"], 1 / 8 + 2 / 8),
    ("the log's jwt", ["log's JWT"], 1 / 8 + 6 / 8),
    ("the log went on", ["log rotation"], 0.0),
    ("anything", ["", "-", "🧑"], 0.0),
]


@pytest.mark.parametrize(("query", "names", "telling"), NAMED)
def test_named(query: str, names: list[str], telling: float) -> None:
    assert named(names, said_in(query), SCALE) == pytest.approx(telling)
