"""Which rules are run: the configuration, the command line, and the paths."""

from __future__ import annotations

import pytest

from reme_cli.config import LintConfig
from reme_cli.errors import ConfigError, UsageError
from reme_cli.lint.finding import Finding
from reme_cli.lint.rules import RULES
from reme_cli.lint.selection import rules_named, selection

EVERY = {rule.code for rule in RULES}
LINKS = {code for code in EVERY if code.startswith("L")}


def codes(select: str = "", ignore: str = "", *, config: LintConfig | None = None) -> set[str]:
    chosen = selection(config or LintConfig(), [select] if select else [], [ignore] if ignore else [])
    assert list(chosen.rules) == [rule for rule in RULES if rule in chosen.rules], "in the order of the table"
    return {rule.code for rule in chosen.rules}


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("L001", {"L001"}),
        ("l001", {"L001"}),
        ("broken-link", {"L001"}),
        ("broken_link", {"L001"}),
        ("L", LINKS),
        ("L00", {code for code in LINKS if code < "L010"}),
        ("all", EVERY),
        ("", set()),
        ("link", set()),
        ("L0011", set()),
    ],
)
def test_what_a_word_names(word: str, expected: set[str]) -> None:
    assert {rule.code for rule in rules_named(word)} == expected


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ("", "", EVERY),
        ("L001", "", {"L001"}),
        ("L001, F001", "", {"L001", "F001"}),
        ("", "L", EVERY - LINKS),
        ("L", "L001,broken-anchor", LINKS - {"L001", "L005"}),
        ("L001,F", "L", {code for code in EVERY if code[0] == "F"} | {"L001"}),
        ("L", "L", set()),
        ("broken-link", "L001", set()),
    ],
)
def test_of_the_command_line(select: str, ignore: str, expected: set[str]) -> None:
    assert codes(select, ignore) == expected
    configured = LintConfig(select=(select,) if select else (), ignore=(ignore,) if ignore else ())
    assert codes(config=configured) == expected


def test_the_command_line_has_the_last_word() -> None:
    config = LintConfig(select=("L",), ignore=("L001",))
    assert codes(config=config) == LINKS - {"L001"}
    assert codes("L001", config=config) == {"L001"}, "who asks for it gets it"
    assert codes("", "L002", config=config) == LINKS - {"L001", "L002"}
    assert codes("F001", config=config) == {"F001"}


@pytest.mark.parametrize(
    ("word", "hint"), [("borken-link", "`broken-link`"), ("S0001", "`S001`"), ("zzz", "docs/lint/index.md")]
)
def test_an_unknown_word_is_told_with_the_nearest(word: str, hint: str) -> None:
    with pytest.raises(UsageError) as told:
        selection(LintConfig(), [word])
    assert hint in str(told.value)
    for config in (
        LintConfig(select=(word,)),
        LintConfig(ignore=(word,)),
        LintConfig(per_path={"a/": (word,)}),
    ):
        with pytest.raises(ConfigError) as wrong:
            selection(config)
        assert hint in str(wrong.value)
        assert wrong.value.where == "vault.yaml"


@pytest.mark.parametrize(
    ("path", "code", "admitted"),
    [
        ("resource/a.md", "L001", False),
        ("resource/deep/a.md", "L002", False),
        ("resource/a.md", "F001", True),
        ("a.md", "L001", True),
        ("a.excalidraw.md", "E002", False),
        ("daily/2026-06-01.md", "L001", True),
        ("daily/2026-06-01.md", "S004", False),
        ("daily/2026-05-01.md", "S004", True),
    ],
)
def test_a_rule_that_does_not_count_in_a_path(path: str, code: str, admitted: bool) -> None:
    config = LintConfig(
        per_path={"resource/": ("L",), "*.excalidraw.md": ("all",), "daily/2026-06-*": ("S004",)}
    )
    finding = Finding(code, "x", "warning", path, 1, 1, 1, 1, "")
    assert selection(config).admits(finding) is admitted


def test_a_pattern_that_is_none() -> None:
    with pytest.raises(ConfigError, match="no gitignore pattern"):
        selection(LintConfig(per_path={"!": ("L",)}))
