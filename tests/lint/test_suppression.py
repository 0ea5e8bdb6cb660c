"""Comments that switch rules off: the cases of `suppression.md`."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from reme_cli.index.index import Index
from reme_cli.lint.check import Inquiry, check
from reme_cli.lint.rules import RULES
from reme_cli.lint.selection import rules_named
from reme_cli.lint.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable

    from reme_cli.lint.finding import Finding
    from reme_cli.vault.vault import Vault

SECTION = re.compile(r"^## (.+)\n\n~~~~note\n((?:.*\n)*?)~~~~\n~~~~found\n((?:.*\n)*?)~~~~\n", re.MULTILINE)
NOW = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)
LOOKED_FOR = ("L001", "L007", "N001", "N002")


class Case(NamedTuple):
    title: str
    note: str
    found: str


def cases() -> list[Case]:
    content = (Path(__file__).parent / "suppression.md").read_text(encoding="utf-8")
    found = [Case(*section) for section in SECTION.findall(content)]
    assert len(found) == content.count("\n## ")
    return [case._replace(note=case.note.replace("␍", "\r")) for case in found]


def findings(vault: Vault, *words: str) -> tuple[Finding, ...]:
    rules = RULES if not words else tuple(rule for word in words for rule in rules_named(word))
    with Index.open(vault) as index:
        return check(Survey(vault, index, NOW), Inquiry(rules))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.title)
def test_case(case: Case, vault_of: Callable[..., Vault]) -> None:
    found = findings(vault_of({"a.md": case.note}))
    told = [f"{each.line}:{each.col} {each.code}" for each in found if each.code in LOOKED_FOR]
    assert told == case.found.splitlines()


def test_a_comment_is_unused_only_where_its_rules_were_run(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of({"a.md": "Nothing. <!-- reme-lint-disable L001 -->\n\n<!-- reme-lint-disable L -->\n"})
    assert [each.start for each in findings(vault, "N001", "L001")] == [32]
    assert len(findings(vault, "N001", "L")) == 2
    assert findings(vault, "N001", "L007") == ()
    assert findings(vault, "L") == ()


def test_what_is_told_of_an_unknown_code(vault_of: Callable[..., Vault]) -> None:
    vault = vault_of(
        {"a.md": "x <!-- reme-lint-disable borken-link -->\n\ny <!-- reme-lint-disable zzz -->\n"}
    )
    near, far = findings(vault, "N002")
    assert "did you mean `broken-link`?" in near.message
    assert "`zzz`" in far.message
