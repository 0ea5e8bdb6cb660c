"""`reme lint` on the command line: exit codes, options, stdin, ignored notes, configuration."""

from __future__ import annotations

import io
import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from reme_cli.lint.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Outcome

    Reme = Callable[..., Outcome]


def places(outcome: Outcome) -> list[str]:
    return [f"{each['path']}:{each['line']} {each['code']}" for each in outcome.json["findings"]]


@pytest.mark.parametrize(
    ("note", "options", "code"),
    [
        ("A clean note.\n", (), 0),
        ("[[nowhere]]\n", (), 1),
        ("[[nowhere]]\n", ("--fail-on=error",), 0),
        ("[[nowhere]]\n", ("--fail-on=never",), 0),
        ("[[A]]\n", (), 0),
        ("[[nowhere]]\n", ("--ignore=L001",), 0),
        ("[[nowhere]]\n", ("--select=F",), 0),
        ("---\na: b: c\n---\n", ("--fail-on=error",), 1),
        ("---\na: b: c\n---\n", ("--fail-on=never",), 0),
        ("[[nowhere]]\n", ("--format=github", "fail_on=never"), 0),
        ("x\n", ("--select=nothing",), 2),
        ("x\n", ("--fail-on=info",), 2),
        ("x\n", ("--format=xml",), 2),
        ("x\n", ("--dry-run",), 2),
        ("x\n", ("--write-baseline",), 2),
        ("x\n", ("--statistics", "--format=sarif"), 2),
        ("x\n", ("--now=soon",), 2),
        ("x\n", ("--explain=nothing",), 2),
        ("x\n", ("../a.md",), 4),
        ("x\n", ("nothing.md",), 2),
        ("x\n", ("--changed",), 2),
    ],
)
def test_the_exit_code(
    reme: Reme, make_vault: Callable[..., Path], note: str, options: tuple[str, ...], code: int
) -> None:
    outcome = reme("lint", *options, vault=make_vault({"a.md": note}))
    assert outcome.code == code, outcome.err
    assert (outcome.err.count("reme: error:") == 1) is (code in {2, 4})


@pytest.mark.parametrize(("text", "hint"), [("selct=L", "`select=`"), ("fail-no=error", "`fail_on=`")])
def test_a_mistyped_key_is_no_path(reme: Reme, make_vault: Callable[..., Path], text: str, hint: str) -> None:
    vault = make_vault({"a.md": "x\n"})
    outcome = reme("lint", text, vault=vault)
    assert (outcome.code, "unknown key" in outcome.err, hint in outcome.err) == (2, True, True)
    (vault / text).write_text("A file may be called so.\n")
    assert reme("lint", text, vault=vault).code == 0


@pytest.mark.parametrize(
    ("options", "hint"),
    [(("--select=borken-link",), "broken-link"), (("--explain=L0O1",), "L0")],
)
def test_a_slip_is_told_with_the_nearest(
    reme: Reme, make_vault: Callable[..., Path], options: tuple[str, ...], hint: str
) -> None:
    assert hint in reme("lint", *options, vault=make_vault()).err


def test_the_configuration_counts_and_the_command_line_more(
    reme: Reme, make_vault: Callable[..., Path]
) -> None:
    yaml = "lint:\n  ignore: [self-link]\n  per_path:\n    old/: [L]\n  fail_on: never\n"
    vault = make_vault({"vault.yaml": yaml, "a.md": "[[x]] [[a]]\n", "old/b.md": "[[x]]\n"})
    assert places(outcome := reme("lint", "--json", vault=vault)) == ["a.md:1 L001"]
    assert outcome.code == 0
    assert reme("lint", "--fail-on=warning", vault=vault).code == 1
    assert places(reme("lint", "--json", "--select=L007", vault=vault)) == ["a.md:1 L007"]


@pytest.mark.parametrize(
    ("yaml", "told"),
    [
        ("lint: {ignore: [borken-link]}", "`lint.ignore`: no rule is called `borken-link`"),
        ("lint: {fail_on: info}", "`lint.fail_on`: expected `error`, `warning` or `never`, found `info`"),
        ("lint: {selct: [L]}", "unknown key `lint.selct`"),
        ("lint: {per_path: [L]}", "expected a mapping"),
        ("lint: {pending_days: -1}", "must be at least 0"),
    ],
)
def test_a_mistake_in_the_configuration(
    reme: Reme, make_vault: Callable[..., Path], yaml: str, told: str
) -> None:
    outcome = reme("lint", vault=make_vault({"vault.yaml": yaml}))
    assert outcome.code == 2
    assert told in outcome.err


def test_what_gitignore_leaves_out(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({".gitignore": "private/\n", "private/a.md": "[[x]]\n", "b.md": "[[private/a]]\n"})
    assert places(reme("lint", "--json", vault=vault)) == []
    assert places(reme("lint", "--json", "--no-ignore", vault=vault)) == ["private/a.md:1 L001"]
    assert places(reme("lint", "--json", "private/a.md", vault=vault)) == ["private/a.md:1 L001"], (
        "named itself"
    )
    assert places(reme("lint", "--json", "private", vault=vault)) == []


def test_language_is_that_of_the_notes_unless_it_is_set(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"密钥轮换.md": "# 密钥轮换\n\n[[无]]\n", "网关.md": "# 网关\n"})
    assert "不存在" in reme("lint", vault=vault).out
    (vault / "vault.yaml").write_text("language: en\n")
    assert "no note" in reme("lint", vault=vault).out


