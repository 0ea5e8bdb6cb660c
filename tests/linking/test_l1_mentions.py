"""Mentions become links, and nothing else in the vault changes."""

from __future__ import annotations

import datetime as dt
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reme_cli.changeset import audit
from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.graph.conservation import Additive, change_of
from reme_cli.index.index import Index
from reme_cli.linking import forked, l1_mentions
from reme_cli.linking.l1_mentions import LinkOptions, link_both_ways, link_mentions
from reme_cli.linking.weights import WORTH_TELLING
from reme_cli.vault.vault import Vault
from reme_cli.vault.wikilink import strip_links

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reme_cli.linking.report import L1Report
    from tests.conftest import Outcome

MakeVault = "Callable[..., Vault]"
LOOP = "digest/wiki/feedback-loop.md"
CLUSTER = "digest/wiki/kubernetes.md"
NOTES = {
    LOOP: "---\nname: Feedback loop\n---\nIt comes back.\n",
    CLUSTER: "---\nname: Kubernetes\naliases: [k8s cluster]\n---\nIt runs things.\n",
    "digest/wiki/知识管理系统.md": "它管理知识。\n",
}
SOURCE = "digest/wiki/source.md"
_CASE = re.compile(
    r"^## (.*?)\n\n```before\n(.*?\n)```\n(?:\n```after\n(.*?\n)```\n)?", re.MULTILINE | re.DOTALL
)
CASES = _CASE.findall((Path(__file__).parent / "places.md").read_text(encoding="utf-8"))


def link(vault: Vault, options: LinkOptions | None = None, paths: list[str] | None = None) -> L1Report:
    with Index.open(vault) as index, start_run(vault, "auto_link l1") as run:
        return link_mentions(vault, index, paths, options or LinkOptions(), run)


def texts(vault: Vault) -> dict[str, str]:
    return {path: vault.read(path).text for path in vault.note_paths()}


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_places(vault_of: Callable[..., Vault], before: str, after: str) -> None:
    vault = vault_of({**NOTES, SOURCE: before})
    link(vault, LinkOptions(threshold="eager"))
    assert vault.read(SOURCE).text == (after or before)


def test_every_case_of_the_file_is_read() -> None:
    assert len(CASES) == (Path(__file__).parent / "places.md").read_text(encoding="utf-8").count("\n## ")


def test_it_tells_what_it_linked_and_what_not(vault_of: Callable[..., Vault]) -> None:
    notes = {
        **NOTES,
        "digest/wiki/mercury-planet.md": "---\nname: Mercury planet\naliases: [Mercury mission]\n---\n",
        "digest/wiki/mercury-program.md": "---\nname: Mercury program\naliases: [Mercury mission]\n---\n",
        SOURCE: "Text.\n\nThe Mercury mission came before Kubernetes.\n",
    }
    report = link(vault_of(notes))
    assert [(each.path, each.line, each.col, each.mention, each.target) for each in report.linked] == [
        (SOURCE, 3, 33, "Kubernetes", CLUSTER)
    ]
    assert [(each.line, each.col, each.mention, each.targets, each.reason) for each in report.left] == [
        (
            3,
            5,
            "Mercury mission",
            ("digest/wiki/mercury-planet.md", "digest/wiki/mercury-program.md"),
            "ambiguous",
        )
    ]
    assert report.changed == [SOURCE]


def test_a_name_of_several_notes_is_told_however_unsure(vault_of: Callable[..., Vault]) -> None:
    """But for ordinary words, of which there would be one in every other sentence."""
    notes = {
        "digest/wiki/first.md": "---\nname: First talk\naliases: [foobar, group]\n---\n",
        "digest/wiki/second.md": "---\nname: Second talk\naliases: [foobar, group]\n---\n",
        SOURCE: "> They saw a strange foobar thing in every other group there.\n",
    }
    report = link(vault_of(notes), LinkOptions(threshold="eager"))
    (left,) = report.left
    assert (left.mention, left.reason) == ("foobar", "ambiguous")
    assert left.targets == ("digest/wiki/first.md", "digest/wiki/second.md")
    assert left.score < WORTH_TELLING
    assert not report.linked


