"""Fixes: in rounds until none is left, one write a note, no other byte, no edge lost that was not announced."""

from __future__ import annotations

import datetime as dt
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from reme_cli.changeset.run import start_run
from reme_cli.config import Config
from reme_cli.graph.conservation import EdgeKey, edge_keys
from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.finding import Fix, Problem, Replacement
from reme_cli.lint.fix import ROUNDS, mended, write_fixes
from reme_cli.lint.rule import Rule
from reme_cli.lint.rules import RULES
from reme_cli.lint.survey import Survey
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from reme_cli.lint.fix import Mended
    from reme_cli.lint.survey import Subject

NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)


def rule_that(
    pattern: str,
    replacement: str,
    *,
    safe: bool = True,
    edges: tuple[tuple[EdgeKey, EdgeKey | None], ...] = (),
    code: str = "L001",
) -> Rule:
    """A rule that wants a pattern to be replaced."""

    def check_note(subject: Subject, survey: Survey) -> Iterator[Problem]:
        del survey
        for found in re.finditer(pattern, subject.text):
            replaced = Replacement(subject.path, found.start(), found.end(), found.expand(replacement))
            yield Problem(subject.path, found.start(), found.end(), fix=Fix((replaced,), safe, edges))

    text: Mapping[str, str] = {"en": pattern, "zh": pattern}
    return Rule(
        code, "broken-link", "warning", {"default": {"en": text["en"], "zh": text["zh"]}}, None, check_note
    )


def mend(vault: Vault, *rules: Rule, unsafe: bool = False, write: bool = True) -> Mended:
    with Index.open(vault) as index, start_run(vault, "lint --fix") as run:
        survey = Survey(vault, index, NOW)
        if write:
            return write_fixes(survey, Inquiry(rules), None, run, unsafe=unsafe)
        return mended(survey, Inquiry(rules), unsafe=unsafe)


def test_one_fix_changes_the_next_and_all_are_one_write(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "\ufeffone one\r\nkept \t\r\n", "b.md": "kept"})
    done = mend(vault, rule_that("one", "two"), rule_that("two", "three", code="L002"))
    assert vault.read("a.md").text == "\ufeffthree three\r\nkept \t\r\n"
    assert (done.remaining, len(done.made)) == ((), 4)
    lines = [line for file in (vault.metadata("audit")).iterdir() for line in file.read_text().splitlines()]
    assert [(line.count('"written"'), '"a.md"' in line) for line in lines] == [(1, True)]


def test_of_two_that_overlap_the_first_is_made_and_the_other_in_the_next_round(
    vault_of: Callable[..., Vault],
) -> None:
    vault = vault_of({"a.md": "abcd"})
    done = mend(vault, rule_that("abc", "xbc"), rule_that("bcd", "bcz", code="L002"))
    assert (vault.read("a.md").text, len(done.made)) == ("xbcz", 2)


def test_two_insertions_at_one_place_are_both_made(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "x"})
    mend(vault, rule_that("^(?!1|2)", "1"), rule_that("^(?!.*2)", "2", code="L002"))
    assert sorted(vault.read("a.md").text) == ["1", "2", "x"]


def test_what_was_refused_is_tried_again_in_the_new_text(vault_of: Callable[..., Vault]) -> None:
    """Two fixes change one edge, so all together are refused, and two that only go together are refused alone."""
    vault = vault_of(
        {
            "a.md": "derivedFrom:: [[old/The long planning note]] derivedFrom:: [[n]]\n",
            "archive/The long planning note.md": "x",
            "n.md": "derived_from:: [[n]]\n",
        }
    )
    rules = [rule for rule in RULES if rule.code in {"L001", "L011"}]
    done = mend(vault, *rules)
    assert (
        vault.read("a.md").text == "derived_from:: [[archive/The long planning note]] derived_from:: [[n]]\n"
    )
    assert (len(done.made), done.left) == (3, [])
    assert mend(vault, *rules).texts == {}


def test_an_unsafe_fix_is_made_on_request_only(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "one"})
    rule = rule_that("one", "two", safe=False)
    assert mend(vault, rule).texts == {}
    assert mend(vault, rule, unsafe=True).texts == {"a.md": "two"}


def test_an_edge_that_was_not_announced_stays(vault_of: Callable[..., Vault]) -> None:
    """The fix that would lose it is left out and told; the others of the note are made."""
    vault = vault_of({"a.md": "one [[b]]", "b.md": ""})
    done = mend(vault, rule_that("one", "two"), rule_that(r"\[\[b\]\]", "b", code="L002"))
    assert vault.read("a.md").text == "two [[b]]"
    assert [(left.finding.code, "[[b.md]]" in left.reason) for left in done.left] == [("L002", True)]
    assert [finding.code for finding in done.remaining] == ["L002"]