class TestStdin:
    """`reme lint -`."""

    def run(
        self,
        reme: Reme,
        vault: Path,
        text: str,
        *options: str,
    ) -> Outcome:
        return reme("lint", "-", *options, vault=vault, stdin=text)

    def test_it_stands_for_the_note_of_its_name(self, reme: Reme, make_vault: Callable[..., Path]) -> None:
        vault = make_vault({"a.md": "[[b]]\n", "b.md": "[[nowhere]]\n"})
        name = "--stdin-filename=b.md"
        assert places(self.run(reme, vault, "[[a]]\n\n[[other]]\n", "--json", name)) == ["b.md:3 L001"]
        assert self.run(reme, vault, "[[a]]\n", name).code == 0
        assert (vault / "b.md").read_text() == "[[nowhere]]\n"
        assert places(reme("lint", "--json", vault=vault)) == ["b.md:1 L001"]

    def test_a_new_note(self, reme: Reme, make_vault: Callable[..., Path]) -> None:
        vault = make_vault({"digest/wiki/a.md": "x\n"})
        found = self.run(
            reme, vault, "[[x]]\n", "--json", "--stdin-filename=digest/wiki/b.md", "--select=F002,L001"
        )
        assert places(found) == ["digest/wiki/b.md:1 F002", "digest/wiki/b.md:1 L001"]
        assert places(self.run(reme, vault, "[[x]]\n", "--json")) == ["stdin.md:1 L001"]

    def test_fixed_it_is_printed(self, reme: Reme, make_vault: Callable[..., Path]) -> None:
        vault = make_vault({"Note.md": "x\n"})
        fixed = self.run(reme, vault, "\ufeff[[note]]\r\n", "--fix", "--select=L006")
        assert fixed.out == "\ufeff[[Note|note]]\r\n"
        assert fixed.code == 0
        assert "+[[Note|note]]" in self.run(reme, vault, "[[note]]\n", "--diff", "--select=L006").out
        assert self.run(reme, vault, "[[Note]]\n", "--fix").out == "[[Note]]\n"
        assert sorted(path.name for path in vault.iterdir() if path.suffix == ".md") == ["Note.md"]

    @pytest.mark.parametrize("name", ["../x.md", "x.txt", "/x.md", ".hidden/x.md"])
    def test_a_name_that_no_note_has(self, reme: Reme, make_vault: Callable[..., Path], name: str) -> None:
        assert self.run(reme, make_vault(), "x", f"--stdin-filename={name}").code == 4

    def test_bytes_arrive_as_they_are(
        self, reme: Reme, make_vault: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import sys

        from reme_cli.commands.lint import _stdin_note

        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\r\n\xff")))
        with pytest.raises(Exception, match="not UTF-8"):
            _stdin_note("a.md")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("笔记\r\n".encode())))
        assert _stdin_note("a.md").text == "笔记\r\n"


class TestExplain:
    """`reme lint --explain`."""

    def test_a_rule(self, reme: Reme) -> None:
        told = reme("lint", "--explain", "broken_link")
        assert told.code == 0
        assert told.out.startswith("# L001 broken-link (warning)\n\nA link leads to")
        assert reme("lint", "explain=L001").out == told.out

    def test_all_of_them(self, reme: Reme) -> None:
        lines = reme("lint", "--explain=all").out.splitlines()
        assert [line.split()[0] for line in lines[1:]] == [rule.code for rule in RULES]
        assert len(reme("lint", "--explain=all", "--json").json["rules"]) == len(RULES)

    def test_a_group(self, reme: Reme) -> None:
        lines = reme("lint", "--explain=N").out.splitlines()
        assert [line.split()[0] for line in lines[1:]] == ["N001", "N002"]


def test_fixes_are_a_run_that_can_be_undone(reme: Reme, make_vault: Callable[..., Path]) -> None:
    vault = make_vault({"a.md": "[[B]] and [[nowhere]]\n", "b.md": "x\n"})
    fixed = reme("lint", "--fix", "--unsafe-fixes", "--select=L", vault=vault)
    assert fixed.code == 0, fixed.err
    assert (vault / "a.md").read_text() == "[[b|B]] and nowhere\n"
    assert "lint --fix" in reme("log", vault=vault).out
    assert reme("undo", vault=vault).code == 0
    assert (vault / "a.md").read_text() == "[[B]] and [[nowhere]]\n"


def test_what_is_new_in_the_vault_is_told_of_a_vault_in_a_folder_of_its_repository(
    reme: Reme, make_vault: Callable[..., Path]
) -> None:
    root = make_vault({"notes/a.md": "[[x]]\n"})
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    told = reme("lint", "--format=github", vault=root / "notes").out
    assert told.startswith("::warning file=notes/a.md,line=1,")
    log = json.loads(reme("lint", "--format=sarif", vault=root / "notes").out)
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "notes/a.md", "uriBaseId": "%SRCROOT%"}
