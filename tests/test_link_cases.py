"""A note's edges, broken links, attachments and ambiguous links, case by case.

The cases of the shared `cases/links.jsonl`, more of our own in `link_cases.jsonl` (absent fields: the note `n.md`, the
files `a.md` … `g.md` and `pic.png`, nothing found), and in `link_places.json` every form of link in every place.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reme_cli.graph.edge import attachments_among, edges_of, occurrences_of
from reme_cli.vault.resolve import Names
from reme_cli.vault.wikilink import scan
from tests.conftest import SHARED

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

CASES = SHARED / "cases" / "links.jsonl"
HERE = Path(__file__).parent
DEFAULTS = {
    "note": "n.md",
    "files": ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md", "g.md", "pic.png"],
    "broken": [],
    "attachments": [],
    "ambiguous": [],
}
PLACES = json.loads((HERE / "link_places.json").read_text("utf-8"))


def cases(path: Path = CASES) -> list[ParameterSet]:
    """The cases, each with its id; none where the shared material is absent."""
    if not path.is_file():
        return []
    found = [DEFAULTS | json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in found]


def test_the_cases_are_there(shared: Path) -> None:
    assert len(cases()) >= 78


@pytest.mark.parametrize("case", [*cases(), *cases(HERE / "link_cases.jsonl")])
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
    references = attachments_among(case["note"], scan(case["text"]).links, names)
    attachments = dict.fromkeys(reference.target for reference in references)
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


def linked(text: str) -> list[str]:
    return [
        occurrence.edge.target for occurrence in occurrences_of("n.md", text, Names(["n.md", "a.md", "b.md"]))
    ]


def written(place: str, form: str) -> str:
    """The form in the place; in a table its pipe is escaped."""
    return place.replace("{}", form.replace("|", "\\|") if "--" in place and "|" in place else form)


@pytest.mark.parametrize("place", PLACES["inside"])
def test_every_form_counts_wherever_text_is_shown(place: str) -> None:
    found = {form: linked(written(place, form)) for form in PLACES["forms"]}
    assert found == {form: ["a.md"] for form in PLACES["forms"]}


@pytest.mark.parametrize("place", PLACES["outside"])
def test_no_form_counts_in_code_html_comments_and_math(place: str) -> None:
    found = {form: linked(f"{written(place, form)}\n\n[[b]]\n") for form in PLACES["forms"]}
    assert found == {form: ["b.md"] for form in PLACES["forms"]}