def test_an_edge_that_was_announced_may_go(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "[[b]]", "b.md": ""})
    mend(vault, rule_that(r"\[\[b\]\]", "b", edges=((EdgeKey("b.md", None), None),)))
    assert vault.read("a.md").text == "b"


def test_what_would_go_on_for_ever_ends(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "x"})
    assert mend(vault, rule_that("x$", "xx"), write=False).texts == {"a.md": "x" * (ROUNDS + 1)}
    same = mend(vault, rule_that("x", "x"))
    assert [left.reason for left in same.left] == ["it would change nothing"]


def test_a_plan_writes_nothing_and_is_what_is_written(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "one\n"})
    planned = mend(vault, rule_that("one", "two"), write=False)
    assert vault.read("a.md").text == "one\n"
    assert planned.diff() == "--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+two\n"
    mend(vault, rule_that("one", "two"))
    assert vault.read("a.md").text == planned.texts["a.md"]


def test_a_note_that_changed_since_it_was_looked_at_is_planned_anew(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "one\n"})
    with Index.open(vault) as index, start_run(vault, "lint --fix") as run:
        survey = Survey(vault, index, NOW)
        (vault.root / "a.md").write_text("saved in between, one\n")
        done = write_fixes(survey, Inquiry((rule_that("one", "two"),)), None, run)
    assert (vault.root / "a.md").read_text() == "saved in between, two\n"
    assert len(done.made) == 1


def test_a_note_that_changes_at_the_last_moment_is_planned_anew(
    vault_of: Callable[..., Vault], monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = vault_of({"a.md": "one\n", "b.md": "one\n"})
    from reme_cli.changeset.change_set import ChangeSet

    apply = ChangeSet.apply
    saves = iter(["saved, one\n"])

    def apply_late(self: ChangeSet) -> object:
        if text := next(saves, None):
            (vault.root / "a.md").write_text(text)
        return apply(self)

    monkeypatch.setattr(ChangeSet, "apply", apply_late)
    done = mend(vault, rule_that("one", "two"))
    assert (vault.root / "a.md").read_text() == "saved, two\n"
    assert (vault.root / "b.md").read_text() == "two\n"
    assert len(done.made) == 2


@pytest.mark.parametrize(
    ("name", "unsafe"), [("handbook", False), ("foam-docs", True), ("oldwinter-zh", True)]
)
def test_on_vaults_that_nobody_here_wrote(shared: Path, tmp_path: Path, name: str, unsafe: bool) -> None:
    """Nothing is left to mend afterwards, only what was announced differs, and no edge is lost that was not announced."""
    source = shared / "vaults" / name
    if not source.is_dir():
        pytest.skip(f"no vault {name}")
    vault = Vault(shutil.copytree(source, tmp_path / name), Config())
    rules = tuple(rule for rule in RULES if rule.code[0] in "LF")
    with Index.open(vault) as index:
        survey = Survey(vault, index, NOW)
        first = mended(survey, Inquiry(rules), unsafe=unsafe)
        assert first.left == []
        again = survey.with_texts(_imagined(index, vault, first.texts), first.texts)
        second = mended(again, Inquiry(rules), unsafe=unsafe)
        assert second.texts == {}
        codes = {(finding.path, finding.code) for finding in first.made}
        assert not [
            finding
            for finding in check(again, Inquiry(rules))
            if finding.fix is not None
            and (unsafe or finding.fix.is_safe)
            and (finding.path, finding.code) in codes
        ]
        for path, text in first.texts.items():
            before = first.before[path]
            announced = {old for old, _ in first.edges.get(path, ())}
            lost = edge_keys(path, before, index.names()) - edge_keys(path, text, index.names())
            assert lost <= announced, path
            old, new = before.split("\n"), text.split("\n")
            if len(old) == len(new):
                mended_lines = {
                    line
                    for finding in first.made
                    if finding.path == path
                    for line in range(finding.line, finding.end_line + 1)
                }
                changed = {
                    number for number, pair in enumerate(zip(old, new, strict=True), 1) if pair[0] != pair[1]
                }
                assert changed <= mended_lines, path


def _imagined(index: Index, vault: Vault, texts: Mapping[str, str]) -> Index:
    from reme_cli.vault.note import Note
    from reme_cli.vault.stamp import stamp_of

    imagined = index.imagined()
    for path, text in texts.items():
        imagined.suppose(Note(path, text, stamp_of(text.encode())))
    del vault
    return imagined
