"""`reme graph-query`: every question, as a table and as JSON, and the mistakes one can make."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from reme_cli.index.index import Index
from reme_cli.index.rows import ImpliedEdge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "graph-query.schema.json"

NOTES = {
    "people/mia.md": "---\nname: Mia Chen\naliases: [MC]\n---\nworks_at:: [[acme]]\n",
    "companies/acme.md": "founded_by:: [[mia]]\n\n[[zenith]] and [[zenit]], [[mia]] again\n",
    "companies/zenith.md": "belongs_to:: [[acme]]\n\nbelongs_to:: [[nowhere at all]]\n",
    "digest/wiki/gateway.md": "derived_from:: [[daily/2026-06-20.md]]\n",
    "daily/2026-06-20.md": "# A day\n",
    "alone.md": "[[alone]] [[zenit]]\n",
}


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(NOTES)


@pytest.fixture
def ask(reme: Reme, vault: Path) -> Callable[..., Outcome]:
    """Runs `reme graph-query` on the vault; it has to succeed."""

    def run(*arguments: object) -> Outcome:
        outcome = reme("graph-query", *arguments, vault=vault)
        assert outcome.code == 0, outcome.err
        return outcome

    return run


def checked(outcome: Outcome) -> Any:
    """The outcome's JSON, which has to be as the schema says."""
    jsonschema.validate(outcome.json, json.loads(SCHEMA.read_text(encoding="utf-8")))
    return outcome.json


def edges(outcome: Outcome) -> list[tuple[int, str, str | None, str]]:
    return [(e["depth"], e["source"], e["predicate"], e["target"]) for e in checked(outcome)["edges"]]


class TestNote:
    def test_links_of_a_note(self, ask: Reme) -> None:
        assert edges(ask("acme", "--json")) == [
            (1, "companies/acme.md", "founded_by", "people/mia.md"),
            (1, "companies/acme.md", None, "companies/zenith.md"),
            (1, "companies/acme.md", None, "zenit"),
            (1, "companies/acme.md", None, "people/mia.md"),
        ]
        lines = ask("acme").out.splitlines()
        assert lines[0].split() == ["depth", "source", "predicate", "target", "at"]
        assert lines[1].split() == [
            "1", "companies/acme.md", "founded_by", "people/mia.md", "companies/acme.md:1:14",
        ]  # fmt: skip
        assert "zenit ?" in lines[3]

    def test_by_alias_and_direction(self, ask: Reme) -> None:
        assert edges(ask("mc", "direction=in", "format=json")) == [
            (1, "companies/acme.md", "founded_by", "people/mia.md"),
            (1, "companies/acme.md", None, "people/mia.md"),
        ]
        assert len(edges(ask("mia", "direction=both", "depth=9", "--json"))) == 7

    def test_a_type_also_takes_links_told_from_the_other_end(self, ask: Reme) -> None:
        told = checked(ask("mia", "type=founded,belongs-to", "--json"))["edges"]
        assert told == [
            {
                "depth": 1, "source": "people/mia.md", "predicate": "founded", "target": "companies/acme.md",
                "resolved": True, "implied": False, "path": "companies/acme.md", "line": 1, "col": 14,
            }
        ]  # fmt: skip

    def test_a_limit_says_that_it_cut(self, ask: Reme) -> None:
        outcome = ask("acme", "limit=2")
        assert len(outcome.out.splitlines()) == 3
        assert "2 of 4 links" in outcome.err
        cut = checked(ask("acme", "limit=2", "--json"))
        assert (len(cut["edges"]), cut["total"]) == (2, 4)
        assert "total" not in checked(ask("acme", "limit=4", "--json"))

    def test_nothing_to_show(self, ask: Reme) -> None:
        outcome = ask("daily/2026-06-20.md", "type=is_a")
        assert (outcome.out, outcome.err) == (
            "",
            "daily/2026-06-20.md: no links out of it with this predicate\n",
        )

    @pytest.mark.parametrize(
        ("form", "expected"),
        [
            ("tree", "companies/zenith.md\n├─ belongs_to → companies/acme.md  "),
            ("dot", 'label="acme", tooltip="companies/acme.md"'),
            ("mermaid", 'n0 -->|"belongs#95;to"| n1'),
            ("graphml", '<data key="node_path">companies/acme.md</data>'),
            ("html", "companies/acme.md"),
        ],
    )
    def test_each_format(self, ask: Reme, form: str, expected: str) -> None:
        assert expected in ask("zenith", f"format={form}").out