def test_the_vaults_own_links_settle_what_a_name_means(vault_of: Callable[..., Vault]) -> None:
    linked = {f"digest/wiki/n{number}.md": "[[mercury-planet|Mercury mission]]\n" for number in range(3)}
    notes = {
        "digest/wiki/mercury-planet.md": "---\naliases: [Mercury mission]\n---\n",
        "digest/wiki/mercury-program.md": "---\naliases: [Mercury mission]\n---\n",
        **linked,
        SOURCE: "The Mercury mission came first.\n",
    }
    vault = vault_of(notes)
    link(vault)
    assert "[[digest/wiki/mercury-planet.md|Mercury mission]]" in vault.read(SOURCE).text


def test_a_text_that_people_link_again_and_again_is_a_name(vault_of: Callable[..., Vault]) -> None:
    linked = {
        f"digest/wiki/n{number}.md": "We [[kubernetes|orchestrate containers]] here.\n" for number in range(3)
    }
    vault = vault_of({**NOTES, **linked, SOURCE: "Let us orchestrate containers.\n"})
    link(vault, LinkOptions(threshold="eager"))
    assert vault.read(SOURCE).text == f"Let us [[{CLUSTER}|orchestrate containers]].\n"


@pytest.mark.parametrize("name", ["Notes", "Index", "README", "2026-06-20", "TODO", "2026", "的", "the", "X"])
def test_a_name_that_says_nothing_is_never_linked(vault_of: Callable[..., Vault], name: str) -> None:
    vault = vault_of({f"{name}.md": "Text.\n", "source.md": f"{name}\n\n- {name}\n\nWe see {name}: here.\n"})
    assert not link(vault, LinkOptions(threshold="eager")).linked


def test_an_ordinary_word_is_not_linked(vault_of: Callable[..., Vault]) -> None:
    sentences = {f"n{number}.md": "We will focus on what we can do over time.\n" for number in range(12)}
    names = {f"long name of a note number {number}.md": "Text.\n" for number in range(12)}
    vault = vault_of({**sentences, **names, "focus.md": "Text.\n", "time.md": "Text.\n"})
    assert not link(vault).linked


def test_an_abbreviation_of_two_letters_counts_in_its_own_letters(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {"digest/wiki/a.md": "---\naliases: [GO]\n---\n", SOURCE: "They go on, so go.\n\nThen Go.\n"}
    )
    assert not link(vault, LinkOptions(threshold="eager")).linked


@pytest.mark.parametrize(("which", "count"), [("first", 1), ("section", 2), ("all", 3)])
def test_which_mentions(vault_of: Callable[..., Vault], which: str, count: int) -> None:
    vault = vault_of({**NOTES, SOURCE: "Kubernetes and Kubernetes.\n\n# Head\n\nKubernetes again.\n"})
    link(vault, LinkOptions(mentions=which))  # type: ignore[arg-type]  # parametrized
    assert vault.read(SOURCE).text.count(f"[[{CLUSTER}|Kubernetes]]") == count


