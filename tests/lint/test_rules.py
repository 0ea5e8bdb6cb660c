"""Every rule against its cases, `tests/lint/rules/<slug>.md`; README.md in that folder tells how a case looks."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from reme_cli.config.load import load_config
from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.fix import mended
from reme_cli.lint.rules import RULES
from reme_cli.lint.survey import Survey
from reme_cli.vault.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.lint.rule import Rule

FOLDER = Path(__file__).parent / "rules"
BLOCK = re.compile(r"^(~{4,}|`{4,})(\w+)(?: ([^\n]+))?\n(.*?)^\1$\n?", re.MULTILINE | re.DOTALL)
NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)


class Case(NamedTuple):
    rule: Rule
    title: str
    files: dict[str, bytes]
    found: str
    """Lines of `path:line:col code message`; the message may be left out."""
    chinese: str | None
    fixed: dict[str, bytes]
    unsafe: dict[str, bytes]


def raw(text: str) -> bytes:
    """A file of a case as bytes: `␍` is a carriage return, `→` a tab, `␀` NUL, `<BOM>` a BOM, `␊` at the end: no newline."""
    text = text.replace("␍", "\r").replace("→", "\t").replace("␀", "\0").replace("<BOM>", "\ufeff")
    if text.endswith("␊\n"):
        text = text.removesuffix("␊\n")
    parts = re.split(r"\\x([0-9a-f]{2})", text)  # a byte that is no text
    return b"".join(bytes.fromhex(part) if number % 2 else part.encode() for number, part in enumerate(parts))


def sections(text: str) -> list[str]:
    """What follows each `## `, except in a block."""
    outside = BLOCK.sub(lambda block: " " * len(block[0]), text)
    starts = [found.end() for found in re.finditer(r"^## ", outside, re.MULTILINE)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text) + 3], strict=False)]


def cases() -> list[Case]:
    found = []
    by_slug = {rule.slug: rule for rule in RULES}
    for place in sorted(FOLDER.glob("*.md")):
        if place.name == "README.md":
            continue
        for section in sections(place.read_text(encoding="utf-8")):
            title, _, content = section.partition("\n")
            files, fixed, unsafe, told = {}, {}, {}, {"found": "", "zh": ""}
            for _, kind, path, text in BLOCK.findall(content):
                match kind:
                    case "file":
                        files[path] = raw(text)
                    case "fixed":
                        fixed[path] = raw(text)
                    case "unsafe":
                        unsafe[path] = raw(text)
                    case _:
                        told[kind] = text
            assert files, f"{place.name}: {title}: no file"
            assert set(told) == {"found", "zh"}, f"{place.name}: {title}: a block of an unknown kind"
            case = Case(by_slug[place.stem], title, files, told["found"], told["zh"] or None, fixed, unsafe)
            found.append(case)
    return found


def lines(vault: Vault, case: Case, language: str) -> list[str]:
    # what is to be said of comments shows where all rules are run
    is_of_comments = case.rule.check is None and case.rule.check_note is None
    rules = RULES if is_of_comments else (case.rule,)
    with Index.open(vault) as index:
        findings = check(Survey(vault, index, NOW), Inquiry(rules, "zh" if language == "zh" else "en"))
    findings = tuple(each for each in findings if each.code == case.rule.code)
    return [f"{each.path}:{each.line}:{each.col} {each.code} {each.message}" for each in findings]


def matching(found: list[str], expected: str) -> list[str]:
    """The lines that were found, each cut to what is expected of it."""
    wanted = expected.splitlines()
    return [
        want if line == want or line.startswith(f"{want} ") else line
        for line, want in zip(found, [*wanted, *[""] * len(found)], strict=False)
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.rule.slug}: {case.title}")
def test_case(case: Case, make_vault: Callable[..., Path]) -> None:
    root = make_vault(case.files)
    vault = Vault(root, load_config(root, {}).config)
    assert matching(lines(vault, case, "en"), case.found) == case.found.splitlines()
    if case.chinese is not None:
        assert matching(lines(vault, case, "zh"), case.chinese) == case.chinese.splitlines()
    for unsafe, expected in ((False, case.fixed), (True, {**case.fixed, **case.unsafe})):
        with Index.open(vault) as index:
            after = {
                path: text.encode()
                for path, text in mended(
                    Survey(vault, index, NOW), Inquiry((case.rule,)), unsafe=unsafe
                ).texts.items()
            }
        assert after == expected


def test_every_rule_has_cases() -> None:
    assert {rule.slug for rule in RULES} == {case.rule.slug for case in cases()}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_every_rule_is_told_in_two_languages_and_shown_by_its_cases(rule: Rule) -> None:
    for name, texts in rule.messages.items():
        assert set(texts) == {"en", "zh"}, name
        fields = [set(re.findall(r"\{(\w+)", text)) for text in texts.values()]
        assert fields[0] == fields[1], name


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_every_rule_has_its_page(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert re.findall(r"(?m)^## (.+)$", rule.page) == ["Why", "Bad", "Good", "Fix"]


def test_the_table_is_in_the_order_of_the_codes() -> None:
    groups = "LPFSDCEN"
    assert [rule.code for rule in RULES] == sorted(
        {rule.code for rule in RULES}, key=lambda code: (groups.index(code[0]), code)
    )
    assert len({rule.slug for rule in RULES}) == len(RULES)