class TestImplied:
    @pytest.fixture(autouse=True)
    def said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two relations that sentences state, one of which a link spells out from the other end."""
        found = (
            ImpliedEdge("people/mia.md", "founded", "companies/acme.md", "companies/acme.md", 1, 1),
            ImpliedEdge("people/mia.md", "advises", "companies/zenith.md", "daily/2026-06-20.md", 1, 3),
        )

        def implied(_: Index, paths: Iterable[str] | None = None) -> tuple[ImpliedEdge, ...]:
            wanted = None if paths is None else set(paths)
            return tuple(e for e in found if wanted is None or wanted & {e.source, e.target})

        monkeypatch.setattr(Index, "implied", implied)

    def test_only_where_asked_for(self, ask: Reme) -> None:
        assert not any(e["implied"] for e in ask("mia", "direction=both", "depth=5", "--json").json["edges"])
        assert checked(ask("--stats", "--json"))["stats"]["implied"] == 2
        assert checked(ask("--stats", "--json"))["stats"]["edges"] == 7

    def test_they_are_marked_and_stand_where_they_are_said(self, ask: Reme) -> None:
        outcome = ask("zenith", "direction=in", "--implied")
        assert (
            "people/mia.md      advises (implied)  companies/zenith.md  daily/2026-06-20.md:1:3"
            in outcome.out
        )
        told = checked(ask("zenith", "direction=in", "--implied", "--json"))["edges"]
        assert [(e["implied"], e["path"]) for e in told] == [
            (False, "companies/acme.md"),
            (True, "daily/2026-06-20.md"),
        ]

    def test_what_is_written_is_not_implied_too(self, ask: Reme) -> None:
        both = edges(ask("mia", "direction=both", "--implied", "--json"))
        assert [edge[2] for edge in both] == ["founded_by", None, "advises", "works_at"]
        every = checked(ask("--implied", "format=json"))["edges"]
        assert [e["predicate"] for e in every if e["implied"]] == ["advises"]


class TestTo:
    def test_the_shortest_way(self, ask: Reme) -> None:
        told = checked(ask("mia", "to=zenith", "--json"))
        assert told["paths"] == [[0, 1]]
        assert [(e["depth"], e["target"]) for e in told["edges"]] == [
            (1, "companies/acme.md"),
            (2, "companies/zenith.md"),
        ]
        assert len(ask("mia", "--to", "zenith").out.splitlines()) == 3

    def test_all_of_them_typed_first_each_with_a_gap(self, ask: Reme) -> None:
        outcome = ask("acme", "to=mia")
        assert "founded_by" in outcome.out.split("\n\n")[0]
        assert len(outcome.out.split("\n\n")) == 2
        assert "1 of 2 ways" in ask("acme", "to=mia", "limit=1").err

    def test_no_way(self, ask: Reme) -> None:
        outcome = ask("gateway", "to=mia")
        assert (outcome.out, outcome.err) == (
            "",
            "no way from digest/wiki/gateway.md to people/mia.md; direction=both also goes against links\n",
        )
        assert checked(ask("gateway", "to=mia", "--json"))["paths"] == []
        assert "same note" in ask("mia", "to=MC").err

    def test_it_can_be_drawn(self, ask: Reme) -> None:
        assert ask("mia", "to=zenith", "format=dot").out.count("->") == 2


class TestWhole:
    def test_all_notes_and_links(self, ask: Reme) -> None:
        told = checked(ask("format=json"))
        assert [note["path"] for note in told["notes"]] == sorted(NOTES)
        assert len(told["edges"]) == 10
        assert [e["source"] for e in told["edges"]] == sorted(e["source"] for e in told["edges"])

    @pytest.mark.parametrize("form", ["dot", "mermaid", "graphml", "html"])
    def test_each_format(self, ask: Reme, form: str) -> None:
        assert "alone" in ask(f"format={form}").out

    def test_by_type(self, ask: Reme) -> None:
        assert [edge[2] for edge in edges(ask("type=contains", "format=json"))] == ["contains"], (
            "`belongs_to` turned round; nothing can start from a missing note"
        )

    def test_mermaid_draws_so_many(self, ask: Reme, make_vault: Callable[..., Path], reme: Reme) -> None:
        vault = make_vault({"hub.md": " ".join(f"[[n{n}]]" for n in range(501))}, name="large")
        assert "501 links: Mermaid draws 500" in reme("graph-query", "format=mermaid", vault=vault).err
        assert ask("format=mermaid").err == ""


class TestQuestions:
    def test_top_central(self, ask: Reme) -> None:
        told = checked(ask("top=central", "n=2", "--json"))["notes"]
        assert [(note["path"], note["score"]) for note in told] == [
            ("companies/acme.md", 2),
            ("companies/zenith.md", 1),
        ]
        assert ask("--top", "central", "n=1").out.split() == [
            "linked",
            "by",
            "note",
            "2",
            "companies/acme.md",
        ]

    def test_top_of_one_kind(self, ask: Reme) -> None:
        assert [n["path"] for n in ask("top=central", "type=founded", "--json").json["notes"]] == [
            "companies/acme.md"
        ]

    def test_top_pagerank(self, ask: Reme) -> None:
        told = checked(ask("top=pagerank", "--json"))["notes"]
        assert len(told) == 6
        assert told[0]["path"] in {"companies/acme.md", "people/mia.md"}
        assert sum(note["score"] for note in told) == pytest.approx(1)
        assert len(ask("top=pagerank", "limit=3").out.splitlines()) == 4

    def test_orphans(self, ask: Reme) -> None:
        assert ask("--orphans").out == "alone.md\n"
        assert [note["path"] for note in checked(ask("--orphans", "--json"))["notes"]] == ["alone.md"]

    def test_broken(self, ask: Reme) -> None:
        assert ask("--broken").out == (
            "alone.md:1:11: zenit (did you mean companies/zenith.md?)\n"
            "companies/acme.md:3:16: zenit (did you mean companies/zenith.md?)\n"
            "companies/zenith.md:3:14: belongs_to:: nowhere at all\n"
        )
        told = checked(ask("--broken", "--json"))
        assert [(e["target"], e["suggestion"]) for e in told["edges"]] == [
            ("zenit", "companies/zenith.md"),
            ("zenit", "companies/zenith.md"),
            ("nowhere at all", None),
        ]
        assert [note["path"] for note in told["notes"]] == [
            "alone.md",
            "companies/acme.md",
            "companies/zenith.md",
        ]

    def test_broken_of_one_kind_and_cut(self, ask: Reme) -> None:
        assert ask("--broken", "type=belongs_to").out.startswith("companies/zenith.md:3:14")
        outcome = ask("--broken", "limit=1")
        assert len(outcome.out.splitlines()) == 1
        assert "1 of 3 broken links" in outcome.err

    def test_components(self, ask: Reme) -> None:
        told = checked(ask("--components", "--json"))["components"]
        assert [component["size"] for component in told] == [3, 2, 1]
        assert told[1]["notes"] == ["daily/2026-06-20.md", "digest/wiki/gateway.md"]
        lines = ask("--components", "limit=1").out.splitlines()
        assert lines[1].split()[:2] == ["3", "companies/acme.md,"]

    def test_stats(self, ask: Reme) -> None:
        told = checked(ask("--stats", "--json"))["stats"]
        assert told == {
            "notes": 6,
            "edges": 7,
            "typed": 4,
            "untyped": 3,
            "implied": told["implied"],
            "predicates": {"belongs_to": 1, "derived_from": 1, "founded_by": 1, "works_at": 1},
            "layers": {"digest": 1, "daily": 1, "resource": 0, "other": 4},
            "buckets": {"wiki": 1},
            "orphans": 1,
            "broken": 3,
            "components": 3,
            "largest": 3,
            "density": 0.16666667,
            "hubs": [
                {"path": "companies/acme.md", "inbound": 2},
                {"path": "companies/zenith.md", "inbound": 1},
                {"path": "daily/2026-06-20.md", "inbound": 1},
                {"path": "people/mia.md", "inbound": 1},
            ],
        }
        assert "edges         7: 4 typed, 3 untyped" in ask("--stats").out

    @pytest.mark.parametrize(
        "question",
        ["top=central", "top=pagerank", "--orphans", "--broken", "--components", "--stats", "format=json"],
    )
    def test_of_an_empty_vault(self, reme: Reme, make_vault: Callable[..., Path], question: str) -> None:
        vault = make_vault({}, name="empty")
        assert reme("graph-query", question, vault=vault).code == 0
        checked(reme("graph-query", question, "--json", vault=vault))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "a table needs a note or a question"),
        ("format=tree", "a tree needs a note or a question"),
        ("--stats --broken", "--broken and --stats are two questions"),
        ("--to mia", "--to needs a note to start from"),
        ("mia --stats", "--stats asks about the whole graph"),
        ("--orphans depth=2", "--orphans takes no `depth`"),
        ("mia n=3", "NOTE takes no `n`"),
        ("direction=in format=dot", "the whole graph takes no `direction`"),
        ("--broken format=dot", "--broken has no format `dot`"),
        ("mia depth=0", "0"),
        ("mia top=best", "best"),
        ("mia type=,", "names no predicate"),
        ("mai", "there is no note `mai`"),
    ],
)
def test_mistakes(reme: Reme, vault: Path, line: str, told: str) -> None:
    outcome = reme("graph-query", *line.split(), vault=vault)
    assert (outcome.code, outcome.out) == (2, "")
    assert told in outcome.err


def test_several_notes_of_a_name_are_listed(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({f"{n:02}/x.md": "" for n in range(12)})
    outcome = reme("graph-query", "x", vault=vault)
    assert outcome.code == 2
    assert outcome.out == "".join(f"{n:02}/x.md\n" for n in range(12))
    assert "12 notes" in outcome.err
    failed = reme("graph-query", "x", "--json", vault=vault)
    assert failed.json["error"]["code"] == "ambiguous-note", "one object on stdout"
    assert failed.json["error"]["candidates"] == outcome.out.splitlines()
    jsonschema.validate(failed.json, json.loads(SCHEMA.with_name("error.schema.json").read_text("utf-8")))


@pytest.mark.skipif(os.name == "nt", reason="no file can have such a name there")
def test_a_name_with_a_line_break_makes_no_second_line(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"one\ntwo.md": "a gateway, see [[nothing]] and [[b]]\n", "b.md": "[[one\ttwo]]\n"})
    told = r"one\ntwo.md"
    asked = reme("graph-query", "onetwo", vault=vault)
    assert asked.err.splitlines() == ["reme: error: there is no note `onetwo`", f"      Did you mean {told}?"]
    lines = {
        "search gateway": 4,
        "graph-query --broken": 2,
        "graph-query b direction=in": 2,
        "graph-query b direction=in format=tree": 2,
        "graph-query --orphans": 0,
        "graph-query --components": 2,
    }
    for line, count in lines.items():
        shown = reme(*line.split(), vault=vault).out
        assert (len(shown.splitlines()), told in shown) == (count, count > 0), line
    linted = reme("lint", vault=vault)
    assert f"{told}:1:16 " in linted.out
    assert "\ntwo.md" not in linted.out


def test_a_hub_with_five_thousand_links_to_it(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({f"n{n}.md": "[[hub]]" for n in range(5000)} | {"hub.md": "[[hub]]"})
    told = reme("graph-query", "hub", "direction=both", "depth=5", "--json", vault=vault).json
    assert len(told["edges"]) == 5001
    assert len(told["notes"]) == 5001