def test_layers(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of()
    today = vault.today()
    text = "We moved to Kubernetes.\n"
    old, new = (f"daily/{day}/log.md" for day in (today - dt.timedelta(days=3), today))
    vault = vault_of({**NOTES, old: text, new: text, "resource/page.md": text, "top.md": text})
    report = link(vault, paths=[old, new, "resource/page.md"])
    assert report.changed == [old]
    assert [(each.path, each.reason) for each in report.left] == [(new, "today")]
    assert link(vault).changed == []


@pytest.mark.parametrize("fails", [False, True])
def test_on_all_cores_as_on_one(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """Also where the other processes fail, and where notes are written while others are still judged."""
    notes = {
        **NOTES,
        "digest/planet.md": "---\nname: Mercury planet\naliases: [Mercury mission]\n---\n",
        "digest/program.md": "---\nname: Mercury program\naliases: [Mercury mission]\n---\n",
        "digest/slip.md": "A feedbakc loop, and [[kubernetes|the cluster]] of Kubernetes.\n",
    } | {
        f"digest/note-{number:03}.md": f"Number {number}: a Feedback loop on Kubernetes, the Mercury mission, 知识管理系统。\n"
        for number in range(150)
    }
    vault = vault_of(notes)
    alone = link(vault, LinkOptions(dry_run=True))
    assert len(alone.linked) >= 450
    assert "ambiguous" in {left.reason for left in alone.left}
    monkeypatch.setattr(forked, "_WORTH_IT", 4)
    monkeypatch.setattr(forked, "_cores", lambda: 3)
    if fails:
        fork = os.fork
        monkeypatch.setattr(os, "fork", lambda: fork() or os._exit(1))
    assert link(vault, LinkOptions(dry_run=True)) == alone
    written = link(vault)
    assert written.linked == alone.linked
    assert written.left == alone.left
    assert not link(vault).linked


def test_all_processes_are_there_before_it_tells_how_far_it_is(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A progress bar has a thread, and a process with threads is not forked."""
    done: list[str] = []

    @contextmanager
    def noted(work: Callable[[str], object], items: Sequence[str]) -> Iterator[Iterator[object]]:
        with forked.mapped(work, items) as found:
            done.append("there")
            yield found

    vault = vault_of(NOTES)
    monkeypatch.setattr(l1_mentions, "mapped", noted)
    with Index.open(vault) as index, start_run(vault, "auto_link l1") as run:
        link_mentions(vault, index, None, LinkOptions(), run, progress=lambda *_: done.append("told"))
    assert done == ["there", "told"]


def test_a_dry_run_shows_it_and_writes_nothing(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({**NOTES, SOURCE: "It is Kubernetes.\n"})
    before = texts(vault)
    report = link(vault, LinkOptions(dry_run=True))
    assert f"+It is [[{CLUSTER}|Kubernetes]].\n" in report.diff
    assert report.changed == [SOURCE]
    assert texts(vault) == before


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "---\r\nname: Source\r\n---\r\n"])
def test_other_bytes_stay(vault_of: Callable[..., Vault], ending: str, start: str) -> None:
    text = start + ending.join(("Cafe\u0301 😀 text.", "", "It is Kubernetes, in a cafe\u0301.", "", "end"))
    vault = vault_of({**NOTES, SOURCE: text})
    link(vault)
    assert vault.read(SOURCE).text == text.replace("Kubernetes", f"[[{CLUSTER}|Kubernetes]]")


def test_a_name_with_accents_in_another_normal_form(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {"digest/wiki/Café Müller.md": "Text.\n", SOURCE: "In the Cafe\u0301 Mu\u0308ller we met.\n"}
    )
    link(vault)
    assert (
        vault.read(SOURCE).text == "In the [[digest/wiki/Café Müller.md|Cafe\u0301 Mu\u0308ller]] we met.\n"
    )


@pytest.mark.parametrize(
    "path", ["C# in depth.md", "a|b.md", "[x].md", " lead.md", "\u3000lead.md", "mailto:me.md", "a^b.md"]
)
def test_a_note_whose_path_no_link_can_hold_is_no_target(vault_of: Callable[..., Vault], path: str) -> None:
    notes = {path: "---\naliases: [depth charge]\n---\n", "source.md": "I read of a depth charge today.\n"}
    assert not link(vault_of(notes), LinkOptions(threshold="eager")).linked
    notes["fine.md"] = notes.pop(path)
    assert link(vault_of(notes), LinkOptions(threshold="eager")).linked


def test_both_ways(vault_of: Callable[..., Vault]) -> None:
    others = {
        f"digest/wiki/other-{number}.md": "It has a Feedback loop, on Kubernetes.\n" for number in range(4)
    }
    vault = vault_of({**NOTES, **others, LOOP: "---\nname: Feedback loop\n---\nSeen in Kubernetes.\n"})
    with Index.open(vault) as index, start_run(vault, "test") as run:
        report = link_both_ways(vault, index, LOOP, LinkOptions(), run, most=3)
    assert [(each.path, each.target) for each in report.linked if each.path == LOOP] == [(LOOP, CLUSTER)]
    others_linked = [each for each in report.linked if each.path != LOOP]
    assert len(others_linked) == 3
    assert {each.target for each in others_linked} == {LOOP}


def test_what_somebody_writes_meanwhile_stays(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = vault_of({**NOTES, SOURCE: "It is Kubernetes.\n"})
    read = Vault.read
    edited: list[str] = []

    def slow(self: Vault, path: str) -> object:
        note = read(self, path)
        if path == SOURCE and len(edited) < 2:
            edited.append(path)
            (vault.root / SOURCE).write_text(f"Edit {len(edited)}. It is Kubernetes.\n")
        return note

    with Index.open(vault) as index, start_run(vault, "test") as run:
        monkeypatch.setattr(Vault, "read", slow)
        link_mentions(vault, index, None, LinkOptions(), run)
    monkeypatch.undo()
    assert vault.read(SOURCE).text == f"Edit 2. It is [[{CLUSTER}|Kubernetes]].\n"


def test_the_model_is_not_needed(reme: Callable[..., Outcome], make_vault: Callable[..., Path]) -> None:
    root = make_vault({**NOTES, SOURCE: "It is Kubernetes.\n"})
    outcome = reme("auto_link", vault=root)
    assert outcome.code == 0, outcome.err
    assert outcome.out == f"{SOURCE}:1:7: Kubernetes → {CLUSTER}\n"
    assert reme("auto_link", "digest/wiki", "--json", vault=root).json["linked"] == []
    assert reme("undo", vault=root).code == 0
    assert reme("auto_link", "since=2999-01-01", "--json", vault=root).json["notes"] == 0
    assert reme("auto_link", "since=never", vault=root).code == 2


PIECES = st.sampled_from(
    [
        *("Kubernetes", "Feedback loop", "feedback-loops", "知识管理系统", "k8s cluster", "source"),
        *(
            " ",
            " ",
            "\n",
            "\n\n",
            "[",
            "]",
            "[[",
            "]]",
            "(",
            ")",
            "|",
            "`",
            "```\n",
            "$",
            "%%",
            "<!--",
            "-->",
            "<b>",
            "\\",
        ),
        *(
            "- ",
            "> ",
            "# ",
            "| a | b |\n|---|---|\n",
            "    ",
            "!",
            "^",
            "^[",
            "[^1]",
            "[^1]: ",
            "x:: ",
            "&amp;",
            "*",
            "_",
            "~~~\n",
        ),
        *(
            "[[kubernetes]]",
            "[[feedback-loop|Kubernetes]]",
            "[text](x.md)",
            "[a]: b\n",
            "\r\n",
            "\ufeff",
            "\u0301",
            "é",
            "https://",
        ),
    ]
)


@settings(max_examples=60)
@given(bodies=st.lists(st.lists(PIECES, max_size=14).map("".join), min_size=1, max_size=3))
def test_no_edge_is_lost_and_no_text_changes(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[str]
) -> None:
    root = tmp_path_factory.mktemp("vault")
    files: Mapping[str, str] = {
        **NOTES,
        **{f"digest/wiki/n{number}.md": body for number, body in enumerate(bodies)},
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    vault = Vault(root, Config())
    options = LinkOptions(threshold="eager", mentions="all")
    report = link(vault, options)
    for path, text in files.items():
        after = vault.read(path).text
        assert strip_links(after) == strip_links(text)
        with Index.open(vault) as index:
            change = change_of(path, text, after)
            names = index.names()
        around = type("Same", (), {"before": names, "after": names})()
        Additive().check(change, around, (change,))
    assert not [each for each in report.left if each.reason == "forbidden"]
    again = link(vault, options)
    assert again.linked == []


@pytest.mark.parametrize(
    ("name", "text", "linked"),
    [
        ("Others", "We sell to Kubernetes.\n", True),
        ("Others", "We sell to Kubernetes Labs.\n", False),
        ("Kubernetes Labs", "We sell what Kubernetes makes.\n", False),
        ("🏭 Kubernetes!", "We sell what Kubernetes makes.\n", False),
        ("Kubernetes and its friends", "We sell to Kubernetes.\n", True),
    ],
    ids=[
        "the note",
        "part of a longer name",
        "short for the note itself",
        "the note itself with symbols",
        "a longer title",
    ],
)
def test_a_name_in_another(vault_of: Callable[..., Vault], name: str, text: str, linked: bool) -> None:
    vault = vault_of({**NOTES, SOURCE: f"---\nname: {name}\n---\n{text}"})
    link(vault)
    assert (f"[[{CLUSTER}|Kubernetes]]" in vault.read(SOURCE).text) == linked


def test_a_part_of_a_longer_name_is_no_mention_where_the_note_is_named_for_itself(
    vault_of: Callable[..., Vault],
) -> None:
    text = "We sell to Kubernetes Labs. They sell to Kubernetes.\n"
    vault = vault_of({**NOTES, SOURCE: text})
    link(vault)
    assert vault.read(SOURCE).text == text.replace("Kubernetes.", f"[[{CLUSTER}|Kubernetes]].")


@pytest.mark.parametrize(
    ("written", "linked"),
    [
        ("feedbakc loop", True),
        ("feedbck loop", True),
        ("feedback-loop", True),
        ("feedbxck loop", True),
        ("beedback loop", False),
        ("feedbxxk loop", False),
        ("feedbck lop", False),
    ],
)
def test_a_slip_of_the_pen(vault_of: Callable[..., Vault], written: str, linked: bool) -> None:
    vault = vault_of({**NOTES, SOURCE: f"Then the {written} was closed again.\n"})
    link(vault)
    assert (f"[[{LOOP}|{written}]]" in vault.read(SOURCE).text) == linked
    assert link(vault).linked == []


def test_a_slip_is_no_surer_than_the_name_spelled_right_beside_it(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {
            "digest/wiki/return-policy.md": "# Return Policy\n\nText.\n",
            "digest/wiki/Shop.md": "The Return Policy. A Return Policy.\n",
            SOURCE: "A return policy, our retrun policy.\n",
        }
    )
    link(vault, paths=[SOURCE])
    assert vault.read(SOURCE).text == "A return policy, our retrun policy.\n"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("digest/wiki/US$ notes.md", "It was $5, see US$ notes today, and [[kubernetes]].\n"),
        ("digest/wiki/a`b ticks.md", "A ` and a`b ticks today, and [[kubernetes]].\n"),
        ("digest/wiki/50%% off.md", "We %% had 50%% off today, and [[kubernetes]].\n"),
        ("digest/wiki/a<b rule.md", "The a<b rule is >here, and [[kubernetes]].\n"),
        ("digest/wiki/back\\.md", "One back\\[[kubernetes]] there.\n"),
        ("digest/wiki/tool::.md", "tool:: [[kubernetes]]\n"),
    ],
)
def test_a_name_of_marks_breaks_nothing(vault_of: Callable[..., Vault], target: str, text: str) -> None:
    vault = vault_of({**NOTES, target: "Text.\n", SOURCE: text})
    options = LinkOptions(threshold="eager", mentions="all")
    dry = link(vault, LinkOptions(threshold="eager", mentions="all", dry_run=True))
    report = link(vault, options)
    assert (dry.linked, dry.left) == (report.linked, report.left)
    assert strip_links(vault.read(SOURCE).text) == strip_links(text)
    assert not [line for line in audit.lines(vault) if line.outcome != "written"]
    assert link(vault, options).linked == []
