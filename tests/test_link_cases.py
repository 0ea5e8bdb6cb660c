"""Every case of the shared `cases/links.jsonl`: a note's edges, broken links, attachments and ambiguous links."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.graph.edge import attachments_of, edges_of, occurrences_of
from reme_cli.vault.resolve import Names
from tests.conftest import SHARED

if TYPE_CHECKING:
    from pathlib import Path

CASES = SHARED / "cases" / "links.jsonl"


def cases() -> list[Any]:
    """The cases, each with its id; none where the shared material is absent."""
    if not CASES.is_file():
        return []
    return [
        pytest.param(case, id=case["id"]) for case in map(json.loads, CASES.read_text("utf-8").splitlines())
    ]


def test_the_cases_are_there(shared: Path) -> None:
    assert len(cases()) >= 78


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    paths = {case["note"], *case["files"]}
    names = Names(
        (path for path in paths if path.endswith(".md")), (path for path in paths if not path.endswith(".md"))
    )
    occurrences = occurrences_of(case["note"], case["text"], names)
    resolved = [occurrence for occurrence in occurrences if occurrence.edge.resolved]

    assert [[edge.target, edge.predicate] for edge in edges_of(resolved)] == case["edges"]
    broken = [occurrence.link.target for occurrence in occurrences if not occurrence.edge.resolved]
    assert list(dict.fromkeys(broken)) == case["broken"]
    attachments = attachments_of(case["note"], case["text"], names)
    assert [path for path in attachments if path in paths] == case["attachments"]
    ambiguous = [
        occurrence.link.target
        for occurrence in resolved
        if names.resolve(occurrence.link, case["note"]).ambiguous
    ]
    assert list(dict.fromkeys(ambiguous)) == case["ambiguous"]
    for occurrence in occurrences:
        assert occurrence.edge.source == case["note"]
        assert 0 <= occurrence.link.start < occurrence.link.end <= len(case["text"])
